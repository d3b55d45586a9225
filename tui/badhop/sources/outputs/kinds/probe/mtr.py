"""`mtr`: its report, CSV, XML and JSON. Loss at a hop that later hops do not share is a router that answers seldom."""

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping

from badhop.sources.outputs import clock
from badhop.sources.outputs.counting import number
from badhop.sources.outputs.json_text import at, begins_object, objects, parsed
from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.passage import Moment, Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import probes

_HOST = re.compile(r"HOST: \S+ +Loss%")
_HOP = re.compile(r" *(\d{1,3})\.\|-- (\S+) +(\d+\.?\d*)%? +(\d+) +(\d.*)")
_CSV = "Mtr_Version,Start_Time,Status,Host,Hop,Ip,"
_FIELDS = ("last", "rtt", "rtt_min", "rtt_max", "rtt_deviation")
_TAGS = dict(zip(_FIELDS, ("Last", "Avg", "Best", "Wrst", "StDev"), strict=True))
_XML_LARGEST = 1 << 20
"""Characters; a report of 255 hops has 60,000. Entities could make a small file large, so a DTD is refused, too."""


def _is_report(passage: Passage) -> bool:
    return any(_HOST.match(text) for text in passage.opening[:3])


def _read_report(passage: Passage, rows: Rows) -> None:
    start: Moment | None = None
    for line, text in passage.numbered():
        if text.startswith("Start: "):
            ts = clock.rfc3339(text[7:]) or clock.date_line(text[7:])
            start = None if ts is None else Moment(ts, "output")
        elif found := _HOP.match(text):
            times = dict(zip(_FIELDS, found[5].split(), strict=False))
            _hop(rows, passage, line, start, found[1], found[2], found[3], found[4], times)


def _is_csv(passage: Passage) -> bool:
    return bool(passage.opening) and passage.opening[0].startswith(_CSV)


def _read_csv(passage: Passage, rows: Rows) -> None:
    for line, text in passage.numbered():
        row = text.split(",")  # mtr quotes nothing
        if len(row) < 14 or row[0] == "Mtr_Version":
            continue
        ts = clock.epoch(row[1])
        start = None if ts is None else Moment(ts, "output")
        times = dict(zip(_FIELDS, row[9:14], strict=True))
        _hop(rows, passage, line, start, row[4], row[5], row[6], row[7], times, target=row[3])


def _is_xml(passage: Passage) -> bool:
    return any(text.startswith("<MTR ") for text in passage.opening[:2])


def _read_xml(passage: Passage, rows: Rows) -> None:
    if len(passage.text) > _XML_LARGEST or "<!" in passage.text:
        rows.problem(passage.lines.first, "XML that no mtr writes: too long, or with declarations", "it was not read")
        return
    try:
        root = ElementTree.fromstring(passage.text)
    except ElementTree.ParseError as error:
        rows.problem(passage.lines.first, f"XML that is cut or broken: {error}", "it was not read")
        return
    for hub in root.iter("HUB"):
        said = {child.tag: (child.text or "").strip() for child in hub}
        times = {name: said.get(tag, "") for name, tag in _TAGS.items()}
        loss, count, host = said.get("Loss", ""), hub.get("COUNT", ""), hub.get("HOST", "")
        _hop(rows, passage, None, None, count, host, loss, said.get("Snt", ""), times, target=root.get("DST"))


def _is_json(passage: Passage) -> bool:
    return begins_object(passage, "report", "mtr")


def _read_json(passage: Passage, rows: Rows) -> None:
    report = at(parsed(passage, rows, "mtr"), "report")
    target = at(report, "mtr", "dst")
    for hub in objects(at(report, "hubs")):
        said = {key: str(value) for key, value in hub.items()}
        times = {name: said.get(tag, "") for name, tag in _TAGS.items()}
        count, host, loss = said.get("count", ""), said.get("host", ""), said.get("Loss%", "")
        _hop(rows, passage, passage.lines.first, None, count, host, loss, said.get("Snt", ""), times, target=target)


def _hop(
    rows: Rows,
    passage: Passage,
    line: int | None,
    start: Moment | None,
    ttl: str,
    host: str,
    loss: str,
    sent: str,
    times: Mapping[str, str],
    target: str | None = None,
) -> None:
    try:
        lost, count, hop = number(loss.strip(" %")), number(sent), number(ttl)
        values = {name: number(times[name]) for name in _FIELDS[1:] if name in times}
    except ValueError as error:
        rows.problem(line, f"a hop of mtr: {error}")
        return
    answered = lost is None or lost < 100
    rows.add(
        probes.TABLE,
        passage,
        line,
        at=start,
        tool="mtr",
        part="hop",
        target=target,
        address=None if host == "???" else host,
        ttl=None if hop is None else int(hop),
        sent=None if count is None else int(count),
        loss=None if lost is None else lost / 100,
        **(values if answered else {}),
    )


REPORT = Output("mtr", (probes.TABLE,), _is_report, _read_report)
CSV = Output("mtr --csv", (probes.TABLE,), _is_csv, _read_csv)
XML = Output("mtr --xml", (probes.TABLE,), _is_xml, _read_xml)
JSON = Output("mtr --json", (probes.TABLE,), _is_json, _read_json)
