"""Files of one rotating capture are put into the order of time, and nothing else changes its place."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from badhop.sources import read
from badhop.sources.rotation import Span, in_time_order, joined
from raw_capture import ack, pcap


def ordered(times: Sequence[tuple[str, int | None]]) -> list[str]:
    """The names in order; each begins at its time."""
    items = in_time_order(times, lambda item: Path(item[0]), lambda item: item[1])
    return [name for name, _ in items]


@pytest.mark.parametrize(
    "names",
    [
        ["cap.pcap", "cap.pcap1", "cap.pcap2", "cap.pcap10"],
        ["cap.pcap08", "cap.pcap09", "cap.pcap00", "cap.pcap01"],
        ["cap.pcap1.gz", "cap.pcap2.gz", "cap.pcap3"],
        ["cap_00001_20261130220000.pcapng", "cap_00002_20261130220500.pcapng"],
        ["cap-2026-11-30_22:00:00.pcap", "cap-2026-11-30_22:05:00.pcap"],
        ["cap-20261130T2200.pcap.zst", "cap-20261130T2205.pcap.zst", "cap-20261130T2210.pcap"],
        ["cap.1764540000", "cap.1764540300"],
    ],
)
def test_files_named_by_tcpdump_and_dumpcap_come_by_their_first_packet(names: list[str]) -> None:
    times = [(name, time) for time, name in enumerate(names)]
    assert ordered(times) == names
    assert ordered(times[::-1]) == names
    assert ordered(sorted(times)) == names


def test_other_files_keep_the_place_in_which_they_were_given() -> None:
    given = [("h2.pcap", 9), ("h1.pcap", 5), ("h2", 4), ("h1", 3), ("a/cap.pcap", 2), ("b/cap.pcap1", 1)]
    assert ordered(given) == [name for name, _ in given]


def test_a_rotation_takes_the_places_of_its_own_files() -> None:
    given = [("cap.pcap1", 7), ("nic.pcap", 9), ("cap.pcap", 3), ("tor.pcap", 1)]
    assert ordered(given) == ["cap.pcap", "nic.pcap", "cap.pcap1", "tor.pcap"]


def test_a_file_without_packets_goes_last() -> None:
    assert ordered([("cap.pcap1", None), ("cap.pcap", 5)]) == ["cap.pcap", "cap.pcap1"]


def test_only_files_of_a_rotation_are_looked_into() -> None:
    def refuse(name: str) -> int | None:
        raise AssertionError(name)

    assert in_time_order(["tor.pcap", "nic.pcap"], Path, refuse) == ("tor.pcap", "nic.pcap")


def test_a_folder_gives_the_files_of_a_ring_in_time_order(tmp_path: Path) -> None:
    pcap(tmp_path / "ring.pcap2", [])
    pcap(tmp_path / "ring.pcap1", [ack(1, 1)])
    late = pcap(tmp_path / "ring.pcap0", [ack(1, 2)])
    content = bytearray(late.read_bytes())
    seconds = int.from_bytes(content[24:28], "little")  # of the first packet, behind the file header of 24 bytes
    content[24:28] = (seconds + 100).to_bytes(4, "little")  # too late to be one capture with the other
    late.write_bytes(content)
    sources = read([tmp_path]).sources
    assert [source.name for source in sources] == ["ring.pcap1", "ring.pcap0", "ring.pcap2"]
    sources = read([late, tmp_path / "ring.pcap1"]).sources
    assert [source.name for source in sources] == ["ring.pcap1", "ring.pcap0"]


# Which of them are one capture

SECOND = 1_000_000_000


def one_capture(*files: tuple[str, float, float] | tuple[str, float, float, int]) -> list[list[str]]:
    """The names that stand together; each file has its first and last second, and a link type (Ethernet)."""
    spans = {
        name: Span(round(first * SECOND), round(last * SECOND), 1, frozenset(rest or [1]))
        for name, first, last, *rest in files
    }
    return [list(group) for group in joined([file[0] for file in files], Path, spans.get)]


@pytest.mark.parametrize(
    "names",
    [
        ["cap.pcap", "cap.pcap1", "cap.pcap2"],
        ["cap.pcap08", "cap.pcap09", "cap.pcap00", "cap.pcap01"],
        ["cap.pcap9.zst", "cap.pcap10.zst", "cap.pcap11"],
        ["cap-20261130-220000.pcap", "cap-20261130-220500.pcap", "cap-20261130-221000.pcap"],
        ["cap_00001_20261130220000.pcapng", "cap_00002_20261130220500.pcapng"],
    ],
)
def test_files_of_a_rotation_that_follow_one_another_are_one_capture(names: list[str]) -> None:
    assert one_capture(*[(name, second, second + 0.999) for second, name in enumerate(names)]) == [names]


def test_files_that_overlap_are_two_taps() -> None:
    assert one_capture(("tap.pcap1", 0, 30), ("tap.pcap2", 1, 31)) == [["tap.pcap1"], ["tap.pcap2"]]


def test_packets_that_came_a_little_out_of_order_are_no_overlap() -> None:
    assert one_capture(("tap.pcap1", 0, 30), ("tap.pcap2", 29.95, 60)) == [["tap.pcap1", "tap.pcap2"]]


def test_captures_of_every_night_are_not_one() -> None:
    night = 86_400
    names = ["cap-20261129.pcap", "cap-20261130.pcap"]
    assert one_capture(*[(name, at * night, at * night + 30) for at, name in enumerate(names)]) == [[n] for n in names]


def test_another_link_type_is_another_capture() -> None:
    assert one_capture(("c.pcap", 0, 1), ("c.pcap1", 1, 2, 276)) == [["c.pcap"], ["c.pcap1"]]


def test_a_missing_file_ends_the_capture() -> None:
    files = [("c.pcap", 0, 1), ("c.pcap1", 1, 2), ("c.pcap3", 3, 4), ("c.pcap4", 4, 5)]
    assert one_capture(*files) == [["c.pcap", "c.pcap1"], ["c.pcap3", "c.pcap4"]]


def test_a_file_without_packets_stands_alone() -> None:
    assert joined(["c.pcap", "c.pcap1"], Path, {"c.pcap": Span(0, 1, 1, frozenset([1]))}.get) == (
        ("c.pcap",),
        ("c.pcap1",),
    )


def test_a_capture_stands_where_its_first_file_stood() -> None:
    files = [("c.pcap", 0, 1), ("nic.pcap", 0, 9), ("c.pcap1", 1, 2), ("tor.pcap", 0, 9)]
    assert one_capture(*files) == [["c.pcap", "c.pcap1"], ["nic.pcap"], ["tor.pcap"]]


def test_only_files_of_a_rotation_are_walked() -> None:
    def refuse(name: str) -> Span | None:
        raise AssertionError(name)

    assert joined(["tor.pcap", "nic.pcap"], Path, refuse) == (("tor.pcap",), ("nic.pcap",))


NAMES = st.sampled_from(["c.pcap", "c.pcap1", "c.pcap2", "c.pcap9", "d-20261130.pcap", "d-20261201.pcap", "tor.pcap"])
SPANS = st.none() | st.builds(
    lambda first, length, link: Span(first, first + length, 1, frozenset([link])),
    st.integers(0, 300 * SECOND),
    st.integers(0, 100 * SECOND),
    st.sampled_from([1, 276]),
)


@given(st.dictionaries(NAMES, SPANS))
def test_every_file_is_in_one_capture_and_files_of_one_follow_each_other(files: dict[str, Span | None]) -> None:
    groups = joined(list(files), Path, files.get)
    assert sorted(name for group in groups for name in group) == sorted(files)
    for group in groups:
        spans = [files[name] for name in group]
        for before, after in pairwise(spans):
            assert before is not None
            assert after is not None
            assert before.first < after.first
            assert before.link_types == after.link_types
