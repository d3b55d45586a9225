"""Packets that one capture has and the next one on their way has not, or has damaged: it happened between the two."""

import polars as pl

from badhop.analyses.finding import SHOWN_FRAMES, WAYS, finding_table, ways
from badhop.analyses.judged_segments import capture_of
from badhop.analyses.wording import counted, hosts, percent
from badhop.schema import Column

TABLE = finding_table(
    "lost_between",
    "RDMA packets that were lost or damaged between two captures of the same traffic, by the captures and direction; "
    "`source` is the capture before, and its `frames` are the packets.",
    Column("kind", "text", "", "`lost`, or `damaged`: the ICRC is right at tap_a and wrong at tap_b."),
    Column("tap_a", "text", "", "Capture before the place."),
    Column("tap_b", "text", "", "Capture after it."),
    Column("packets", "u64", "packets", "Packets that were lost or damaged in between."),
    Column("share", "f64", "0 to 1", "Of what the same senders sent to the same receivers past tap_a."),
    Column("matched", "u64", "packets", "Packets of these that were seen at both."),
    Column("witnessed", "u64", "packets", "Lost ones that were sent again: the receiver missed them, too."),
    Column(
        "later_taps",
        "u64",
        "packets",
        "Lost ones that nobody sent again, and that a third capture behind tap_b has not either.",
    ),
    WAYS,
    Column(
        "frames_b",
        "list[u64]",
        "",
        "Packets of tap_b that show it: the first NAKs for lost ones, else their resends; of damage some damaged ones.",
    ),
)

CAPTURE_MAY_LOSE = 3.0
"""How many times its own drop rate a capture may lose: mirrors drop in bursts. What that explains is no loss."""

ALONE, MOST_ALONE = 0.01, 0.5
"""Weight of a packet that the last capture misses, and that nobody sent again: answers and datagrams never are. The
capture may have lost it as well, and then nothing shows it. However many they are, they weigh half of one that was sent
again: the last tap alone proves nothing. Where it is known to have lost any packet, none of them counts."""


def lost_between(
    segments: pl.LazyFrame,
    segment_losses: pl.LazyFrame,
    capture_audit: pl.LazyFrame,
    loss_episodes: pl.LazyFrame,
    roce_qps: pl.LazyFrame,
) -> pl.LazyFrame:
    """One row for each pair of neighbouring taps, direction and kind, where more is missing than the captures lose."""
    places = _places(segments, capture_audit)
    found = pl.concat([_lost(places, segment_losses, loss_episodes), _damaged(places, roce_qps)], how="diagonal")
    return (
        found.filter((pl.col("packets") > 0) & (pl.col("strength") > 0))
        .with_columns(
            hop=pl.format("between:{}->{}", pl.col("tap_a"), pl.col("tap_b")),
            share=pl.col("packets") / pl.col("sent"),
        )
        .with_columns(says=_says())
        .select(column.name for column in TABLE.columns)
        .sort("packets", "tap_a", "tap_b", "kind", descending=[True, False, False, False])
    )


def _places(segments: pl.LazyFrame, capture_audit: pl.LazyFrame) -> pl.LazyFrame:
    """Each pair of neighbouring taps in each direction, with what the capture behind it loses itself."""
    # Where not one packet comes by, the capture may not see that direction.
    rdma = segments.filter((pl.col("traffic") == "rdma") & (pl.col("matched") > 0))
    ends = ("src", "dst")
    onward = rdma.select(*ends, tap_b="tap_a", onward=True).unique()
    silent, lost_itself = pl.col("lost") - pl.col("witnessed"), pl.col("missing_b").sum()
    hurt = (pl.col("lost") > 0) | (pl.col("damaged") > 0)
    return (
        rdma.join(onward, on=[*ends, "tap_b"], how="left")
        .with_columns(sender=pl.when(hurt).then("src"), receiver=pl.when(hurt).then("dst"))
        .group_by("tap_a", "tap_b")
        .agg(
            pl.col("lost", "witnessed", "damaged").sum(),
            pl.col("sent", "matched").filter(hurt).sum(),
            all_sent=pl.col("sent").sum(),
            later_taps=silent.filter(pl.col("onward").is_not_null()).sum(),
            alone=silent.filter(pl.col("onward").is_null()).sum(),
            by_mirror=(pl.col("order_by") == "mirror").any(),
            missing_share=lost_itself / (lost_itself + pl.col("matched").sum()).replace(0, None),
            first_ts=pl.col("first_lost_ts").min(),
            senders=hosts("sender"),
            receivers=hosts("receiver"),
            ways=ways("sender", "receiver"),
        )
        .with_columns(source=capture_of("tap_a", "by_mirror"), source_b=capture_of("tap_b", "by_mirror"))
        .join(
            capture_audit.select("source", "dropped", audited="share"),
            left_on="source_b",
            right_on="source",
            how="left",
        )
        .with_columns(
            explained=CAPTURE_MAY_LOSE
            * pl.max_horizontal("missing_share", "audited").fill_null(0.0)
            * pl.col("all_sent").cast(pl.Float64)
        )
    )


