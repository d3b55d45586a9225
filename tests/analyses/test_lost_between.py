"""What is lost between two captures, told from what the second one lost itself."""

from collections.abc import Mapping
from typing import Any

import polars as pl
import pytest

from badhop.analyses import with_analyses
from literal import episode, health, incident, qp, rows, segment


def tables(*segments: Mapping[str, Any], **others: pl.LazyFrame) -> dict[str, pl.LazyFrame]:
    audits = rows("capture_health", health(source="a.pcap"), health(source="b.pcap"), health(source="c.pcap"))
    given = {"segments": rows("segments", *segments), "capture_health": audits} | others
    return with_analyses(incident(given).frames)


def found(*segments: Mapping[str, Any], **others: pl.LazyFrame) -> list[dict[str, Any]]:
    return tables(*segments, **others)["lost_between"].collect().to_dicts()


def cleared(*segments: Mapping[str, Any], **others: pl.LazyFrame) -> list[tuple[str, str]]:
    judged = tables(*segments, **others)["judged_segments"].collect()
    return [(row["tap_a"], row["tap_b"]) for row in judged.iter_rows(named=True)]


def test_packets_that_were_sent_again_each_count_and_name_the_place_and_its_direction() -> None:
    (row,) = found(segment(lost=20, witnessed=20))
    assert (row["hop"], row["mode"], row["source"]) == ("between:a.pcap->b.pcap", "graydrop", "a.pcap")
    assert (row["strength"], row["ways"]) == (20.0, ["192.0.2.1>192.0.2.2"])
    assert row["says"].startswith(
        "20 of 1020 packets (1.96 %) from 192.0.2.1 to 192.0.2.2 passed a.pcap and never came by b.pcap; all were sent"
        " again; 1000 passed both"
    )


def test_the_packets_that_show_it_are_named_in_both_captures() -> None:
    loss = {"tap_a": "a.pcap", "tap_b": "b.pcap", "src": "192.0.2.1", "dst": "192.0.2.2", "traffic": "rdma"}
    losses = rows("segment_losses", *(loss | {"frame_a": 30 + n, "dest_qp": 17, "psn": 5 + n} for n in range(2)))
    asked = episode("loss", "source", source="b.pcap", psn=5, nak_frame=40)
    (row,) = found(segment(lost=2, witnessed=2), segment_losses=losses, loss_episodes=rows("loss_episodes", asked))
    assert (row["frames"], row["frames_b"]) == ([30, 31], [40])
    assert "frame 40 of b.pcap" in row["says"]


def test_only_hosts_that_lost_something_are_named_and_counted() -> None:
    (row,) = found(segment(lost=2, witnessed=2), segment(src="192.0.2.9", matched=5000, sent=5000))
    assert "192.0.2.9" not in row["says"]
    assert (row["matched"], row["ways"]) == (1000, ["192.0.2.1>192.0.2.2"])


def test_traffic_that_is_not_rdma_says_nothing() -> None:
    assert found(segment(lost=20, witnessed=20, traffic="tcp")) == []
    assert cleared(segment(traffic="tcp")) == []


def test_an_answer_counts_in_full_where_a_third_capture_misses_it_too() -> None:
    (alone,) = found(segment(lost=40))
    (with_third, *_) = found(segment(lost=40), segment("b.pcap", "c.pcap"))
    assert (with_third["strength"], with_third["later_taps"]) == (40.0, 40)
    assert 0 < alone["strength"] <= 0.5, "the last capture may have lost them itself"
    assert "or a capture behind it" in with_third["says"]


def test_what_the_second_capture_loses_itself_is_no_loss() -> None:
    audits = rows("capture_health", health(source="a.pcap"), health(source="b.pcap", unseen=9, unseen_share=0.01))
    assert found(segment(lost=20, witnessed=20), capture_health=audits) == []
    assert found(segment(lost=5, witnessed=5, missing_b=3)) == []
    (row,) = found(segment(lost=200, witnessed=200), capture_health=audits)
    assert row["strength"] == pytest.approx(200 - 3 * 0.01 * 1200)


def test_what_only_the_second_capture_misses_counts_nothing_where_it_lost_any_packet() -> None:
    audits = rows("capture_health", health(source="a.pcap"), health(source="b.pcap", reported_drops=1))
    assert found(segment(lost=40)) != []
    assert found(segment(lost=40), capture_health=audits) == []
    assert found(segment(lost=40, missing_b=1)) == []


def test_where_not_one_packet_comes_by_that_direction_may_not_be_captured() -> None:
    assert found(segment(lost=40, witnessed=40, matched=0)) == []


def test_damage_in_between_is_no_loss_but_damage() -> None:
    qps = rows("roce_qps", qp(source="b.pcap", bad_icrc=4, bad_icrc_frame=77))
    (row,) = found(segment(damaged=4), roce_qps=qps)
    assert (row["kind"], row["mode"], row["strength"], row["frames_b"]) == ("damaged", "corrupt", 4.0, [77])
    (row,) = found(segment(damaged=3), roce_qps=qps)
    assert row["frames_b"] == [], "that packet may have been damaged before the first capture"


@pytest.mark.parametrize(
    "flaw", [{"unseen": 1, "unseen_share": 0.001}, {"reported_drops": 2}, {"mirror_gaps": 3}, {"unseen_share": None}]
)
@pytest.mark.parametrize("which", ["a.pcap", "b.pcap"])
def test_no_piece_of_the_way_is_cleared_by_a_capture_that_drops_or_was_never_audited(
    which: str, flaw: dict[str, Any]
) -> None:
    sound = [health(source=name) for name in ("a.pcap", "b.pcap") if name != which]
    audits = rows("capture_health", *sound, health(source=which, **flaw))
    assert cleared(segment()) == [("a.pcap", "b.pcap")]
    assert cleared(segment(), capture_health=audits) == []


@pytest.mark.parametrize("flaw", [{"missing_a": 1}, {"missing_b": 1}, {"matched": 0}])
def test_nor_where_the_comparison_itself_shows_that_a_capture_missed_some(flaw: dict[str, Any]) -> None:
    assert cleared(segment(**flaw)) == []


def test_the_halves_of_a_mirror_are_audited_as_the_capture_that_they_are() -> None:
    halves = {"tap_a": "a.pcap#before", "tap_b": "a.pcap#after", "order_by": "mirror"}
    assert cleared(segment(**halves)) == [("a.pcap#before", "a.pcap#after")]
    (row,) = found(segment(**halves, lost=2, witnessed=2))
    assert (row["source"], row["hop"]) == ("a.pcap", "between:a.pcap#before->a.pcap#after")
