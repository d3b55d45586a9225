"""Values of sysfs as they are copied: a JSON object by path, `grep . PATHS`, or a tree of files."""

import re

from badhop.sources.outputs import json_text
from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.hardware.sysfs import places
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import links, pcie, rdma_devices

_TABLES = (pcie.TABLE, rdma_devices.TABLE, links.TABLE)
_LINE = re.compile(r"(/sys/\S{5,400}/\w+):(.*)")


def _is_json(passage: Passage) -> bool:
    start = passage.text.lstrip()[:200]
    return start.startswith("{") and re.match(r'\{\s*"/sys/(?:bus|class|devices)/', start) is not None


def _read_json(passage: Passage, rows: Rows) -> None:
    tree = json_text.parsed(passage, rows, "sysfs")
    if not isinstance(tree, dict):
        return
    line_of = {text.split('"', 2)[1]: line for line, text in passage.numbered() if '"/sys/' in text[:40]}
    first = passage.lines.first
    told = ((path, value, line_of.get(path, first)) for path, value in tree.items() if isinstance(value, str))
    places.add(passage, rows, told)


def _is_grep(passage: Passage) -> bool:
    """Not where counters stand among them: those are read as such."""
    found = [match[1] for text in passage.opening if (match := _LINE.fullmatch(text))]
    return any(places.knows(path) for path in found) and not any("counters" in path for path in found)


def _read_grep(passage: Passage, rows: Rows) -> None:
    found = ((line, _LINE.fullmatch(text.strip()[:1000])) for line, text in passage.numbered())
    places.add(passage, rows, ((match[1], match[2], line) for line, match in found if match))


def _is_file(passage: Passage) -> bool:
    """One short line in a file whose whole path is that of a value; carrier_changes is read as a counter."""
    opening = passage.opening
    path = passage.path.as_posix()
    if len(opening) != 1 or len(opening[0]) > 64 or len(passage.lines.texts) > 3 or path.endswith("carrier_changes"):
        return False
    return places.knows(f"/{path}")


def _read_file(passage: Passage, rows: Rows) -> None:
    told = ((line, text) for line, text in passage.numbered() if text.strip())
    places.add(passage, rows, ((f"/{passage.path.as_posix()}", text, line) for line, text in told))


JSON = Output("sysfs as JSON", _TABLES, _is_json, _read_json)
GREP = Output("sysfs by grep", _TABLES, _is_grep, _read_grep)
FILE = Output("sysfs value", _TABLES, _is_file, _read_file)
