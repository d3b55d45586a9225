"""`iperf3`: intervals and totals of a throughput test, as JSON or as text."""

import re
from collections.abc import Mapping
from typing import Any

from badhop.sources.outputs import json_text
from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.passage import Moment, Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import probes

_INTERVAL = re.compile(
    r"\[ *(\d+|SUM)\](?:\[[RT]X-[CS]\])? +(\d+\.?\d*)-(\d+\.?\d*) +sec"
    r" +(\d+\.?\d*) ([KMGT]?)Bytes +(\d+\.?\d*) ([KMGT]?)bits/sec(.*)"
)
_CONNECTING = re.compile(r"Connecting to host (\S+), port \d+")
_RETRIES = re.compile(r" +(\d+)(?:  | *$)")
_LOST = re.compile(r" +\d+\.?\d* ms +(\d+)/(\d+) \(")
_BINARY = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
"""iperf3 counts bytes in powers of two, and bits in powers of ten (units.c)."""
_DECIMAL = {"": 1.0, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}


def _is_json(passage: Passage) -> bool:
    return json_text.begins_object(passage, "start") and (
        '"system_info"' in passage.text[:2500] or ('"connected"' in passage.text[:600] and '"error"' in passage.text)
    )


def _read_json(passage: Passage, rows: Rows) -> None:
    report = json_text.parsed(passage, rows, "iperf3")
    ts = json_text.whole(json_text.at(report, "start", "timestamp", "timesecs"))
    at = Moment(ts * 10**9, "output") if ts is not None and ts < 2**33 else None
    line = passage.lines.first
    target = json_text.at(report, "start", "connecting_to", "host")
    address = json_text.at(report, "start", "connected", 0, "remote_host")
    common = {"tool": "iperf3", "target": json_text.text(target), "address": json_text.text(address)}
    intervals = json_text.at(report, "intervals")
    for number, interval in enumerate(json_text.objects(intervals), 1):
        if isinstance(total := interval.get("sum"), dict) and not total.get("omitted"):
            begins = json_text.amount(total.get("start"))
            then = Moment(at.ts + round(begins * 1e9), "output") if at and begins is not None else at
            rows.add(probes.TABLE, passage, line, at=then, part="interval", sequence=number, **common, **_totals(total))
    for name, direction in (("sum_sent", "send"), ("sum_received", "receive"), ("sum", None)):
        if isinstance(total := json_text.at(report, "end", name), dict):
            values = _totals(total) | {"direction": direction}
            rows.add(probes.TABLE, passage, line, at=at, part="summary", **common, **values)
    if isinstance(error := json_text.at(report, "error"), str):
        rows.add(probes.TABLE, passage, line, at=at, part="summary", error=error, **common)


def _totals(total: Mapping[str, Any]) -> dict[str, Any]:
    lost, packets = json_text.whole(total.get("lost_packets")), json_text.whole(total.get("packets"))
    return {
        "bytes": json_text.whole(total.get("bytes")),
        "seconds": json_text.amount(total.get("seconds")),
        "throughput": json_text.amount(total.get("bits_per_second")),
        "retransmits": json_text.whole(total.get("retransmits")),
        "sent": packets,
        "received": None if packets is None or lost is None or lost > packets else packets - lost,
        "loss": lost / packets if lost is not None and packets else None,
    }


def _is_text(passage: Passage) -> bool:
    return any(_CONNECTING.fullmatch(text) for text in passage.opening[:3]) and "[ ID] Interval" in passage.text


def _read_text(passage: Passage, rows: Rows) -> None:
    target: str | None = None
    totals = False
    for line, text in passage.numbered():
        if found := _CONNECTING.fullmatch(text):
            target, totals = found[1], False
        elif text.startswith("- - -"):
            totals = True
        elif (found := _INTERVAL.fullmatch(text)) and "(omitted)" not in found[8]:
            rows.add(probes.TABLE, passage, line, tool="iperf3", target=target, **_line(found, totals))


def _line(found: re.Match[str], totals: bool) -> dict[str, Any]:
    stream, start, end, moved, binary, rate, decimal, rest = found.groups()
    retries, lost = _RETRIES.match(rest), _LOST.match(rest)
    sent = int(lost[2]) if lost else None
    return {
        "part": "summary" if totals else "interval",
        "sequence": None if stream == "SUM" else int(stream),
        "seconds": float(end) - float(start),
        "bytes": round(float(moved) * _BINARY[binary]),
        "throughput": float(rate) * _DECIMAL[decimal],
        "retransmits": int(retries[1]) if retries else None,
        "sent": sent,
        "loss": int(lost[1]) / sent if lost and sent else None,
        "direction": "send" if "sender" in rest else "receive" if "receiver" in rest else None,
    }


JSON = Output("iperf3 -J", (probes.TABLE,), _is_json, _read_json)
TEXT = Output("iperf3", (probes.TABLE,), _is_text, _read_text, re.compile(r"Connecting to host \S+, port \d+$"))
