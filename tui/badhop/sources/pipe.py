"""Captures that come through pipes, kept in temporary files: scans read a capture more than once.

All pipes are read side by side, so that two taps that are captured at the same time lose nothing to each other. A pipe
may have no end: then it is ended, and what came so far is the capture.
"""

import os
import select
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from badhop.sources.disk import has_room, temporary_file

_CHUNK = 1 << 20
_PATIENCE = 0.2
"""Seconds between two questions whether to go on."""
_GRACE = 1.0
"""Seconds that a writer has for its last words: Ctrl-C in a shell reaches the whole pipeline, and tcpdump then writes
what it still holds and ends."""


@dataclass(frozen=True)
class Pipe:
    """A stream that may block, and the path that the user knows it by."""

    descriptor: int
    label: Path


@dataclass(frozen=True)
class Spooled:
    """The copy, which goes away when the process ends, and a note of its size. `ended`: the pipe could have gone on."""

    path: Path
    note: str
    size: int
    ended: bool = False


def opened_pipe(path: Path) -> Pipe:
    """A named pipe, without waiting for who writes into it."""
    return Pipe(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), path)


def spool(
    pipes: Sequence[Pipe], reading: Callable[[Path, int], object], enough: Callable[[], bool] = lambda: False
) -> tuple[Spooled, ...]:
    """Copies the pipes to their ends, until `enough`, or until the disk is nearly full; in the order given.

    `reading` is told each pipe with its bytes so far. A pipe that is not read to its end is closed: its writer notices.
    """
    copies = [_Copy(pipe) for pipe in pipes]
    try:
        open_ones = {copy.pipe.descriptor: copy for copy in copies}
        asked: float | None = None
        while open_ones:
            for copy in open_ones.values():
                reading(copy.pipe.label, copy.size)
            if asked is None and enough():
                asked = time.monotonic()
            ready, _, _ = select.select(list(open_ones), [], [], _PATIENCE)
            if asked is not None and (not ready or time.monotonic() - asked > _GRACE):
                break
            for descriptor in ready:
                if not open_ones[descriptor].take():
                    del open_ones[descriptor]
        for copy in open_ones.values():
            copy.end()
        return tuple(copy.spooled() for copy in copies)
    finally:
        for copy in copies:
            copy.file.close()


@dataclass
class _Copy:
    """One pipe on its way into its file."""

    pipe: Pipe
    size: int = 0
    state: str = ""
    file: BinaryIO = field(init=False)

    def __post_init__(self) -> None:
        self.path, self.file = temporary_file()

    def take(self) -> bool:
        """Moves what is there; False at the end."""
        try:
            chunk = os.read(self.pipe.descriptor, _CHUNK)
        except BlockingIOError:
            return True
        self.file.write(chunk)
        self.size += len(chunk)
        if chunk and not has_room(self.path.parent):
            self.state = "full"
            _close(self.pipe.descriptor)
            return False
        return bool(chunk)

    def end(self) -> None:
        self.state = "ended"
        _close(self.pipe.descriptor)

    def spooled(self) -> Spooled:
        if self.state == "full":
            note = f"only the first {self.size} bytes of the pipe were read: {self.path.parent} is nearly full"
        else:
            until = " until it was ended" if self.state == "ended" else ""
            note = f"{self.size} bytes came through a pipe{until} and are kept in {self.path} until badhop ends"
        return Spooled(self.path, note, self.size, bool(self.state))


def _close(descriptor: int) -> None:
    """Ends the pipe for its writer; the number stays taken, for it may be that of standard input."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, descriptor)
    os.close(nothing)
