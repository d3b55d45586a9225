"""Why senders had to send again: the loss episodes of each capture, grouped by kind and by the hop they speak about."""

import re
from collections.abc import Mapping

import polars as pl

from badhop.analyses.finding import SHOWN_FRAMES, WAYS, finding_table, ways
from badhop.analyses.wording import counted, hosts, times
from badhop.schema import Column

TABLE = finding_table(
    "resend_causes",
    "Why senders had to send again: loss episodes grouped by capture, kind and the hop they speak about, most first.",
    Column("kind", "text", "", "As in `loss_episodes`."),
    Column("side", "text", "", "As in `loss_episodes`: side of the tap, as seen by the traffic that was hurt."),
    Column("hurt", "text", "", "`request` or `response`."),
    Column("episodes", "u32", "", "How often."),
    Column("queue_pairs", "u32", "", "How many queue pairs it happened to."),
    Column("replayed", "u64", "packets", "Packets sent again for it."),
    Column("by_timer", "u32", "", "How many of the episodes only the sender's timer ended."),
    Column("share", "f64", "0 to 1", "Of all episodes of this capture."),
    WAYS,
)

_LOST = ("loss", "ack-loss", "no-answer", "corrupt")
"""Kinds in which a packet really got lost (or came damaged, which ends the same way)."""

_MODES = {
    "loss": "graydrop",
    "ack-loss": "graydrop",
    "no-answer": "graydrop",
    "corrupt": "corrupt",
    "reorder": "reorder",
    "receiver-not-ready": "slow",
    "short-timer": "timer",
}


SINGLE_ROUND = 0.25
"""Weight of a timeout that happened once. Slow software hosts do it now and then with nothing lost."""

_MOMENT = "1s"
"""What happens to many queue pairs of a host within it has one cause."""


def resend_causes(loss_episodes: pl.LazyFrame) -> pl.LazyFrame:
    """One row for each capture, kind, side, hurt stream and hop."""
    kind = pl.col("kind")
    keys = ("source", "kind", "side", "hurt", "hop", "mode")
    return (
        loss_episodes.with_columns(
            hop=_hop(),
            mode=kind.replace_strict(_MODES, default=None, return_dtype=pl.String),
            frame=pl.coalesce("nak_frame", "resend_frame", "sent_frame"),
            all=pl.len().over("source"),
            lost=kind.is_in(_LOST).sum().over("source"),
            pieces=_pieces(),
            sender=pl.when(_went_back()).then("dst").otherwise("src"),
            receiver=pl.when(_went_back()).then("src").otherwise("dst"),
        )
        .group_by(*keys)
        .agg(
            episodes=pl.len().cast(pl.UInt32),
            queue_pairs=pl.col("qp").n_unique().cast(pl.UInt32),
            replayed=pl.col("replayed").cast(pl.UInt64).sum(),
            strength=pl.col("pieces").sum(),
            by_timer=(pl.col("recovered_by") == "timeout").sum().cast(pl.UInt32),
            first_ts=pl.col("ts").min(),
            last_ts=pl.col("ts").max(),
            frames=pl.col("frame").drop_nulls().sort().head(SHOWN_FRAMES),
            all=pl.col("all").first(),
            lost=pl.col("lost").first(),
            sources=hosts("src"),
            answerers=hosts("dst"),
            ways=ways("sender", "receiver"),
        )
        .with_columns(
            share=pl.col("episodes") / pl.col("all"),
            says=_says(),
        )
        .select(column.name for column in TABLE.columns)
        .sort("source", "episodes", "kind", "side", "hurt", "hop", descending=[False, True, *[False] * 4])
    )


def _pieces() -> pl.Expr:
    """Pieces of evidence in an episode: each round of a timer is one, but a single round may be a slow host.

    A host that was slow once misses the timers of all its queue pairs at that moment: single rounds of one sender in
    one second count once, however many they are.
    """
    kind = pl.col("kind")
    by_timer = kind.is_in(("no-answer", "ack-loss")) | (kind == "loss") & (pl.col("recovered_by") == "timeout")
    single = by_timer & (pl.col("rounds") == 1)
    at_once = single.sum().over("source", "src", "kind", "side", "hurt", pl.col("ts").dt.truncate(_MOMENT))
    return (
        pl.when(single)
        .then(SINGLE_ROUND / at_once)
        .when(kind.is_in(("no-answer", "ack-loss")))
        .then(pl.col("rounds").cast(pl.Float64))
        .otherwise(1.0)
    )


def _went_back() -> pl.Expr:
    """The packets it is about went from `dst` to `src`: READ responses and acknowledgements."""
    return (pl.col("hurt") == "response").fill_null(value=False) | (pl.col("kind") == "ack-loss")


