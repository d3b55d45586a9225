"""What a kind of input is: how its content is recognised, which tables it fills, and the function that reads it.

`Output` is what one command prints at a time; exactly one of them may claim a passage. `Log` is lines that stand among
the lines of other programs; any number of them read the same passage. `Bulk` is a whole file, recognised by its first
bytes, that Rust or polars reads at once: a stream of counters, or bytes that are no text.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from badhop.schema import Table
from badhop.sources.outputs.content import Content
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows


@dataclass(frozen=True)
class Output:
    """What a command prints. `recognise` must be sure: a wrong claim puts wrong rows before a tired person."""

    name: str
    """As people call it: `ethtool -S`, `show pfc counters`."""
    fills: tuple[Table, ...]
    recognise: Callable[[Passage], bool]
    read: Callable[[Passage, Rows], None]
    begins: re.Pattern[str] | None = None
    """Matches (`match`) a line that begins such an output wherever it stands; None where none does for sure."""


@dataclass(frozen=True)
class Log:
    """Lines of a program in any log. Only passages that contain one of `marks` are given to `read`."""

    name: str
    fills: tuple[Table, ...]
    marks: tuple[str, ...]
    read: Callable[[Passage, Rows], bool]
    """Returns whether any line really was of this kind."""


@dataclass(frozen=True)
class Bulk:
    """A whole file."""

    name: str
    fills: tuple[Table, ...]
    recognise: Callable[[Content], bool]
    """Sees the first bytes; must be sure."""
    read: Callable[[Content, Rows], bool]
    """Returns False, with nothing added, when the file is not of one piece after all: then it is read as text."""


Kind = Output | Log | Bulk
