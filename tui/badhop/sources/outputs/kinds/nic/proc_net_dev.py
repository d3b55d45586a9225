"""/proc/net/dev: what the kernel counted at each interface, in two groups of columns."""

from badhop.sources.outputs.counting import count
from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import counters

_COLUMNS = {
    "Receive": ("bytes", "packets", "errs", "drop", "fifo", "frame", "compressed", "multicast"),
    "Transmit": ("bytes", "packets", "errs", "drop", "fifo", "colls", "carrier", "compressed"),
}
"""Linux, net/core/net-procfs.c: dev_seq_show; the same since Linux 2.2."""

_NAMES = tuple(f"{group} {column}" for group, columns in _COLUMNS.items() for column in columns)


def _recognise(passage: Passage) -> bool:
    return any(text.startswith("Inter-|") and "Receive" in text for text in passage.opening[:2])


def _read(passage: Passage, rows: Rows) -> None:
    for line, text in passage.numbered():
        device, colon, rest = text.partition(":")
        if not colon:
            continue
        values = rest.split()
        if len(values) != len(_NAMES):
            rows.problem(line, f"{len(_NAMES)} columns but {len(values)} values: {text.strip()[:80]!r}")
            continue
        device = device.strip()
        sample = rows.sample("/proc/net/dev", passage.host, device)
        for name, value in zip(_NAMES, values, strict=True):
            count(rows, passage, line, name, value, dialect="linux", device=device, sample=sample)


KIND = Output("/proc/net/dev", (counters.TABLE,), _recognise, _read)
