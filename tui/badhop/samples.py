"""The sample incidents that come with badhop: each a folder with captures and `truth.json`, its known culprit."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Sample:
    """A sample incident. `truth` is its `truth.json` as it stands there."""

    name: str
    folder: Path
    title: str
    says: str
    playbook: str
    truth: Mapping[str, Any]

    @property
    def verdict(self) -> str:
        """The verdict that badhop must come to."""
        return str(self.truth.get("verdict", ""))

    @property
    def evidence(self) -> tuple[Path, ...]:
        """The files to open."""
        return tuple(self.folder / name for name in self.truth.get("files", ()))


def samples() -> tuple[Sample, ...]:
    """All samples by name; empty when the package was installed without them."""
    root = Path(str(files("badhop"))) / "captures"
    return tuple(_sample(path) for path in sorted(root.glob("*/truth.json")))


def default(known: tuple[Sample, ...]) -> Sample | None:
    """The sample to begin with: the first that has a fault."""
    return next((sample for sample in known if sample.verdict != "healthy"), known[0] if known else None)


def _sample(path: Path) -> Sample:
    truth = json.loads(path.read_text(encoding="utf-8"))
    return Sample(
        name=path.parent.name,
        folder=path.parent,
        title=truth.get("title", path.parent.name),
        says=truth.get("says", ""),
        playbook=truth.get("playbook", "auto"),
        truth=truth,
    )
