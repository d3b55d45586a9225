"""How the RDMA tools say states, GUIDs, GIDs and LIDs, each in its own way, and how `rdma_devices` says them."""

import ipaddress
import re

_STATES = {
    "down": "down",
    "init": "init",
    "initialize": "init",
    "initializing": "init",
    "armed": "armed",
    "arm": "armed",
    "active": "active",
}
_STATE = re.compile(r"(?:\d+: )?(?:PORT_)?([A-Za-z]+)")
_PHYSICAL = re.compile(r"(?:\d+: )?([A-Za-z_]+)")
_GUID = re.compile(r"(?:0x)?([0-9a-fA-F]{16})|([0-9a-fA-F]{4}(?::[0-9a-fA-F]{4}){3})")

NO_LID = 0xFFFF
"""The permissive LID (IBTA 4.1.3): nobody has given one."""


def state(text: str) -> str | None:
    """Active, 4: ACTIVE, PORT_ACTIVE (4) → active."""
    found = _STATE.match(text)
    return _STATES.get(found[1].lower()) if found else None


def physical_state(text: str) -> str | None:
    """LinkUp, 5: LinkUp, LINK_UP (5): as printed, without the number."""
    found = _PHYSICAL.match(text)
    return found[1] if found else None


def guid(text: str) -> str | None:
    """Sixteen hexadecimal digits; None for what is no GUID."""
    found = _GUID.fullmatch(text.strip())
    return (found[1] or found[2].replace(":", "")).lower() if found else None


def lid(text: str) -> int | None:
    """Decimal or 0x…; None where none is given."""
    stripped = text.strip()
    if not re.fullmatch(r"\d{1,5}|0x[0-9a-fA-F]{1,4}", stripped):
        return None
    number = int(stripped, 16) if stripped.startswith("0x") else int(stripped)
    return number if number < NO_LID else None


def ipv4_of(gid: str) -> str | None:
    """The IPv4 address that a GID holds (::ffff:10.0.0.1), in any spelling."""
    try:
        address = ipaddress.IPv6Address(gid)
    except ValueError:
        return None
    return str(address.ipv4_mapped) if address.ipv4_mapped else None
