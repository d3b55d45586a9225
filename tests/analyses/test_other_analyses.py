"""Each derived table on a few rows, and the promise that all of them keep."""

import polars as pl
import pytest

from badhop.analyses import ANALYSES, Analysis, all_tables, with_analyses
from badhop.analyses.capture_audit import capture_audit
from badhop.analyses.congestion import congestion
from badhop.analyses.damage import damage
from badhop.analyses.doubles import doubles
from badhop.analyses.ecn_qps import ecn_qps
from badhop.analyses.pausing import pausing
from badhop.analyses.refusals import refusals
from badhop.analyses.silent_losses import silent_losses
from badhop.analyses.two_way_qps import two_way_qps
from badhop.analyses.whole_captures import whole_captures
from literal import health, qp, rows


@pytest.mark.parametrize("analysis", ANALYSES, ids=lambda analysis: analysis.table.name)
def test_an_analysis_returns_what_it_declares(analysis: Analysis) -> None:
    empty = [all_tables()[name].empty() for name in analysis.reads]
    got = analysis.run(*empty)
    assert dict(got.collect_schema()) == analysis.table.schema()
    assert got.collect().height == 0


@pytest.mark.parametrize("analysis", ANALYSES, ids=lambda analysis: analysis.table.name)
def test_a_declared_column_has_a_sentence_that_ends(analysis: Analysis) -> None:
    for text in (analysis.table.doc, *(column.doc for column in analysis.table.columns)):
        assert text.endswith(".")


def test_derived_tables_stand_beside_the_raw_ones_and_no_name_is_taken_twice() -> None:
    raw = {name: table.empty() for name, table in all_tables().items()}
    assert set(with_analyses(raw)) == set(all_tables())
    assert len({analysis.table.name for analysis in ANALYSES}) == len(ANALYSES)


def test_a_capture_that_missed_acknowledged_packets_says_how_many() -> None:
    got = capture_audit(rows("capture_health", health(unseen=3, unseen_share=0.02))).collect().row(0, named=True)
    assert (got["hop"], got["mode"], got["dropped"], got["strength"]) == ("capture:tor.pcap", "capdrop", 3, 3.0)
    assert got["says"] == (
        "this capture lost packets (2.0 %): 3 packets were never seen here, yet acknowledged and never sent again"
    )


def test_drops_that_the_file_reports_make_a_rate() -> None:
    got = capture_audit(rows("capture_health", health(packets=90, reported_drops=10))).collect().row(0, named=True)
    assert got["share"] == pytest.approx(0.1)
    assert "the file itself reports 10 dropped packets" in got["says"]


def test_what_a_mirror_numbered_and_never_came_is_lost_exactly() -> None:
    lost = health(packets=95, mirrored=95, mirror_gaps=5, unseen=2, unseen_share=0.01)
    got = capture_audit(rows("capture_health", lost)).collect().row(0, named=True)
    assert (got["dropped"], got["mirror_gaps"], got["share"]) == (5, 5, pytest.approx(0.05))
    assert got["says"] == (
        "this capture lost packets (5.0 %): 2 packets were never seen here, yet acknowledged and never sent again, "
        "and 5 packets numbered by the mirror never came"
    )
    whole = capture_audit(rows("capture_health", health(mirrored=95, mirror_gaps=0))).collect().row(0, named=True)
    assert (whole["dropped"], whole["says"]) == (0, "no packet of this capture is known to be missing")


def test_a_capture_that_kept_up_has_a_row_without_a_drop() -> None:
    got = capture_audit(rows("capture_health", health())).collect().row(0, named=True)
    assert (got["dropped"], got["says"]) == (0, "no packet of this capture is known to be missing")


def test_only_a_reliable_queue_pair_seen_both_ways_testifies() -> None:
    got = two_way_qps(
        rows(
            "roce_qps",
            qp(qp=1),
            qp(qp=2, acks=0),
            qp(qp=3, requests=0),
            qp(qp=4, transport="UC"),
            qp(qp=5, acks=0, read_responses=8),
        )
    ).collect()
    assert got["qp"].to_list() == [1, 5]


def test_a_cut_capture_is_not_whole() -> None:
    got = whole_captures(
        rows(
            "capture_health",
            health(source="whole"),
            health(source="cut", cut_packets=150),
            health(source="tcp", roce_packets=0),
        )
    ).collect()
    assert got["source"].to_list() == ["whole"]


def test_damage_counts_packets_and_names_the_first_of_each_queue_pair() -> None:
    table = rows(
        "roce_qps",
        qp(bad_icrc=2, bad_icrc_frame=12, requests=50, acks=0),
        qp(qp=2, bad_icrc=1, bad_icrc_frame=3, requests=50, acks=50),
        qp(qp=3),
    )
    row = damage(table).collect().row(0, named=True)
    assert (row["hop"], row["mode"], row["bad_icrc"], row["frames"]) == ("side:source@tor.pcap", "corrupt", 3, [3, 12])
    assert row["share"] == pytest.approx(0.02)


