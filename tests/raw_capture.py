"""Captures written byte by byte, so that no test trusts a packet library's idea of the formats."""

import struct
from collections.abc import Sequence
from pathlib import Path

ETHERNET = 1
START = 1_700_000_000_000_000_000
"""Time of the first packet, in ns since 1970: 2023-11-14 22:13:20 UTC. Packets follow each other by a microsecond."""

_A, _B = bytes.fromhex("020000000001"), bytes.fromhex("020000000002")


def pcap(path: Path, packets: Sequence[bytes], *, link_type: int = ETHERNET, snap_len: int = 65535) -> Path:
    """Little-endian pcap with nanosecond stamps; packets longer than `snap_len` are cut, as tcpdump does."""
    content = [struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, snap_len, link_type)]
    for number, packet in enumerate(packets):
        seconds, nanoseconds = divmod(START + 1000 * number, 1_000_000_000)
        stored = packet[:snap_len]
        content += [struct.pack("<IIII", seconds, nanoseconds, len(stored), len(packet)), stored]
    path.write_bytes(b"".join(content))
    return path


def roce(opcode: int, dest_qp: int, psn: int, rest: bytes = b"", *, ecn: int = 2, source_port: int = 0xC000) -> bytes:
    """A RoCEv2 packet of 192.0.2.1 to 192.0.2.2, with whatever follows the BTH; its ICRC is not valid."""
    bth = struct.pack(">BBHII", opcode, 0x40, 0xFFFF, dest_qp, psn)
    return ipv4_udp(bth + rest + bytes(4), source_port, 4791, ecn=ecn)


def ack(dest_qp: int, psn: int, *, syndrome: int = 0x1F, msn: int = 1) -> bytes:
    """An acknowledgement (opcode 0x11): BTH and AETH."""
    return roce(0x11, dest_qp, psn, struct.pack(">I", syndrome << 24 | msn))


def ipv4_udp(payload: bytes, source_port: int, port: int, *, ecn: int = 0) -> bytes:
    """Any UDP datagram over IPv4 and Ethernet; DSCP 26, TTL 64."""
    udp = struct.pack(">HHHH", source_port, port, 8 + len(payload), 0) + payload
    head = struct.pack(">BBHHHBBH", 0x45, 26 << 2 | ecn, 20 + len(udp), 7, 0x4000, 64, 17, 0)
    return _B + _A + b"\x08\x00" + head + bytes([192, 0, 2, 1, 192, 0, 2, 2]) + udp


def pfc(enabled: int, quanta: Sequence[int]) -> bytes:
    """An 802.1Qbb priority pause from 02:00:00:00:00:01, padded to the shortest Ethernet frame."""
    body = struct.pack(">HH8H", 0x0101, enabled, *quanta)
    return (bytes.fromhex("0180c2000001") + _A + b"\x88\x08" + body).ljust(60, b"\0")
