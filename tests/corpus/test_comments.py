"""Comments, interfaces and secrets of the pcapng files of the corpus; comments of packets as tshark prints them."""

from pathlib import Path

import polars as pl
import pytest

from badhop import _core

WRITTEN = {
    # kind, frame, interface, how the text begins
    "sample-captures__iperf3-udp.pcapng.gz": [
        ("section", None, None, "iperf3 -u -t 3 -c ping.online.net -p5208 -R"),
        ("statistics", None, 0, "Counters provided by dumpcap"),
    ],
    "gopacket__tests__le__test901.pcapng": [
        ("section", None, None, "test901 SHB-0"),
        ("section", None, None, "test901 SHB-2"),
    ],
    "pcapng-test-generator__output_le__basic__test015.pcapng": [
        ("section", None, None, "test015"),
        ("interface", None, 0, "test015 IDB"),
    ],
}
"""Comments by file."""

SECRETS = {
    "wireshark4.0.17__http2_follow_multistream.pcapng": 8669,
    "gopacket__tests__le__test301.pcapng": 176,
    "wireshark4.0.17__challenge01_ooo_stream.pcapng.gz": 760,
}
"""Bytes of TLS keys by file."""


def tracked(corpus: Path, name: str) -> dict[str, pl.DataFrame]:
    (capture,) = (corpus / "corpus/files").glob(f"*/{name}")
    return {table: pl.DataFrame(frame) for table, frame in _core.track(capture, "x").items()}


@pytest.mark.parametrize("name", WRITTEN)
def test_comments_are_told_with_what_they_are_beside(corpus: Path, name: str) -> None:
    comments = tracked(corpus, name)["comments"]
    assert comments.select("kind", "frame", "interface", "text").rows() == WRITTEN[name]


def test_comments_of_packets_stand_by_their_frame(corpus: Path) -> None:
    comments = tracked(corpus, "retis__test_events_packets.pcap")["comments"]
    assert comments["kind"].to_list() == ["packet"] * 26
    first = comments.row(0, named=True)
    assert first["frame"] == 2  # frame 1 is a custom block
    assert first["text"].startswith("30419169061793 (6) [ping] 11330 [tp] net:net_dev_start_xmit")


@pytest.mark.parametrize("name", SECRETS)
def test_secrets_are_announced_and_in_no_table(corpus: Path, name: str) -> None:
    tables = tracked(corpus, name)
    notes = tables["problems"].filter(pl.col("what").str.contains("decryption secrets"))
    told = f"the file holds decryption secrets (TLS key log): {SECRETS[name]} bytes in 1 block"
    assert notes["what"].to_list() == [told]
    assert tables["capture_health"]["damaged"].to_list() == [False]
    for table, frame in tables.items():
        for column in frame.select(pl.col(pl.String)).iter_columns():
            assert not column.str.contains("CLIENT_|SERVER_|EXPORTER").any(), (table, column.name)
