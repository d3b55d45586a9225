"""`ss -ti`: what the kernel knows of each TCP connection, on its line (-O) or on the one below it.

A field that is 0 is not printed, so a missing one is no row.
"""

import re

from badhop.sources.outputs.counting import count
from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import counters

_SOCKET = re.compile(
    r"(?:tcp\s{1,20})?([A-Z][A-Z0-9-]{2,12})\s{1,20}(\d{1,12})\s{1,20}(\d{1,12})\s{1,80}(\S{1,80}:\S{1,12})\s{1,80}"
    r"(\S{1,80}:\S{1,12})(?=\s|$)"
)
_FIELD = re.compile(
    r"\b(rtt|minrtt|cwnd|unacked|lost|bytes_sent|bytes_acked|bytes_received|bytes_retrans|segs_out|segs_in|"
    r"data_segs_out|data_segs_in|busy|rwnd_limited|sndbuf_limited|rcv_ooopack|reord_seen|delivered_ce):"
    r"(\d{1,20}(?:\.\d{1,9})?)"
)
_RESENDS = re.compile(r"\bretrans:\d{1,10}/(\d{1,10})\b")
_LONGEST = 4096


def _recognise(passage: Passage) -> bool:
    return any(map(_SOCKET.match, passage.opening)) and any(
        " cwnd:" in text or text.startswith("cwnd:") for text in passage.opening
    )


def _read(passage: Passage, rows: Rows) -> None:
    device, sample = None, 1
    for line, text in passage.numbered():
        stripped = text.strip()
        if not stripped or len(stripped) > _LONGEST:
            continue
        found: list[tuple[str, str]] = []
        if socket := _SOCKET.match(stripped):
            device = f"{socket[4]}>{socket[5]}"
            sample = rows.sample("ss -ti", passage.host, device)
            found = [("Recv-Q", socket[2]), ("Send-Q", socket[3])]
            stripped = stripped[socket.end() :]
        if device is None:
            continue
        found += _FIELD.findall(stripped)
        found += [("retrans", resends) for resends in _RESENDS.findall(stripped)]
        for name, value in found:
            count(rows, passage, line, name, value, dialect="linux", device=device, sample=sample)


KIND = Output("ss -ti", (counters.TABLE,), _recognise, _read)
