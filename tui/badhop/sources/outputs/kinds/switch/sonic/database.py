"""SONiC's databases as JSON (`redis-dump`, `sonic-db-dump`, files of tests): COUNTERS_DB and the ports of APPL_DB.

COUNTERS_DB names an object by a number; the maps of names beside it tell port, queue and priority group. It has what
the switch counted since boot, whatever users cleared for themselves.
"""

from typing import Any

from badhop.sources.outputs import clock, json_text
from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.switch import objects
from badhop.sources.outputs.kinds.switch.amounts import lanes, speed
from badhop.sources.outputs.kinds.switch.readings import Readings
from badhop.sources.outputs.kinds.switch.sonic.printed import DIALECT
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import counters, links, qos

_COUNTERS = "COUNTERS:"
_MAPS = ("COUNTERS_PORT_NAME_MAP", "COUNTERS_QUEUE_NAME_MAP", "COUNTERS_PG_NAME_MAP", "COUNTERS_LAG_NAME_MAP")
_MARKS = ('"PORT_TABLE:', '"COUNTERS:oid:', '"COUNTERS_PORT_NAME_MAP"', '"COUNTERS_QUEUE_NAME_MAP"')
_STATISTICS = ("SAI_PORT_STAT_", "SAI_QUEUE_STAT_", "SAI_INGRESS_PRIORITY_GROUP_STAT_", "PFC_WD_QUEUE_STATS_")


def _recognise(passage: Passage) -> bool:
    return objects.begins_json(passage) and any(mark in passage.text for mark in _MARKS)


def _read(passage: Passage, rows: Rows) -> None:
    found = {key: _fields(value) for key, value in objects.entries(json_text.parsed(passage, rows, "a SONiC database"))}
    line_of = objects.lines_of_keys(passage)
    _read_counters(found, line_of, passage, rows)
    for key, port in found.items():
        if key.startswith(("PORT_TABLE:", "LAG_TABLE:")):
            _read_port(key.split(":", 1)[1], port, line_of(key), passage, rows)


def _fields(value: dict[str, Any]) -> dict[str, Any]:
    """The fields of an entry; redis-dump puts them under `value`, beside `type` and `ttl`."""
    return value["value"] if isinstance(value.get("value"), dict) else value


def _read_counters(found: dict[str, dict[str, Any]], line_of: Any, passage: Passage, rows: Rows) -> None:
    names = {number: name for one in _MAPS for name, number in found.get(one, {}).items() if isinstance(number, str)}
    readings = Readings(rows, passage, DIALECT)
    for key, statistics in found.items():
        if not key.startswith(_COUNTERS):
            continue
        number = key.removeprefix(_COUNTERS)
        named = names.get(number)
        port, _, queue = (named or "").partition(":")
        for name, value in statistics.items():
            if name.startswith(_STATISTICS):
                readings.count(
                    line_of(key),
                    port or number,
                    name,
                    objects.text(value) or "",
                    queue=int(queue) if queue.isascii() and queue.isdigit() and len(queue) < 5 else None,
                )


def _read_port(port: str, fields: dict[str, Any], line: int | None, passage: Passage, rows: Rows) -> None:
    word = {name: text for name, value in fields.items() if (text := objects.text(value))}
    up = word.get("oper_status") == "up"
    times = [
        ts for name in ("last_up_time", "last_down_time") if (ts := clock.date_line(word.get(name, ""))) is not None
    ]
    rows.add(
        links.TABLE,
        passage,
        line,
        device=port,
        speed_bps=speed(word.get("speed", "")) if up else None,
        lanes=lanes(word.get("lanes")),
        state=word.get("oper_status"),
        admin=word.get("admin_status"),
        fec_configured=word.get("fec"),
        autoneg=word.get("autoneg"),
        mtu=_whole(word.get("mtu"), 8),
        media=word.get("interface_type"),
        flaps=_whole(word.get("flap_count"), 18),
        last_change=max(times, default=None),
    )
    if "pfc_asym" in word:
        rows.add(
            qos.TABLE,
            passage,
            line,
            device=port,
            setting="pfc_asymmetric",
            raw_name="pfc_asym",
            value=word["pfc_asym"],
        )


def _whole(text: str | None, digits: int) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) <= digits else None


KIND = Output("SONiC database", (counters.TABLE, links.TABLE, qos.TABLE), _recognise, _read)
