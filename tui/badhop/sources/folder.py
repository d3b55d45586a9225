"""The captures in a folder, found by content, and the other files there."""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from badhop import _core
from badhop.errors import Unreadable

NAMED = 3
"""Files that a note names before it only counts: enough to recognise them by, and still one line."""


@dataclass(frozen=True)
class Folder:
    """Captures and other files in the order of their paths, and notes on captures that cannot be read."""

    captures: tuple[Path, ...]
    others: tuple[Path, ...]
    notes: tuple[str, ...]


def files_in(folder: Path, looking: Callable[[Path], object]) -> Folder:
    """Looks into every file below `folder`, hidden ones left out; links to folders are not followed.

    `looking` is told each file. Raises Unreadable when the folder cannot be listed.
    """
    captures: list[Path] = []
    others: list[Path] = []
    refused: list[str] = []
    for path in _files(folder):
        looking(path)
        try:
            _core.container(path)
        except _core.CaptureError as error:
            if error.kind == "not-a-capture":
                others.append(path)
            else:
                refused.append(f"{path.relative_to(folder)}: {error.what}")
        else:
            captures.append(path)
    return Folder(tuple(captures), tuple(others), tuple(refused))


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


def without_evidence(folder: Path, notes: Sequence[str]) -> Unreadable:
    """The error of a folder in which nothing could be read."""
    what = "no packet capture and no output of a known tool in this folder"
    if notes:
        what += f"; {', '.join(notes[:NAMED])}"
    return Unreadable(folder, "", what, "`badhop tables` says what is known; captures may also be compressed")


def left_out(names: Sequence[str]) -> tuple[str, ...]:
    """One note on the files of no known kind."""
    if not names:
        return ()
    shown = ", ".join(names[:NAMED])
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    files = "file is of no known kind and was" if len(names) == 1 else "files are of no known kind and were"
    return (f"{len(names)} {files} left out: {shown}{more}",)
