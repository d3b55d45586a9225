"""What the paths that a person gives lead to: captures and other files, folders of them, pipes."""

import os
import stat
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from badhop import _core
from badhop.errors import Unreadable
from badhop.sources import archive, capture, live
from badhop.sources.disk import has_room, temporary_file
from badhop.sources.folder import files_in
from badhop.sources.options import Options
from badhop.sources.pipe import Pipe, Spooled, opened_pipe, spool

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
class Other:
    """A file that is no capture: the output of a tool, a log, or of no known kind."""

    path: Path
    label: Path
    inside: PurePath
    """Its place in the evidence: below the folder that was given, or as it was typed."""
    folder: Path | None = None
    """The folder that was given and held it; None for a file that was given itself, which must then be readable."""
    refusal: Unreadable | None = None
    """Why it is no capture, for when it is nothing else either."""
    archive: bool = False
    """Whether it holds others: its captures are given beside it."""
    captures: int = 0
    """How many captures are in it."""


@dataclass(frozen=True)
class Evidence:
    """All that the paths lead to, each file once. `folders` are those given, with notes on captures left out there."""

    captures: tuple[Found, ...]
    others: tuple[Other, ...]
    folders: Mapping[Path, tuple[str, ...]]


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


def find(paths: Sequence[Path | str], report: Report, options: Options, enough: live.Enough) -> Evidence:
    """The files that the paths lead to.

    What can be refused at once is refused before anything is waited for; pipes are read to their ends here.
    """
    found: list[Found | Other | Pipe] = []
    folders: dict[Path, tuple[str, ...]] = {}
    for given in dict.fromkeys(map(str, paths)):  # a pipe can be read once
        if given == "-":
            found.append(_standard_input())
        elif (path := Path(given)).is_dir():
            folder = files_in(path, lambda file: report(str(file), 0, 0))
            found += [Found((file,), file) for file in folder.captures]
            found += [Other(file, file, file.relative_to(path), path) for file in folder.others]
            folders[path] = folder.notes
        else:
            found.append(_at(path, options))
    waited = _once(_waited_for(found, report, options, enough))
    opened = [inner for item in waited for inner in (_opened(item, report) if isinstance(item, Other) else (item,))]
    captures = tuple(item for item in opened if isinstance(item, Found))
    return Evidence(captures, tuple(item for item in opened if isinstance(item, Other)), folders)


def _at(path: Path, options: Options) -> Found | Other | Pipe:
    try:
        mode = path.stat().st_mode
        if stat.S_ISFIFO(mode):
            return opened_pipe(path)
    except OSError as error:
        raise Unreadable(path, "", error.strerror or str(error), "check the path and its permissions") from error
    if not stat.S_ISREG(mode):
        raise Unreadable(path, "", "neither a file, a folder nor a pipe", "give a capture or a folder of captures")
    if options.follow and not path.stat().st_size:  # who starts a capture may look at it before its first byte
        return Found((path,), path, growing=True)
    try:
        _core.container(path)  # before any long pass over the files ahead of it
    except _core.CaptureError as error:
        refusal = capture.unreadable(error)
        if error.kind != "not-a-capture":
            raise refusal from error
        inside = PurePath(*path.parts[-2:]) if path.is_absolute() else PurePath(path)
        return Other(path, path, inside, None, refusal)
    return Found((path,), path, growing=options.follow)


def _opened(item: Other, report: Report) -> list[Found | Other]:
    """The file itself and the captures in it where it is an archive: those are copied, for they are read twice."""
    with item.path.open("rb") as file:
        start = file.read(512)
    if not archive.is_archive(start):
        return [item]
    # A member is read to its end here or not at all; what is no capture is read later, in a pass of its own.
    found: list[Found | Other] = []
    for member in archive.members(item.path, [], archive.inner_name(item.inside)):
        report(str(item.label / member.path), 0, None)
        if member.is_capture:
            found.append(_copied(member, item.label / member.path, report))
    return [*found, replace(item, archive=True, captures=len(found))]


def _copied(member: archive.Member, label: Path, report: Report) -> Found:
    path, copy = temporary_file()
    with copy:
        whole = member.copy_to(copy, lambda size: report(str(label), size, None) and has_room(path.parent))
    kept = f"copied out of its archive, and kept in {path} until badhop ends"
    cut = f"only in part, for {path.parent} is nearly full: it was {kept}"
    return Found((path,), label, (kept if whole else cut,), not whole)


def _standard_input() -> Pipe:
    if sys.stdin.isatty():
        raise Unreadable(Path("-"), "", "standard input is a terminal", "pipe a capture into it, as from tcpdump -w -")
    return Pipe(sys.stdin.fileno(), Path("stdin"))


def _waited_for(
    found: Sequence[Found | Other | Pipe], report: Report, options: Options, enough: live.Enough
) -> list[Found | Other]:
    """With what came through the pipes in their places, when the growing files have grown for long enough."""
    pipes = [item for item in found if isinstance(item, Pipe)]
    growing = [item.path for item in found if isinstance(item, Found) and item.growing]
    if not pipes and not growing:
        return [item for item in found if not isinstance(item, Pipe)]

    def reading(label: Path, size: int) -> bool:
        return report(str(label), size, None)

    with enough() as asked:
        ended = live.after(options.seconds, asked)
        copies = dict(zip(pipes, spool(pipes, reading, ended), strict=True))
        live.wait_for(growing, reading, ended)
    return [_piped(item, copies[item]) if isinstance(item, Pipe) else item for item in found]


def _piped(pipe: Pipe, copy: Spooled) -> Found | Other:
    if not copy.size:
        raise Unreadable(
            pipe.label, "", "nothing came through it", "look at what the command before it says; tcpdump needs -w -"
        )
    try:
        _core.container(copy.path)
    except _core.CaptureError as error:
        said = capture.unreadable(error)
        refusal = Unreadable(pipe.label, said.place, said.what, said.next_step)
        if error.kind != "not-a-capture":
            raise refusal from error
        return Other(copy.path, pipe.label, PurePath(pipe.label.name), None, refusal)
    return Found((copy.path,), pipe.label, (copy.note,), copy.ended)


def _once(found: Sequence[Found | Other]) -> tuple[Found | Other, ...]:
    """Without those that are the same file by another path, or given again."""
    first: dict[str, Found | Other] = {}
    for item in found:
        first.setdefault(os.path.realpath(item.path), item)
    return tuple(first.values())
