"""`rdma statistic` as text (one line a link, or one a counter) and as JSON, and the lists that people cut out of it."""

import re
from collections.abc import Iterator, Sequence

from badhop.sources.outputs import json_text
from badhop.sources.outputs.counting import count
from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.nic import ethtool_statistics
from badhop.sources.outputs.kinds.nic.rdma_names import dialects_of, known
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.sources.outputs.transcript import words
from badhop.tables import counters

_LINK = re.compile(r"link ([\w.-]+)/(\d+|-) (?:cntn (\d+) )?")
_PAIR = re.compile(r"\b([A-Za-z]\w*)(?:\s*[:=]\s*|\s+)(-?[\d,]+|N/A)")
_PORT = re.compile(r"([A-Za-z][\w.-]*)/(\d+)")
_OTHER = frozenset({"cntn", "lqpn", "LQPN", "pid", "qpn", "ifindex", "port"})
"""What stands among the counters of a QP and is none."""

_KEY = re.compile(r'"(\w{1,80})"\s*:')

_JSON_OTHER = _OTHER | {"ifname", "type", "qp-type", "comm", "lqpns"}


def _recognise(passage: Passage) -> bool:
    opening = passage.opening
    if not opening:
        return False
    if opening[0][0] in "[{":
        return '"ifname"' in passage.text and any(known(key) for key in _KEY.findall(passage.text[:_HEAD]))
    if any((link := _LINK.match(f"{text} ")) and _counts(f"{text} "[link.end() :], opening) for text in opening):
        return True
    names = [pair[1] for text in opening if (pair := _PAIR.fullmatch(text))]
    if len(names) != len(opening) or not all(map(known, names)) or ethtool_statistics.KIND.recognise(passage):
        return False
    return _of_command(passage.command) is not None or any(name not in _ANYBODYS for name in names)


def _counts(rest: str, opening: Sequence[str]) -> bool:
    """Whether counters follow: `rdma link` prints states behind the same words."""
    texts = (rest[:_HEAD],) if rest.strip() else opening
    return any(known(pair[1]) for text in texts for pair in _PAIR.finditer(text[:_HEAD]))


def _read(passage: Passage, rows: Rows) -> None:
    if passage.opening and passage.opening[0][0] in "[{":
        _read_json(passage, rows)
        return
    device = _of_command(passage.command) or passage.device
    found: list[tuple[int, str, str]] = []
    for line, text in passage.numbered():
        if link := _LINK.match(f"{text.strip()} "):
            _add(passage, rows, device, found)
            device, found = _name(link), []
            text = text.strip()[link.end() :]
        found += [(line, *pair) for pair in _pairs(text)]
    _add(passage, rows, device, found)


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    for pair in _PAIR.finditer(text):
        if pair[1] not in _OTHER:
            yield pair[1], pair[2]


def _name(link: re.Match[str]) -> str:
    device = link[1] if link[2] == "-" else f"{link[1]}/{link[2]}"
    return device if link[3] is None else f"{device} cntn {link[3]}"


def _of_command(command: str | None) -> str | None:
    """The one link among the words of a command: `rdma statistic show link mlx5_0/1`."""
    found = {word for word in words(command or "") if _PORT.fullmatch(word)}
    return found.pop() if len(found) == 1 else None


def _read_json(passage: Passage, rows: Rows) -> None:
    first = passage.lines.first
    found = json_text.parsed(passage, rows, "rdma statistic")
    for link in json_text.objects(found if isinstance(found, list) else [found]):
        if "ifname" not in link:
            continue
        device = str(link["ifname"]) + (f"/{link['port']}" if "port" in link else "")
        device += f" cntn {link['cntn']}" if "cntn" in link else ""
        numbers = [
            (first, name, str(value))
            for name, value in link.items()
            if name not in _JSON_OTHER and isinstance(value, int | float | None) and not isinstance(value, bool)
        ]
        _add(passage, rows, device, numbers)


def _add(passage: Passage, rows: Rows, device: str | None, found: Sequence[tuple[int, str, str]]) -> None:
    if not found:
        return
    dialects = dialects_of(device, (name for _, name, _ in found))
    dialect = dialects[0] if len(dialects) == 1 else None
    sample = rows.sample("rdma statistic", passage.host, device)
    for line, name, value in found:
        count(rows, passage, line, name, value, dialect=dialect, among=dialects, device=device, sample=sample)


_ANYBODYS = frozenset({"rx_bytes", "tx_bytes", "rx_pkts", "tx_pkts", "rx_pkt", "tx_pkt", "rx_drops", "cmds", "suspend"})
"""Names that RDMA devices have, and much else too: alone they tell nothing."""

_HEAD = 4096
"""Characters in which a counter must come, to be recognised by."""

KIND = Output("rdma statistic", (counters.TABLE,), _recognise, _read)
