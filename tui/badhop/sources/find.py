"""What the paths that a person gives lead to: captures, folders of them, pipes."""

import os
import stat
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from badhop.errors import Unreadable
from badhop.sources import capture, live
from badhop.sources.folder import captures_in
from badhop.sources.options import Options
from badhop.sources.pipe import Pipe, Spooled, opened, spool

Report = Callable[[str, int, int | None], bool]


@dataclass(frozen=True)
class Found:
    """A capture to read, the path that the user knows it by, and notes on it."""

    files: tuple[Path, ...]
    """One, or those of a rotation in the order of time."""
    label: Path
    notes: tuple[str, ...] = ()
    growing: bool = False
    """Whether it was ended by us and not by who writes it: then its last packet may be there in part."""

    starts: tuple[tuple[Path, int], ...] = ()
    """The files of a rotation, each with the number of frames before it."""

    @property
    def path(self) -> Path:
        """The file that it begins in."""
        return self.files[0]


@dataclass(frozen=True)
class Beside:
    """A folder, and what it holds besides captures."""

    path: Path
    notes: tuple[str, ...]


def together(files: Sequence[Found], frames: Sequence[int]) -> Found:
    """Files of one rotation as one capture; `frames` are how many each has. The name says how many files it is."""
    first = files[0]
    before = [sum(frames[:place]) for place in range(len(files))]
    return Found(
        tuple(item.path for item in files),
        first.label.with_name(f"{first.label.name} ({len(files)} files)"),
        tuple(note for item in files for note in item.notes),
        starts=tuple((item.path, start) for item, start in zip(files, before, strict=True)),
    )


def find(
    paths: Sequence[Path | str], report: Report, options: Options, enough: live.Enough
) -> tuple[tuple[Found, ...], tuple[Beside, ...]]:
    """The captures that the paths lead to, each once, and the folders that have notes.

    What can be refused at once is refused before anything is waited for; pipes are read to their ends here.
    """
    found: list[Found | Pipe] = []
    folders: list[Beside] = []
    for given in dict.fromkeys(map(str, paths)):  # a pipe can be read once
        if given == "-":
            found.append(_standard_input())
        else:
            more, beside = _at(Path(given), report, options)
            found += more
            folders += beside
    return _once(_waited_for(found, report, options, enough)), tuple(folders)


def _at(path: Path, report: Report, options: Options) -> tuple[list[Found | Pipe], list[Beside]]:
    try:
        mode = path.stat().st_mode
        if stat.S_ISFIFO(mode):
            return [opened(path)], []
    except OSError as error:
        raise Unreadable(path, "", error.strerror or str(error), "check the path and its permissions") from error
    if stat.S_ISDIR(mode):
        folder = captures_in(path, lambda file: report(str(file), 0, 0))
        return [Found((file,), file) for file in folder.captures], [Beside(path, folder.notes)] if folder.notes else []
    if stat.S_ISREG(mode):
        if not options.follow or path.stat().st_size:  # who starts a capture may look at it before its first byte
            capture.kind_of(path)  # before any long pass over the files ahead of it
        return [Found((path,), path, growing=options.follow)], []
    raise Unreadable(path, "", "neither a file, a folder nor a pipe", "give a capture or a folder of captures")


def _standard_input() -> Pipe:
    if sys.stdin.isatty():
        raise Unreadable(Path("-"), "", "standard input is a terminal", "pipe a capture into it, as from tcpdump -w -")
    return Pipe(sys.stdin.fileno(), Path("stdin"))


def _waited_for(found: Sequence[Found | Pipe], report: Report, options: Options, enough: live.Enough) -> list[Found]:
    """With what came through the pipes in their places, when the growing files have grown for long enough."""
    pipes = [item for item in found if isinstance(item, Pipe)]
    growing = [item.path for item in found if isinstance(item, Found) and item.growing]
    if not pipes and not growing:
        return [item for item in found if isinstance(item, Found)]

    def reading(label: Path, size: int) -> bool:
        return report(str(label), size, None)

    with enough() as asked:
        ended = live.after(options.seconds, asked)
        copies = dict(zip(pipes, spool(pipes, reading, ended), strict=True))
        live.wait_for(growing, reading, ended)
    return [_piped(item, copies[item]) if isinstance(item, Pipe) else item for item in found]


def _piped(pipe: Pipe, copy: Spooled) -> Found:
    if not copy.size:
        raise Unreadable(
            pipe.label, "", "nothing came through it", "look at what the command before it says; tcpdump needs -w -"
        )
    try:
        capture.kind_of(copy.path)
    except Unreadable as error:
        raise Unreadable(pipe.label, error.place, error.what, error.next_step) from error
    return Found((copy.path,), pipe.label, (copy.note,), copy.ended)


def _once(captures: Sequence[Found]) -> tuple[Found, ...]:
    """Without those that are the same file by another path, or given again."""
    first: dict[str, Found] = {}
    for item in captures:
        first.setdefault(os.path.realpath(item.path), item)
    return tuple(first.values())
