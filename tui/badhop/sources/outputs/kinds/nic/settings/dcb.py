"""`dcb pfc|ets|buffer|app show dev` of iproute2, as text and as JSON (-j)."""

import re
from collections.abc import Iterator
from typing import Any

from badhop.sources.outputs import json_text
from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.nic.settings.heading import named_by
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import qos

_MAPS = {
    "prio-pfc": ("pfc", "priority"),
    "prio-tc": ("class_of_priority", "priority"),
    "tc-tsa": ("scheduler", "queue"),
    "tc-bw": ("bandwidth", "queue"),
    "prio-buffer": (None, "priority"),
    "buffer-size": ("buffer_size", "queue"),
    "dscp-prio": ("priority_of_dscp", "dscp"),
    "pcp-prio": (None, "priority"),
}
"""Of each map, the setting in words of `qos` and what its keys are."""

_PAIR = re.compile(r"([\w-]{1,16}):(\S{1,24})")
_DSCP = {"EF": 46, "VA": 44, "LE": 1, "BE": 0, "CS0": 0}
_CLASS = re.compile(r"CS([1-7])|AF([1-4])([1-3])")
_SIZE = re.compile(r"(\d{1,12})b?")


def dscp(text: str) -> int | None:
    """Of a number, or of a name of RFC 2474, 2597, 3246, 5865 and 8622."""
    if text.isdecimal():
        return int(text) if len(text) < 3 and int(text) < 64 else None
    if found := _CLASS.fullmatch(text):
        return 8 * int(found[1]) if found[1] else 8 * int(found[2]) + 2 * int(found[3])
    return _DSCP.get(text)


def _of_text(text: str) -> Iterator[tuple[str, str, str]]:
    """Map, key and value of each pair of a line; a map's name stands before its pairs."""
    name = ""
    for word in text.split()[:512]:
        if word in _MAPS:
            name = word
        elif name and (found := _PAIR.fullmatch(word)):
            yield name, found[1], found[2]
        else:
            name = ""


def _recognise(passage: Passage) -> bool:
    return any(next(_of_text(text), None) for text in passage.opening if text.split()[0] in _MAPS)


def _read(passage: Passage, rows: Rows) -> None:
    for line, text in passage.numbered():
        for name, key, value in _of_text(text):
            _add(passage, rows, line, name, key, value)


def _is_json(passage: Passage) -> bool:
    start = passage.text.lstrip()[:1000]
    keys = (*_MAPS, *(name.replace("-", "_") for name in _MAPS))
    return start.startswith(("{", "[{")) and any(f'"{key}":' in start.replace(" ", "") for key in keys)


def _read_json(passage: Passage, rows: Rows) -> None:
    told = json_text.parsed(passage, rows, "dcb")
    for part in json_text.objects(told if isinstance(told, list) else [told]):
        for key, values in part.items():
            name = key.replace("_", "-")
            for index, value in enumerate(values if isinstance(values, list) and name in _MAPS else ()):
                pair = value if isinstance(value, list) and len(value) == 2 else (index, value)
                text = {True: "on", False: "off"}.get(pair[1]) if isinstance(pair[1], bool) else str(pair[1])
                _add(passage, rows, passage.lines.first, name, str(pair[0]), text or "")


def _add(passage: Passage, rows: Rows, line: int, name: str, key: str, value: str) -> None:
    setting, keyed = _MAPS[name]
    number = dscp(key) if keyed == "dscp" else int(key) if key.isdecimal() and len(key) < 3 else None
    if number is None:
        rows.problem(line, f"{name}: {key!r} is none of its keys")
        return
    more: dict[str, Any] = {keyed: number}
    if setting == "class_of_priority" and value.isdecimal() and len(value) < 3:
        more["queue"] = int(value)
    if setting == "priority_of_dscp" and value.isdecimal() and len(value) < 3:
        more["priority"] = int(value)
    if setting == "bandwidth" and value.rstrip("%").isdecimal():
        more |= {"amount": float(value.rstrip("%")), "unit": "percent"}
    if setting == "buffer_size" and (size := _SIZE.fullmatch(value)):
        more |= {"amount": float(size[1]), "unit": "bytes"}
    rows.add(
        qos.TABLE, passage, line, device=named_by(passage, "dev"), setting=setting, raw_name=name, value=value, **more
    )


TEXT = Output("dcb", (qos.TABLE,), _recognise, _read)
JSON = Output("dcb -j", (qos.TABLE,), _is_json, _read_json)
