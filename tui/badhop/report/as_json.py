"""The report as JSON, for a program: the contract of `badhop diagnose --json`."""

import json
from collections.abc import Sequence
from typing import Any

from badhop.playbook import Walk

SCHEMA = 1
"""Version of the JSON object; it grows when a key changes its meaning or goes."""


def json_object(walk: Walk, also: Sequence[Walk] = ()) -> dict[str, Any]:
    """The report as one object, the contract of `badhop diagnose --json`.

    `also` are the other playbooks that were walked for it: their steps are listed, too.
    """
    verdict = walk.verdict
    return {
        "schema": SCHEMA,
        "playbook": walk.playbook.name,
        "verdict": verdict.verdict,
        "probability": verdict.probability,
        "hops": [
            {
                "id": hop.id,
                "kind": hop.kind,
                "mode": hop.mode,
                "probability": hop.probability,
                "class": [hop.id, *hop.equivalents],
            }
            for hop in verdict.hops
        ],
        "evidence": [
            {
                "detector": piece.detector,
                "db": piece.db,
                "hop": piece.hop,
                "says": piece.says,
                "source": piece.source,
                "frames": list(piece.frames),
            }
            for piece in verdict.evidence
        ],
        "rivals": [
            {"id": rival.id, "mode": rival.mode, "probability": rival.probability, "because": rival.because}
            for rival in verdict.rivals
        ],
        "missing": list(verdict.missing),
        "next": [
            {
                "measure": step.measure,
                "command": step.command,
                "root": step.root,
                "cost": step.cost,
                "decides": step.decides,
            }
            for step in verdict.next
        ],
        "steps": [
            {
                "playbook": walked.playbook.name,
                "step": result.step.slug,
                "outcome": result.outcome,
                "rows": result.rows,
            }
            for walked in (walk, *also)
            for result in walked.results
        ],
        "sources": [
            {
                "path": str(source.path),
                "kind": source.kind,
                "tables": {name: rows for name, rows in source.rows.items() if rows},
                "problems": list(source.problems),
            }
            for source in walk.incident.sources
        ],
    }


def json_text(walk: Walk, also: Sequence[Walk] = ()) -> str:
    """`json_object` as text; everything outside ASCII is escaped, so it is safe to print."""
    return json.dumps(json_object(walk, also), indent=2) + "\n"
