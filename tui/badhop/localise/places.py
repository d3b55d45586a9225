"""The places that several captures tell apart: before the first tap, between two neighbours, behind the last one.

A capture knows a side of itself, which is everything on that side. With a second capture on the same way the side falls
into pieces, and what one says of its destination side and the other of its source side is about the piece in between
(localisation.md 1.3 and 1.7). Here each piece of evidence gets the set of pieces that it may be about.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from badhop.localise.verdict import Evidence

_SIDE = re.compile(r"side:(source|destination)@(.+)", re.DOTALL)

Way = tuple[str, str]
"""Sender and receiver of packets."""


def between(tap_a: str, tap_b: str) -> str:
    """The id of the place between two neighbouring taps, in the direction of the packets."""
    return f"between:{tap_a}->{tap_b}"


def side_of(hop: str) -> tuple[str, str] | None:
    """Side and tap of a hop that is a side of a tap."""
    match = _SIDE.fullmatch(hop)
    return (match[1], match[2]) if match else None


def other_side(hop: str) -> str:
    """The opposite side of the same tap; "" for any other hop."""
    side = side_of(hop)
    if side is None:
        return ""
    return f"side:{'destination' if side[0] == 'source' else 'source'}@{side[1]}"


@dataclass(frozen=True)
class Places:
    """The order of the taps on each way, in the direction of the packets. Empty for a capture alone.

    `pairs` are the neighbours among them, by the id of the place between.
    """

    orders: Mapping[Way, tuple[tuple[str, ...], ...]] = field(default_factory=dict)

    @property
    def pairs(self) -> Mapping[str, tuple[str, str]]:
        """Both taps of each place between two."""
        return {
            between(*neighbours): neighbours
            for orders in self.orders.values()
            for order in orders
            for neighbours in zip(order, order[1:], strict=False)
        }

    def scope(self, evidence: Evidence) -> frozenset[str]:
        """The ids of the places that the evidence may be about; its own hop where taps do not divide it."""
        side = side_of(evidence.hop)
        if side is None:
            return frozenset({evidence.hop})
        kind, tap = side
        scope: set[str] = set()
        for way in evidence.ways or tuple(self.orders):
            orders = self._past(tap, way)
            scope |= _pieces(orders, tap, kind) if orders else {evidence.hop}
            if evidence.detector == "no-answer" and kind == "destination":  # or the answer was lost on its way back
                scope |= _pieces(self._past(tap, (way[1], way[0])), tap, "source")
        return frozenset(scope or {evidence.hop})

    def _past(self, tap: str, way: Way) -> tuple[tuple[str, ...], ...]:
        return tuple(order for order in self.orders.get(way, ()) if tap in order)


def _pieces(orders: tuple[tuple[str, ...], ...], tap: str, side: str) -> set[str]:
    """The pieces of those ways that lie on that side of the tap."""
    found: set[str] = set()
    for order in orders:
        inner = [between(*neighbours) for neighbours in zip(order, order[1:], strict=False)]
        pieces = [f"side:source@{order[0]}", *inner, f"side:destination@{order[-1]}"]
        at = order.index(tap) + 1
        found.update(pieces[:at] if side == "source" else pieces[at:])
    return found
