"""A passage: what one command printed at one moment, or a stretch of a log. A pasted terminal holds many of them."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import PurePath
from typing import Literal

from badhop.sources.outputs.lines import Lines, Stamped

From = Literal["line", "output", "date", "watch", "prompt", "name", "mtime"]
"""How a time was found; the sentence of `ts_from` in `tables.place` explains them."""


@dataclass(frozen=True)
class Moment:
    """When a passage was taken: ns since 1970 in UTC, and how that was found."""

    ts: int
    found: From


@dataclass(frozen=True)
class Passage:
    """Lines that belong together, and what stands around them."""

    path: PurePath
    """Of the file, inside the evidence that was given: its names may tell host, device and command."""
    lines: Lines
    command: str | None = None
    """The command line that printed it, where a prompt, `watch` or the file's name shows it."""
    host: str | None = None
    """From the prompt, else from the path, else from `--host`."""
    device: str | None = None
    """From the command, else from the path: what output means that does not name its device."""
    taken: Moment | None = None

    @cached_property
    def text(self) -> str:
        """All lines, with line ends between them."""
        return "\n".join(self.lines.texts)

    @cached_property
    def untimed(self) -> "Passage":
        """The same without its time: for lines whose own times are what counts."""
        stamps = [Stamped(stamp.text, None, stamp.host) for stamp in self.lines.stamps]
        return replace(self, taken=None, lines=replace(self.lines, stamps=stamps))

    @cached_property
    def opening(self) -> tuple[str, ...]:
        """The first lines that are not empty, without outer blanks: what a format is recognised by."""
        found = []
        for text in self.lines.texts[:200]:
            if stripped := text.strip():
                found.append(stripped)
                if len(found) == _OPENING:
                    break
        return tuple(found)

    def numbered(self) -> Iterator[tuple[int, str]]:
        """Each line with its number in the file."""
        return enumerate(self.lines.texts, self.lines.first)

    def stamp(self, line: int) -> Moment | None:
        """When a log collector wrote the line of this number; else when the passage was taken."""
        stamps = self.lines.stamps
        ts = stamps[line - self.lines.first].ts if stamps else None
        return self.taken if ts is None else Moment(ts, "line")

    def said_by(self, line: int) -> str | None:
        """The host or pod that a log collector names for the line of this number; else the passage's host."""
        stamps = self.lines.stamps
        return (stamps[line - self.lines.first].host if stamps else None) or self.host


_OPENING = 8
"""Lines are enough to tell a format by; a banner or two may stand before the first that matters."""
