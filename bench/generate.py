"""Makes the captures that the benchmarks read: RoCEv2 WRITEs of many queue pairs, with go-back-N losses. Deterministic.

python bench/generate.py FILE [--packets N]
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "captures"))
sys.dont_write_bytecode = True  # that folder is packed into the wheel as it is

import wire  # noqa: E402
from wire import PMTU, PSNS, Nic, Transport  # noqa: E402

SNAP_LEN = 128
QUEUE_PAIRS = 16
MESSAGE = 32
"""Packets of a message; its last one asks for an acknowledgement, which follows `ACK_AFTER` packets later."""
ACK_AFTER = 8
NAK_AFTER, WINDOW = 12, 24
"""Packets that follow a lost one before its NAK, and before the sender goes back."""
LOSS_EVERY = 1_000
"""About one packet in so many is lost: before the tap on every second queue pair, after it on the others."""
START, STEP = 1_773_456_067_000_000_000, 340
"""ns: first time stamp, and from each packet to the next (4 KiB at 100 Gb/s)."""

Patch = Callable[[int, int], bytes]
"""A record's bytes for an IP identification and a PSN."""


def _random(seed: int) -> Iterator[int]:
    """Numbers below 2^31, the same everywhere (Lehmer's generator of Park and Miller)."""
    state = seed
    while True:
        state = state * 48_271 % 0x7FFF_FFFF
        yield state


def _record(src: Nic, dst: Nic, sport: int, packet: Transport) -> Patch:
    """A stored packet, built once by scapy and then only patched: IP identification and checksum, PSN, ICRC."""
    whole = wire.frame(src, dst, sport, 0, packet)
    kept = whole[:SNAP_LEN]
    lengths = len(kept).to_bytes(4, "little") + len(whole).to_bytes(4, "little")
    before_id, middle, after = lengths + kept[:18], kept[20:24], kept[26:51]
    rest, uncut = kept[54:], len(whole) <= SNAP_LEN
    sum_without_id = 0xFFFF ^ int.from_bytes(kept[24:26], "big")

    def patch(ip_id: int, psn: int) -> bytes:
        total = sum_without_id + ip_id
        checksum = 0xFFFF ^ ((total & 0xFFFF) + (total >> 16))
        made = before_id + ip_id.to_bytes(2, "big") + middle + checksum.to_bytes(2, "big") + after
        made += psn.to_bytes(3, "big") + rest
        return made[:-4] + wire.icrc(made[8:-4]) if uncut else made

    return patch


def _queue_pair(number: int) -> Iterator[bytes]:
    """The records of one queue pair without their time stamps, for ever."""
    src = Nic("", f"02:00:00:00:01:{number:02x}", f"10.0.1.{number + 1}")
    dst = Nic("", f"02:00:00:00:02:{number:02x}", f"10.0.2.{number + 1}")
    to, back = 0x200 + 3 * number, 0x100 + 5 * number
    sport = wire.source_port(to, back)
    length = MESSAGE * PMTU
    opcodes = [wire.WRITE_FIRST] + [wire.WRITE_MIDDLE] * (MESSAGE - 2) + [wire.WRITE_LAST_IMM]
    of_opcode = {
        opcode: _record(src, dst, sport, Transport(opcode, to, 0, opcode == wire.WRITE_LAST_IMM, PMTU, length))
        for opcode in set(opcodes)
    }
    data = [of_opcode[opcode] for opcode in opcodes]
    ack = _record(dst, src, sport, Transport(wire.ACKNOWLEDGE, back, 0))
    nak = _record(dst, src, sport, Transport(wire.ACKNOWLEDGE, back, 0, syndrome=wire.NAK_SEQUENCE))
    random, seen_by_tap = _random(number + 1), number % 2 == 0
    first = next(random) % PSNS
    ids = answers = at = acked = resent_to = 0
    while True:
        if at >= resent_to and next(random) % LOSS_EVERY == 0:
            ids += not seen_by_tap  # the lost packet used one up
            for ahead in range(0 if seen_by_tap else 1, WINDOW):
                ids += 1
                yield data[(at + ahead) % MESSAGE](ids & 0xFFFF, (first + at + ahead) % PSNS)
                if ahead == NAK_AFTER:
                    answers += 1
                    yield nak(answers & 0xFFFF, (first + at) % PSNS)
            acked, resent_to = max(acked, at), at + WINDOW
        ids += 1
        yield data[at % MESSAGE](ids & 0xFFFF, (first + at) % PSNS)
        at += 1
        whole_messages = at - at % MESSAGE
        if at % MESSAGE == ACK_AFTER and whole_messages > acked:
            acked = whole_messages
            answers += 1
            yield ack(answers & 0xFFFF, (first + acked - 1) % PSNS)


def generate(path: Path, packets: int) -> None:
    """Writes a pcap with nanosecond stamps."""
    flows = [_queue_pair(number) for number in range(QUEUE_PAIRS)]
    turns = _random(7)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.write(bytes.fromhex("4d3cb2a1 0200 0400 00000000 00000000") + SNAP_LEN.to_bytes(4, "little") + b"\1\0\0\0")
        for n in range(packets):
            seconds, ns = divmod(START + n * STEP, 1_000_000_000)
            stamp = seconds.to_bytes(4, "little") + ns.to_bytes(4, "little")
            file.write(stamp + next(flows[next(turns) % QUEUE_PAIRS]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--packets", type=int, default=1_000_000)
    options = parser.parse_args()
    generate(options.file, options.packets)


if __name__ == "__main__":
    main()
