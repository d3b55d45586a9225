"""Files of one rotating capture, known by how tcpdump and dumpcap name them, in the order of their packets."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

_Item = TypeVar("_Item")

_PACKED = re.compile(r"\.(?:gz|zst|lz4|xz|bz2)$")
"""What `tcpdump -z` and people append. The file that was being written is not packed."""

_COUNTER = re.compile(r"(?<=[^.]\.)([A-Za-z]+)\d+$")
"""`tcpdump -C`: `cap.pcap`, `cap.pcap1`, `cap.pcap2`, with `-W` `cap.pcap00`. Only behind a suffix: `h1` is a host."""

_DUMPCAP = re.compile(r"_\d{5}_\d{14}(?=\.|$)")
"""`dumpcap -b`: `cap_00001_20261130220000.pcapng`."""

_TIME = re.compile(r"(?<!\d)(?:20\d\d-?\d\d-?\d\d(?:[T_-]?\d\d[:.-]?\d\d(?:[:.-]?\d\d)?)?|1\d{9})(?!\d)")
"""`tcpdump -G` leaves the format to the user: a date with or without the time of day, or seconds since 1970."""


def in_time_order(
    items: Sequence[_Item], path_of: Callable[[_Item], Path], begins: Callable[[_Item], int | None]
) -> tuple[_Item, ...]:
    """The items, where those of one rotation have changed places among each other: the first packet first.

    `begins` is the time of an item's first packet in ns; None, for a file without one, goes last. It is asked only for
    items of a rotation: neither names (`cap.pcap10` sorts before `cap.pcap2`) nor a ring of files tell the order.
    """
    rotations: dict[Path, list[int]] = {}
    for place, item in enumerate(items):
        rotations.setdefault(_rotation(path_of(item)), []).append(place)
    ordered = list(items)
    for places in rotations.values():
        if len(places) > 1:
            files = [(begins(items[place]), place) for place in places]
            files.sort(key=lambda file: (file[0] is None, file[0] or 0))
            for place, (_, file) in zip(places, files, strict=True):
                ordered[place] = items[file]
    return tuple(ordered)


def _rotation(path: Path) -> Path:
    """What the files of one rotation have in common. A file that belongs to none stands alone."""
    name = _PACKED.sub("", path.name)
    return path.with_name(_COUNTER.sub(r"\1", _TIME.sub("*", _DUMPCAP.sub("*", name))))
