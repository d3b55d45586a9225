"""Walk playbooks over evidence without a screen, and say what of the topology was used."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from badhop import playbook as engine
from badhop.playbook import Playbook, PlaybookError, Result, Walk
from badhop.progress_line import ProgressLine
from badhop.sources import Incident
from badhop.topology import Topology


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


def topology_notes(topology: Topology | None) -> tuple[str, ...]:
    """What of a topology is used and what is not, for the report."""
    if topology is None:
        return ()
    used = "of it only link speeds are used: hops are named by side of the tap, not by port"
    return (*topology.notes, f"{topology.path} was read, but {used}")
