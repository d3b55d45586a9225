"""A map of links and taps, and what lies on the way from one tap to another.

A tap at a port stands between the device and the link of that port, whichever of both directions it sees: a mirror sees
a packet that comes in before the switch may drop it, and one that goes out after that.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

_HALVES = ("#before", "#after")
"""What names the two taps in a capture of a mirror of ingress and egress."""


@dataclass(frozen=True)
class FabricMap:
    """`links` are pairs of ports (`h12/mlx5_3`, `leaf4/Eth17`), `taps` says at which port a capture was taken."""

    links: tuple[tuple[str, str], ...] = ()
    taps: Mapping[str, str] = field(default_factory=dict)
    hosts: frozenset[str] = frozenset()
    """Devices through which no packet goes on its way."""

    def between(self, tap_a: str, tap_b: str) -> tuple[str, ...]:
        """The hops on the shortest ways from one capture to the other; none when a place or a way is not known.

        A link counts in its direction, a switch as one hop. Links come first: of the faults of a fabric most are theirs
        (localisation.md 3.2). Where there are several shortest ways, these are the hops of all of them.
        """
        if (tap_a, tap_b) not in self._known:
            self._known[tap_a, tap_b] = self._between(tap_a, tap_b)
        return self._known[tap_a, tap_b]

    @cached_property
    def _known(self) -> dict[tuple[str, str], tuple[str, ...]]:
        """What was asked before: a large fabric is searched once for each pair of taps."""
        return {}

    def _between(self, tap_a: str, tap_b: str) -> tuple[str, ...]:
        names = [name.removesuffix(half) for name, half in zip((tap_a, tap_b), _HALVES, strict=True)]
        start, end = (self._place(name) for name in names)
        if start is None or end is None:
            return ()
        if names[0] == names[1]:
            device = _device(start)
            return () if device in self.hosts else (device,)
        hops = self._on_the_way(start, end)
        return tuple(sorted(hops, key=lambda hop: "->" not in hop))

    def _place(self, capture: str) -> str | None:
        """The port, or the switch where no port is given; a capture may be named by the end of its path."""
        fitting = {at for name, at in self.taps.items() if _same_file(name, capture)}
        at = self.taps.get(capture) or (fitting.pop() if len(fitting) == 1 else None)
        if at in self.hosts:
            ports = [port for port in self._beside if _device(port) == at and port != at]
            return ports[0] if len(ports) == 1 else None
        return at

    @cached_property
    def _beside(self) -> Mapping[str, frozenset[str]]:
        """Port or switch, and what a packet can reach from there in one step."""
        beside: dict[str, set[str]] = defaultdict(set)
        for one, other in self.links:
            beside[one].add(other)
            beside[other].add(one)
        for port in list(beside):
            if (device := _device(port)) not in self.hosts:
                beside[port].add(device)
                beside[device].add(port)
        return {place: frozenset(places) for place, places in beside.items()}

    def _on_the_way(self, start: str, end: str) -> Iterable[str]:
        """The hops of all shortest ways, in the order of the way."""
        steps = self._steps(start)
        if end not in steps or start == end:
            return ()
        ends = {end}
        found = [] if "/" in end else [end]
        while ends != {start}:
            earlier: set[str] = set()
            for place in sorted(ends):
                before = [one for one in self._beside[place] if steps.get(one) == steps[place] - 1]
                earlier.update(before)
                found += [f"{one}->{place}" for one in sorted(before) if "/" in one and "/" in place]
            found += [one for one in sorted(earlier) if "/" not in one]
            ends = earlier
        return tuple(reversed(dict.fromkeys(found)))

    def _steps(self, start: str) -> Mapping[str, int]:
        steps, edge = {start: 0}, [start]
        while edge:
            reached = {there for here in edge for there in self._beside.get(here, ()) if there not in steps}
            steps |= dict.fromkeys(reached, steps[edge[0]] + 1)
            edge = list(reached)
        return steps


def _device(port: str) -> str:
    return port.partition("/")[0]


def _same_file(one: str, other: str) -> bool:
    return one == other or one.endswith(f"/{other}") or other.endswith(f"/{one}")
