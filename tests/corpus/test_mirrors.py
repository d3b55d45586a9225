"""ERSPAN captures of the corpus: what the mirrors say, as tshark reads it, and what they lost."""

from pathlib import Path

import polars as pl
import pytest

from badhop import _core, scan_capture

LOST = {
    # switch, session, copies, missing, late
    "tcpdump__erspan-type-ii-2.pcap": [("192.168.195.67", 1, 8, 0, 0), ("192.168.195.73", 1, 8, 0, 0)],
    "zeek__erspanII.pcap": [("2.2.2.2", 100, 4, 0, 0)],
    "tcpdump__erspan-type-iii-ft-7.pcap": [("192.168.1.172", 101, 58, 0, 0)],
    "tcpdump__erspan-type-i-3.pcap": [("192.168.90.17", None, 1, None, 0)],
}
"""Sessions by file."""


@pytest.mark.parametrize("name", LOST)
def test_each_session_counts_its_copies(corpus: Path, name: str) -> None:
    mirrors = pl.DataFrame(_core.track(corpus / "corpus/files/encap" / name, "x")["mirrors"])
    assert mirrors.select("switch", "session", "packets", "missing", "late").rows() == LOST[name]


def test_type_ii_has_the_index_of_the_port(corpus: Path) -> None:
    packets = scan_capture(corpus / "corpus/files/encap/tcpdump__erspan-type-ii-2.pcap")
    told = packets.select("mirror_session", "mirror_index", "mirror_direction").head(3).collect()
    assert told.rows() == [(1, 540773, None), (1, 540773, None), (1, 540772, None)]


def test_type_iii_has_direction_hardware_and_time(corpus: Path) -> None:
    packets = scan_capture(corpus / "corpus/files/encap/tcpdump__erspan-type-iii-ft-7.pcap")
    told = packets.select("mirror_direction", "mirror_hardware", pl.col("mirror_time").cast(pl.Int64)).head(2).collect()
    assert told.rows() == [("ingress", 32, 880_151_297 * 100_000), ("ingress", 32, 881_782_737 * 100_000)]
