"""One leaf switch with hosts at 100 Gb/s, and a tap that sees what enters the leaf: enough fabric for the samples.

    host ──uplink──▶ [tap] leaf ──downlink──▶ host

Events run in the order of their time (ns), ties in the order in which they were made: nothing depends on the machine.
"""

import heapq
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Literal

from queue_pair import TIMEOUT, Requester, Responder
from wire import ACKNOWLEDGE, NAK_SEQUENCE, READ_FIRST, READ_LAST, READ_ONLY, Nic, Transport, source_port

Place = Literal["uplink", "downlink"]
"""Before the tap, after the tap."""

BITS_A_NS = 100
OVERHEAD = 24
"""Preamble, FCS and gap of a frame on the wire, in bytes."""
CABLE, LEAF, RECEIVE = 150, 600, 700
"""ns: one cable, the switch, the receiving NIC."""
ACK_DELAY = 1_500
"""ns that a responder waits for more before it acknowledges."""
JITTER = 60
"""Longest pause, in ns, that a NIC makes between two packets."""


def wire_time(packet: Transport) -> int:
    return -(-(packet.wire_len + OVERHEAD) * 8 // BITS_A_NS)


@dataclass
class QueuePair:
    """One end of a connection."""

    nic: Nic
    number: int
    requester: Requester
    responder: Responder
    sport: int
    on_delivery: Callable[[Transport], None] = lambda _: None
    """Called for each request or READ response that arrived in order."""
    responses: deque[Transport] = field(default_factory=deque)
    timer_set: bool = False
    ack_waits: bool = False
    peer_nic: Nic | None = None

    def take(self, now: int) -> Transport | None:
        """What this queue pair sends next: READ responses before requests."""
        if self.responses:
            return self.responses.popleft()
        return self.requester.take(now) if self.requester.ready() else None


@dataclass(frozen=True)
class Sighting:
    """One packet at one place."""

    ts: int
    src: Nic
    dst: Nic
    sport: int
    ip_id: int
    packet: Transport


class Fabric:
    """Hosts, queue pairs, the event queue, what the tap saw, and what was lost where."""

    def __init__(self, seed: int, loses: Callable[[Place, Nic, Nic, Transport, Random], bool]) -> None:
        self.now = 0
        self.tapped: list[Sighting] = []
        self.lost: list[tuple[Place, Sighting]] = []
        self._loses = loses
        self._random = Random(seed)
        self._events: list[tuple[int, int, Callable[[], None]]] = []
        self._made = 0
        self._queue_pairs: dict[tuple[Nic, int], QueuePair] = {}
        self._turns: dict[Nic, deque[QueuePair]] = {}
        self._control: dict[Nic, deque[tuple[QueuePair, Transport]]] = {}
        self._sending: set[Nic] = set()
        self._port_free: dict[Nic, int] = {}
        self._ip_ids: dict[tuple[Nic, Nic], int] = {}

    def connect(self, one: tuple[Nic, int, int], two: tuple[Nic, int, int]) -> tuple[QueuePair, QueuePair]:
        """Joins two ends, each given as NIC, queue pair number and first PSN of its requests."""
        ends = []
        for (nic, number, psn), (peer, peer_number, peer_psn) in ((one, two), (two, one)):
            requester = Requester(peer_number, psn)
            responder = Responder(peer_number, peer_psn)
            end = QueuePair(nic, number, requester, responder, source_port(number, peer_number), peer_nic=peer)
            self._queue_pairs[nic, number] = end
            self._turns.setdefault(nic, deque()).append(end)
            self._control.setdefault(nic, deque())
            ends.append(end)
        return ends[0], ends[1]

    def at(self, ts: int, event: Callable[[], None]) -> None:
        self._made += 1
        heapq.heappush(self._events, (ts, self._made, event))

    def run(self) -> None:
        """Runs until nothing is left to happen."""
        while self._events:
            self.now, _, event = heapq.heappop(self._events)
            event()

    def send(self, nic: Nic) -> None:
        """Starts the next packet of `nic` if its port is free: answers first, then one packet a queue pair in turn."""
        if nic in self._sending:
            return
        if self._control[nic]:
            self._start(*self._control[nic].popleft())
            return
        turns = self._turns[nic]
        for _ in range(len(turns)):
            turns.rotate(-1)
            if packet := turns[-1].take(self.now):
                self._set_timer(turns[-1])
                self._start(turns[-1], packet)
                return

    def _start(self, end: QueuePair, packet: Transport) -> None:
        assert end.peer_nic is not None
        nic, peer = end.nic, end.peer_nic
        self._ip_ids[nic, peer] = ip_id = (self._ip_ids.get((nic, peer), 0) + 1) & 0xFFFF
        done = self.now + wire_time(packet)
        self._sending.add(nic)
        self.at(done + CABLE, lambda: self._enter_leaf(Sighting(self.now, nic, peer, end.sport, ip_id, packet)))
        self.at(done + int(self._random.random() * JITTER), lambda: self._sent(nic))

    def _sent(self, nic: Nic) -> None:
        self._sending.discard(nic)
        self.send(nic)

    def _enter_leaf(self, seen: Sighting) -> None:
        if self._loses("uplink", seen.src, seen.dst, seen.packet, self._random):
            self.lost.append(("uplink", seen))
            return
        self.tapped.append(seen)
        if self._loses("downlink", seen.src, seen.dst, seen.packet, self._random):
            self.lost.append(("downlink", seen))
            return
        out = max(self.now + LEAF, self._port_free.get(seen.dst, 0)) + wire_time(seen.packet)
        self._port_free[seen.dst] = out
        self.at(out + CABLE + RECEIVE, lambda: self._arrive(seen))

    def _arrive(self, seen: Sighting) -> None:
        end, packet = self._queue_pairs[seen.dst, seen.packet.dest_qp], seen.packet
        if packet.opcode == ACKNOWLEDGE and packet.syndrome == NAK_SEQUENCE:
            end.requester.on_nak(packet.psn, self.now)
        elif packet.opcode == ACKNOWLEDGE:
            end.requester.on_answer(packet.psn, self.now)
        elif READ_FIRST <= packet.opcode <= READ_ONLY:
            end.requester.on_answer(packet.psn, self.now)
            if packet.opcode in (READ_LAST, READ_ONLY):
                end.on_delivery(packet)
        else:
            expected = end.responder.expected
            for answer in end.responder.receive(packet):
                if answer.opcode == ACKNOWLEDGE:
                    self._control[end.nic].append((end, answer))
                else:
                    end.responses.append(answer)
            if end.responder.expected != expected:
                end.on_delivery(packet)
            if end.responder.ack is not None and not end.ack_waits:
                end.ack_waits = True
                self.at(self.now + ACK_DELAY, lambda: self._acknowledge(end))
        self.send(end.nic)

    def _acknowledge(self, end: QueuePair) -> None:
        end.ack_waits = False
        if answer := end.responder.due():
            self._control[end.nic].append((end, answer))
            self.send(end.nic)

    def _set_timer(self, end: QueuePair) -> None:
        if not end.timer_set:
            end.timer_set = True
            self.at(end.requester.progress + TIMEOUT, lambda: self._timer(end))

    def _timer(self, end: QueuePair) -> None:
        end.timer_set = False
        if end.requester.expired(self.now):
            self.send(end.nic)
        elif end.requester.sent_to() > end.requester.acked:
            self._set_timer(end)
