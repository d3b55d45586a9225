"""Turns packets of captures into the scripts that the fuzz targets of the trackers read.

What a script is stands in `rust/capture/src/properties/script.rs`, and in the file of each target there which bits mean
what. A seed need not be exact: it must take the fuzzer to the tracker.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

BORDER = b"\xa5\x5a"
MOST = 300
"""Pieces in one seed."""


@dataclass
class Segment:
    """What of an IP packet the scripts take."""

    ts: float
    ends: tuple[bytes, bytes]
    six: bool
    protocol: int
    ident: int
    ecn: int
    payload: bytes


def packets(content: bytes) -> Iterator[tuple[float, bytes]]:
    """Time in seconds and bytes of the Ethernet packets of a pcap file, or of a little-endian pcapng file."""
    for order in "<>":
        if content[:4] in (struct.pack(f"{order}I", 0xA1B2C3D4), struct.pack(f"{order}I", 0xA1B23C4D)):
            unit = 1e-6 if content[:4] == struct.pack(f"{order}I", 0xA1B2C3D4) else 1e-9
            place = 24 if content[20:22] in (b"\x01\0", b"\0\0") else len(content)
            while place + 16 <= len(content):
                seconds, rest, length, _ = struct.unpack_from(f"{order}IIII", content, place)
                yield seconds + rest * unit, content[place + 16 : place + 16 + length]
                place += 16 + length
            return
    place = 0
    while content[:4] == b"\x0a\x0d\x0d\x0a" and place + 28 <= len(content):
        kind, total = struct.unpack_from("<II", content, place)
        if kind == 6:
            _, high, low, length = struct.unpack_from("<IIII", content, place + 8)
            yield (high << 32 | low) * 1e-6, content[place + 28 : place + 28 + length]
        if total < 12:
            return
        place += total


def untagged(frame: bytes) -> tuple[int, bytes]:
    """Type field, and what follows it, behind VLAN tags."""
    kind, place = int.from_bytes(frame[12:14]), 14
    while kind in (0x8100, 0x88A8):
        kind, place = int.from_bytes(frame[place + 2 : place + 4]), place + 4
    return kind, frame[place:]


def segment(ts: float, frame: bytes) -> Segment | None:
    """The IP packet of a frame, if it has one without options."""
    kind, inside = untagged(frame)
    if kind == 0x0800 and len(inside) >= 20:
        head = (inside[0] & 15) * 4
        payload = inside[head : int.from_bytes(inside[2:4])]
        ident = int.from_bytes(inside[4:6])
        return Segment(ts, (inside[12:16], inside[16:20]), False, inside[9], ident, inside[1] & 3, payload)
    if kind == 0x86DD and len(inside) >= 40:
        payload = inside[40 : 40 + int.from_bytes(inside[4:6])]
        return Segment(ts, (inside[8:24], inside[24:40]), True, inside[6], 0, inside[1] >> 4 & 3, payload)
    return None


def step(seconds: float) -> int:
    """The code of a step of time."""
    micro = max(round(seconds * 1e6), 0)
    size = 0
    while micro > 31 and size < 5:
        micro, size = micro >> 5, size + 1
    return size << 5 | min(micro, 31)


def signed(value: int) -> int:
    """A small number of either sign as a byte."""
    return max(-128, min(127, value)) & 0xFF


def before(a: int, b: int, bits: int) -> int:
    """The distance from `a` to `b` as numbers that wrap."""
    half = 1 << (bits - 1)
    return (b - a + half) % (1 << bits) - half


@dataclass
class Script:
    """A script under construction."""

    first: bytes = b""
    pieces: list[bytes] = field(default_factory=list)
    now: float | None = None

    def add(self, ts: float, control: int, body: bytes) -> None:
        code = step(ts - (ts if self.now is None else self.now))
        self.now = ts
        if len(self.pieces) < MOST:
            self.pieces.append(bytes([control & 0xFF, code]) + body)

    def bytes(self) -> bytes:
        return self.first + BORDER.join(self.pieces)


def tcp_and_requests(segments: list[Segment]) -> tuple[Script, Script]:
    """The same connections for the targets `tcp` and `requests`."""
    tcp, requests = Script(), Script(bytes([0]))
    numbers: dict[tuple[object, ...], tuple[int, object]] = {}
    following: dict[tuple[int, bool], int] = {}
    for one in segments:
        if one.protocol == 17 and len(one.payload) > 8 and 53 in struct.unpack_from(">HH", one.payload):
            asks = struct.unpack_from(">HH", one.payload)[1] == 53
            requests.add(one.ts, 3 << 3 | (not asks), one.payload[8:])
        if one.protocol != 6 or len(one.payload) < 20:
            continue
        sport, dport, seq, ack, offset, flags, window = struct.unpack_from(">HHIIBBH", one.payload)
        ends = ((one.ends[0], sport), (one.ends[1], dport))
        number, client = numbers.setdefault(tuple(sorted(ends)), (len(numbers) % 4, ends[0]))
        from_server = ends[0] != client
        payload = one.payload[(offset >> 4) * 4 :]
        next_seq = following.get((number, from_server), seq)
        next_ack = following.get((number, not from_server), ack)
        end = seq + len(payload) + bool(flags & 2) + bool(flags & 1)
        behind = before(next_seq, seq, 32)
        if before(next_seq, end, 32) > 0 or (number, from_server) not in following:
            following[number, from_server] = end % (1 << 32)
        body = bytes([flags & 0xEF, signed(behind // 100), signed(before(next_ack, ack, 32) // 100)])
        body += bytes([min(len(payload) // 50, 255), max(window >> 8, window > 0), 0, 1 if flags & 2 else 0, 7])
        tcp.add(one.ts, from_server | number << 1 | (0 if flags & 16 else 16), body)
        ending = (flags & 1) << 5 | (flags & 4) << 4
        if payload or ending:
            kind = 2 if behind < 0 else 0
            if behind > 0:
                requests.add(one.ts, from_server | number << 1 | 1 << 3, payload[:behind])
            requests.add(one.ts, from_server | number << 1 | kind << 3 | ending, payload)
    return tcp, requests


def rdma(segments: list[Segment]) -> Script:
    """RoCEv2 for the target `rdma`."""
    script = Script()
    pairs: dict[tuple[bytes, ...], tuple[int, bytes]] = {}
    following: dict[tuple[int, bool], int] = {}
    for one in segments:
        inside = one.payload[8:-4]
        if one.protocol != 17 or one.payload[2:4] != b"\x12\xb7" or len(inside) < 12:
            continue
        pair, host = pairs.setdefault(tuple(sorted(one.ends)), (len(pairs) % 4, one.ends[0]))
        back = one.ends[0] != host
        control = back | pair << 1 | (one.ecn == 3) << 6
        opcode, psn, rest = inside[0], int.from_bytes(inside[9:12]), inside[12:]
        if opcode == 0x64:
            script.add(one.ts, control | 1 << 5, bytes(9) + rest[8:])
            continue
        answer = opcode in range(0x0D, 0x13)
        of = (pair, back ^ answer)
        behind = before(following.get(of, psn), psn, 24)
        if not answer and behind >= 0:
            following[of] = (psn + 1) % (1 << 24)
        flags = inside[1] & 0xF0 | inside[4] >> 6 & 3 | (inside[8] >> 7) << 2
        headers = 16 if opcode in (6, 10, 11, 12) else 4 if answer else 0
        length = min(max(len(rest) - headers, 0) // 64, 255)
        far = max(-128, min(112, (behind // 256) * 16)) & 0xFF if abs(behind) > 127 else 0
        near = signed(behind % 256 if far else behind)
        syndrome = rest[0] if answer and rest else 0
        script.add(one.ts, control, bytes([opcode, near, far, flags, length, syndrome, 0, 1, 0]) + rest[4:headers])
    return script


def control(frames: list[tuple[float, bytes]]) -> Script:
    """Everything that is a control protocol for the target `control`."""
    script = Script()
    for ts, frame in frames:
        kind, inside = untagged(frame)
        by_type = {0x88CC: 0, 0x8809: 1, 0x0806: 2}
        one = segment(ts, frame)
        if kind in by_type:
            script.add(ts, by_type[kind] | frame[11] << 4 & 0x30, inside)
        elif kind <= 1500 and inside[:3] == b"\x42\x42\x03":
            script.add(ts, 3, inside[3:])
        elif kind <= 1500 and inside[:5] == b"\xaa\xaa\x03\0\0" and inside[5] == 0x0C:
            script.add(ts, 4 if inside[6] == 0x20 else 5, inside[8:])
        elif one and one.protocol in (1, 58, 112):
            script.add(ts, {1: 6, 58: 7, 112: 8}[one.protocol], one.payload)
        elif one and one.protocol == 6 and len(one.payload) >= 20 and one.payload[:2] == b"\0\xb3":
            script.add(ts, 10, one.payload[(one.payload[12] >> 4) * 4 :])
        elif one and one.protocol == 6 and len(one.payload) >= 20 and one.payload[2:4] == b"\0\xb3":
            script.add(ts, 9, one.payload[(one.payload[12] >> 4) * 4 :])
        elif one and one.protocol == 17 and len(one.payload) > 8:
            ports = {3784: 11, 4784: 12, 1985: 13, 6784: 14}
            port = int.from_bytes(one.payload[2:4])
            if port in ports:
                script.add(ts, ports[port], one.payload[8:])
    return script


def pauses(frames: list[tuple[float, bytes]]) -> Script:
    """PFC and 802.3x for the target `pauses`."""
    script = Script(bytes([100]))
    for ts, frame in frames:
        kind, inside = untagged(frame)
        if kind == 0x8808 and inside[:2] == b"\x01\x01":
            script.add(ts, frame[11] & 3, inside[3:20])
        elif kind == 0x8808:
            script.add(ts, frame[11] & 3 | 4, b"\0" + inside[2:4])
    return script


def fragments(segments: list[Segment], frames: list[tuple[float, bytes]]) -> Script:
    """IPv4 fragments for the target `fragments`."""
    script = Script()
    for one, (ts, frame) in zip(segments, frames, strict=False):
        kind, inside = untagged(frame)
        if kind == 0x0800 and int.from_bytes(inside[6:8]) & 0x3FFF:
            field_ = int.from_bytes(inside[6:8])
            control_ = one.ident % 4 << 2 | (field_ & 0x2000 != 0) << 4 | (one.protocol == 17) << 5
            script.add(ts, control_, (field_ & 0x1FFF).to_bytes(2) + one.payload[:600])
        elif kind == 0x86DD and one.protocol == 44 and len(one.payload) >= 8:
            field_ = int.from_bytes(one.payload[2:4])
            control_ = 2 | one.payload[7] % 4 << 2 | (field_ & 1) << 4 | (one.payload[0] == 17) << 5
            script.add(ts, control_, (field_ >> 3).to_bytes(2) + one.payload[8:600])
    return script


def tunnels() -> Iterator[Script]:
    """Every wrapper alone, and some in each other."""
    for code in range(16):
        script = Script()
        for high in (0, 0x80):
            for kind in range(4):
                script.add(0.0, kind, bytes([1, code | high]) + b"payload")
                script.add(0.0, kind, bytes([3, code | high, 9, code]) + b"payload")
        yield script
    yield Script(b"", [bytes([0, 1, 10, *range(1, 11)]) + b"deep"])


def taps(segments: list[Segment]) -> Script:
    """The packets of a capture as three taps may have seen them."""
    script = Script(bytes([3]))
    for number, one in enumerate(segments):
        lost = (0b001, 0b011, 0b101, 0b110)[number // 17 % 4] if number % 17 == 0 else 0b111
        back = one.ends[0] > one.ends[1]
        if one.protocol == 6 and len(one.payload) >= 20:
            script.add(one.ts, lost | back << 3 | 1 << 4, bytes([20, 0, one.payload[13]]))
        elif one.protocol == 17 and one.payload[2:4] == b"\x12\xb7":
            script.add(one.ts, lost | back << 3, bytes([20, 0, one.payload[8]]))
        else:
            script.add(one.ts, lost | back << 3 | 2 << 4, bytes([20, 0, number & 0xFF]))
    return script


def of(content: bytes) -> Iterator[tuple[str, bytes]]:
    """Targets and seeds of one capture."""
    frames = list(packets(content))
    found = [(segment(*frame), frame) for frame in frames]
    both = [(one, frame) for one, frame in found if one]
    segments = [one for one, _ in both]
    tcp, requests = tcp_and_requests(segments)
    scripts = {
        "tcp": tcp,
        "requests": requests,
        "rdma": rdma(segments),
        "control": control(frames),
        "pauses": pauses(frames),
        "fragments": fragments(segments, [frame for _, frame in both]),
        "taps": taps(segments),
    }
    for target, script in scripts.items():
        if script.pieces:
            yield target, script.bytes()
