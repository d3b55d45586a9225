"""RoCEv2 frames as bytes, for the samples: headers by scapy, the ICRC by the rule of the RoCEv2 annex (IBTA A17)."""

import struct
import zlib
from dataclasses import dataclass

from scapy.contrib.roce import AETH, BTH
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether
from scapy.packet import Packet, Raw

PORT = 4791
PMTU = 4096
PSNS = 1 << 24

WRITE_FIRST, WRITE_MIDDLE, WRITE_LAST_IMM, WRITE_ONLY = 0x06, 0x07, 0x09, 0x0A
READ_REQUEST, READ_FIRST, READ_MIDDLE, READ_LAST, READ_ONLY = 0x0C, 0x0D, 0x0E, 0x0F, 0x10
ACKNOWLEDGE = 0x11

WITH_RETH = {WRITE_FIRST, WRITE_ONLY, READ_REQUEST}
WITH_AETH = {READ_FIRST, READ_LAST, READ_ONLY, ACKNOWLEDGE}

ACK, NAK_SEQUENCE = 0x1F, 0x60
"""AETH syndromes: ACK without a credit limit, NAK for a PSN sequence error."""

TOS = 0x6A
"""DSCP 26 with ECT(0): the usual marking of a lossless class with ECN."""

HOP_LIMIT = 255
"""What NCCL asks for."""


@dataclass(frozen=True)
class Nic:
    """A NIC as a frame names it."""

    name: str
    mac: str
    ip: str


@dataclass(frozen=True)
class Transport:
    """The RDMA part of one packet. Lengths in bytes; `dma_length` is that of the whole message."""

    opcode: int
    dest_qp: int
    psn: int
    ack_req: bool = False
    payload: int = 0
    dma_length: int = 0
    address: int = 0
    immediate: int = 0
    syndrome: int = ACK
    msn: int = 0

    @property
    def wire_len(self) -> int:
        """Bytes of the Ethernet frame without its FCS."""
        extra = 16 * (self.opcode in WITH_RETH) + 4 * (self.opcode in WITH_AETH) + 4 * (self.opcode == WRITE_LAST_IMM)
        return 14 + 20 + 8 + 12 + extra + self.payload + 4


def source_port(local_qp: int, remote_qp: int) -> int:
    """UDP source port of both directions of a queue pair with flow label 0: Linux, `rdma_get_udp_sport`."""
    v = local_qp * remote_qp
    v ^= v >> 20
    v ^= v >> 40
    label = v & 0xFFFFF
    return 0xC000 | ((label & 0x3FFF) ^ (label >> 14))


def icrc(frame: bytes) -> bytes:
    """The ICRC of an untagged Ethernet frame with IPv4 or IPv6 in it; `frame` ends before the ICRC.

    CRC-32 over 8 bytes of ones and everything from the IP header on, with the fields that routers change set to ones.
    """
    masked = bytearray(b"\xff" * 8 + frame[14:])
    if masked[8] >> 4 == 4:
        udp = 8 + 20
        masked[9] = masked[16] = masked[18] = masked[19] = 0xFF  # TOS, TTL, header checksum
    else:
        udp = 8 + 40
        masked[8] |= 0x0F  # traffic class and flow label
        masked[9] = masked[10] = masked[11] = masked[15] = 0xFF  # … and hop limit
    masked[udp + 6] = masked[udp + 7] = 0xFF  # UDP checksum
    masked[udp + 12] = 0xFF  # FECN, BECN and the six bits after them
    return struct.pack("<I", zlib.crc32(masked))


def frame(src: Nic, dst: Nic, sport: int, ip_id: int, packet: Transport) -> bytes:
    """The whole Ethernet frame, without FCS."""
    bth = BTH(opcode=packet.opcode, migreq=1, dqpn=packet.dest_qp, ackreq=int(packet.ack_req), psn=packet.psn, icrc=0)
    body = b""
    if packet.opcode in WITH_RETH:
        body += struct.pack(">QII", packet.address, 0x0001_8A00 | packet.dest_qp & 0xFF, packet.dma_length)
    if packet.opcode == WRITE_LAST_IMM:
        body += struct.pack(">I", packet.immediate)
    body += bytes([packet.psn & 0xFF]) * packet.payload
    rdma: Packet = bth / AETH(syndrome=packet.syndrome, msn=packet.msn) if packet.opcode in WITH_AETH else bth
    whole = bytes(
        Ether(src=src.mac, dst=dst.mac, type=0x0800)
        / IP(src=src.ip, dst=dst.ip, tos=TOS, id=ip_id, flags="DF", ttl=HOP_LIMIT, proto=17)
        / UDP(sport=sport, dport=PORT, chksum=0)
        / rdma
        / Raw(body)
    )
    return whole[:-4] + icrc(whole[:-4])
