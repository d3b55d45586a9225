"""What a neighbour said of itself, in the words of any tool, as a row of `neighbours`."""

import ipaddress
import re
from typing import Any

from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import neighbours

_NOTHING = frozenset(("", "-", "--", "null", "none", "n/a", "not advertised", "not received"))
_MAC = re.compile(r"[0-9a-f]{1,2}(?:[:-][0-9a-f]{1,2}){5}|[0-9a-f]{4}(?:[.-][0-9a-f]{4}){2}", re.IGNORECASE)
_KINDS = (
    ("mac", "mac"),
    ("ifname", "name"),
    ("interface name", "name"),
    ("ifalias", "alias"),
    ("interface alias", "alias"),
    ("component", "component"),
    ("network address", "address"),
    ("ip", "address"),
    ("local", "local"),
)
"""Beginnings of what tools call the kinds of ids, and the table's words for them."""
_SPEED = re.compile(r"speed ?\((\d{1,7})\)", re.IGNORECASE)
_DUPLEX = re.compile(r"(full|half)", re.IGNORECASE)

LONGEST = 255
"""Bytes of a text of LLDP (IEEE 802.1AB, 8.5)."""


def said(text: str | None) -> str | None:
    """A value without its quotes; None where the tool says that there was none."""
    value = (text or "").strip().strip('"').strip()
    return None if value.lower() in _NOTHING else value[:LONGEST]


def device_name(text: str | None) -> str | None:
    """The name in CDP's device id, which NX-OS writes with the serial number behind it."""
    value = said(text)
    return None if value is None else re.sub(r"\([A-Z0-9]{6,20}\)$", "", value)


def mac(text: str | None) -> str | None:
    """A MAC with colons, from any vendor's way of writing it; another text as it stands."""
    value = said(text)
    if value is None or _MAC.fullmatch(value) is None:
        return value
    parts = re.split(r"[:.-]", value)
    digits = "".join(part.zfill(2 if len(parts) == 6 else 4) for part in parts).lower()
    return ":".join(digits[at : at + 2] for at in range(0, 12, 2))


def kind(text: str | None) -> str | None:
    """The kind of a chassis or port id."""
    word = (said(text) or "").lower()
    return next((ours for theirs, ours in _KINDS if word.startswith(theirs) or word.endswith(" " + theirs)), None)


def address(text: str | None) -> str | None:
    """An IP address, else None: switches also manage by MAC."""
    try:
        return str(ipaddress.ip_address(said(text) or ""))
    except ValueError:
        return None


def whole(text: str | None, most: int) -> int | None:
    """The number with which a text begins; None where it is too large for its column."""
    found = re.match(r"\d{1,10}", said(text) or "")
    return int(found[0]) if found and int(found[0]) <= most else None


def yes(text: str | None) -> bool | None:
    """Yes or no."""
    return {"yes": True, "on": True, "enabled": True, "no": False, "off": False, "disabled": False}.get(
        (said(text) or "").lower()
    )


def speed(text: str | None) -> int | None:
    """Mbit/s of `speed(10000)/duplex(Full)`."""
    found = _SPEED.search(text or "")
    return int(found[1]) or None if found else None


def duplex(text: str | None) -> str | None:
    """full or half."""
    found = _DUPLEX.search(text or "")
    return found[1].lower() if found else None


def add(rows: Rows, passage: Passage, line: int | None, device: str | None, protocol: str, /, **columns: Any) -> None:
    """A row; columns are those of the table, already in its types."""
    rows.add(neighbours.TABLE, passage, line, device=device, protocol=protocol, **columns)
