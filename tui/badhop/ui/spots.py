"""The packets that a row or a piece of evidence points to."""

from collections.abc import Mapping
from dataclasses import dataclass

_COLUMNS = {
    "frame": "",
    "frames": "evidence",
    "sent_frame": "first sent",
    "nak_frame": "the NAK",
    "resend_frame": "the resend",
    "first_frame": "the first",
    "last_frame": "the last",
}
"""Columns that hold frame numbers, and what such a packet is to the row."""


@dataclass(frozen=True)
class Spot:
    """One packet: the capture's `source` (None: the only one there is), its frame from 1, and what it is to the row."""

    source: str | None
    frame: int
    label: str


def spots_of(row: Mapping[str, object]) -> tuple[Spot, ...]:
    """Every packet that a row names, in the order of the columns; none twice."""
    source = row.get("source")
    name = source if isinstance(source, str) else None
    found: dict[int, Spot] = {}
    for column, label in _COLUMNS.items():
        value = row.get(column)
        frames = value if isinstance(value, list) else [value]
        for frame in frames:
            if isinstance(frame, int) and not isinstance(frame, bool) and frame > 0:
                found.setdefault(frame, Spot(name, frame, label))
    return tuple(found.values())