@pytest.mark.parametrize(
    ("syndrome", "hop", "says"),
    [
        (0x61, "192.0.2.1/proc", "invalid request"),
        (0x62, "192.0.2.1/proc", "remote access error"),
        (0x63, "192.0.2.2/proc", "remote operational error"),
        (0x64, "192.0.2.1/proc", "invalid RD request"),
        (0x7F, "192.0.2.1/proc", "does not know"),
    ],
)
def test_a_refusal_names_who_broke_the_rule(syndrome: int, hop: str, says: str) -> None:
    table = rows("roce_qps", qp(naks_fatal=1, fatal_syndrome=syndrome, fatal_frame=9), qp(qp=2))
    got = refusals(table).collect().row(0, named=True)
    assert got["frames"] == [9]
    assert (got["hop"], got["mode"]) == (hop, "mismatch")
    assert got["says"].startswith("192.0.2.2 refused what 192.0.2.1 asked for and ended 1 queue pair (")
    assert says in got["says"]


def test_copies_are_counted_by_capture() -> None:
    found = doubles(
        rows("roce_qps", qp(duplicates=5, duplicate_frame=8), qp(qp=2, duplicates=1, duplicate_frame=4), qp(qp=3))
    )
    got = found.collect().row(0, named=True)
    assert (got["duplicates"], got["queue_pairs"], got["mode"], got["frames"]) == (6, 2, "duplicate", [4, 8])
    assert got["share"] == pytest.approx(6 / 200)


def test_gaps_of_unreliable_connections_are_a_loss_before_the_tap() -> None:
    table = rows("capture_health", health(unreliable_gaps=2, unreliable_requests=98), health(source="other"))
    got = silent_losses(table).collect().row(0, named=True)
    assert (got["hop"], got["strength"], got["share"]) == ("side:source@tor.pcap", 2.0, 0.02)


def pause(**given: object) -> dict[str, object]:
    row = {"source": "tor.pcap", "sender": "02:00:00:00:00:01", "priority": 3, "xoff_frames": 10, "xon_frames": 2}
    return row | {"first_frame": 4, "last_frame": 90, "capture_span": 2_000_000_000} | given


def test_a_pausing_port_is_one_row_for_all_its_priorities() -> None:
    got = pausing(rows("pause_time", pause(), pause(priority=4, first_frame=2))).collect().row(0, named=True)
    assert (got["hop"], got["mode"]) == ("mac:02:00:00:00:00:01", "slowrx")
    assert (got["xoff_frames"], got["priorities"], got["a_second"], got["frames"]) == (20, "3, 4", 10.0, [2, 90])


def test_a_port_that_only_released_did_not_pause() -> None:
    assert pausing(rows("pause_time", pause(xoff_frames=0))).collect().height == 0


def test_a_pause_of_the_whole_link_names_no_priority() -> None:
    assert pausing(rows("pause_time", pause(priority=None))).collect()["priorities"].item() == "all"


def test_pauses_in_a_capture_without_length_have_no_rate() -> None:
    assert pausing(rows("pause_time", pause(capture_span=0))).collect()["a_second"].item() is None


def test_only_ecn_capable_queue_pairs_testify_to_congestion() -> None:
    got = ecn_qps(rows("roce_qps", qp(qp=1), qp(qp=2, ect=30, ce=10), qp(qp=3, cnps=1))).collect()
    assert got.select("qp", "ce_share").rows() == [(2, 0.25), (3, None)]


def test_marks_at_the_tap_lie_before_it_and_bare_cnps_after_it() -> None:
    table = rows(
        "roce_qps",
        qp(qp=1, ect=90, ce=10, ce_frame=2, cnps=4, cnp_frame=9),
        qp(qp=2, ect=100, cnps=7, cnp_frame=4),
        qp(qp=3, ect=100, cnps=1, cnp_frame=5),
    )
    got = congestion(table).collect()
    assert got.select("hop", "mode", "strength", "frames").rows() == [
        ("side:source@tor.pcap", "incast", 10.0, [2]),
        ("side:destination@tor.pcap", "incast", 8.0, [4, 5]),
    ]


def test_a_share_of_many_is_not_rounded_to_nothing() -> None:
    got = congestion(rows("roce_qps", qp(ect=1_000_000, ce=1))).collect()
    assert "(under 0.01 %)" in got["says"].item()


def test_names_from_a_file_come_through_unchanged() -> None:
    """Escaping is for whoever prints; a table holds what the file says."""
    got = capture_audit(rows("capture_health", health(source="\x1b[31m.pcap"))).collect()
    assert got["hop"].item() == "capture:\x1b[31m.pcap"
    assert isinstance(got, pl.DataFrame)
