"""gNMI notifications as JSON: counters of interfaces and queues by the paths of OpenConfig, and states of links.

As the JSON of the protocol (a list of `update`s), and as gnmic prints events. A raw name is the path below the port:
`state/counters/in-octets`. The time is that of the switch.
"""

import base64
import binascii
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from badhop.sources.outputs import json_text
from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.switch import objects
from badhop.sources.outputs.kinds.switch.readings import Readings
from badhop.sources.outputs.passage import Moment, Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import counters, links

_NUMBERS = ("uintVal", "intVal", "floatVal", "doubleVal", "uint_val", "int_val", "float_val", "double_val")
_JSON = ("jsonVal", "jsonIetfVal", "json_val", "json_ietf_val")
_TEXT = ("stringVal", "asciiVal", "string_val")
_COUNTED = ("counters/", "statistics/", "/queues/")
_STATES = {"oper-status": "state", "admin-status": "admin"}
_INDEX = re.compile(r"(\d{1,4})$")

MOST_LEVELS = 16
"""Of nested objects in a value: models have fewer."""

Path = tuple[tuple[str, dict[str, Any]], ...]


@dataclass(frozen=True)
class _Leaf:
    path: Path
    value: Any
    ts: int | None
    host: str | None


def _recognise(passage: Passage) -> bool:
    if not objects.begins_json(passage):
        return False
    head = objects.head(passage)
    if '"update"' in head and ('"elem"' in head or '"path"' in head):
        return True
    return '"tags"' in head and '"values"' in head and '"timestamp"' in head


def _read(passage: Passage, rows: Rows) -> None:
    readings = Readings(rows, passage, "openconfig")
    for entry in objects.several(json_text.parsed(passage, rows, "gNMI")):
        if isinstance(entry, dict):
            for leaf in _event(entry) if "tags" in entry else _notification(entry):
                _add(leaf, passage, rows, readings)


def _add(leaf: _Leaf, passage: Passage, rows: Rows, readings: Readings) -> None:
    device, queue, below = None, None, []
    started = False
    for name, keys in leaf.path:
        plain = name.rpartition(":")[2]
        if plain == "interface" and not started:
            started = True
            device = objects.text(keys.get("name")) or objects.text(keys.get("interface-id"))
            continue
        if started:
            below.append(plain)
            if plain == "queue" and (number := _INDEX.search(str(keys.get("name", "")))):
                queue = int(number[1])
    raw_name, at = "/".join(below), Moment(leaf.ts, "output") if leaf.ts is not None else None
    text = objects.text(leaf.value)
    if not started or text is None:
        return
    if any(part in f"/{raw_name}" for part in _COUNTED):
        if below[-1] != "last-clear" and re.fullmatch(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?", text):
            readings.count(None, device, raw_name, text, queue=queue, host=leaf.host, at=at)
    elif (column := _STATES.get(below[-1] if below else "")) and device:
        said = text.lower().rpartition("_")[2]
        if said in ("up", "down"):
            more = {"host": leaf.host} if leaf.host else {}
            rows.add(links.TABLE, passage, None, at=at, device=device, **{column: said}, **more)


def _notification(entry: dict[str, Any]) -> Iterator[_Leaf]:
    update = entry.get("update")
    if not isinstance(update, dict):
        return
    ts = _ns(update.get("timestamp"))
    prefix = _elements(update.get("prefix"))
    for one in objects.several(update.get("update")):
        if isinstance(one, dict) and isinstance(one.get("val"), dict):
            path = (*prefix, *_elements(one.get("path")))
            for below, value in _flat(_value(one["val"])):
                yield _Leaf((*path, *below), value, ts, None)


def _elements(path: Any) -> Path:
    elements = path.get("elem") if isinstance(path, dict) else None
    found = []
    for element in objects.several(elements):
        if isinstance(element, dict) and isinstance(element.get("name"), str):
            keys = element.get("key")
            found.append((element["name"], keys if isinstance(keys, dict) else {}))
    return tuple(found)


def _value(val: dict[str, Any]) -> Any:
    for name in _NUMBERS + _TEXT:
        if name in val:
            return val[name]
    for name in _JSON:
        if isinstance(val.get(name), str):
            try:
                return json.loads(base64.b64decode(val[name], validate=True))
            except (ValueError, RecursionError, binascii.Error):
                return None
    decimal = val.get("decimalVal")
    if isinstance(decimal, dict):
        digits, precision = decimal.get("digits"), decimal.get("precision", 0)
        if isinstance(digits, int) and isinstance(precision, int) and 0 <= precision < 20:
            return digits / 10**precision
    return None


def _flat(value: Any, level: int = 0) -> Iterator[tuple[Path, Any]]:
    """The leaves of a value that is an object; else itself."""
    if not isinstance(value, dict):
        yield (), value
    elif level < MOST_LEVELS:
        for name, inner in value.items():
            for below, leaf in _flat(inner, level + 1):
                yield ((str(name), {}), *below), leaf


def _event(entry: dict[str, Any]) -> Iterator[_Leaf]:
    """gnmic's event format: keys of the path are tags `interface_name`, the source is the switch and its port."""
    tags, values = entry.get("tags"), entry.get("values")
    if not isinstance(tags, dict) or not isinstance(values, dict):
        return
    source = objects.text(tags.get("source"))
    host = source.rpartition(":")[0] or source if source else None
    name = objects.text(tags.get("interface_name")) or objects.text(tags.get("interface_interface-id"))
    keys = {"interface": {"name": name}, "queue": {"name": objects.text(tags.get("queue_name"))}}
    for path, value in values.items():
        parts = tuple((part, keys.get(part.rpartition(":")[2], {})) for part in str(path).strip("/").split("/"))
        yield _Leaf(parts, value, _ns(entry.get("timestamp")), host)


def _ns(value: Any) -> int | None:
    text = objects.text(value) or ""
    return int(text) if re.fullmatch(r"1\d{18}", text) else None


KIND = Output("gNMI notifications", (counters.TABLE, links.TABLE), _recognise, _read)
