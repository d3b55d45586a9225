"""Walk playbooks over evidence without a screen, and keep the topology file honest."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import yaml

from badhop import playbook as engine
from badhop.errors import Unreadable
from badhop.playbook import Playbook, PlaybookError, Result, Walk
from badhop.progress_line import ProgressLine
from badhop.sources import Incident

_LARGEST_TOPOLOGY = 64 << 20
"""Bytes; a fabric of 100000 links takes about a tenth of it."""


def candidates(
    incident: Incident, folders: Sequence[Path], on_error: Callable[[PlaybookError], object]
) -> tuple[Playbook, ...]:
    """What `auto` walks: the playbooks that the evidence can feed, or all when it feeds none.

    Raises:
        PlaybookError: there is no playbook at all.
    """
    there = engine.available(folders, on_error)
    if not there:
        raise PlaybookError(Path("auto"), 0, 0, "there is no playbook; name one by its path")
    return engine.fitting(there, incident) or there


def walk_all(playbooks: Sequence[Playbook], incident: Incident, notes: Sequence[str] = ()) -> tuple[Walk, ...]:
    """One walk for each playbook, the one whose verdict says most first. `notes` are added to what is missing."""
    walks = []
    with ProgressLine() as line:

        def show(done: int, of: int, result: Result) -> bool:
            line.show(f"step {done} of {of}: {result.step.title}")
            return True

        for one in playbooks:
            walk = engine.walk(one, incident, show)
            missing = (*walk.verdict.missing, *notes)
            walks.append(replace(walk, verdict=replace(walk.verdict, missing=missing)))
    best = engine.strongest(walks)
    return best, *(walk for walk in walks if walk is not best)


def topology_notes(path: Path | None) -> tuple[str, ...]:
    """Check the topology file. Nothing uses it yet, and the report must say so.

    Raises:
        Unreadable: it is not there, or no YAML map.
    """
    if path is None:
        return ()
    try:
        with path.open("rb") as file:
            loaded = yaml.safe_load(file.read(_LARGEST_TOPOLOGY))
    except OSError as error:
        raise Unreadable(path, "", error.strerror or str(error), "check the path of --topology") from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        problem = " ".join(str(error).split())
        raise Unreadable(path, "", f"no YAML: {problem}", "correct it, or leave --topology out") from error
    if not isinstance(loaded, dict):
        raise Unreadable(path, "", "holds no `hosts`, `switches` or `links`", "correct it, or leave --topology out")
    return (f"{path} was read but is not used yet: hops are named by side of the tap, not by port",)
