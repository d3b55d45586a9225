"""A file of evidence that is no capture: on disk or inside an archive, read when it is needed, with a limit."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePath

HEAD = 64 << 10
"""Bytes that formats are recognised by."""

LONGEST = 512 << 20
"""Bytes of a file that is read as text, line by line. Longer logs are read up to here, with a problem."""


@dataclass(frozen=True)
class Content:
    """A file by its place in the evidence. `open` gives at most so many bytes from its start."""

    path: PurePath
    """Inside the evidence that was given: `h12/ethtool_eth2.txt`."""
    name: str
    """As the column `source` shows it."""
    open: Callable[[int], bytes] = field(repr=False)
    on_disk: Path | None = None
    """Where the same bytes can be mapped; None inside an archive."""
    mtime: int | None = None
    """When it was last changed, in ns since 1970."""
    size: int | None = None
    """Bytes; None where that is not known before it is read."""

    @cached_property
    def head(self) -> bytes:
        """The first bytes."""
        return self.open(HEAD)

    def whole(self) -> bytes:
        """All of it up to `LONGEST`. Raises OSError."""
        return self.open(LONGEST)


def on_disk(path: Path, inside: PurePath, name: str) -> Content:
    """A regular file. Raises OSError."""
    found = path.stat()

    def first(count: int) -> bytes:
        with path.open("rb") as file:
            return file.read(count)

    return Content(inside, name, first, path, found.st_mtime_ns, found.st_size)


def member(archive: str, inside: PurePath, content: bytes, mtime: int | None) -> Content:
    """A member of an archive whose bytes are in memory."""
    return Content(inside, f"{archive}/{inside}", lambda count: content[:count], None, mtime, len(content))