def _hop() -> pl.Expr:
    """Where a packet was lost the tap knows a side; what only looks like loss points at a host, setting or the tap."""
    kind, source = pl.col("kind"), pl.col("source")
    return (
        pl.when(kind == "receiver-not-ready")
        .then(pl.format("{}/proc", pl.col("dst")))
        .when(kind == "short-timer")
        .then(pl.format("config:ack-timeout@{}", pl.col("src")))
        .when(pl.col("side").is_not_null())
        .then(pl.format("side:{}@{}", pl.col("side"), source))
        .when(kind == "reorder")
        .then(pl.format("config:multipath@{}", source))
    )


_SENTENCES: tuple[tuple[str, str | None, str | None, str], ...] = (
    ("loss", "source", "request", "{losses} happened before this tap: {unseen}"),
    (
        "loss",
        "destination",
        "request",
        "{losses} happened after this tap: it saw the packets of {src} pass, and {missed}",
    ),
    (
        "loss",
        "source",
        "response",
        "{losses} happened before this tap: it never saw the READ responses of {dst} that {src} asked for again",
    ),
    (
        "loss",
        "destination",
        "response",
        "{losses} happened after this tap: it saw the READ responses of {dst} pass, and {src} asked for them again",
    ),
    ("loss", None, None, "{losses} between {src} and {dst} cannot be placed on a side of this tap"),
    (
        "ack-loss",
        "destination",
        None,
        "{losses} were acknowledgements lost after this tap, on their way to {src}: "
        "the data had arrived, and {src} sent it again",
    ),
    (
        "ack-loss",
        None,
        None,
        "{losses} were acknowledgements lost before this tap, on their way from {dst}: "
        "the data had arrived, and {src} sent it again",
    ),
    (
        "no-answer",
        None,
        None,
        "{losses} had no answer: what {src} sent passed this tap and nothing came back, "
        "so the request or its answer was lost between the tap and {dst}",
    ),
    (
        "corrupt",
        None,
        None,
        "{losses} were damage: the packet passed this tap with a wrong ICRC, and {sender} had to send it again",
    ),
    (
        "reorder",
        None,
        None,
        "{times} a packet from {src} to {dst} was overtaken, not lost: it arrived, and was still asked for again",
    ),
    (
        "receiver-not-ready",
        None,
        None,
        "{times} {dst} told {src} to wait because it had no receive buffer posted",
    ),
    (
        "short-timer",
        None,
        None,
        "{times} {src} sent again before the answer of {dst} could be back: nothing was lost",
    ),
    (
        "late-answer",
        None,
        None,
        "{times} the timer of {src} expired once although {dst} had answered: "
        "a host was slow, or a single answer was lost; no side is to blame",
    ),
)
"""Kind, side, hurt stream and the sentence for it; None fits any, and the first that fits is taken.

Responses travel from `dst` to `src`, and so do acknowledgements.
"""

_OTHER = "{times} {src} sent again, for a reason that badhop has no words for: {kind}"


def _says() -> pl.Expr:
    """The sentence of each row."""
    src, dst, by_nak = pl.col("sources"), pl.col("answerers"), pl.col("by_timer") == 0
    fields = {
        "kind": pl.col("kind"),
        "src": src,
        "dst": dst,
        "sender": pl.when(pl.col("hurt") == "response").then(dst).otherwise(src),
        "times": times(pl.col("episodes")),
        "losses": pl.format("{} of {}", pl.col("episodes"), counted(pl.col("lost"), "loss", "losses")),
        "unseen": pl.when(by_nak)
        .then(pl.format("it never saw the packets that {} asked for again", dst))
        .otherwise(pl.format("it saw the packets of {} only when they were sent again", src)),
        "missed": pl.when(by_nak)
        .then(pl.format("{} asked for them again", dst))
        .otherwise(pl.format("{} had to send them again", src)),
    }
    fitting = [
        pl.when(_fits("kind", kind) & _fits("side", side) & _fits("hurt", hurt)).then(_filled(sentence, fields))
        for kind, side, hurt, sentence in _SENTENCES
    ]
    return pl.coalesce(*fitting, _filled(_OTHER, fields))


def _fits(column: str, word: str | None) -> pl.Expr:
    return pl.lit(True) if word is None else pl.col(column) == word


def _filled(sentence: str, fields: Mapping[str, pl.Expr]) -> pl.Expr:
    """The sentence with an expression for each `{name}`."""
    names = re.findall(r"\{(\w+)\}", sentence)
    return pl.format(re.sub(r"\{\w+\}", "{}", sentence), *(fields[name] for name in names))
