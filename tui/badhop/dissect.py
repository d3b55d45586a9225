"""The one packet that a person opened, field by field, with the bytes each field came from.

scapy dissects Ethernet, VLAN, cooked, IP, UDP, TCP, pause frames and the BTH. It has no RETH, DETH and the other
extension headers, so those are declared here (IBTA vol. 1, 9.3 and table 38). Names are those of the `roce` table.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scapy.fields import AnyField
    from scapy.packet import Packet

_LINKTYPE_INFINIBAND = 247  # https://www.tcpdump.org/linktypes.html
_ROCE_PORT = 4791  # UDP destination port, IBTA annex A17
_ICRC = 4
_BTH = 12
_CNP = 0x81
_MOST_LAYERS = 64  # a hostile packet can nest thousands of one-label headers
_LONGEST_VALUE = 160  # characters


@dataclass(frozen=True)
class Field:
    """One field. `offset` and `length` are bytes of the captured packet; None where they cannot be told."""

    layer: str
    name: str
    value: str
    offset: int | None = None
    length: int | None = None


@dataclass(frozen=True)
class _Header:
    """A header of whole bytes made of (name, bits) in wire order."""

    name: str
    fields: tuple[tuple[str, int], ...]

    @property
    def length(self) -> int:
        return sum(bits for _, bits in self.fields) // 8


_LRH = _Header(
    "LRH",
    (
        ("vl", 4),
        ("link_version", 4),
        ("sl", 4),
        ("reserved", 2),
        ("next_header", 2),
        ("dlid", 16),
        ("reserved", 5),
        ("words", 11),
        ("slid", 16),
    ),
)
_RETH = _Header("RETH", (("va", 64), ("r_key", 32), ("dma_len", 32)))
_AETH = _Header("AETH", (("syndrome", 8), ("msn", 24)))
_DETH = _Header("DETH", (("q_key", 32), ("reserved", 8), ("src_qp", 24)))
_RDETH = _Header("RDETH", (("reserved", 8), ("ee_context", 24)))
_XRCETH = _Header("XRCETH", (("reserved", 8), ("xrc_srq", 24)))
_IMMDT = _Header("ImmDt", (("immediate", 32),))
_IETH = _Header("IETH", (("r_key", 32),))
_ATOMIC = _Header("AtomicETH", (("va", 64), ("r_key", 32), ("swap_or_add", 64), ("compare", 64)))
_ATOMIC_ACK = _Header("AtomicAckETH", (("original_value", 64),))
_CNP_RESERVED = _Header("CNP", (("reserved", 128),))

_BY_OPERATION: dict[int, tuple[_Header, ...]] = {  # the low five bits of the opcode
    0x03: (_IMMDT,),
    0x05: (_IMMDT,),
    0x06: (_RETH,),
    0x09: (_IMMDT,),
    0x0A: (_RETH,),
    0x0B: (_RETH, _IMMDT),
    0x0C: (_RETH,),
    0x0D: (_AETH,),
    0x0F: (_AETH,),
    0x10: (_AETH,),
    0x11: (_AETH,),
    0x12: (_AETH, _ATOMIC_ACK),
    0x13: (_ATOMIC,),
    0x14: (_ATOMIC,),
    0x16: (_IETH,),
    0x17: (_IETH,),
}
_ANSWERS = range(0x0D, 0x13)
_BEFORE: dict[int, tuple[tuple[_Header, ...], tuple[_Header, ...]]] = {  # transport: of requests, of answers
    2: ((_RDETH, _DETH), (_RDETH,)),
    3: ((_DETH,), ()),
    5: ((_XRCETH,), ()),
}
_OUR_NAMES = {
    "dqpn": "dest_qp",
    "pkey": "p_key",
    "ackreq": "ack_req",
    "migreq": "mig_req",
    "padcount": "pad_count",
    "resv6": "reserved",
    "resv7": "reserved",
}
_NAKS = {  # IBTA vol. 1, table 46
    0: "PSN sequence error",
    1: "invalid request",
    2: "remote access error",
    3: "remote operational error",
    4: "invalid RD request",
}


def dissect(data: bytes, link_type: int) -> tuple[Field, ...]:
    """The fields of one captured packet of a link type (LINKTYPE_ number), in wire order.

    Never raises: what could not be dissected is the last field, whose layer is `not dissected` and whose value says
    why. Values are as they stand in the packet: escape them before they reach a terminal.
    """
    fields: list[Field] = []
    try:
        fields.extend(_packet(data, link_type))
    except Exception as error:  # scapy raises whatever its parsers run into
        end = max((f.offset + f.length for f in fields if f.offset is not None and f.length is not None), default=0)
        why = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        fields.append(_not_dissected(f"the dissector gave up: {why}", end, max(len(data) - end, 0)))
    return tuple(fields)


def syndrome(value: int) -> str:
    """An AETH syndrome in words (IBTA vol. 1, 9.7.5.2.1)."""
    kind, low = value >> 5, value & 0x1F
    match kind:
        case 0:
            return "ACK" if low == 0x1F else f"ACK, {low} in the credit code"
        case 1:
            return f"RNR NAK: receiver not ready, timer code {low}"
        case 3:
            return f"NAK: {_NAKS.get(low, 'reserved code')}"
        case _:
            return "reserved"


def _packet(data: bytes, link_type: int) -> Iterator[Field]:
    import logging

    logging.getLogger("scapy").setLevel(logging.CRITICAL)  # its warnings would be drawn over the screen
    import scapy.contrib.mac_control
    import scapy.contrib.roce
    import scapy.layers.inet6
    import scapy.layers.vxlan  # noqa: F401
    from scapy.config import conf

    if link_type == _LINKTYPE_INFINIBAND:
        yield from _infiniband(data)
        return
    first = conf.l2types.num2layer.get(link_type)
    if first is None:
        yield _not_dissected(f"no dissector for link type {link_type}", 0, len(data))
        return
    yield from _layers(first(data), 0, len(data))


def _infiniband(data: bytes) -> Iterator[Field]:
    from scapy.contrib.roce import GRH

    if len(data) < _LRH.length:
        yield _not_dissected("cut inside the LRH", 0, len(data))
        return
    yield from _header(_LRH, data, 0)
    start, rest = _LRH.length, data[_LRH.length :]
    match data[1] & 0x03:  # link next header, IBTA vol. 1, 7.7.5
        case 3:
            yield from _layers(GRH(rest), start, len(data))
        case 2:
            yield from _bth(rest, start, claimed=None)
        case _:
            yield _not_dissected("raw packet without IBA transport", start, len(rest))


def _layers(packet: Packet, start: int, end: int) -> Iterator[Field]:
    """Every layer from `packet` on, whose first byte is byte `start` of the capture."""
    from scapy.contrib.roce import GRH
    from scapy.layers.inet import UDP
    from scapy.packet import NoPayload

    for _ in range(_MOST_LAYERS):
        if isinstance(packet, NoPayload):
            return
        if packet.name in ("Raw", "Padding"):
            yield _bytes("Payload" if packet.name == "Raw" else "Padding", packet.original or bytes(packet), start, end)
            return
        size = yield from _scapy_fields(packet, start)
        rest = (packet.original or b"")[size:]
        # By the destination port alone: real NICs use low source ports, which scapy would take for TFTP or DNS.
        if isinstance(packet, UDP) and packet.dport == _ROCE_PORT:
            claimed = max(packet.len - 8, 0) if packet.len else None  # 0: too long for the field
            yield from _bth(rest[:claimed], start + size, claimed)
            return
        if isinstance(packet, GRH):
            yield from _bth(rest[: packet.paylen], start + size, packet.paylen)
            return
        start += size
        packet = packet.payload
    yield _not_dissected(f"more than {_MOST_LAYERS} headers in one packet", start, max(end - start, 0))


def _scapy_fields(packet: Packet, start: int) -> Generator[Field, None, int]:
    """The fields of one layer; gives back its length in bytes."""
    raw: bytes = packet.original or b""
    rest: Any = raw  # bytes, or (bytes, bits used of the first) in mid-byte, whatever scapy's hints say
    used = 0  # bits
    for description in packet.fields_desc:
        before = used
        rest, _ = description.getfield(packet, rest)
        left, odd_bits = rest if isinstance(rest, tuple) else (rest, 0)
        used = 8 * (len(raw) - len(left)) + odd_bits
        if used == before:  # a field that this packet does not have
            continue
        first, last = before // 8, (used + 7) // 8
        yield Field(str(packet.name), description.name, _value(packet, description), start + first, last - first)
    return (used + 7) // 8


def _bth(data: bytes, start: int, claimed: int | None) -> Iterator[Field]:
    """The BTH, its extension headers, the message bytes and the ICRC; `claimed` is what the header below says."""
    from scapy.contrib.roce import BTH

    if len(data) < _BTH:
        yield _not_dissected(f"cut inside the BTH: {len(data)} of {_BTH} bytes were captured", start, len(data))
        return
    bth = BTH(data[:_BTH] + bytes(_ICRC))  # scapy takes the last four bytes for the ICRC, here they may be cut off
    used = 0
    for field in _scapy_fields(bth, start):
        if field.name != "icrc":
            yield Field("BTH", _OUR_NAMES.get(field.name, field.name), field.value, field.offset, field.length)
    used = _BTH
    for header in _extensions(bth.opcode):
        if len(data) < used + header.length:
            yield _not_dissected(f"cut inside the {header.name}", start + used, len(data) - used)
            return
        yield from _header(header, data[used:], start + used)
        used += header.length
    whole = claimed is None or len(data) >= claimed
    message_end = max(len(data) - _ICRC, used) if whole else len(data)
    if message_end > used:
        pad = min(bth.padcount, message_end - used) if whole else 0
        yield from _message(data[used:message_end], pad, start + used)
    if not whole and claimed is not None:
        missing = claimed - len(data)
        yield _not_dissected(f"the last {missing} bytes, ICRC included, were not captured", start + len(data), 0)
    elif len(data) - message_end == _ICRC:
        yield Field("ICRC", "icrc", f"0x{data[message_end:].hex()}", start + message_end, _ICRC)


def _message(data: bytes, pad: int, start: int) -> Iterator[Field]:
    end = len(data) - pad
    if end:
        yield Field("Payload", "data", f"{end} bytes", start, end)
    if pad:
        yield Field("Payload", "pad", f"{pad} bytes", start + end, pad)


def _extensions(opcode: int) -> tuple[_Header, ...]:
    if opcode == _CNP:
        return (_CNP_RESERVED,)
    transport, operation = opcode >> 5, opcode & 0x1F
    if transport not in (0, 1, 2, 3, 5):  # reserved, or of a manufacturer: nobody knows what follows
        return ()
    of_requests, of_answers = _BEFORE.get(transport, ((), ()))
    before = of_answers if operation in _ANSWERS else of_requests
    return before + _BY_OPERATION.get(operation, ())


def _header(header: _Header, data: bytes, start: int) -> Iterator[Field]:
    number = int.from_bytes(data[: header.length], "big")
    total, at = header.length * 8, 0
    for name, bits in header.fields:
        value = number >> (total - at - bits) & ((1 << bits) - 1)
        first, last = at // 8, (at + bits + 7) // 8
        text = f"0x{value:02x} ({syndrome(value)})" if name == "syndrome" else _number(value, bits)
        yield Field(header.name, name, text, start + first, last - first)
        at += bits


def _value(packet: Packet, description: AnyField) -> str:
    value = packet.getfieldval(description.name)
    if packet.name in ("UDP", "TCP") and description.name in ("sport", "dport"):
        return str(value)  # scapy would print 69 as tftp, which a RoCE source port is not
    text = str(description.i2repr(packet, value)) or "none"
    if isinstance(value, int) and not text.startswith("0x") and (value > 0xFF or text != str(value)):
        text = f"{text} (0x{value:x})"
    return text if len(text) <= _LONGEST_VALUE else text[:_LONGEST_VALUE] + "…"


def _number(value: int, bits: int) -> str:
    return str(value) if bits <= 8 else f"{value} (0x{value:0{(bits + 3) // 4}x})"


def _bytes(layer: str, data: bytes, start: int, end: int) -> Field:
    length = min(len(data), max(end - start, 0))
    return Field(layer, "data", f"{length} bytes", start, length)


def _not_dissected(why: str, offset: int, length: int) -> Field:
    return Field("not dissected", "reason", why, offset, length)
