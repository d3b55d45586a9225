"""Tables made from tables: what the captures say, one question a file.

`ANALYSES` is the explicit list. A derived table is a plan that nobody runs until a query names it, so an unused one
costs nothing. To add one, write a file with a `TABLE` and one function of LazyFrames, and add a line here.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from badhop.analyses import (
    capture_audit,
    congestion,
    damage,
    doubles,
    ecn_qps,
    engine,
    judged_segments,
    lost_between,
    missing_answers,
    pausing,
    rates,
    refusals,
    resend_causes,
    silent_losses,
    two_way_qps,
    whole_captures,
)
from badhop.schema import Table
from badhop.tables import raw_tables

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class Analysis:
    """A derived table: its declaration, the tables it reads, and the function that makes it of them, in that order."""

    table: Table
    reads: tuple[str, ...]
    run: Callable[..., "pl.LazyFrame"]


ANALYSES: tuple[Analysis, ...] = (
    Analysis(capture_audit.TABLE, ("capture_health",), capture_audit.capture_audit),
    Analysis(judged_segments.TABLE, ("segments", "capture_audit"), judged_segments.judged_segments),
    Analysis(
        lost_between.TABLE,
        ("segments", "segment_losses", "capture_audit", "loss_episodes", "roce_qps"),
        lost_between.lost_between,
    ),
    Analysis(two_way_qps.TABLE, ("roce_qps",), two_way_qps.two_way_qps),
    Analysis(resend_causes.TABLE, ("loss_episodes",), resend_causes.resend_causes),
    Analysis(missing_answers.TABLE, ("roce_qps", "capture_health"), missing_answers.missing_answers),
    Analysis(whole_captures.TABLE, ("capture_health",), whole_captures.whole_captures),
    Analysis(damage.TABLE, ("roce_qps",), damage.damage),
    Analysis(refusals.TABLE, ("roce_qps",), refusals.refusals),
    Analysis(doubles.TABLE, ("roce_qps",), doubles.doubles),
    Analysis(silent_losses.TABLE, ("capture_health",), silent_losses.silent_losses),
    Analysis(pausing.TABLE, ("pause_time",), pausing.pausing),
    Analysis(ecn_qps.TABLE, ("roce_qps",), ecn_qps.ecn_qps),
    Analysis(engine.TABLE, ("metrics",), engine.engine),
    Analysis(congestion.TABLE, ("roce_qps",), congestion.congestion),
    Analysis(rates.TABLE, ("counters",), rates.rates),
)


def with_analyses(frames: Mapping[str, "pl.LazyFrame"]) -> dict[str, "pl.LazyFrame"]:
    """The given tables, plus each derived table as an unread plan."""
    known = dict(frames)
    for analysis in ANALYSES:
        known[analysis.table.name] = analysis.run(*(known[name] for name in analysis.reads))
    return known


def all_tables() -> dict[str, Table]:
    """Every table that a query may name, raw ones first, in the order in which they are shown."""
    tables = (*raw_tables(), *(analysis.table for analysis in ANALYSES))
    return {table.name: table for table in tables}
