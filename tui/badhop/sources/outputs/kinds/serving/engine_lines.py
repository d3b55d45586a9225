"""Log lines of vLLM and SGLang that tell how busy an engine is, and the last line of an answer of Ollama."""

import re
from typing import Any

from badhop.sources.outputs import clock, json_text
from badhop.sources.outputs.kind import Log
from badhop.sources.outputs.passage import Moment, Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import engine_log

_VLLM = re.compile(r".*?Engine (\d+): Avg prompt throughput: (\d+\.?\d*) tokens/s, (.*)")
_VLLM_OLD = re.compile(r".*?Avg prompt throughput: (\d+\.?\d*) tokens/s, (.*)")
_VLLM_TIME = re.compile(r"(?:\([^)]*\) )?[A-Z]+ (\d\d-\d\d) (\d\d:\d\d:\d\d)")
_SGLANG = re.compile(r"\[(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)((?: [A-Z]{2}\d+)*)\] (Prefill|Decode) batch\D*?[,.] (.*)")
_NUMBER = re.compile(r"\d+\.?\d*")


def _read(passage: Passage, rows: Rows) -> bool:
    any_row = False
    for line, text in passage.numbered():
        if "Avg prompt throughput" in text:
            any_row |= _vllm(passage, rows, line, text)
        elif " batch" in text and (found := _SGLANG.match(text.strip())):
            any_row |= _sglang(passage, rows, line, found)
        elif '"eval_duration"' in text:
            any_row |= _ollama(passage, rows, line, text.strip())
    return any_row


def _vllm(passage: Passage, rows: Rows, line: int, text: str) -> bool:
    if found := _VLLM.match(text):
        replica, prompt, rest = found.groups()
    elif found := _VLLM_OLD.match(text):
        replica, (prompt, rest) = None, found.groups()
    else:
        rows.problem(line, "a line of vLLM that is cut")
        return False
    said = _pairs(rest, ": ")
    kv_used = next((value for key, value in said.items() if key.endswith("KV cache usage")), None)
    rows.add(
        engine_log.TABLE,
        passage.untimed,
        line,
        at=_vllm_time(passage, line, text),
        engine="vllm",
        replica=replica,
        prompt_rate=float(prompt),
        generation_rate=said.get("Avg generation throughput"),
        running=_whole(said.get("Running")),
        waiting=_whole(said.get("Waiting", said.get("Pending"))),
        preemptions=_whole(said.get("Preemptions")),
        kv_used=None if kv_used is None else kv_used / 100,
        prefix_hits=None if (hits := said.get("Prefix cache hit rate")) is None else hits / 100,
    )
    return True


def _vllm_time(passage: Passage, line: int, text: str) -> Moment | None:
    """A collector's stamp, else its own, which has no year."""
    stamp = passage.stamp(line)
    if stamp and stamp.found == "line":
        return stamp
    found = _VLLM_TIME.match(text)
    if found is None:
        return None
    month, day = found[1].split("-")
    name = _MONTHS.get(month)
    ts = clock.syslog(f"{name} {day} {found[2]}") if name else None
    return None if ts is None else Moment(ts, "line")


_MONTHS = {f"{number:02}": name for number, name in enumerate(clock.MONTHS, 1)}


def _sglang(passage: Passage, rows: Rows, line: int, found: re.Match[str]) -> bool:
    ts = clock.rfc3339(found[1])
    said = _pairs(found[4], ": ")
    prefill = found[3] == "Prefill"
    rows.add(
        engine_log.TABLE,
        passage.untimed,
        line,
        at=None if ts is None else Moment(ts, "line"),
        engine="sglang",
        replica=found[2].strip() or None,
        running=_whole(said.get("#running-req")),
        waiting=_whole(said.get("#queue-req")),
        kv_used=said.get("token usage"),
        prompt_rate=said.get("input throughput (token/s)") if prefill else None,
        generation_rate=None if prefill else said.get("gen throughput (token/s)"),
    )
    return True


def _ollama(passage: Passage, rows: Rows, line: int, text: str) -> bool:
    said = json_text.loaded(text)
    if not isinstance(said, dict) or said.get("done") is not True:
        return False
    made, decode = json_text.whole(said.get("eval_count")), json_text.whole(said.get("eval_duration"))
    ts = clock.rfc3339(str(said.get("created_at", "")))
    rows.add(
        engine_log.TABLE,
        passage.untimed,
        line,
        at=None if ts is None else Moment(ts, "line"),
        engine="ollama",
        generation_rate=made / decode * 1e9 if made is not None and decode else None,
        load=_ns(said.get("load_duration")),
        prefill=_ns(said.get("prompt_eval_duration")),
        decode=_ns(decode),
        total=_ns(said.get("total_duration")),
    )
    return True


def _pairs(text: str, between: str) -> dict[str, float]:
    """`Running: 24 reqs, Waiting: 3 reqs` as numbers by name; what has no number is left out."""
    found = {}
    for part in text.split(", "):
        name, _, value = part.partition(between)
        if number := _NUMBER.match(value):
            found[name.strip()] = float(number[0])
    return found


def _whole(value: float | None) -> int | None:
    return None if value is None else int(value)


def _ns(value: Any) -> int | None:
    ns = json_text.whole(value)
    return ns if ns is not None and ns < 2**62 else None


KIND = Log(
    "engine log",
    (engine_log.TABLE,),
    ("Avg prompt throughput", "Decode batch", "Prefill batch", '"eval_duration"'),
    _read,
)
