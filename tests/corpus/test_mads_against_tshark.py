"""Management datagrams against tshark: which there are, and what they are."""

from pathlib import Path

import polars as pl
import pytest

from badhop.sources.capture import track
from corpus.truth import capture_of, number, rows


@pytest.mark.each_file("expected", "corpus/expected/ib/*.tsv")
def test_each_management_datagram_is_a_row(expected: Path) -> None:
    events = track([capture_of(expected)], "capture").frames["cm_events"]
    want = [
        (int(row["frame.number"]), number(row["infiniband.mad.method"]), number(row["infiniband.mad.attributeid"]))
        for row in rows(expected)
        if row["infiniband.mad.mgmtclass"]
    ]
    methods = {"Get": 0x01, "Set": 0x02, "Send": 0x03, "GetResp": 0x81}
    got = events.select("frame", pl.col("method").replace_strict(methods, return_dtype=pl.Int64), "attribute").rows()
    assert got == want


@pytest.mark.each_file("capture", "corpus/files/roce_ib/rdma-softroce-demo__infiniband.pcap")
def test_native_infiniband_tells_its_connections_and_pairs_by_them(capture: Path) -> None:
    frames = track([capture], "capture").frames
    events = frames["cm_events"]
    assert events["message"].to_list().count("REQ") == 3
    assert events.filter(message="REQ")["answer_frame"].to_list() == [8, 28, 35]
    assert events.filter(pl.col("class") == "SA")["message"].to_list() == ["PathRecord", "PathRecord"]
    paired = frames["roce_qps"].filter(pl.col("src_qp").is_not_null())
    assert set(paired["paired_by"]) <= {"cm", "ack"}


@pytest.mark.each_file("capture", "rxe/runs/23-loss-cm-req/*.pcap")
def test_lost_messages_of_the_connection_manager_show_as_repeats_before_the_loss_only(capture: Path) -> None:
    frames = track([capture], "capture").frames
    events = frames["cm_events"].filter(pl.col("retry") > 0)
    # Two REQs were lost after s_mid, then the first REP before s_in: the REQs that B saw got their REP at once.
    seen = {"a": [("REQ", 1), ("REQ", 2)], "s_in": [("REQ", 1), ("REQ", 2)], "s_mid": [("REQ", 1), ("REQ", 2)]}
    repeated = events.filter(message="REQ").select("message", "retry").rows()
    assert repeated == seen.get(capture.stem, [])
    assert set(frames["roce_qps"]["paired_by"]) == {"cm"}
    agreed = frames["cm_events"].filter(pl.col("starting_psn").is_not_null())
    assert set(agreed["message"]) == {"REQ", "REP"}
