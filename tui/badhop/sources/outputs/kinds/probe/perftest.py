"""`ib_write_bw`, `ib_read_bw`, `ib_send_bw` and their latency twins (perftest): one row for each message size."""

import re
from typing import Any

from badhop.sources.outputs import json_text
from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.sources.outputs.transcript import words
from badhop.tables import probes

_BANDWIDTH = re.compile(r"#bytes +#iterations +BW peak\[(Gb/sec|MB/sec|MiB/sec)\] +BW average\[")
_LATENCY = re.compile(r"#bytes +#iterations +t_min\[usec\] +t_max\[usec\] +t_typical\[usec\]")
_KIND = re.compile(r"(RDMA_Write|RDMA_Read|Send|RDMA_Atomic|Atomic)(?: Bidirectional)? (BW|Latency) Test")
_TOOLS = {
    "RDMA_Write": "ib_write",
    "RDMA_Read": "ib_read",
    "Send": "ib_send",
    "Atomic": "ib_atomic",
    "RDMA_Atomic": "ib_atomic",
}
_BITS = {"Gb/sec": 1e9, "MB/sec": 8 * 1048576.0, "MiB/sec": 8 * 1048576.0}
"""perftest prints MB and means MiB (perftest_parameters.c divides by 0x100000)."""


def _recognise(passage: Passage) -> bool:
    return "#bytes" in passage.text and any(
        _BANDWIDTH.match(text.strip()) or _LATENCY.match(text.strip()) for text in passage.lines.texts[:200]
    )


def _read(passage: Passage, rows: Rows) -> None:
    tool = _tool(passage)
    unit: float | None = None
    for line, text in passage.numbered():
        stripped = text.strip()
        if title := _KIND.search(stripped):
            tool = _TOOLS[title[1]] + ("_bw" if title[2] == "BW" else "_lat")
        elif head := _BANDWIDTH.match(stripped):
            unit = _BITS[head[1]]
        elif _LATENCY.match(stripped):
            unit = None
        elif stripped[:1].isdigit():
            values = _values(stripped.split(), unit)
            if values is None:
                rows.problem(line, f"no row of perftest: {stripped[:80]!r}")
            else:
                rows.add(probes.TABLE, passage, line, tool=tool, part="size", **values)
        elif "Unable" in stripped or stripped.startswith("Completion with error") or "Failed status" in stripped:
            rows.add(probes.TABLE, passage, line, tool=tool, part="summary", error=stripped)


def _values(cells: list[str], unit: float | None) -> dict[str, Any] | None:
    numbers = [json_text.amount(cell) for cell in cells]
    size, operations = json_text.whole(cells[0]), json_text.whole(cells[1]) if len(cells) > 1 else None
    if size is None or operations is None or len(numbers) < 4:
        return None
    if unit is not None:
        peak, mean = numbers[2], numbers[3]
        return {
            "bytes": size,
            "operations": operations,
            "peak": peak * unit if peak else None,  # 0.00 when it was not measured (-D)
            "throughput": None if mean is None else mean * unit,
        }
    low, high, typical = numbers[2], numbers[3], numbers[4] if len(numbers) > 4 else None
    return {
        "bytes": size,
        "operations": operations,
        "rtt_min": None if low is None else low / 1000,
        "rtt_max": None if high is None else high / 1000,
        "rtt": None if typical is None else typical / 1000,
    }


def _tool(passage: Passage) -> str | None:
    """From the command line, where the title is missing."""
    name = words(passage.command)[0].rsplit("/", 1)[-1] if passage.command and words(passage.command) else ""
    return name if name.startswith("ib_") else None


def _is_json(passage: Passage) -> bool:
    return json_text.begins_object(passage, "test_info")


def _read_json(passage: Passage, rows: Rows) -> None:
    report = json_text.parsed(passage, rows, "perftest")
    results = json_text.at(report, "results")
    kind = _KIND.search(str(json_text.at(report, "test_info", "test"))) or None
    tool = _TOOLS[kind[1]] + ("_bw" if kind[2] == "BW" else "_lat") if kind else None
    for result in [results] if isinstance(results, dict) else json_text.objects(results):
        peak, mean = json_text.amount(result.get("BW_peak")), json_text.amount(result.get("BW_average"))
        rows.add(
            probes.TABLE,
            passage,
            passage.lines.first,
            tool=tool,
            part="size",
            bytes=json_text.whole(result.get("MsgSize")),
            operations=json_text.whole(result.get("n_iterations")),
            peak=peak * 1e9 if peak and _in_gigabits(report) else None,
            throughput=mean * 1e9 if mean is not None and _in_gigabits(report) else None,
        )


def _in_gigabits(report: object) -> bool:
    """`--report_gbits` is not in the file itself, but the unit is in its `test_info` of newer versions."""
    return "Gb" in str(json_text.at(report, "test_info", "BW_units"))


TEXT = Output("perftest", (probes.TABLE,), _recognise, _read)
JSON = Output("perftest --out_json", (probes.TABLE,), _is_json, _read_json)
