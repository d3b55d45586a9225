"""SONiC's config_db.json: how priorities are mapped, paused, buffered, marked and scheduled, as the switch was told.

Two switches whose maps differ are one fault on many ports: DSCP to traffic class, traffic class to queue and to
priority group, and which priorities each port pauses.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

from badhop.sources.outputs import json_text
from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.switch import objects
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import qos

_MAPS = {
    "DSCP_TO_TC_MAP": ("class_of_dscp", "dscp"),
    "DOT1P_TO_TC_MAP": ("class_of_priority", "priority"),
    "TC_TO_QUEUE_MAP": ("queue_of_class", "queue"),
    "TC_TO_PRIORITY_GROUP_MAP": ("priority_group_of_class", "queue"),
    "MAP_PFC_PRIORITY_TO_QUEUE": ("queue_of_priority", "priority"),
}
"""Setting of each map, and the column that holds what is mapped. Of a traffic class that is `queue`."""

_PROFILES = {
    "WRED_PROFILE": {
        "ecn": "ecn",
        "green_min_threshold": "ecn_min",
        "green_max_threshold": "ecn_max",
        "green_drop_probability": "ecn_probability",
        "wred_green_enable": "ecn_enabled",
    },
    "BUFFER_PROFILE": {
        "size": "buffer_size",
        "pool": "buffer_pool",
        "xon": "xon",
        "xoff": "xoff",
        "xon_offset": "xon_offset",
        "dynamic_th": "buffer_alpha",
        "static_th": "buffer_limit",
    },
    "BUFFER_POOL": {"size": "buffer_size", "mode": "buffer_mode", "type": "buffer_type", "xoff": "xoff"},
    "SCHEDULER": {"type": "scheduler", "weight": "bandwidth"},
}
_PER_PORT = {
    "PFC_WD": {
        "action": "pfcwd_action",
        "detection_time": "pfcwd_detection",
        "restoration_time": "pfcwd_restoration",
    },
    "PORT_QOS_MAP": {"pfc_enable": "pfc", "pfcwd_sw_enable": "pfcwd", "dscp_to_tc_map": "class_of_dscp"},
    "QUEUE": {"wred_profile": "ecn_profile", "scheduler": "scheduler"},
    "BUFFER_PG": {"profile": "buffer_profile"},
    "BUFFER_QUEUE": {"profile": "buffer_profile"},
}
_UNITS = {
    "ecn_min": "bytes",
    "ecn_max": "bytes",
    "ecn_probability": "percent",
    "buffer_size": "bytes",
    "buffer_limit": "bytes",
    "xon": "bytes",
    "xoff": "bytes",
    "xon_offset": "bytes",
    "pfcwd_detection": "ms",
    "pfcwd_restoration": "ms",
}
_LARGEST = {"dscp": 63, "priority": 7, "queue": 65535}

_MARKS = ('"PORT_QOS_MAP"', '"DSCP_TO_TC_MAP"', '"WRED_PROFILE"', '"BUFFER_PROFILE"')


def _recognise(passage: Passage) -> bool:
    return objects.begins_json(passage) and any(mark in passage.text for mark in _MARKS)


def _read(passage: Passage, rows: Rows) -> None:
    line_of = objects.lines_of_keys(passage)
    for table, entries in objects.entries(json_text.parsed(passage, rows, "config_db.json")):
        for key, fields in objects.entries(entries):
            if table in _MAPS:
                setting, column = _MAPS[table]
                for theirs, value in fields.items():
                    if (number := _whole(theirs, _LARGEST[column])) is not None:
                        _add(rows, passage, line_of(table), setting, theirs, value, profile=key, **{column: number})
            elif table in _PROFILES:
                for name, value in fields.items():
                    _add(rows, passage, line_of(key), _PROFILES[table].get(name), name, value, profile=key)
            elif table in _PER_PORT:
                _read_ports(rows, passage, line_of, table, key, fields)


def _read_ports(
    rows: Rows,
    passage: Passage,
    line_of: Callable[[str], int | None],
    table: str,
    key: str,
    fields: dict[str, Any],
) -> None:
    """`Ethernet0`, or `Ethernet0,Ethernet4|3-4` with queues or priority groups; pfc_enable is a list of priorities."""
    for port, queue in _ports(key):
        for name, value in fields.items():
            setting = _PER_PORT[table].get(name)
            text = objects.text(value)
            if text is None:
                continue
            if name in ("pfc_enable", "pfcwd_sw_enable"):
                for priority in text.split(","):
                    if (number := _whole(priority.strip(), 7)) is not None:
                        _add(rows, passage, line_of(key), setting, name, "on", device=port, priority=number)
            elif setting is not None:
                _add(rows, passage, line_of(key), setting, name, text, device=port, queue=queue)


def _ports(key: str) -> Iterator[tuple[str, int | None]]:
    names, _, numbers = key.partition("|")
    found = re.fullmatch(r"(\d{1,3})(?:-(\d{1,3}))?", numbers)
    queues: list[int | None] = [None]
    if found:
        queues = list(range(int(found[1]), min(int(found[2] or found[1]), int(found[1]) + 63) + 1))
    for port in names.split(","):
        for queue in queues:
            yield port, queue


def _add(
    rows: Rows, passage: Passage, line: int | None, setting: str | None, name: str, value: Any, **where: Any
) -> None:
    text = objects.text(value)
    if text is None:
        return
    text = text.removeprefix("[").removesuffix("]").rpartition("|")[2] if text.startswith("[") else text
    amount = float(text) if re.fullmatch(r"-?\d{1,18}", text) else None
    rows.add(
        qos.TABLE,
        passage,
        line,
        setting=setting,
        raw_name=name,
        value=text,
        amount=amount,
        unit=_UNITS.get(setting or "") if amount is not None else None,
        **where,
    )


def _whole(text: str, most: int) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 and int(text) <= most else None


KIND = Output("SONiC config_db.json", (qos.TABLE,), _recognise, _read)
