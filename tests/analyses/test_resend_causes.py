"""What the tracker calls an episode becomes a hop, a mode and a sentence."""

from datetime import datetime, timedelta

import polars as pl
import pytest

from badhop.analyses.resend_causes import resend_causes
from literal import episode, rows


def causes(*episodes: dict[str, object]) -> pl.DataFrame:
    return resend_causes(rows("loss_episodes", *episodes)).collect()


def test_losses_of_one_side_are_one_row_with_their_share_and_first_frames() -> None:
    got = causes(
        episode("loss", "source", nak_frame=30, qp=1),
        episode("loss", "source", nak_frame=9, qp=2),
        episode("loss", "destination", nak_frame=20, qp=1),
    )
    source, destination = got.rows(named=True)
    assert (source["hop"], source["mode"]) == ("side:source@tor.pcap", "graydrop")
    assert (source["episodes"], source["queue_pairs"], source["frames"]) == (2, 2, [9, 30])
    assert source["share"] == pytest.approx(2 / 3)
    assert source["strength"] == 2.0
    assert (destination["hop"], destination["episodes"]) == ("side:destination@tor.pcap", 1)


def test_a_sentence_counts_losses_and_not_what_only_looks_like_loss() -> None:
    got = causes(episode("loss", "source"), episode("loss", "source"), episode("reorder"))
    assert got.filter(kind="loss")["says"].item() == (
        "2 of 2 losses happened before this tap: it never saw the packets that 192.0.2.2 asked for again"
    )


def test_a_sentence_does_not_claim_that_anybody_asked_when_a_timer_did_it() -> None:
    says = causes(episode("loss", "source", recovered_by="timeout", nak_frame=None))["says"].item()
    assert "asked for" not in says
    assert "before this tap" in says


@pytest.mark.parametrize(
    ("kind", "side", "hurt", "hop", "mode", "says"),
    [
        ("loss", "destination", "request", "side:destination@tor.pcap", "graydrop", "packets of 192.0.2.1 pass"),
        (
            "loss",
            "source",
            "response",
            "side:source@tor.pcap",
            "graydrop",
            "READ responses of 192.0.2.2 that 192.0.2.1",
        ),
        (
            "loss",
            "destination",
            "response",
            "side:destination@tor.pcap",
            "graydrop",
            "READ responses of 192.0.2.2 pass",
        ),
        ("loss", None, "request", None, "graydrop", "cannot be placed"),
        ("ack-loss", "destination", "response", "side:destination@tor.pcap", "graydrop", "on their way to 192.0.2.1"),
        ("ack-loss", "source", "response", "side:source@tor.pcap", "graydrop", "on their way from 192.0.2.2"),
        ("no-answer", "destination", "request", "side:destination@tor.pcap", "graydrop", "the tap and 192.0.2.2"),
        ("corrupt", "source", "request", "side:source@tor.pcap", "corrupt", "192.0.2.1 had to send it again"),
        ("corrupt", "source", "response", "side:source@tor.pcap", "corrupt", "192.0.2.2 had to send it again"),
        ("reorder", None, "request", "config:multipath@tor.pcap", "reorder", "overtaken, not lost"),
        ("reorder", "destination", "request", "side:destination@tor.pcap", "reorder", "overtaken, not lost"),
        ("receiver-not-ready", None, "request", "192.0.2.2/proc", "slow", "192.0.2.2 told 192.0.2.1 to wait"),
        ("short-timer", None, "request", "config:ack-timeout@192.0.2.1", "timer", "before the answer of 192.0.2.2"),
        ("late-answer", None, "request", None, None, "no side is to blame"),
    ],
)
def test_each_kind_points_at_its_hop(
    kind: str, side: str | None, hurt: str, hop: str | None, mode: str | None, says: str
) -> None:
    row = causes(episode(kind, side, hurt=hurt)).row(0, named=True)
    assert (row["hop"], row["mode"]) == (hop, mode)
    assert says in row["says"]


def test_a_kind_that_a_newer_reader_makes_is_named_and_not_lost() -> None:
    assert "no words for: novel" in causes(episode("novel"))["says"].item()


def test_hosts_with_receivers_of_their_own_are_told_apart() -> None:
    got = causes(episode("receiver-not-ready"), episode("receiver-not-ready", dst="192.0.2.3"))
    assert sorted(got["hop"]) == ["192.0.2.2/proc", "192.0.2.3/proc"]


def test_many_hosts_are_counted_and_not_all_named() -> None:
    got = causes(*(episode("loss", "destination", src=f"192.0.2.{n}") for n in range(10, 15)))
    assert "192.0.2.10, 192.0.2.11 and 3 more" in got["says"].item()


def test_the_same_loss_at_two_taps_is_two_rows() -> None:
    got = causes(episode("loss", "source"), episode("loss", "destination", source="host.pcap"))
    assert got["hop"].to_list() == ["side:destination@host.pcap", "side:source@tor.pcap"]
    assert got["share"].to_list() == [1.0, 1.0]


def test_at_most_eight_frames_are_named() -> None:
    got = causes(*(episode("loss", "source", nak_frame=n) for n in range(100, 80, -1)))
    assert got["frames"].item().to_list() == list(range(81, 89))


def test_an_episode_without_nak_is_traced_to_its_resend() -> None:
    got = causes(episode("no-answer", "destination", nak_frame=None, resend_frame=40, sent_frame=12))
    assert got["frames"].item().to_list() == [40]


def test_one_round_of_a_timer_weighs_little_and_each_further_round_weighs_in_full() -> None:
    def strength(rounds: int) -> float:
        return float(causes(episode("no-answer", "destination", rounds=rounds))["strength"].item())

    assert (strength(1), strength(2), strength(6)) == (0.25, 2.0, 6.0)
    assert causes(episode("loss", "source", rounds=3))["strength"].item() == 1.0


def test_a_moment_at_which_a_host_was_slow_counts_once_however_many_queue_pairs_it_has() -> None:
    def strength(gap: timedelta, sender: str = "192.0.2.1") -> float:
        began = datetime.fromisoformat("2026-01-01")
        episodes = [
            episode("no-answer", "destination", qp=qp, ts=began + qp * gap, src=sender if qp else "192.0.2.1")
            for qp in range(8)
        ]
        return float(causes(*episodes)["strength"].sum())

    assert strength(timedelta(milliseconds=1)) == pytest.approx(0.25)
    assert strength(timedelta(seconds=2)) == pytest.approx(8 * 0.25)
    assert strength(timedelta(milliseconds=1), sender="192.0.2.3") == pytest.approx(2 * 0.25)


def test_one_loss_that_only_a_timer_ended_is_no_strong_evidence() -> None:
    once = causes(episode("loss", "source", recovered_by="timeout", nak_frame=None))
    assert once["strength"].item() == 0.25
    again = causes(episode("loss", "source", recovered_by="timeout", nak_frame=None, rounds=2))
    assert again["strength"].item() == 1.0
