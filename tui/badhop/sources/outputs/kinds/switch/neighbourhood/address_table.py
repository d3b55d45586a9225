"""`ip neigh`, `arp` and `show ip arp`: which MAC an address has on which interface; one that failed is a peer gone."""

import re

from badhop.sources.outputs import json_text
from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.switch import objects
from badhop.sources.outputs.kinds.switch.neighbourhood import announced
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import neighbours

_IP = r"(?:[0-9]{1,3}(?:\.[0-9]{1,3}){3}|[0-9a-fA-F]*:[0-9a-fA-F:.]+)"
_MAC = r"(?:[0-9a-fA-F]{1,2}(?:[:-][0-9a-fA-F]{1,2}){5}|[0-9a-fA-F]{4}(?:[.-][0-9a-fA-F]{4}){2})"
_STATES = ("REACHABLE", "STALE", "DELAY", "PROBE", "FAILED", "INCOMPLETE", "PERMANENT", "NOARP")


def _add(
    rows: Rows,
    passage: Passage,
    line: int | None,
    ip: str,
    device: str | None,
    mac: str | None,
    state: str | None,
    name: str | None = None,
) -> None:
    """An entry; some tools print a name where the address should be, or beside it."""
    address = announced.address(ip)
    announced.add(
        rows,
        passage,
        line,
        device,
        "ndp" if address and ":" in address else "arp",
        address=address,
        sender=announced.mac(mac),
        system_name=None if name == "?" else name if address else ip,
        reachability=state.lower() if state else None,
    )


_NEIGH = re.compile(
    rf"({_IP})(?: +dev +(\S+))?(?: +lladdr +({_MAC}))?"
    rf"(?: +(?:router|proxy|managed|extern_learn|offload|ref \d+|used \S+|probes \d+))* +({'|'.join(_STATES)})"
)


def _recognise_neigh(passage: Passage) -> bool:
    return any(text.endswith(_STATES) and _NEIGH.fullmatch(text) for text in passage.opening)


def _read_neigh(passage: Passage, rows: Rows) -> None:
    for line, raw in passage.numbered():
        text = raw.strip()[:512]
        if found := _NEIGH.fullmatch(text):
            _add(rows, passage, line, found[1], found[2], found[3], found[4])
        elif re.match(rf"{_IP} +dev\b", text):
            rows.problem(line, "no whole entry of ip neigh", "not read")


def _recognise_json(passage: Passage) -> bool:
    if not objects.begins_json(passage):
        return False
    head = objects.head(passage)
    return '"dst"' in head and '"state"' in head and any(f'"{state}"' in head for state in _STATES)


def _read_json(passage: Passage, rows: Rows) -> None:
    for entry in objects.several(json_text.parsed(passage, rows, "ip neigh")):
        if isinstance(entry, dict) and (ip := objects.text(entry.get("dst"))):
            state = objects.text(next(iter(objects.several(entry.get("state"))), None))
            device, mac = objects.text(entry.get("dev")), objects.text(entry.get("lladdr"))
            _add(rows, passage, None, ip, device, mac, state if state in _STATES else None)


_BSD = re.compile(rf"(\S+) \(({_IP})\) at ({_MAC}|\(incomplete\)|<incomplete>)(.*)")


def _recognise_bsd(passage: Passage) -> bool:
    return any(") at " in text and _BSD.fullmatch(text) for text in passage.opening)


def _read_bsd(passage: Passage, rows: Rows) -> None:
    for line, text in passage.numbered():
        if ") at " in text and (found := _BSD.fullmatch(text.strip()[:512])):
            device = re.search(r"\bon (\S+)", found[4])
            missing = "incomplete" in found[3]
            state = "incomplete" if missing else "permanent" if "permanent" in found[4] or "PERM" in found[4] else None
            _add(
                rows,
                passage,
                line,
                found[2],
                device[1] if device else None,
                None if missing else found[3],
                state,
                found[1],
            )


_HEADINGS = {
    "Address HWtype HWaddress Flags Mask Iface": re.compile(
        rf"(?P<ip>\S+) +(?:\S+ +(?P<mac>{_MAC}) +(?P<flags>\S+) +(?:\S+ +)?|\(incomplete\) +)(?P<device>\S+)"
    ),
    "IP address HW type Flags HW address Mask Device": re.compile(
        rf"(?P<ip>\S+) +0x[0-9a-f]+ +(?P<flags>0x[0-9a-f]+) +(?P<mac>{_MAC}) +\S+ +(?P<device>\S+)"
    ),
    "Address Age (min) Hardware Addr Interface": re.compile(
        rf"(?P<ip>\S+) +\S+ +(?P<mac>{_MAC}) +(?P<device>[^\s,]+)(?:,.*)?"
    ),
    "Address Age MAC Address Interface Physical Interface": re.compile(
        rf"(?P<ip>\S+) +\S+ +(?P<mac>{_MAC}|INCOMPLETE) +(?P<device>\S+)(?: .*)?"
    ),
    "Address Age MAC Address Interface Flags": re.compile(
        rf"(?P<ip>\S+) +\S+ +(?P<mac>{_MAC}|INCOMPLETE) +(?P<device>\S+)(?: .*)?"
    ),
    "Protocol Address Age(min) Hardware Address Interface VLAN CPU": re.compile(
        rf"Internet +(?P<ip>\S+) +\S+ +(?P<mac>{_MAC}) +(?P<device>-|[A-Z][a-z] \d[\d/]*) +.*"
    ),
    "IP ADDRESS MAC ADDRESS EXPIRE(M) TYPE INTERFACE VLAN/CEVLAN": re.compile(
        rf"(?P<ip>\S+) +(?P<mac>{_MAC}|Incomplete) +(?:\d+ +)?\S+(?: +-)? +(?P<device>[A-Z][\w/.-]*\d)(?: .*)?"
    ),
    "Address MacAddress Iface Vlan": re.compile(rf"(?P<ip>\S+) +(?P<mac>{_MAC}) +(?P<device>\S+) +\S+"),
}
"""Lines of arp and /proc/net/arp of Linux, EOS, NX-OS (two), FTOS, VRP and SONiC, by the words of their headings."""

_ROW = re.compile(rf"(?:Internet +)?{_IP} ")


def _heading(text: str) -> re.Pattern[str] | None:
    return _HEADINGS.get(" ".join(text.split()))


def _recognise_table(passage: Passage) -> bool:
    return any(_heading(text) for text in passage.opening)


def _read_table(passage: Passage, rows: Rows) -> None:
    pattern: re.Pattern[str] | None = None
    for line, raw in passage.numbered():
        text = raw.strip()[:512]
        if found := _heading(text):
            pattern = found
        elif pattern is not None and (row := pattern.fullmatch(text)):
            cells = row.groupdict()
            mac, device = cells.get("mac"), cells["device"]
            missing = mac is None or mac.lower() == "incomplete" or cells.get("flags") == "0x0"
            state = "incomplete" if missing else None
            _add(rows, passage, line, cells["ip"], announced.said(device), None if missing else mac, state)
        elif pattern is not None and _ROW.match(text):
            rows.problem(line, "does not fit the columns of the table of addresses", "not read")


_TABLE = (neighbours.TABLE,)
NEIGH = Output("ip neigh", _TABLE, _recognise_neigh, _read_neigh)
JSON = Output("ip -j neigh", _TABLE, _recognise_json, _read_json)
BSD = Output("arp -a", _TABLE, _recognise_bsd, _read_bsd)
HEADED = Output("arp, show ip arp", _TABLE, _recognise_table, _read_table)
