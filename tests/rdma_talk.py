"""Two hosts that talk RoCEv2, written down packet by packet with right checksums: the captures of whole incidents."""

import struct
import zlib
from pathlib import Path

from raw_capture import pcap, pfc

A, B = bytes([192, 0, 2, 1]), bytes([192, 0, 2, 2])
QP_A, QP_B = 0x11, 0x21
WRITE_MIDDLE, WRITE_LAST, ACKNOWLEDGE, CNP = 0x07, 0x08, 0x11, 0x81
SEQUENCE_ERROR, RECEIVER_NOT_READY, ACCESS_ERROR = 0x60, 0x2C, 0x62


class Talk:
    """Requests of A, answers of B, in the order in which one tap sees them: each method adds one packet."""

    def __init__(self) -> None:
        self.packets: list[bytes] = []
        self._ids = {A: 100, B: 900}

    def data(self, psn: int, *, last: bool = False, ecn: int = 2) -> bytes:
        """A packet of a WRITE from A; the last of a message asks for an acknowledgement."""
        bth = _bth(WRITE_LAST if last else WRITE_MIDDLE, QP_B, psn, ack_req=last)
        return self._sent(A, B, bth + bytes(range(256)) * 4, ecn)

    def message(self, psn: int, packets: int = 4) -> None:
        """A whole message and its acknowledgement."""
        for step in range(packets):
            self.data(psn + step, last=step == packets - 1)
        self.answer(psn + packets - 1)

    def answer(self, psn: int, syndrome: int = 0x1F) -> bytes:
        """An acknowledgement of B, positive or not."""
        return self._sent(B, A, _bth(ACKNOWLEDGE, QP_A, psn) + struct.pack(">I", syndrome << 24), 2)

    def notification(self) -> bytes:
        """A CNP of B."""
        return self._sent(B, A, _bth(CNP, QP_A, 0) + bytes(16), 2)

    def pause(self) -> None:
        """A port asks its neighbour to stop priority 3."""
        self.packets.append(pfc(1 << 3, [0, 0, 0, 0xFFFF, 0, 0, 0, 0]))

    def unseen(self, host: bytes = A) -> None:
        """The host sends a packet that the tap does not see."""
        self._ids[host] += 1

    def without_ip_ids(self) -> "Talk":
        """The same talk of hosts whose packets all have IP identification 0, as RFC 6864 allows."""
        self.packets = [packet[:18] + bytes(2) + packet[20:-4] + _icrc_of(packet) for packet in self.packets]
        return self

    def write(self, path: Path, *, snap_len: int = 65535) -> Path:
        return pcap(path, self.packets, snap_len=snap_len)

    def _sent(self, src: bytes, dst: bytes, body: bytes, ecn: int) -> bytes:
        self._ids[src] += 1
        length = 8 + len(body) + 4
        ip = struct.pack(">BBHHHBBH4s4s", 0x45, 26 << 2 | ecn, 20 + length, self._ids[src], 0x4000, 64, 17, 0, src, dst)
        udp = struct.pack(">HHHH", 0xC123, 4791, length, 0)
        packet = bytes.fromhex("020000000002 020000000001 0800") + ip + udp + body + _icrc(ip, udp, body)
        self.packets.append(packet)
        return packet


def _bth(opcode: int, dest_qp: int, psn: int, *, ack_req: bool = False) -> bytes:
    return struct.pack(">BBHII", opcode, 0x40, 0xFFFF, dest_qp, ack_req << 31 | psn)


def _icrc_of(packet: bytes) -> bytes:
    ip = packet[14:18] + bytes(2) + packet[20:34]
    return _icrc(ip, packet[34:42], packet[42:-4])


def _icrc(ip: bytes, udp: bytes, body: bytes) -> bytes:
    """The invariant CRC (IBTA annex A17): what routers may change counts as ones."""
    masked = bytearray(ip + udp + body)
    for at in (1, 8, 10, 11, 26, 27, 32):  # TOS, TTL, header checksum, UDP checksum, BTH byte 4
        masked[at] = 0xFF
    return struct.pack("<I", zlib.crc32(b"\xff" * 8 + masked))
