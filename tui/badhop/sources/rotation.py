"""Files of one rotating capture, known by how tcpdump and dumpcap name them, in the order of their packets.

A name says only that files may belong together: `tap.pcap1` and `tap.pcap2` may be two taps. They are one capture when
their link types are the same and their times follow one another. What overlaps was captured at two places.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

_Item = TypeVar("_Item")

_PACKED = re.compile(r"\.(?:gz|zst|lz4|xz|bz2)$")
"""What `tcpdump -z` and people append. The file that was being written is not packed."""

_COUNTER = re.compile(r"(?<=[^.]\.)([A-Za-z]+)(\d+)$")
"""`tcpdump -C`: `cap.pcap`, `cap.pcap1`, `cap.pcap2`, with `-W` `cap.pcap00`. Only behind a suffix: `h1` is a host."""

_DUMPCAP = re.compile(r"_(\d{5})_\d{14}(?=\.|$)")
"""`dumpcap -b`: `cap_00001_20261130220000.pcapng`."""

_TIME = re.compile(r"(?<!\d)(?:20\d\d-?\d\d-?\d\d(?:[T_-]?\d\d[:.-]?\d\d(?:[:.-]?\d\d)?)?|1\d{9})(?!\d)")
"""`tcpdump -G` leaves the format to the user: a date with or without the time of day, or seconds since 1970."""

_OVERLAP = 100_000_000
"""Nanoseconds by which a file may begin before the one ahead of it ends. Packets of several receive queues reach the
capture a little out of order, by a turn of the kernel's polling; two taps of one event overlap by far more."""

_SHARE = 10
"""No more of the shorter file than one part of so many may overlap: two taps of a burst lie within the other bound."""

_GAP = 60_000_000_000
"""Nanoseconds that may pass between two files. A rotation goes on with the next packet; captures that somebody takes by
hand or by cron, each with the time in its name, are further apart, and what was lost between them nobody can tell."""


@dataclass(frozen=True)
class Span:
    """What decides whether a file continues another: times of its first and last packet in ns, and its link types."""

    first: int
    last: int
    frames: int
    """Number of the last frame."""
    link_types: frozenset[int]


def in_time_order(
    items: Sequence[_Item], path_of: Callable[[_Item], Path], begins: Callable[[_Item], int | None]
) -> tuple[_Item, ...]:
    """The items, where those of one rotation have changed places among each other: the first packet first.

    `begins` is the time of an item's first packet in ns; None, for a file without one, goes last. It is asked only for
    items of a rotation: neither names (`cap.pcap10` sorts before `cap.pcap2`) nor a ring of files tell the order.
    """
    ordered = list(items)
    for places in _rotations([path_of(item) for item in items]):
        files = [(begins(items[place]), place) for place in places]
        files.sort(key=lambda file: (file[0] is None, file[0] or 0))
        for place, (_, file) in zip(places, files, strict=True):
            ordered[place] = items[file]
    return tuple(ordered)


def joined(
    items: Sequence[_Item], path_of: Callable[[_Item], Path], span_of: Callable[[_Item], Span | None]
) -> tuple[tuple[_Item, ...], ...]:
    """The items as captures: the files of one rotation together, at the place of its first; every other one alone.

    They must come in time order. `span_of` is asked only for items of a rotation; a file without a span stands alone.
    """
    paths = [path_of(item) for item in items]
    follows: dict[int, int] = {}
    for places in _rotations(paths):
        spans = {place: span_of(items[place]) for place in places}
        for one, next_one in pairwise(places):
            before, after = spans[one], spans[next_one]
            if before and after and _continues(before, after) and _is_next(paths[one], paths[next_one]):
                follows[one] = next_one
    firsts = [place for place in range(len(items)) if place not in follows.values()]
    return tuple(tuple(items[place] for place in _chain(first, follows)) for first in firsts)


def _rotations(paths: Sequence[Path]) -> Iterator[list[int]]:
    """Places of the files that by their names belong together."""
    places: dict[Path, list[int]] = {}
    for place, path in enumerate(paths):
        places.setdefault(_rotation(path), []).append(place)
    yield from (found for found in places.values() if len(found) > 1)


def _continues(before: Span, after: Span) -> bool:
    shorter = min(before.last - before.first, after.last - after.first)
    allowed = min(_OVERLAP, shorter // _SHARE)
    in_turn = before.first < after.first and -allowed <= after.first - before.last <= _GAP
    return before.link_types == after.link_types and in_turn


def _is_next(path: Path, other: Path) -> bool:
    """Whether the counters of the names leave out no file. A ring begins again, below where it was."""
    one, next_one = _number(path), _number(other)
    return one is None or next_one is None or next_one == one + 1 or next_one < one


def _chain(first: int, follows: dict[int, int]) -> Iterator[int]:
    place: int | None = first
    while place is not None:
        yield place
        place = follows.get(place)


def _name(path: Path) -> str:
    return _PACKED.sub("", path.name)


def _number(path: Path) -> int | None:
    """The counter in a name; 0 for the first file of `tcpdump -C`, which has none."""
    name = _name(path)
    if found := _DUMPCAP.search(name):
        return int(found[1])
    if found := _COUNTER.search(name):
        return int(found[2])
    return None if _TIME.search(name) else 0


def _rotation(path: Path) -> Path:
    """What the files of one rotation have in common. A file that belongs to none stands alone."""
    return path.with_name(_COUNTER.sub(r"\1", _TIME.sub("*", _DUMPCAP.sub("*", _name(path)))))
