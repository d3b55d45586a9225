"""The packets that a row or a piece of evidence points to."""

from collections.abc import Mapping
from dataclasses import dataclass

_COLUMNS = {
    "frame": "",
    "frames": "evidence",
    "frames_b": "seen behind it",
    "sent_frame": "first sent",
    "nak_frame": "the NAK",
    "resend_frame": "the resend",
    "first_frame": "the first",
    "last_frame": "the last",
}
"""Columns that hold frame numbers, and what such a packet is to the row."""

_OF_ANOTHER_CAPTURE = {"frames_b": "tap_b"}
"""Columns with frames of another capture than `source`, and the column that names it."""


@dataclass(frozen=True)
class Spot:
    """One packet: the capture's `source` (None: the only one there is), its frame from 1, and what it is to the row."""

    source: str | None
    frame: int
    label: str


def spots_of(row: Mapping[str, object]) -> tuple[Spot, ...]:
    """Every packet that a row names, in the order of the columns; none twice."""
    found: dict[tuple[str | None, int], Spot] = {}
    for column, label in _COLUMNS.items():
        value = row.get(column)
        source = row.get(_OF_ANOTHER_CAPTURE.get(column, "source"))
        name = source.removesuffix("#after") if isinstance(source, str) else None  # half of a mirror is its capture
        frames = value if isinstance(value, list) else [value]
        for frame in frames:
            if isinstance(frame, int) and not isinstance(frame, bool) and frame > 0:
                found.setdefault((name, frame), Spot(name, frame, label))
    return tuple(found.values())
