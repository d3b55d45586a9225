"""/proc/net/softnet_stat: what each CPU took in, and dropped, for the network; hexadecimal columns without names."""

import re

from badhop.sources.outputs.counting import count
from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import counters

_COLUMNS = {
    0: "softnet processed",
    1: "softnet dropped",
    2: "softnet time_squeeze",
    8: "softnet cpu_collision",
    9: "softnet received_rps",
    10: "softnet flow_limit_count",
    11: "softnet backlog_len",
}
"""Linux, net/core/net-procfs.c: softnet_seq_show. Kernels before 2.6.36 have 9 columns, before 3.11 10, before 5.10 11;
columns 3 to 7 are always 0."""

_CPU = 12
"""Column of the CPU's number; without it lines are CPUs in their order, those that are offline left out."""

_LINE = re.compile(r"[0-9a-f]{8}(?: [0-9a-f]{8}){8,14}")


def _recognise(passage: Passage) -> bool:
    return bool(passage.opening) and all(map(_LINE.fullmatch, passage.opening))


def _read(passage: Passage, rows: Rows) -> None:
    cpu = -1
    for line, text in passage.numbered():
        stripped = text.strip()
        if not stripped:
            continue
        cpu += 1
        if not _LINE.fullmatch(stripped):
            rows.problem(line, f"not of this form: {stripped[:80]!r}")
            continue
        values = stripped.split()
        number = int(values[_CPU], 16) if len(values) > _CPU else cpu
        sample = rows.sample("softnet_stat", passage.host, number)
        for column, name in _COLUMNS.items():
            if column < len(values):
                value = str(int(values[column], 16))
                count(rows, passage, line, name, value, dialect="linux", device=f"cpu{number}", sample=sample)


KIND = Output("softnet_stat", (counters.TABLE,), _recognise, _read)
