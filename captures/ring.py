"""The workload of the samples: ring all-reduce of four hosts as NCCL sends it, and storage READs beside it.

Each rank sends to the next one over two queue pairs. The receiver first writes a clear-to-send (CTS) record; the sender
then writes the data, ending in WRITE_LAST_IMM; a rank can send step k only when it has received step k - 1.
"""

from collections.abc import Callable
from random import Random

from fabric import Fabric, Place, QueuePair
from wire import WRITE_LAST_IMM, WRITE_ONLY, Nic, Transport

RANKS = [Nic(f"gpu{n}", f"02:00:00:00:01:{n:02x}", f"10.0.1.{n}") for n in (11, 12, 13, 14)]
STORAGE = Nic("stor1", "02:00:00:00:02:21", "10.0.1.21")

CHANNELS = 2
STEPS = 2 * (len(RANKS) - 1)
"""Steps of one ring all-reduce."""
COLLECTIVES = 2
MESSAGE = 80_000
"""Bytes of data in one step of one channel."""
CTS = 64
SLOTS = 2
"""Steps for which a receiver gives clear-to-send ahead."""
COMPUTE = 3_000_000
"""ns between two all-reduces."""
REDUCE = 2_500
"""ns that a GPU takes for the piece that it received."""
READ_BYTES = 32_768
READ_EVERY = 330_000
READS = 8


class Edge:
    """One channel from one rank to the next."""

    def __init__(self, fabric: Fabric, sender: QueuePair, receiver: QueuePair, received: Callable[[int], None]) -> None:
        self._fabric, self._sender, self._receiver, self._received = fabric, sender, receiver, received
        self._credits = self._inputs = self._sent = self._arrived = self._granted = 0
        sender.on_delivery = self._on_credit
        receiver.on_delivery = self._on_data

    def start(self) -> None:
        for _ in range(SLOTS):
            self._grant()

    def give_input(self) -> None:
        """The sending rank has what it needs for one more step."""
        self._inputs += 1
        self._advance()

    @property
    def finished(self) -> bool:
        return self._arrived == STEPS * COLLECTIVES

    def _grant(self) -> None:
        if self._granted < STEPS * COLLECTIVES:
            self._receiver.requester.write_only(CTS, 0x7F10_0000_0000 + CTS * (self._granted % SLOTS))
            self._granted += 1
            self._fabric.send(self._receiver.nic)

    def _on_credit(self, packet: Transport) -> None:
        if packet.opcode == WRITE_ONLY:
            self._credits += 1
            self._advance()

    def _advance(self) -> None:
        while self._sent < min(self._credits, self._inputs):
            self._sender.requester.write(MESSAGE, 0x7F20_0000_0000 + MESSAGE * (self._sent % SLOTS), MESSAGE)
            self._sent += 1
        self._fabric.send(self._sender.nic)

    def _on_data(self, packet: Transport) -> None:
        if packet.opcode == WRITE_LAST_IMM:
            step, self._arrived = self._arrived, self._arrived + 1
            self._fabric.at(self._fabric.now + REDUCE, self._grant)
            self._fabric.at(self._fabric.now + REDUCE, lambda: self._received(step))


def ring(seed: int, loses: Callable[[Place, Nic, Nic, Transport, Random], bool]) -> Fabric:
    """Runs the whole workload and returns the fabric with what the tap saw."""
    fabric, numbers = Fabric(seed, loses), Random(seed)
    edges: dict[tuple[int, int], Edge] = {}

    def end(nic: Nic, number: int) -> tuple[Nic, int, int]:
        return nic, number, int(numbers.random() * (1 << 24))

    def received(rank: int, channel: int) -> Callable[[int], None]:
        def pass_on(step: int) -> None:
            onward = edges[rank, channel]
            if step % STEPS != STEPS - 1:
                onward.give_input()
            elif step + 1 < STEPS * COLLECTIVES:
                fabric.at(fabric.now + COMPUTE, onward.give_input)

        return pass_on

    for rank, nic in enumerate(RANKS):
        after = (rank + 1) % len(RANKS)
        for channel in range(CHANNELS):
            number = 0x118 + 7 * rank + 2 * channel
            one, two = fabric.connect(end(nic, number), end(RANKS[after], number + 0x101 + 13 * rank))
            if rank == channel == 0:
                one.requester.first_psn = two.responder.first_psn = (1 << 24) - 100  # one PSN wraps
            edges[rank, channel] = Edge(fabric, one, two, received(after, channel))
    for number, edge in enumerate(edges.values()):
        fabric.at(number * 700, edge.start)
        fabric.at(20_000 + int(numbers.random() * 8_000), edge.give_input)  # ranks arrive some µs apart

    reader, _ = fabric.connect(end(RANKS[3], 0x1F0), end(STORAGE, 0x0A5))

    def read(number: int) -> Callable[[], None]:
        def post() -> None:
            reader.requester.read(READ_BYTES, 0x7F30_0000_0000 + READ_BYTES * number)
            fabric.send(reader.nic)

        return post

    for number in range(READS):
        fabric.at(10_000 + number * READ_EVERY, read(number))
    fabric.run()
    assert all(edge.finished for edge in edges.values())
    return fabric
