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


def walk_all(playbooks: Sequence[Playbook], incident: Incident, topology: Topology | None = None) -> tuple[Walk, ...]:
    """One walk for each playbook, the one whose verdict says most first."""
    walks = []
    notes, fabric = topology_notes(topology), topology.map if topology else None
    with ProgressLine() as line:

        def show(done: int, of: int, result: Result) -> bool:
            line.show(f"step {done} of {of}: {result.step.title}")
            return True

        for one in playbooks:
            walk = engine.walk(one, incident, show, fabric)
            missing = (*walk.verdict.missing, *notes)
            walks.append(replace(walk, verdict=replace(walk.verdict, missing=missing)))
    best = engine.strongest(walks)
    return best, *(walk for walk in walks if walk is not best)


def topology_notes(topology: Topology | None) -> tuple[str, ...]:
    """What of a topology is used and what is not, for the report."""
    if topology is None:
        return ()
    used = "speeds of links"
    if topology.map.taps:
        used += ", and what lies between two captures of the same traffic"
    return (*topology.notes, f"{topology.path} was read; of it is used: {used}")
