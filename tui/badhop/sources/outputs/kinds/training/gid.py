"""GIDs in one spelling, so that those of different lines can be compared."""

from ipaddress import IPv6Address


def from_halves(subnet: str, interface: str) -> str | None:
    """The GID of NCCL's `GID 3 (0/8D0A000AFFFF0000)`: both halves are printed as numbers of a little-endian machine."""
    try:
        halves = [int(half, 16).to_bytes(8, "little") for half in (subnet, interface)]
    except (ValueError, OverflowError):
        return None
    return _spelled(IPv6Address(halves[0] + halves[1]))


def from_text(text: str) -> str:
    """`::ffff:10.0.0.1` and `fe80::1` as everywhere; what is no address stays as it is."""
    try:
        return _spelled(IPv6Address(text))
    except ValueError:
        return text


def _spelled(address: IPv6Address) -> str:
    mapped = address.ipv4_mapped
    return str(address) if mapped is None else f"::ffff:{mapped}"
