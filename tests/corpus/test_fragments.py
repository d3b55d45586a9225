"""IP fragments of the corpus: each later one is of the datagram whose first one it names."""

from pathlib import Path

import polars as pl
import pytest

from badhop import scan_capture
from badhop.errors import Unreadable

SAME = ["src", "dst", "sport", "dport", "ip_id"]
COLUMNS = ["frame", "datagram", "fragment_offset", "stopped", "kind", "tunnel", *SAME]

FRAGMENTED = {
    "PcapPlusPlus__ip4_fragments.pcap": (41, 0),
    "PcapPlusPlus__ipv6_opt_fragments.pcap": (3, 0),
    "nDPI__dns_fragmented.pcap": (7, 0),
    "zeek__ipv6-reassembly-state-leak.pcap": (90, 0),
}
"""Later fragments by file, with their datagram known and not; the sums are what tshark counts."""


def fragments_of(capture: Path) -> pl.DataFrame:
    try:
        rows = scan_capture(capture).select(COLUMNS).collect()
    except Unreadable:
        pytest.skip("not readable")
    later = rows.filter(pl.col("fragment_offset") > 0)
    if later.is_empty():
        pytest.skip("without fragments")
    return rows


@pytest.mark.each_file("capture", "corpus/files/*/*")
def test_a_later_fragment_has_ports_and_addresses_of_the_first_or_says_why_not(capture: Path) -> None:
    rows = fragments_of(capture)
    later = rows.filter(pl.col("fragment_offset") > 0, pl.col("tunnel").is_null())
    known = later.filter(pl.col("datagram").is_not_null())
    first = known.join(rows, left_on="datagram", right_on="frame", suffix="_of_first")
    assert first.height == known.height
    assert (first["datagram"] < first["frame"]).all()
    assert (first["fragment_offset_of_first"] == 0).all()
    if first["tunnel_of_first"].is_null().all():
        for name in SAME:
            assert first[name].equals(first[f"{name}_of_first"].alias(name), null_equal=True), name
    unknown = later.filter(pl.col("datagram").is_null())
    assert unknown["sport"].is_null().all()
    assert unknown["stopped"].is_not_null().all()


@pytest.mark.each_file("capture", "corpus/files/*/*")
def test_known_files_have_so_many_later_fragments(capture: Path) -> None:
    if capture.name not in FRAGMENTED:
        pytest.skip("not counted")
    later = fragments_of(capture).filter(pl.col("fragment_offset") > 0)
    unknown = later["datagram"].null_count()
    assert (later.height - unknown, unknown) == FRAGMENTED[capture.name]
