"""A reliable queue pair (RC) small enough to trust: windows, go-back-N, one NAK per gap, coalesced ACKs, a timer.

Positions are counted from 0 without wrapping; only `psn` turns one into the 24 bits of the wire. Times are ns.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import wire
from wire import PMTU, PSNS, Transport

WINDOW = 64
"""Packets that a requester sends ahead of the last acknowledgement."""

ACK_EVERY = 4
"""A requester asks for an acknowledgement in every fourth packet and in the last one of a message."""

TIMEOUT = 4_096 << 14
"""Local ACK timeout: 4.096 µs · 2^14, about 67 ms."""


@dataclass
class Requester:
    """Sends the requests of one direction."""

    dest_qp: int
    first_psn: int
    plan: list[tuple[int, Transport]] = field(default_factory=list)
    """Every packet posted so far, with the position of its PSN."""
    posted: int = 0
    """PSNs used up by `plan`."""
    cursor: int = 0
    """Next entry of `plan` to send."""
    acked: int = 0
    """Positions below this one are acknowledged."""
    progress: int = 0
    """When the timer was last started."""

    def psn(self, position: int) -> int:
        return (self.first_psn + position) % PSNS

    def position(self, psn: int) -> int:
        """The position nearest to what is acknowledged: PSNs are compared within half of their range."""
        return self.acked + (psn - self.psn(self.acked) + PSNS // 2) % PSNS - PSNS // 2

    def _post(self, packet: Transport, psns: int) -> None:
        self.plan.append((self.posted, replace(packet, dest_qp=self.dest_qp, psn=self.psn(self.posted))))
        self.posted += psns

    def write(self, length: int, address: int, immediate: int) -> None:
        """A WRITE of several packets with an immediate, as NCCL sends data."""
        packets = -(-length // PMTU)
        for n in range(packets):
            last = n == packets - 1
            opcode = wire.WRITE_FIRST if n == 0 else wire.WRITE_LAST_IMM if last else wire.WRITE_MIDDLE
            asks = last or n % ACK_EVERY == ACK_EVERY - 1
            payload = length - n * PMTU if last else PMTU
            self._post(Transport(opcode, 0, 0, asks, payload, length, address, immediate), 1)

    def write_only(self, length: int, address: int) -> None:
        """A WRITE of one packet, as NCCL sends clear-to-send."""
        self._post(Transport(wire.WRITE_ONLY, 0, 0, True, length, length, address), 1)

    def read(self, length: int, address: int) -> None:
        """A READ: one packet that uses up the PSNs of all its responses."""
        self._post(Transport(wire.READ_REQUEST, 0, 0, True, 0, length, address), -(-length // PMTU))

    def ready(self) -> bool:
        return self.cursor < len(self.plan) and self.plan[self.cursor][0] < self.acked + WINDOW

    def take(self, now: int) -> Transport:
        """The next packet to send."""
        if self.sent_to() == self.acked:
            self.progress = now
        self.cursor += 1
        return self.plan[self.cursor - 1][1]

    def sent_to(self) -> int:
        """Positions below this one were sent since the last go-back."""
        return self.plan[self.cursor][0] if self.cursor < len(self.plan) else self.posted

    def on_answer(self, psn: int, now: int) -> None:
        """An ACK or a READ response: everything up to `psn` arrived."""
        if self.acked <= self.position(psn):
            self.acked, self.progress = self.position(psn) + 1, now

    def on_nak(self, psn: int, now: int) -> None:
        """Everything before `psn` arrived; go back to it."""
        self.acked, self.progress = max(self.acked, self.position(psn)), now
        self._go_back()

    def expired(self, now: int) -> bool:
        """Goes back to the oldest packet without an answer when the timer has run out."""
        if self.sent_to() == self.acked or now < self.progress + TIMEOUT:
            return False
        self.progress = now
        self._go_back()
        return True

    def _go_back(self) -> None:
        while self.cursor and self.plan[self.cursor - 1][0] >= self.acked:
            self.cursor -= 1


@dataclass
class Responder:
    """Answers the requests of one direction."""

    to_qp: int
    """Queue pair of the requester: where answers go."""
    first_psn: int
    expected: int = 0
    ack: int | None = None
    """PSN that the next acknowledgement names; None while none is due."""
    asleep: bool = False
    """A NAK was sent: silent until the expected PSN arrives."""
    msn: int = 0

    def receive(self, packet: Transport) -> Iterator[Transport]:
        """What is sent at once: a NAK or READ responses. An ACK that is due waits in `ack` to be coalesced."""
        ahead = (packet.psn - self.first_psn - self.expected + PSNS // 2) % PSNS - PSNS // 2
        if ahead > 0:
            if not self.asleep:
                self.asleep = True
                self.ack = None  # the NAK acknowledges all before it
                psn = (self.first_psn + self.expected) % PSNS
                yield Transport(wire.ACKNOWLEDGE, self.to_qp, psn, syndrome=wire.NAK_SEQUENCE, msn=self.msn)
            return
        if ahead < 0:
            if packet.ack_req:
                self.ack = (self.first_psn + self.expected - 1) % PSNS
            return
        self.asleep = False
        if packet.opcode == wire.READ_REQUEST:
            self.msn += 1
            yield from self._respond(packet)
            return
        self.expected += 1
        self.msn += packet.opcode in (wire.WRITE_LAST_IMM, wire.WRITE_ONLY)
        if packet.ack_req:
            self.ack = packet.psn

    def _respond(self, request: Transport) -> Iterator[Transport]:
        packets = -(-request.dma_length // PMTU)
        for n in range(packets):
            first, last = n == 0, n == packets - 1
            opcode = {
                (True, True): wire.READ_ONLY,
                (True, False): wire.READ_FIRST,
                (False, False): wire.READ_MIDDLE,
                (False, True): wire.READ_LAST,
            }[first, last]
            payload = request.dma_length - n * PMTU if last else PMTU
            yield Transport(opcode, self.to_qp, (request.psn + n) % PSNS, payload=payload, msn=self.msn)
        self.expected += packets

    def due(self) -> Transport | None:
        """The coalesced acknowledgement, once."""
        psn, self.ack = self.ack, None
        return None if psn is None else Transport(wire.ACKNOWLEDGE, self.to_qp, psn, msn=self.msn)
