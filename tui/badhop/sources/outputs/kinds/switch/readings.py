"""Counts the cells of a switch's table into `counters`, and tells which reading of its passage each is."""

from collections import Counter

from badhop.sources.outputs.counting import count
from badhop.sources.outputs.kinds.switch.amounts import plain
from badhop.sources.outputs.passage import Moment, Passage
from badhop.sources.outputs.rows import Rows


class Readings:
    """The readings of one passage. The same counter a second time is the next sample."""

    def __init__(self, rows: Rows, passage: Passage, dialect: str) -> None:
        self._rows = rows
        self._passage = passage
        self._dialect = dialect
        self._seen: Counter[tuple[str | None, str]] = Counter()  # as many as the rows of `counters` at most

    def count(
        self,
        line: int | None,
        device: str | None,
        raw_name: str,
        text: str,
        *,
        priority: int | None = None,
        queue: int | None = None,
        direction: str | None = None,
        host: str | None = None,
        at: Moment | None = None,
    ) -> None:
        """One cell. Suffixes and units of the text are taken off; N/A becomes null."""
        self._seen[device, raw_name] += 1
        count(
            self._rows,
            self._passage,
            line,
            raw_name,
            plain(text),
            dialect=self._dialect,
            device=device,
            sample=self._seen[device, raw_name],
            priority=priority,
            queue=queue,
            direction=direction,
            host=host,
            at=at,
        )