def _lost(places: pl.LazyFrame, segment_losses: pl.LazyFrame, loss_episodes: pl.LazyFrame) -> pl.LazyFrame:
    losses = segment_losses.filter(pl.col("traffic") == "rdma")
    taps = ("tap_a", "tap_b")
    shown = losses.group_by(taps).agg(frames=_first("frame_a"), last_ts=pl.col("ts").max())
    lost = ("src", "dst", "dest_qp", "psn")
    asked = (
        losses.select(*taps, *lost)
        .unique()
        .join(
            loss_episodes.select(*lost, tap_b="source", frame=pl.coalesce("nak_frame", "resend_frame")),
            on=["tap_b", *lost],
        )
        .group_by(taps)
        .agg(frames_b=_first("frame"))
    )
    solid = (pl.col("witnessed") + pl.col("later_taps")).cast(pl.Float64) - pl.col("explained")
    sound = (pl.col("dropped").fill_null(0) == 0) & (pl.col("missing_share").fill_null(0.0) == 0)
    alone = ALONE * pl.when(sound).then(pl.col("alone")).otherwise(0).cast(pl.Float64)
    return (
        places.join(shown, on=taps, how="left")
        .join(asked, on=taps, how="left")
        .with_columns(
            kind=pl.lit("lost"),
            mode=pl.lit("graydrop"),
            packets=pl.col("lost"),
            frames=pl.col("frames").fill_null([]),
            frames_b=pl.col("frames_b").fill_null([]),
            strength=solid.clip(lower_bound=0.0) + alone.clip(0.0, MOST_ALONE),
        )
    )


def _damaged(places: pl.LazyFrame, roce_qps: pl.LazyFrame) -> pl.LazyFrame:
    """Its packets are known at tap_b only where all damaged ones there were damaged in between."""
    at_tap = roce_qps.group_by(source_b="source").agg(bad=pl.col("bad_icrc").sum(), bad_frames=_first("bad_icrc_frame"))
    nothing = pl.lit([], dtype=pl.List(pl.UInt64))
    return places.join(at_tap, on="source_b", how="left").with_columns(
        kind=pl.lit("damaged"),
        mode=pl.lit("corrupt"),
        packets=pl.col("damaged"),
        first_ts=pl.lit(None, dtype=pl.Datetime("ns")),
        last_ts=pl.lit(None, dtype=pl.Datetime("ns")),
        frames=nothing,
        frames_b=pl.when(pl.col("bad") == pl.col("damaged")).then(pl.col("bad_frames")).otherwise(nothing),
        strength=pl.col("damaged").cast(pl.Float64),
    )


def _first(column: str) -> pl.Expr:
    return pl.col(column).drop_nulls().unique().sort().head(SHOWN_FRAMES)


def _says() -> pl.Expr:
    tap_b = pl.col("tap_b")
    packets, witnessed = pl.col("packets"), pl.col("witnessed")
    sent = counted(pl.col("sent"), "packet", "packets")
    ends = (pl.col("senders"), pl.col("receivers"))
    of = pl.format("{} of {} ({}) from {} to {}", packets, sent, percent(pl.col("share")), *ends)
    again = (
        pl.when(witnessed == packets)
        .then(pl.when(packets == 1).then(pl.lit("it was sent again")).otherwise(pl.lit("all were sent again")))
        .when(witnessed > 0)
        .then(pl.format("{} of them were sent again", witnessed))
        .otherwise(pl.lit("none was sent again (answers and datagrams never are)"))
    )
    lost = pl.format(
        "{} passed {} and never came by {}{}; {}{}; {} passed both",
        of,
        pl.col("tap_a"),
        tap_b,
        pl.when(pl.col("later_taps") > 0).then(pl.lit(" or a capture behind it")).otherwise(pl.lit("")),
        again,
        _shown_at_b("the first NAKs or resends"),
        pl.col("matched"),
    )
    damaged = pl.format(
        "{} had a right ICRC at {} and a wrong one at {}{}: a device in between changed them",
        of,
        pl.col("tap_a"),
        tap_b,
        _shown_at_b("for instance"),
    )
    return pl.when(pl.col("kind") == "damaged").then(damaged).otherwise(lost)


_TOLD_FRAMES = 3


def _shown_at_b(what: str) -> pl.Expr:
    """Where to look in the capture behind the place, as part of a sentence; nothing where no packet there shows it."""
    frames = pl.col("frames_b").list.head(_TOLD_FRAMES).cast(pl.List(pl.String)).list.join(", ")
    word = pl.when(pl.col("frames_b").list.len() == 1).then(pl.lit("frame")).otherwise(pl.lit("frames"))
    shown = pl.format(" ({}: {} {} of {})", pl.lit(what), word, frames, pl.col("source_b"))
    return pl.when(pl.col("frames_b").list.len() > 0).then(shown).otherwise(pl.lit(""))
