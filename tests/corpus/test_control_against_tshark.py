"""Control protocols against tshark: who announces itself with what, and that every new table holds what it promises."""

import shutil
import subprocess
from pathlib import Path

import polars as pl
import pytest

from badhop.errors import Unreadable
from badhop.sources import read

LONGEST_TEXT = {"neighbours": 640, "control_events": 640}
"""Bytes of the longest text in a column, as the tables declare it."""

NOT_BELIEVED = {"tcpdump__lldp_8023_mtu-oobr.pcap", "tcpdump__lldp_asan.pcap", "tcpdump__lldp_mgmt_addr_tlv_asan.pcap"}
"""LLDP frames that do not begin as the standard says."""


def fields(capture: Path, shown: str, *names: str) -> list[tuple[str, ...]]:
    """The fields of each packet that tshark shows, the first occurrence of each."""
    if shutil.which("tshark") is None:
        pytest.skip("tshark is not installed")
    chosen = [part for name in names for part in ("-e", name)]
    command = ["tshark", "-n", "-r", str(capture), "-Y", shown, "-T", "fields", "-E", "occurrence=f", *chosen]
    printed = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    return [tuple(line.split("\t")) for line in printed.splitlines()]


def table(capture: Path, name: str) -> pl.DataFrame:
    return read([capture]).frames[name].collect()


@pytest.mark.each_file("capture", "corpus/files/pfc_lldp_lacp/*")
def test_each_sender_announces_what_tshark_says(capture: Path) -> None:
    try:
        neighbours = table(capture, "neighbours")
    except Unreadable:
        pytest.skip("not a pcap")
    for protocol, count in neighbours.group_by("protocol").agg(pl.col("announcements").sum()).iter_rows():
        assert count == len(fields(capture, protocol, "frame.number")), protocol
    names = ("eth.src", "lldp.tlv.system.name", "lldp.port.desc", "lldp.time_to_live")
    last = {row[0]: row[1:] for row in fields(capture, "lldp", *names)}
    lldp = neighbours.filter(protocol="lldp")
    assert set(lldp["sender"]) == set(last)
    for row in lldp.filter(pl.col("ttl") != 0).iter_rows(named=True):
        name, port, ttl = last[row["sender"]]
        assert (row["system_name"] or "", row["port_description"] or "", str(row["ttl"] or "")) == (name, port, ttl)


@pytest.mark.each_file("capture", "corpus/files/pfc_lldp_lacp/*lldp*")
def test_an_lldp_frame_that_lies_gives_a_partial_row(capture: Path) -> None:
    for row in table(capture, "neighbours").iter_rows(named=True):
        assert (row["incomplete"] is not None) == (capture.name in NOT_BELIEVED)
        if row["incomplete"] is not None:
            assert row["sender"] is not None
            assert [row[name] for name in ("port_id", "system_name", "ttl", "max_frame", "pfc_enabled")] == [None] * 5


def test_dcbx_is_what_tshark_decodes(corpus: Path) -> None:
    folder = corpus / "corpus/files/pfc_lldp_lacp"
    pfc = table(folder / "tcpdump__dcb_pfc.pcap", "neighbours")
    wanted = ("pfc_enabled", "pfc", "pfc_capability", "pfc_willing", "dcbx")
    assert pfc.select(wanted).unique().rows() == [(0x34, "2,4,5", 4, False, "ieee")]
    app = table(folder / "tcpdump__lldp-app-priority.pcap", "neighbours")
    assert app.select("pfc", "apps", "port_id", "roce_v2_priority").rows() == [
        ("4", "port 3260:4", "leaf0b-eth10", None)
    ]
    ets = table(folder / "tcpdump__dcb_ets.pcap", "neighbours")
    columns = ("ets_classes", "ets_bandwidth", "ets_algorithms", "ets_willing")
    assert ets.select(columns).unique().rows() == [
        (
            "0:15,1:4,2:1,3:1,4:15,5:4,6:1,7:4",
            "1:50,4:50",
            "0:strict,1:ets,2:strict,3:strict,4:ets,5:strict,6:strict,7:strict",
            False,
        )
    ]


def test_both_sides_of_an_aggregation_agree_at_the_end(corpus: Path) -> None:
    capture = corpus / "corpus/files/pfc_lldp_lacp/tcpdump__LACP.pcap"
    both = table(capture, "neighbours").sort("lacp_port")
    seen = both.select("lacp_port", "lacp_state", "partner_port", "partner_state", "aggregating").rows()
    assert seen == [(22, 0x3D, 25, 0x3C, True), (25, 0x3C, 22, 0x3D, True)]
    lost = table(capture, "control_events").filter(kind="partner lost")
    assert lost["frame"].to_list() == [1, 4]


@pytest.mark.each_file("capture", "corpus/files/routing_l2/*", "corpus/files/tcp/*Bgp*", "corpus/files/encap/*vlan*")
def test_bgp_and_spanning_tree_events_are_those_of_tshark(capture: Path) -> None:
    events = table(capture, "control_events")
    for kind, shown in (
        ("open", "bgp.type == 1"),
        ("notification", "bgp.type == 3"),
        ("topology change", "stp.flags.tc == 1"),
    ):
        assert events.filter(kind=kind)["count"].sum() == len(fields(capture, shown, "frame.number")), kind


@pytest.mark.each_file("capture", "corpus/files/tcp/*", "corpus/files/frag_ipv6/*", "corpus/files/misc/*")
def test_each_icmp_error_of_tshark_is_counted(capture: Path) -> None:
    try:
        events = table(capture, "control_events")
    except Unreadable:
        pytest.skip("not a pcap")
    for protocol, shown in (
        ("icmp", "icmp.type == 3 or icmp.type == 11 or icmp.type == 5"),
        ("icmpv6", "icmpv6.type in {1..4} or icmpv6.type == 137"),
    ):
        told = events.filter(protocol=protocol)["count"].sum()
        assert told == len(fields(capture, shown, "frame.number")), protocol


@pytest.mark.each_file("capture", "corpus/files/*/*")
def test_every_file_gives_tables_whose_texts_keep_their_limit(capture: Path) -> None:
    try:
        frames = read([capture]).frames
    except Unreadable:
        pytest.skip("not readable, which another test looks at")
    packets = frames["capture_health"].collect()["packets"].item()
    for name, longest in LONGEST_TEXT.items():
        rows = frames[name].collect()
        texts = rows.select(pl.col(pl.String).str.len_bytes().max()).row(0) if rows.height else ()
        assert all(length is None or length <= longest for length in texts), name
        first, last = ("first_frame", "last_frame") if name == "neighbours" else ("frame", "last_frame")
        assert rows.filter((pl.col(first) < 1) | (pl.col(first) > pl.col(last)) | (pl.col(last) > packets)).is_empty()
