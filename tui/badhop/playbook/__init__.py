"""Find, type-check and walk playbooks: ask the evidence one question after another, and come to a verdict.

Rows are the finding. No rows are a clean bill only when the tables that would have shown the trouble were filled;
else the answer is "no data", and silence stays silence.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from badhop.analyses import ANALYSES, all_tables, with_analyses
from badhop.analyses.finding import FRAMES, HOP, MODE, SAYS, SOURCE, STRENGTH
from badhop.errors import Cancelled
from badhop.localise import Fabric, Finding, decide, facts_of
from badhop.localise.detectors import DETECTORS
from badhop.localise.questions import MODES
from badhop.localise.verdict import Verdict, Word
from badhop.playbook.markdown import LARGEST, parse
from badhop.playbook.parts import (
    OUTCOMES,
    Command,
    Outcome,
    OutcomeName,
    Playbook,
    PlaybookError,
    Step,
    nanoseconds,
)
from badhop.schema import Table
from badhop.sources import Incident
from badhop.sql import SqlError, collect, run
from badhop.tables import raw_tables

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "OUTCOMES",
    "Command",
    "Outcome",
    "Playbook",
    "PlaybookError",
    "Result",
    "Step",
    "UnknownPlaybook",
    "Walk",
    "available",
    "check",
    "find",
    "fitting",
    "frames_for",
    "load",
    "run_step",
    "strongest",
    "walk",
]

DETECTOR_ROW = Table("", "A row of a step with a detector.", (SOURCE, HOP, MODE, STRENGTH, FRAMES, SAYS))
"""What each row of a step with a detector must carry."""


class UnknownPlaybook(PlaybookError):
    """There is no playbook of that name."""


@dataclass(frozen=True, eq=False)
class Result:
    """The answer to one step. `missing` names the needed tables that have no rows."""

    step: Step
    outcome: OutcomeName
    frame: "pl.DataFrame"
    rows: int
    missing: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Walk:
    """A playbook walked to its end, with what it came to."""

    playbook: Playbook
    results: tuple[Result, ...]
    verdict: Verdict
    incident: Incident


def load(path: Path) -> Playbook:
    """Read one playbook.

    Raises:
        PlaybookError: it cannot be read, or has a mistake of form.
    """
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except OSError as error:
        raise PlaybookError(path, 0, 0, f"cannot be read: {error.strerror or error}") from error
    if len(content) > LARGEST:
        raise PlaybookError(path, 0, 0, f"is larger than {LARGEST // 1024} KiB; a playbook is a short text")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise PlaybookError(path, line, 1, "is not UTF-8 text; save it as UTF-8") from error
    return parse(path, text.replace("\r\n", "\n"))


def folders(extra: Sequence[Path] = ()) -> tuple[Path, ...]:
    """Where playbooks are looked for: the given folders, then the user's own, then badhop's."""
    config = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return (*extra, config / "badhop" / "playbooks", Path(str(files("badhop"))) / "playbooks")


def available(
    extra: Sequence[Path] = (), on_error: Callable[[PlaybookError], object] | None = None
) -> tuple[Playbook, ...]:
    """All playbooks by name; of two with one name the first folder wins. Broken ones are told to `on_error`."""
    found: dict[str, Playbook] = {}
    for path in _paths(extra):
        if path.stem in found:
            continue
        try:
            found[path.stem] = load(path)
        except PlaybookError as error:
            if on_error is not None:
                on_error(error)
    return tuple(found[name] for name in sorted(found))


def find(name: str, extra: Sequence[Path] = ()) -> Playbook:
    """The playbook of that name, or at that path when it has a `/` or ends in `.md`.

    Raises:
        UnknownPlaybook: there is none.
        PlaybookError: it has a mistake.
    """
    if "/" in name or name.endswith(".md"):
        return load(Path(name))
    names = []
    for path in _paths(extra):
        if path.stem == name:
            return load(path)
        names.append(path.stem)
    there = ", ".join(sorted(set(names))) or "none"
    raise UnknownPlaybook(Path(name), 0, 0, f"there is no playbook of that name; there are: {there}")


def _paths(extra: Sequence[Path]) -> Iterator[Path]:
    for folder in folders(extra):
        if _may_be_read(folder):
            yield from sorted(path for path in folder.glob("*.md") if path.name not in _NO_PLAYBOOKS)


def _may_be_read(folder: Path) -> bool:
    """Is it there, for this user? Under sudo the home of another one may be closed: that must not end a diagnosis."""
    try:
        return folder.is_dir()
    except OSError:
        return False


_NO_PLAYBOOKS = frozenset({"README.md", "TABLES.md", "VOCABULARY.md"})
"""Pages about playbooks that stand beside them."""


def check(playbook: Playbook) -> tuple[PlaybookError, ...]:
    """Every mistake that can be found without data: unknown tables or columns, types, columns of detectors."""
    tables = all_tables()
    frames = {name: table.empty() for name, table in tables.items()} | {"params": _params_frame(playbook)}
    mistakes = []
    for name in playbook.needs:
        if name not in tables:
            mistakes.append(PlaybookError(playbook.path, 1, 1, f"`needs` names {name}, and there is no such table"))
    for step in playbook.steps:
        try:
            schema = run(step.sql, frames).collect_schema()
        except SqlError as error:
            mistakes.append(_mistake(playbook, step, error))
            continue
        for name in step.needs:
            if name not in tables:
                message = f"needs={name}: there is no such table"
                mistakes.append(PlaybookError(playbook.path, step.sql_line - 1, 1, message))
        if step.detector is not None:
            mistakes.extend(_detector_mistakes(playbook, step, schema))
    return tuple(mistakes)


def _detector_mistakes(playbook: Playbook, step: Step, schema: "pl.Schema") -> Iterator[PlaybookError]:
    if step.detector not in DETECTORS:
        message = f"detector={step.detector}: the verdict knows no such detector; it knows {', '.join(DETECTORS)}"
        yield PlaybookError(playbook.path, step.sql_line - 1, 1, message)
    for name, dtype in DETECTOR_ROW.schema().items():
        if name not in schema:
            message = f"a step with detector={step.detector} must select `{name}` ({dtype})"
        elif schema[name] != dtype and not (name == "strength" and schema[name].is_numeric()):
            message = f"`{name}` is {schema[name]}; a detector needs {dtype}"
        else:
            continue
        yield PlaybookError(playbook.path, step.sql_line, 1, message)


def _unknown_modes(playbook: Playbook, step: Step, frame: "pl.DataFrame") -> Iterator[PlaybookError]:
    for mode in frame["mode"].unique(maintain_order=True).to_list():
        if mode not in MODES:
            message = f"a row says mode {mode!r}, and the verdict knows no such mode; it knows {', '.join(MODES)}"
            yield PlaybookError(playbook.path, step.sql_line, 1, message)


def frames_for(incident: Incident) -> dict[str, "pl.LazyFrame"]:
    """Every table that a query may name, filled from the incident.

    Tables derived from the small ones are made here, once for all steps; those that read packets stay unread plans.
    """
    import polars as pl

    frames = with_analyses(incident.frames)
    small = {table.name for table in raw_tables() if not table.scanned}
    for analysis in ANALYSES:
        if small.issuperset(analysis.reads):
            small.add(analysis.table.name)
    derived = [analysis.table.name for analysis in ANALYSES if analysis.table.name in small]
    made = pl.collect_all([frames[name] for name in derived])
    return frames | {name: frame.lazy() for name, frame in zip(derived, made, strict=True)}


def fitting(playbooks: Sequence[Playbook], incident: Incident) -> tuple[Playbook, ...]:
    """The playbooks that the evidence can feed: one of the tables they need has rows."""
    frames = frames_for(incident)
    return tuple(p for p in playbooks if not p.needs or any(_has_rows(name, frames, incident) for name in p.needs))


def run_step(playbook: Playbook, step: Step, frames: Mapping[str, "pl.LazyFrame"], incident: Incident) -> Result:
    """Ask one question.

    Raises:
        PlaybookError: the query does not fit the tables, fails on the data, or speaks to the verdict in words that it
            does not know.
    """
    try:
        frame = collect(step.sql, {**frames, "params": _params_frame(playbook)})
    except SqlError as error:
        raise _mistake(playbook, step, error) from error
    if step.detector is not None:
        for mistake in (*_detector_mistakes(playbook, step, frame.schema), *_unknown_modes(playbook, step, frame)):
            raise mistake
    missing = tuple(name for name in step.needs if not _has_rows(name, frames, incident))
    outcome: OutcomeName = "found" if frame.height else "no-data" if missing else "clear"
    return Result(step, outcome, frame, frame.height, missing)


def walk(
    playbook: Playbook,
    incident: Incident,
    on_step: Callable[[int, int, Result], bool] | None = None,
    fabric: Fabric | None = None,
) -> Walk:
    """Run all steps in order and decide. `on_step(done, of, result)` returns False to stop.

    `fabric` knows what lies between the captures.

    Raises:
        PlaybookError: a query fails. Cancelled: `on_step` said so.
    """
    frames = frames_for(incident)
    results: list[Result] = []
    for step in playbook.steps:
        results.append(run_step(playbook, step, frames, incident))
        if on_step is not None and not on_step(len(results), len(playbook.steps), results[-1]):
            raise Cancelled
    return Walk(playbook, tuple(results), verdict_of(results, incident, fabric), incident)


_STRONGEST_FIRST: tuple[Word, ...] = (
    "proven",
    "likely",
    "side-only",
    "suspect",
    "capture",
    "workload",
    "cannot-tell",
    "healthy",
)
"""A fault that one playbook finds outweighs that another finds none: each looks at its own kind of trouble."""


def strongest(walks: Sequence[Walk]) -> Walk:
    """Of several walks the one whose verdict says most."""
    return min(walks, key=lambda walk: (_STRONGEST_FIRST.index(walk.verdict.verdict), -walk.verdict.probability))


def verdict_of(results: Sequence[Result], incident: Incident, fabric: Fabric | None = None) -> Verdict:
    """What the rows of the steps with a detector add up to."""
    findings = [
        Finding(result.step.detector, row)
        for result in results
        if result.step.detector is not None
        for row in result.frame.iter_rows(named=True)
    ]
    return decide(findings, facts_of(incident, fabric))


def _mistake(playbook: Playbook, step: Step, error: SqlError) -> PlaybookError:
    """The error at its place in the playbook."""
    return PlaybookError(playbook.path, step.sql_line + error.line - 1, error.column, error.message)


def _has_rows(name: str, frames: Mapping[str, "pl.LazyFrame"], incident: Incident) -> bool:
    if incident.rows(name) > 0:
        return True
    if name in incident.frames or name not in frames:
        return False  # a raw table that the sources do not fill
    return frames[name].head(1).collect().height > 0


def _params_frame(playbook: Playbook) -> "pl.LazyFrame":
    """The one-row table `params`; durations as nanoseconds of polars' own type."""
    import polars as pl

    columns = []
    for name, value in playbook.params.items():
        duration = nanoseconds(value) if isinstance(value, str) else None
        if duration is not None:
            columns.append(pl.Series(name, [duration], dtype=pl.Int64).cast(pl.Duration("ns")))
        else:
            columns.append(pl.Series(name, [value]))
    return pl.DataFrame(columns).lazy()
