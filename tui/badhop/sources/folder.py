"""The captures in a folder, found by content, and a note of what else is there."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from badhop import _core
from badhop.errors import Unreadable

_NAMED = 3
"""Files that a note names before it only counts: enough to recognise them by, and still one line."""


@dataclass(frozen=True)
class Folder:
    """Captures in the order of their paths, and notes on what was left out."""

    captures: tuple[Path, ...]
    notes: tuple[str, ...]


def captures_in(folder: Path, looking: Callable[[Path], object]) -> Folder:
    """Looks into every file below `folder`, hidden ones left out; links to folders are not followed.

    `looking` is told each file. Raises Unreadable when there is no capture, or the folder cannot be listed.
    """
    captures: list[Path] = []
    others: list[str] = []
    refused: list[str] = []
    for path in _files(folder):
        looking(path)
        try:
            _core.container(path)
        except _core.CaptureError as error:
            relative = str(path.relative_to(folder))
            if error.kind == "not-a-capture":
                others.append(relative)
            else:
                refused.append(f"{relative}: {error.what}")
        else:
            captures.append(path)
    if not captures:
        raise _without_captures(folder, refused)
    return Folder(tuple(captures), (*refused, *_counted(others)))


def _files(folder: Path) -> Iterator[Path]:
    """Regular files only: opening a pipe or a device that lies in the folder could block for ever."""

    def refuse(error: OSError) -> None:
        if Path(error.filename) == folder:
            raise Unreadable(folder, "", error.strerror or str(error), "check the path and its permissions") from error

    for root, folders, files in os.walk(folder, onerror=refuse):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            path = Path(root, name)
            if not name.startswith(".") and path.is_file():
                yield path


def _without_captures(folder: Path, refused: list[str]) -> Unreadable:
    what = "no packet capture in this folder"
    if refused:
        what += f"; not readable: {', '.join(refused[:_NAMED])}"
    return Unreadable(
        folder, "", what, "pcap and pcapng files are looked for, also compressed with gzip, zstd, lz4, xz or bzip2"
    )


def _counted(names: list[str]) -> tuple[str, ...]:
    if not names:
        return ()
    shown = ", ".join(names[:_NAMED])
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    files = "file is no capture and was" if len(names) == 1 else "files are no captures and were"
    return (f"{len(names)} {files} left out: {shown}{more}",)
