"""Write a report into a file; the ending of its name says in which format."""

from collections.abc import Sequence
from pathlib import Path

from badhop import report
from badhop.formats import REPORT_ENDINGS
from badhop.playbook import Walk


def objection(path: Path) -> str | None:
    """Why no report can be written there, before any work is done; None when nothing speaks against it."""
    if path.suffix.lower() not in REPORT_ENDINGS:
        return f"the report {path} must end in one of {', '.join(REPORT_ENDINGS)}"
    if not path.parent.is_dir():
        return f"the folder {path.parent} of the report does not exist; make it first"
    return None


def rendered(walk: Walk, also: Sequence[Walk], ending: str, width: int = report.WIDTH) -> str:
    """The report in the format of that ending; `also` are the other playbooks that were walked for it.

    Only plain text has lines of `width` columns.
    """
    if ending == ".json":
        return report.json_text(walk, also)
    if ending == ".html":
        return report.html(walk)
    return report.markdown(walk) if ending == ".md" else report.text(walk, width)


def save(walk: Walk, also: Sequence[Walk], path: Path) -> None:
    """Write it. Raises OSError."""
    path.write_text(rendered(walk, also, path.suffix.lower()), encoding="utf-8")
