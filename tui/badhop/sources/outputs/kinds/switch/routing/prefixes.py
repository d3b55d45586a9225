"""Prefixes and next hops as tools write them, in one form; rows of `routes`."""

import ipaddress
from typing import Any

from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import routes


def prefix(text: str, mask: str | None = None) -> str:
    """10.0.1.0/24 of it and its mask; a host gets its full length; a name stays a name."""
    try:
        address, _, length = text.strip("[]").replace("]", "").partition("/")
        return str(ipaddress.ip_network(f"{address}/{mask or length}" if mask or length else address, strict=False))
    except ValueError:
        return text


def default(gateway: str | None) -> str:
    """The default route of the family that its next hop has; `default` where nothing tells the family."""
    if gateway is None:
        return "default"
    return "::/0" if ":" in gateway else "0.0.0.0/0"


def is_address(text: str | None) -> bool:
    """Whether it is an IP address."""
    try:
        ipaddress.ip_address((text or "").split("%")[0])
    except ValueError:
        return False
    return True


def whole(text: str | None) -> int | None:
    """A number that fits its column."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else None


def add(rows: Rows, passage: Passage, line: int | None, **columns: Any) -> None:
    """A row; columns are those of the table, already in its types."""
    rows.add(routes.TABLE, passage, line, **columns)
