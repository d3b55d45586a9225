"""A capture that comes through a pipe, kept in a temporary file: scans read a capture more than once."""

import atexit
import os
import select
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from badhop.sources.disk import has_room

_CHUNK = 1 << 20
_PATIENCE = 0.2
"""Seconds between two questions whether to go on."""


def _has_something(stream: BinaryIO) -> bool:
    """Waits a little for bytes or the end, so that who reads a stalled pipe can still be asked whether to go on."""
    ready, _, _ = select.select([stream], [], [], _PATIENCE)
    return bool(ready)


@dataclass(frozen=True)
class Spooled:
    """The copy, which goes away when the process ends, and a note of its size."""

    path: Path
    note: str


def spool(stream: BinaryIO, reading: Callable[[int], object]) -> Spooled:
    """Copies the stream to its end, or until the disk is nearly full. `reading` is told the bytes so far."""
    with tempfile.NamedTemporaryFile(prefix="badhop-", suffix=".capture", delete=False) as copy:
        path = Path(copy.name)
        atexit.register(path.unlink, missing_ok=True)
        size = 0
        while True:
            reading(size)
            if not _has_something(stream):
                continue
            chunk = os.read(stream.fileno(), _CHUNK)
            if not chunk:
                break
            copy.write(chunk)
            size += len(chunk)
            if not has_room(path.parent):
                return Spooled(path, f"only the first {size} bytes of the pipe were read: {path.parent} is nearly full")
    return Spooled(path, f"{size} bytes came through a pipe and are kept in {path} until badhop ends")
