"""What each capture can testify to: the part of `capture_health` that a verdict leans on."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol

import polars as pl


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
class Facts:
    """All witnesses, in the order of the sources."""

    taps: tuple[Tap, ...]

    def tap(self, source: str) -> Tap | None:
        """The witness of that name."""
        return next((tap for tap in self.taps if tap.source == source), None)


def facts_of(incident: Evidenced) -> Facts:
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
    return Facts(tuple(Tap(*row) for row in rows.iter_rows()))
