"""What is open: the evidence that was read, every table over it, and the playbooks that can walk it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from badhop import playbook, sources
from badhop.analyses import all_tables
from badhop.playbook import Playbook, PlaybookError
from badhop.schema import Table
from badhop.sources import Incident, Source
from badhop.sources.live import Enough, never
from badhop.sources.options import DEFAULT, Options

Progress = Callable[[str, int, int | None], bool]


@dataclass(frozen=True)
class Request:
    """What the person asked for: evidence, a playbook to start with, folders of own playbooks, how to read."""

    paths: tuple[Path, ...]
    playbook: str | None = None
    playbook_dirs: tuple[Path, ...] = ()
    options: Options = DEFAULT

    @property
    def live(self) -> bool:
        """Whether something of it may still be being captured."""
        return self.options.follow or any(str(path) == "-" or path.is_fifo() for path in self.paths)


@dataclass(frozen=True, eq=False)
class Opened:
    """Replaced as a whole when something else is opened; compared by identity, because frames cannot be compared.

    `playbooks` stand with those first that the evidence can feed, which `fitting` names. `mistakes` are playbooks that
    could not be loaded. `start` is the one that the person asked for.
    """

    incident: Incident
    frames: Mapping[str, pl.LazyFrame]
    tables: Mapping[str, Table]
    playbooks: tuple[Playbook, ...]
    fitting: frozenset[str]
    mistakes: tuple[str, ...] = ()
    start: Playbook | None = None

    def source_of(self, source: str | None) -> Source | None:
        """The capture that a row calls `source`; without a name, the only one that is open."""
        captures = [
            found for found in self.incident.sources if "packets" in found.rows and source in (None, found.name)
        ]
        return captures[0] if len(captures) == 1 else None

    def playbook(self, name: str) -> Playbook | None:
        """The playbook of that name."""
        return next((found for found in self.playbooks if found.name == name), None)


def open_evidence(request: Request, progress: Progress, enough: Enough = never) -> Opened:
    """Read everything; a capture that is still being made until it is `enough`.

    Raises:
        Unreadable; Cancelled, when progress returned False; PlaybookError, when the one asked for has a mistake.
    """
    mistakes: list[PlaybookError] = []
    start = playbook.find(request.playbook, request.playbook_dirs) if request.playbook else None
    found = playbook.available(request.playbook_dirs, on_error=mistakes.append)
    paths = ["-" if str(path) == "-" else path for path in request.paths]  # standard input is no path to the reader
    incident = sources.read(paths, progress=progress, options=request.options, enough=enough)
    return opened(incident, found, tuple(map(str, mistakes)), start)


def opened(
    incident: Incident, playbooks: Sequence[Playbook], mistakes: tuple[str, ...] = (), start: Playbook | None = None
) -> Opened:
    """The same, of evidence that was already read."""
    fitting = frozenset(one.name for one in playbook.fitting(playbooks, incident))
    ordered = tuple(sorted(playbooks, key=lambda one: one.name not in fitting))
    return Opened(incident, playbook.frames_for(incident), all_tables(), ordered, fitting, mistakes, start)
