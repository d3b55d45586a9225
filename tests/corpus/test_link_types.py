"""Link types that tshark refuses, and those that are not decoded: all are read, and each packet says why it stops."""

from pathlib import Path

import polars as pl
import pytest

from badhop import _core, scan_capture

NOT_DECODED = {
    "libpcap__http_PPI.pcap": "per-packet information (PPI), mostly around 802.11: wireless, no RoCE",
    "zeek__radiotap.pcap": "802.11 with radiotap header: wireless, no RoCE to be expected",
    "tcpdump__kday6.pcap": "multi-link frame relay",
    "libpcap__brcm-tag-stp.pcap": "Ethernet with the tag of a Broadcom switch",
    "tcpdump__brcm-tag-prepend.pcap": "Ethernet behind the tag of a Broadcom switch",
    "tcpdump__edsa-high-vid.pcap": "Ethernet with the tag of a Marvell switch",
}


@pytest.mark.parametrize("name", NOT_DECODED)
def test_a_packet_of_a_link_type_that_is_not_decoded_names_it(corpus: Path, name: str) -> None:
    (capture,) = (corpus / "corpus/files").glob(f"*/{name}")
    packets = scan_capture(capture).select("link_type", "stopped").collect()
    assert packets.height > 0
    assert packets["stopped"].str.contains(NOT_DECODED[name], literal=True).all()
    assert pl.DataFrame(_core.track(capture, "x")["problems"]).is_empty()


def test_a_link_type_word_with_bits_that_mean_nothing_yet_is_read(corpus: Path) -> None:
    (capture,) = (corpus / "corpus/files").glob("*/libpcap__linktype-reserved-field-not-zero.pcap")
    tracked = {name: pl.DataFrame(frame) for name, frame in _core.track(capture, "x").items()}
    assert tracked["interfaces"].select("link_type").rows() == [(0,)]
    assert tracked["problems"].is_empty()
