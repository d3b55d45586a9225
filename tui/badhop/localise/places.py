"""The places that several captures tell apart: before the first tap, between two neighbours, behind the last one.

A capture knows a side of itself, which is everything on that side. With a second capture on the same way the side falls
into pieces, and what one says of its destination side and the other of its source side is about the piece in between
(localisation.md 1.3 and 1.7). Here each piece of evidence gets the set of pieces that it may be about.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise, starmap

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


Order = tuple[str, ...]
"""Taps in the order in which packets pass them."""


@dataclass(frozen=True)
class Places:
    """The order of the taps on each way; empty for a capture alone. A mirror of ingress and egress is two taps."""

    orders: Mapping[Way, tuple[Order, ...]] = field(default_factory=dict)

    @cached_property
    def _all(self) -> frozenset[Order]:
        return frozenset(order for orders in self.orders.values() for order in orders)

    @cached_property
    def pairs(self) -> Mapping[str, tuple[str, str]]:
        """Both taps of each place between two, by its id."""
        return {between(*pair): pair for order in self._all for pair in pairwise(order)}

    def scope(self, evidence: Evidence) -> frozenset[str]:
        """The ids of the places that the evidence may be about; its own hop where taps do not divide it."""
        side = side_of(evidence.hop)
        if side is None:
            return frozenset({evidence.hop})
        kind, tap = side
        if evidence.ways:
            there = [self.orders.get(way, ()) for way in evidence.ways]
            back = [self.orders.get((receiver, sender), ()) for sender, receiver in evidence.ways]
        else:
            there = back = [tuple(self._all)]
        scope: set[str] = set()
        for orders in there:
            scope |= _pieces(orders, tap, kind) or {evidence.hop}
        if evidence.detector == "no-answer" and kind == "destination":  # or the answer was lost on its way back
            scope = scope.union(*(_pieces(orders, tap, "source") for orders in back))
        return frozenset(scope)


BEFORE, AFTER = "#before", "#after"
"""What is behind the name of a capture that is two taps, before and after a switch."""


def _pieces(orders: Iterable[Order], tap: str, side: str) -> set[str]:
    """The pieces on that side of the tap, of those ways that lead past it."""
    found: set[str] = set()
    for order in orders:
        # Of a packet that a mirror shows twice the first sighting counts, the one before the switch.
        if (name := tap) in order or (name := tap + BEFORE) in order:
            first, last = order[0].removesuffix(BEFORE), order[-1].removesuffix(AFTER)
            pieces = [f"side:source@{first}", *starmap(between, pairwise(order)), f"side:destination@{last}"]
            at = order.index(name) + 1
            found.update(pieces[:at] if side == "source" else pieces[at:])
    return found
