"""What a playbook consists of, as values: steps, outcomes, commands, and the error that names a place in its file."""

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from badhop.errors import BadhopError
from badhop.printable import printable

OutcomeName = Literal["found", "clear", "no-data"]
OUTCOMES: tuple[OutcomeName, ...] = ("found", "clear", "no-data")


class PlaybookError(BadhopError):
    """A mistake in a playbook. `line` and `column` count from 1; 0 means the file as a whole."""

    def __init__(self, path: Path, line: int, column: int, message: str) -> None:
        super().__init__(message)
        self.path = path
        self.line = line
        self.column = column
        self.message = message

    def __str__(self) -> str:
        place = f":{self.line}:{self.column}" if self.line else ""
        return printable(f"{self.path}{place}: {self.message}")


@dataclass(frozen=True)
class Outcome:
    """What one outcome of a step means, and the slug of the step that it leads to, if it leads to one."""

    text: str
    goto: str | None = None


@dataclass(frozen=True)
class Command:
    """A command that a person may run. `argv_text` may hold placeholders such as `{iface}`."""

    argv_text: str
    name: str
    root: bool
    cost: str
    decides: str
    line: int

    def argv(self, values: Mapping[str, str] = MappingProxyType({})) -> tuple[str, ...]:
        """The words of the command. Cut apart first and filled in after, so no value can become a second word."""
        fill = re.compile(r"\{(\w+)\}")
        return tuple(
            fill.sub(lambda match: values.get(match[1], match[0]), word) for word in shlex.split(self.argv_text)
        )


@dataclass(frozen=True)
class Step:
    """One question of a playbook: its heading, prose, query, and what each outcome means."""

    slug: str
    title: str
    prose: str
    sql: str
    sql_name: str
    detector: str | None
    needs: tuple[str, ...]
    outcomes: Mapping[OutcomeName, Outcome]
    commands: tuple[Command, ...]
    line: int
    sql_line: int
    """Line of the file that holds the first line of the query."""


@dataclass(frozen=True)
class Playbook:
    """A runbook as loaded. `params` are numbers, or durations as they were written (`200ms`)."""

    name: str
    path: Path
    title: str
    symptom: str
    needs: tuple[str, ...]
    params: Mapping[str, int | float | str]
    intro: str
    steps: tuple[Step, ...]
    fires_on: tuple[str, ...]
    quiet_on: tuple[str, ...]

    def step(self, slug: str) -> Step:
        """The step with that slug; raises KeyError."""
        for step in self.steps:
            if step.slug == slug:
                return step
        raise KeyError(slug)


_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*(ns|us|µs|ms|s|min|h)")


def nanoseconds(text: str) -> int | None:
    """`200ms` as nanoseconds; None when `text` is no duration."""
    match = _DURATION.fullmatch(text.strip())
    if match is None:
        return None
    unit = {"ns": 1, "us": 10**3, "µs": 10**3, "ms": 10**6, "s": 10**9, "min": 60 * 10**9, "h": 3600 * 10**9}
    return round(float(match[1]) * unit[match[2]])
