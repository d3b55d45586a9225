"""What tshark says of the corpus, and where badhop knowingly says something else."""

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

Row = dict[str, str]

REFUSED: Mapping[str, str] = MappingProxyType(
    {
        "libtrace__5_packets.erf": "an ERF file, which is no pcap",
        "libtrace__fragtest.erf.gz": "an ERF file, which is no pcap",
        "libtrace__provenance.erf": "an ERF file, which is no pcap",
        "sample-captures__Ethernet_Pause_Frame.cap": "Network General Sniffer",
        "sample-captures__IPv6-EH-ESP.pcapng": "a web page, whatever its name; tshark guesses packets from it",
        "sample-captures__PPPHandshake.cap": "Microsoft Network Monitor",
        "sample-captures__ascend.trace.gz": "printed packets",
        "sample-captures__genbroad.snoop": "snoop",
    }
)
"""Files that tshark reads and badhop refuses, by name, with what they are."""

NO_PACKETS: Mapping[str, frozenset[int]] = MappingProxyType(
    {
        "retis__test_events_packets.pcap": frozenset({1}),
        "pcapng-test-generator__output_be__basic__test017.pcapng": frozenset({1, 2, 3, 4}),
        "pcapng-test-generator__output_be__basic__test018.pcapng": frozenset({1, 4, 6, 8}),
        "pcapng-test-generator__output_le__basic__test018.pcapng": frozenset({1, 4, 6, 8}),
        "pcapng-test-generator__output_be__difficult__test202.pcapng": frozenset({1, 7, 10}),
        "pcapng-test-generator__output_le__difficult__test202.pcapng": frozenset({1, 7, 10}),
    }
)
"""Frames that are pcapng custom blocks. Wireshark numbers them; they are no packets and have no row."""

DIFFERS: Mapping[str, tuple[frozenset[str], str]] = MappingProxyType(
    {
        "nDPI__fuzz-2021-06-07-c6c72a0a56.pcap": (
            frozenset({"ts", "wire_len"}),
            "seconds and length above 2^31, which tshark takes for negative and cuts",
        ),
        "sample-captures__IrDA_Traffic.ntar": (
            frozenset({"captured_len", "wire_len"}),
            "tshark does not count the pseudo header of 16 bytes before each packet",
        ),
        "rdma-softroce-demo__infiniband.pcap": (
            frozenset({"ts", "captured_len", "wire_len", "interface"}),
            "tshark does not count the ERF header before each packet, and takes time and interface from there",
        ),
        "suricata-verify__transform-base64-7296__input.pcap": (
            frozenset({"ts"}),
            "more than a million microseconds in a second, which tshark prints as a fraction of seven digits",
        ),
        "pcapng-test-generator__output_be__difficult__test201.pcapng": (
            frozenset({"interface"}),
            "two sections: tshark numbers interfaces from 0 in each, badhop counts on",
        ),
        "pcapng-test-generator__output_be__difficult__test202.pcapng": (
            frozenset({"interface"}),
            "three sections",
        ),
        "pcapng-test-generator__output_le__difficult__test202.pcapng": (
            frozenset({"interface"}),
            "three sections",
        ),
    }
)
"""Columns in which badhop does not follow tshark, by file, and why."""


def capture_of(expected: Path) -> Path:
    """The capture that a file of expected/ describes: `expected/*/a__b.pcap.tsv` is of `files/a/b.pcap`."""
    folder, _, name = expected.stem.partition("__")
    return expected.parents[2] / "files" / folder / name


def rows(expected: Path) -> Iterator[Row]:
    """The lines of a table of tshark's, by column."""
    with expected.open(newline="", encoding="utf-8") as lines:
        yield from csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)


def number(text: str) -> int | None:
    """A field of tshark's, decimal or hexadecimal; empty is unknown."""
    return int(text, 0) if text else None


def nanoseconds(text: str) -> int | None:
    """Seconds with a fraction, exactly; empty is unknown."""
    if not text:
        return None
    seconds, _, fraction = text.partition(".")
    part = int(fraction.ljust(9, "0")[:9])
    return int(seconds) * 1_000_000_000 + (-part if text.startswith("-") else part)
