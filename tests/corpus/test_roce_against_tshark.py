"""The RDMA headers against tshark, packet by packet and field by field."""

from pathlib import Path

import polars as pl
import pytest

from badhop import scan_capture
from badhop.errors import Unreadable
from corpus.truth import REFUSED, Row, capture_of, number, rows

BTH = {
    "opcode": "opcode",
    "dest_qp": "destqp",
    "psn": "psn",
    "ack_req": "a",
    "solicited": "se",
    "mig_req": "m",
    "pad_count": "padcnt",
    "p_key": "p_key",
}
EXTENDED = {
    "syndrome": "aeth.syndrome",
    "msn": "aeth.msn",
    "va": "reth.va",
    "r_key": "reth.r_key",
    "dma_len": "reth.dmalen",
    "src_qp": "deth.srcqp",
}
FIELDS = {name: f"infiniband.bth.{field}" for name, field in BTH.items()} | {
    name: f"infiniband.{field}" for name, field in EXTENDED.items()
}


def addresses(row: Row) -> dict[str, object]:
    """Who talks to whom, at the layer that carries the BTH. With an LRH, tshark's ip.* are those of IP over InfiniBand
    inside the payload; without, those of RoCEv2."""
    if row["infiniband.grh.sgid"]:
        return {"src": row["infiniband.grh.sgid"], "dst": row["infiniband.grh.dgid"]}
    if row["infiniband.lrh.slid"]:
        return {"src": f"lid:{row['infiniband.lrh.slid']}", "dst": f"lid:{row['infiniband.lrh.dlid']}"}
    return {
        "src": row["ip.src"],
        "dst": row["ip.dst"],
        "sport": number(row["udp.srcport"]),
        "ecn": number(row["ip.dsfield.ecn"]),
        "dscp": number(row["ip.dsfield.dscp"]),
    }


@pytest.mark.each_file("expected", "corpus/expected/ib/*.tsv")
def test_each_rdma_packet_has_tsharks_fields(expected: Path) -> None:
    capture = capture_of(expected)
    want = {
        int(row["frame.number"]): {name: number(row[field]) for name, field in FIELDS.items()} | addresses(row)
        for row in rows(expected)
    }
    roce = scan_capture(capture, "roce").collect()
    others = scan_capture(capture).join(roce.lazy(), on="frame", how="anti").filter(pl.col("frame").is_in(list(want)))
    for other in others.collect().iter_rows(named=True):
        # tshark takes either port for RoCEv2. The source port is chosen by the sender and means nothing.
        assert other["sport"] == 4791
        assert other["dport"] != 4791
        del want[other["frame"]]
    got = {row["frame"]: row for row in roce.iter_rows(named=True)}
    assert want
    assert got.keys() == want.keys()
    for frame, fields in want.items():
        assert {name: got[frame][name] for name in fields} == fields, f"frame {frame}"


@pytest.mark.each_file("expected", "corpus/expected/ib/*.tsv")
def test_the_icrc_fits_except_where_bytes_were_made_up(expected: Path) -> None:
    capture = capture_of(expected)
    fits = scan_capture(capture, "roce").select("icrc_ok").collect()["icrc_ok"].drop_nulls()
    made_up = capture.name == "derived__rocev2_malformed_dpdk_raw.pcap"
    assert fits.to_list() == [not made_up] * fits.len()
    assert fits.len() > 0


@pytest.mark.each_file("expected", "corpus/expected/macc/*.tsv")
def test_each_pause_frame_has_tsharks_quanta(expected: Path) -> None:
    capture = capture_of(expected)
    if capture.name in REFUSED:
        with pytest.raises(Unreadable):
            scan_capture(capture, "pauses")
        return
    got = {row["frame"]: row for row in scan_capture(capture, "pauses").collect().iter_rows(named=True)}
    want = list(rows(expected))
    assert want
    assert got.keys() == {int(row["frame.number"]) for row in want}
    for row in want:
        pause = got[int(row["frame.number"])]
        assert pause["sender"] == row["eth.src"]
        if number(row["macc.opcode"]) == 0x0001:
            assert (pause["kind"], pause["quanta"]) == ("pause", number(row["macc.pause_time"]))
            assert pause["enabled"] is None
        else:
            enabled = number(row["macc.cbfc.enbv"]) or 0
            times = [number(row[f"macc.cbfc.pause_time.c{priority}"]) for priority in range(8)]
            assert (pause["kind"], pause["enabled"]) == ("pfc", enabled)
            assert [pause[f"quanta_{priority}"] for priority in range(8)] == [
                time if enabled >> priority & 1 else None for priority, time in enumerate(times)
            ]
