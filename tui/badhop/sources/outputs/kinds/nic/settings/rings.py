"""`ethtool -g` and `-c`: how many descriptors the rings have, and how long an interrupt may wait."""

from typing import Any

from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.nic.settings.heading import headed, heading_line, switched
from badhop.sources.outputs.labelled import labelled, leading_whole
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import links

_ring_name, _RING_BEGINS = headed("Ring parameters for")
_coalesce_name, _COALESCE_BEGINS = headed("Coalesce parameters for")
_LARGEST = 2**32 - 1


def _is_ring(passage: Passage) -> bool:
    return _ring_name(passage) is not None


def _read_ring(passage: Passage, rows: Rows) -> None:
    heading = heading_line(passage, _RING_BEGINS)
    sizes: dict[str, Any] = {}
    ending = None
    for entry in labelled(passage):
        if entry.label in ("Pre-set maximums", "Current hardware settings"):
            ending = "_max" if entry.label == "Pre-set maximums" else ""
        elif ending is not None and entry.label in ("RX", "TX"):
            sizes[f"{entry.label.lower()}_ring{ending}"] = leading_whole(entry.value, _LARGEST)
    rows.add(links.TABLE, passage, heading, device=_ring_name(passage), **sizes)


def _is_coalesce(passage: Passage) -> bool:
    return _coalesce_name(passage) is not None


def _read_coalesce(passage: Passage, rows: Rows) -> None:
    heading = heading_line(passage, _COALESCE_BEGINS)
    said = {entry.label: entry.value for entry in labelled(passage)}
    adaptive = said.get("Adaptive RX", "").split()
    rows.add(
        links.TABLE,
        passage,
        heading,
        device=_coalesce_name(passage),
        rx_usecs=leading_whole(said.get("rx-usecs", ""), _LARGEST),
        tx_usecs=leading_whole(said.get("tx-usecs", ""), _LARGEST),
        adaptive_rx=switched(adaptive[0]) if adaptive else None,
        adaptive_tx=switched(adaptive[2]) if len(adaptive) == 3 and adaptive[1] == "TX:" else None,
    )


RING = Output("ethtool -g", (links.TABLE,), _is_ring, _read_ring, _RING_BEGINS)
COALESCE = Output("ethtool -c", (links.TABLE,), _is_coalesce, _read_coalesce, _COALESCE_BEGINS)
