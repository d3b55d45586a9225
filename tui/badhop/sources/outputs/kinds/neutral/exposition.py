"""The text that Prometheus scrapes from an exporter, and OpenMetrics: whole files of it, and pasted answers of curl."""

import re

from badhop import _core
from badhop.sources.outputs import place
from badhop.sources.outputs.content import Content
from badhop.sources.outputs.kind import Bulk, Output
from badhop.sources.outputs.kinds.neutral.scrapes import tell_scrapes
from badhop.sources.outputs.kinds.neutral.series_labels import WANTED
from badhop.sources.outputs.kinds.neutral.thinning import MOST_READ
from badhop.sources.outputs.kinds.neutral.threads import THREADS
from badhop.sources.outputs.passage import Moment, Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import counters, metrics

_TYPES = "counter|gauge|histogram|summary|untyped|unknown|info|stateset|gaugehistogram"
_ABOUT = re.compile(rf"# (?:TYPE [A-Za-z_:][\w:.]* (?:{_TYPES})|HELP [A-Za-z_:][\w:.]* \S)")
"""A comment about a metric, as far as it is read."""

_SAMPLE = re.compile(r'[A-Za-z_:][\w:]*\{[A-Za-z_]\w*="[^"]*"[^{}]*\} [-+]?(?:\d|Inf|NaN)')
"""A sample with labels; enough to tell the format by, though not to read it."""

_LIKE = re.compile(r"[A-Za-z_:][\w:.]*(?:\{| [-+]?(?:\d|Inf|NaN))")
"""A sample that is cut, or has odd labels or none."""

_FIRST = 8
"""Lines that tell the format of a whole file."""


def _is_exposition(texts: list[str]) -> bool:
    """Whether the first lines are comments about metrics, samples with labels or plain ones, and other comments."""
    telling = sum(bool(_ABOUT.match(text) or _SAMPLE.match(text)) for text in texts)
    return telling >= 2 and all(text[0] == "#" or _LIKE.match(text) for text in texts)


def _recognise_file(content: Content) -> bool:
    head = content.head.decode("utf-8-sig", "replace")
    texts = [text for line in head.split("\n")[: 4 * _FIRST] if (text := line.strip())][:_FIRST]
    return _is_exposition(texts)


def _read_file(content: Content, rows: Rows) -> bool:
    found = _core.exposition(content.on_disk or content.whole(), WANTED, MOST_READ, THREADS)
    ts = place.time_of(content.path)
    taken = Moment(ts, "name") if ts is not None else None
    if taken is None and content.mtime is not None:
        taken = Moment(content.mtime, "mtime")
    return tell_scrapes(rows, found, host=place.host_of(content.path), taken=taken)


def _recognise_passage(passage: Passage) -> bool:
    """Also where other lines stand before the first comment about a metric, as in what a person pasted."""
    if _is_exposition(list(passage.opening)):
        return True
    if "\n# TYPE " not in passage.text and "\n# HELP " not in passage.text:
        return False
    about = {text.split(None, 3)[2] for text in passage.lines.texts if text.startswith("# ") and _ABOUT.match(text)}
    return any(
        text.split("{", 1)[0].split(" ", 1)[0] in about for text in passage.lines.texts if not text.startswith("#")
    )


def _read_passage(passage: Passage, rows: Rows) -> None:
    """Lines that are no samples are the shell's or a person's here, and no damage."""
    found = _core.exposition(passage.text.encode("utf-8", "replace"), WANTED, MOST_READ, 1)
    found["unread"], found["more_unread"] = [], 0
    tell_scrapes(rows, found, host=passage.host, taken=passage.taken, first_line=passage.lines.first)


FILE = Bulk("Prometheus text", (metrics.TABLE, counters.TABLE), _recognise_file, _read_file)
PASSAGE = Output("Prometheus text", (metrics.TABLE, counters.TABLE), _recognise_passage, _read_passage)
