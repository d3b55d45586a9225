"""Counters of EOS and NX-OS under headings that begin with Port: one line a port, a number for each word of it.

NX-OS rules its headings above and below with dashes and prints a few counters in a table; EOS prints all in one.
"""

from collections.abc import Iterable

from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.switch.readings import Readings
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import counters

_OCTETS = frozenset(
    (
        "InOctets",
        "InUcastPkts",
        "InMcastPkts",
        "InBcastPkts",
        "OutOctets",
        "OutUcastPkts",
        "OutMcastPkts",
        "OutBcastPkts",
    )
)
_NXOS_ERRORS = frozenset(
    (
        *("Align-Err", "FCS-Err", "Xmit-Err", "Rcv-Err", "UnderSize", "OutDiscards", "InDiscards", "Stomped-CRC"),
        *("Single-Col", "Multi-Col", "Late-Col", "Exces-Col", "Carri-Sen", "Runts", "Giants", "SQETest-Err"),
        *("Deferred-Tx", "IntMacTx-Er", "IntMacRx-Er", "Symbol-Err"),
    )
)
_EOS_ERRORS = frozenset(("FCS", "Align", "Symbol", "Rx", "Runts", "Giants", "Tx"))
_EOS_OTHER = frozenset(("InDiscards", "OutDiscards", "RxPfc", "TxPfc"))
_EOS = (_OCTETS, _EOS_ERRORS, _EOS_OTHER)
_NXOS = (_OCTETS, _NXOS_ERRORS)


def _heading(text: str, known: Iterable[frozenset[str]]) -> tuple[str, ...] | None:
    """The counters of a heading, all of which must be known."""
    words = text.split() if text.lstrip().startswith("Port ") else []
    return tuple(words[1:]) if len(words) > 1 and any(set(words[1:]) <= names for names in known) else None


def _is_rule(text: str) -> bool:
    stripped = text.strip()
    return len(stripped) > 8 and not stripped.strip("-")


def _dialect(passage: Passage) -> str | None:
    """nxos where the heading stands between rules of dashes, else eos; None where there is no heading."""
    before = ""
    for text in passage.opening:
        if _is_rule(before) and _heading(text, _NXOS):
            return "nxos"
        if not _is_rule(before) and _heading(text, _EOS):
            return "eos"
        before = text
    return None


def _read(passage: Passage, rows: Rows) -> None:
    dialect = _dialect(passage) or "eos"
    known = _NXOS if dialect == "nxos" else _EOS
    readings = Readings(rows, passage, dialect)
    heading: tuple[str, ...] | None = None
    width = 0
    last = passage.lines.first + len(passage.lines.texts) - 1
    for line, text in passage.numbered():
        if found := _heading(text, known):
            heading, width = found, len(text.rstrip())
            continue
        words = text.split()
        if heading is None or not words or not text.strip("- ") or words[0] in ("Total", "Totals"):
            continue
        if len(words) == 1 or not (words[1][0].isdigit() or words[1] in ("--", "-", "N/A")):
            heading = None  # the table is over
            continue
        port, *values = words
        if line == last and len(text.rstrip()) < width:
            rows.problem(line, "the line is shorter than its heading: it may be cut", "its last value was left out")
            values.pop()
        if len(values) > len(heading):
            rows.problem(line, "more values than the heading has names", "not read")
            continue
        for name, value in zip(heading, values, strict=False):
            readings.count(line, port, name, value)


EOS = Output("show interfaces counters (EOS)", (counters.TABLE,), lambda passage: _dialect(passage) == "eos", _read)
NXOS = Output("show interface counters (NX-OS)", (counters.TABLE,), lambda passage: _dialect(passage) == "nxos", _read)
