"""Connections, rings, trees and queue pairs of an NCCL log."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from badhop.sources.outputs.kinds.training import gid
from badhop.sources.outputs.kinds.training.nccl_communicators import Communicators
from badhop.sources.outputs.kinds.training.nccl_lines import Said
from badhop.sources.outputs.kinds.training.nccl_processes import Processes
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import nccl_edges

_CONNECTION = re.compile(
    r"(?:Channel|Ring) (\d{1,4})(?:/(\d{1,4}))? : (\d{1,9})(?:\[([^\]]{1,40})\])? -> (\d{1,9})(?:\[([^\]]{1,40})\])?"
    r"(?: \[(send|receive)\])? via (\S.{0,200})"
)
_COLLNET = re.compile(r"Coll(?:Net)? (\d{1,4})(?:/\d{1,4})? : (\d{1,9}) \[(send|receive)\] via (\S.{0,200})")
_ORDER = re.compile(r"Channel (\d{1,4})/(\d{1,4}) :((?: +\d{1,9})+)")
_RING = re.compile(r"Ring (\d{1,4}) : (-?\d{1,9}) -> (-?\d{1,9}) -> (-?\d{1,9})")
_TREE = re.compile(r"\[(\d{1,4})\] (-?\d{1,9})/(-?\d{1,9})/(-?\d{1,9})->(-?\d{1,9})->(-?\d{1,9})")
_OLD_TREE = re.compile(r"\[(\d{1,4})\] (-?\d{1,9})->(-?\d{1,9})->(-?\d{1,9})/(-?\d{1,9})/(-?\d{1,9})")
_NETWORK = re.compile(r"((?:COLL)?NET/[^/]{1,60})/(\d{1,4})(?:\((\d{1,9})\))?((?:/\w{1,20}){0,4})\s*")
_QUEUE_PAIR = re.compile(
    r"NET/IB ?: (?:NCCL )?(?:Merged)?Dev (\d{1,4})(?: IbDev (\d{1,4}))? Port (\d{1,4}) qpn (\d{1,8}) mtu (\d)"
)
_GID = re.compile(r"GID (-?\d{1,4}) \(([0-9A-Fa-f]{1,16})/([0-9A-Fa-f]{1,16})\)")
_LID = re.compile(r" LID (\d{1,6})")
_BYTES_OF_MTU = {1: 256, 2: 512, 3: 1024, 4: 2048, 5: 4096}
"""enum ibv_mtu (rdma-core, libibverbs/verbs.h)."""


@dataclass
class _Edge:
    message: Said
    kind: str | None
    values: dict[str, Any] = field(default_factory=dict)
    ring: list[int] | None = None
    """The ranks of a ring in order, which are edges once the size of the communicator is known."""


class Edges:
    """All of a log; they become rows when all lines are read, for the communicator may be named after them."""

    def __init__(self) -> None:
        self._edges: list[_Edge] = []
        self._open: dict[tuple[str | None, int | None, int | None], list[_Edge]] = {}
        self._pairs: dict[tuple[str | None, int | None, str], set[int]] = {}

    def read(self, message: Said) -> None:
        """Takes what a message tells of connections."""
        text = message.text
        if " via " in text and " : " in text:
            self._connection(message)
        elif text.startswith("Channel ") and (order := _ORDER.match(text)):
            ring = [int(rank) for rank in order[3].split()]
            self._edges.append(_Edge(message, "ring", {"channel": int(order[1])}, ring))
        elif text.startswith("Ring ") and (found := _RING.match(text)):
            channel, before, rank, after = map(int, found.groups())
            self._neighbours(message, channel, before, rank, after)
        elif text.startswith("Trees "):
            self._trees(message)
        elif text.startswith("Connected "):
            self._connected(message)
        elif " qpn " in text and (pair := _QUEUE_PAIR.search(text)):
            self._queue_pair(message, pair)

    def _connection(self, message: Said) -> None:
        if found := _CONNECTION.search(message.text):
            channel, index, sender, from_gpu, receiver, to_gpu, direction, via = found.groups()
            values = {
                "channel": int(channel),
                "from_rank": int(sender),
                "to_rank": int(receiver),
                "from_gpu": from_gpu,
                "to_gpu": to_gpu,
                "direction": direction,
                **_transport(via),
            }
            # Connection 1 of a channel is the one of sends and receives (src/transport.cc, connIndex).
            kind = "nvls" if values["transport"].startswith("NVLS") else "p2p" if index == "1" else None
            edge = _Edge(message, kind, values)
            self._edges.append(edge)
            if kind is None:
                self._open.setdefault(message.device, []).append(edge)
        elif found := _COLLNET.search(message.text):
            end = "from_rank" if found[3] == "send" else "to_rank"
            values = {"channel": int(found[1]), end: int(found[2]), "direction": found[3], **_transport(found[4])}
            self._edges.append(_Edge(message, "collnet", values))

    def _connected(self, message: Said) -> None:
        """`Connected all rings`: what was connected since the line before it was for rings."""
        kind = {"rings": "ring", "trees": "tree"}.get(message.text[:40].split(",")[0].rsplit(" ", 1)[-1])
        for edge in self._open.pop(message.device, ()):
            edge.kind = kind

    def _neighbours(self, message: Said, channel: int, before: int, rank: int, after: int) -> None:
        for sender, receiver in ((before, rank), (rank, after)):
            self._add(message, "ring", channel, sender, receiver)

    def _trees(self, message: Said) -> None:
        for channel, *rest in _TREE.findall(message.text):
            *children, rank, parent = map(int, rest)
            self._tree(message, int(channel), children, rank, parent)
        for channel, *rest in _OLD_TREE.findall(message.text):
            parent, rank, *children = map(int, rest)
            self._tree(message, int(channel), children, rank, parent)

    def _tree(self, message: Said, channel: int, children: list[int], rank: int, parent: int) -> None:
        for child, above in [(rank, parent), *((child, rank) for child in children)]:
            self._add(message, "tree", channel, child, above)

    def _add(self, message: Said, kind: str, channel: int, sender: int, receiver: int) -> None:
        if sender >= 0 and receiver >= 0:  # -1 is nobody
            values = {"channel": channel, "from_rank": sender, "to_rank": receiver}
            self._edges.append(_Edge(message, kind, values))

    def _queue_pair(self, message: Said, found: re.Match[str]) -> None:
        values: dict[str, Any] = {
            "nic_index": int(found[2] or found[1]),
            "qpn": int(found[4]),
            "mtu": _BYTES_OF_MTU.get(int(found[5])),
        }
        if address := _GID.search(message.text):
            own = gid.from_halves(address[2], address[3])
            values |= {"gid_index": int(address[1]) if int(address[1]) >= 0 else None, "gid": own}
            if own is not None:
                self._pairs.setdefault((*message.process, own), set()).add(int(found[4]))
        elif address := _LID.search(message.text):
            values["lid"] = int(address[1])
        self._edges.append(_Edge(message, "qp", values))

    def pair_of(self, process: tuple[str | None, int | None], address: str) -> int | None:
        """The only queue pair of a process that has this GID; None where it has several or none is told."""
        pairs = self._pairs.get((*process, address), ())
        return next(iter(pairs)) if len(pairs) == 1 else None

    def write(self, communicators: Communicators, processes: Processes, passage: Passage, rows: Rows) -> None:
        """A row for each."""
        for edge in self._edges:
            ranks = [edge.values[end] for end in ("from_rank", "to_rank") if end in edge.values]
            owner = communicators.at(edge.message, *ranks) if edge.kind != "qp" else None
            own = owner or communicators.only(edge.message.device)
            told_by = own.rank if own else None
            for one in _ring(edge, own.nranks if own else None):
                index = one.values.get("nic_index")
                name = None if index is None else processes.of(edge.message.process).nic(index)
                rows.add(
                    nccl_edges.TABLE,
                    passage,
                    edge.message.line,
                    at=edge.message.at,
                    **({"host": edge.message.host} if edge.message.host else {}),
                    comm_id=own.comm_id if own else None,
                    comm=own.pointer if own else None,
                    told_by=told_by,
                    pid=edge.message.pid,
                    gpu=edge.message.gpu,
                    kind=one.kind,
                    nic=name,
                    **one.values,
                )


def _ring(edge: _Edge, nranks: int | None) -> Iterator[_Edge]:
    """A ring as its edges. NCCL prints at most 20 ranks of it (src/graph/rings.cc): only a whole one is closed."""
    if edge.ring is None:
        yield edge
        return
    ranks = edge.ring
    ends = list(pairwise(ranks))
    if len(ranks) == nranks and len(ranks) > 1:
        ends.append((ranks[-1], ranks[0]))
    for sender, receiver in ends:
        yield replace(edge, values=edge.values | {"from_rank": sender, "to_rank": receiver})


def _transport(via: str) -> dict[str, Any]:
    found = _NETWORK.fullmatch(via)
    if found is None:
        return {"transport": via.strip()}
    words = found[4].split("/")
    return {
        "transport": found[1],
        "nic_index": int(found[2]),
        "proxy_rank": int(found[3]) if found[3] else None,
        "gdr": "GDRDMA" in words,
        "shared": "Shared" in words,
    }
