"""What the captures can testify to: each by its `capture_health`, and neighbours together by what passed both."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Protocol

import polars as pl

from badhop.analyses import with_analyses
from badhop.localise.places import Order, Places, Way


class Evidenced(Protocol):
    """Anything that holds the tables of an incident."""

    @property
    def frames(self) -> Mapping[str, pl.LazyFrame]:
        """Table name to plan."""


@dataclass(frozen=True)
class Tap:
    """One capture, seen as a witness. The fields are columns of `capture_health`."""

    source: str
    packets: int
    roce_packets: int
    reliable_requests: int
    unreliable_requests: int
    answers: int
    followed: int
    one_way_qps: int
    unseen: int
    unseen_share: float | None
    reported_drops: int | None
    cut_packets: int
    pause_frames: int
    damaged: bool
    longest_silence: timedelta | None = None
    unplaced: int = 0
    """Resends by timer for which the tap knows no side (`loss_episodes`): a slow host, or a loss it cannot place."""

    @property
    def drop_share(self) -> float:
        """Estimated share of packets that the capture lost; never 0, because no audit proves none."""
        return max(self.unseen_share or 0.0, 1e-4)


@dataclass(frozen=True)
class Segment:
    """The way between two neighbouring captures, both audited and without own drops: a row of `judged_segments`."""

    tap_a: str
    tap_b: str
    matched: int
    lost: int = 0
    damaged: int = 0
    one_of: int = 1


class Fabric(Protocol):
    """Anything that knows where captures were taken."""

    def between(self, tap_a: str, tap_b: str) -> tuple[str, ...]:
        """The hops on the way from one to the other, the likeliest first; none when it is not known."""


@dataclass(frozen=True)
class Facts:
    """All witnesses, in the order of the sources, and what they tell together."""

    taps: tuple[Tap, ...]
    places: Places = field(default_factory=Places)
    segments: tuple[Segment, ...] = ()
    fabric: Fabric | None = None

    def tap(self, source: str) -> Tap | None:
        """The witness of that name."""
        return next((tap for tap in self.taps if tap.source == source), None)

    def judged(self, tap_a: str, tap_b: str) -> bool:
        """Whether both captures are sound enough to judge what is lost between them."""
        return any((segment.tap_a, segment.tap_b) == (tap_a, tap_b) for segment in self.segments)


def facts_of(incident: Evidenced, fabric: Fabric | None = None) -> Facts:
    """Reads the witnesses out of the tables of an incident."""
    health = incident.frames["capture_health"]
    columns = [name for name in Tap.__dataclass_fields__ if name != "unplaced"]
    by_timer = pl.col("kind").is_in(("late-answer", "no-answer")) & pl.col("side").is_null()
    unplaced = incident.frames["loss_episodes"].filter(by_timer).group_by("source").agg(unplaced=pl.len())
    rows = (
        health.select(columns)
        .join(unplaced, on="source", how="left", maintain_order="left")
        .with_columns(pl.col("unplaced").fill_null(0))
        .collect()
    )
    taps = tuple(Tap(*row) for row in rows.iter_rows())
    passed = incident.frames["segments"].filter(pl.col("traffic") == "rdma").select("src", "dst", "tap_a", "tap_b")
    neighbours = passed.collect()
    if neighbours.is_empty():
        return Facts(taps)
    judged = with_analyses(incident.frames)["judged_segments"].select(*Segment.__dataclass_fields__).collect()
    return Facts(taps, _places(neighbours), tuple(Segment(*row) for row in judged.iter_rows()), fabric)


def _places(neighbours: pl.DataFrame) -> Places:
    """The taps that packets pass, by sender and receiver, of rows with each tap and the next one."""
    pairs: dict[Way, list[tuple[str, str]]] = defaultdict(list)
    for src, dst, tap_a, tap_b in neighbours.iter_rows():
        pairs[src, dst].append((tap_a, tap_b))
    return Places({way: tuple(_in_order(of_way)) for way, of_way in pairs.items()})


def _in_order(pairs: Iterable[tuple[str, str]]) -> Iterable[Order]:
    """Neighbours put together to lines."""
    following = dict(pairs)
    for start in following.keys() - following.values():
        order = [start]
        while (tap := following.get(order[-1])) is not None and tap not in order:
            order.append(tap)
        yield tuple(order)
