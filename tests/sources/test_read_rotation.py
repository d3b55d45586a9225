"""The files of one rotation as one capture, whose frames can be traced back to their files."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from polars.testing import assert_frame_equal

from badhop import _core
from badhop.schema import captured_tables
from badhop.sources import cache, read
from badhop.ui.messages import SpotsChosen
from badhop.ui.opened import Request
from badhop.ui.screens.packet import PacketScreen
from badhop.ui.spots import Spot
from command import LOSS
from raw_capture import pcap, roce
from ui.session import running, settled

_HEADER = 24
"""Bytes of a pcap file before its first packet."""


def rotated(folder: Path, whole: Path, cuts: Sequence[int]) -> list[Path]:
    """The capture as `tcpdump -C` would have written it, with so many packets in each file but the last."""
    content = whole.read_bytes()
    places, at = [_HEADER], _HEADER
    while at < len(content):
        at += 16 + int.from_bytes(content[at + 8 : at + 12], "little")
        places.append(at)
    files = []
    for number, (begin, end) in enumerate(zip([0, *cuts], [*cuts, len(places) - 1], strict=True)):
        path = folder / f"tor.pcap{number or ''}"
        path.write_bytes(content[:_HEADER] + content[places[begin] : places[end]])
        files.append(path)
    return files


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    (tmp_path / "ring").mkdir()
    return rotated(tmp_path / "ring", LOSS.evidence[0], [700, 1500])


def test_the_tables_are_those_of_the_capture_in_one_file(files: list[Path]) -> None:
    together = read(reversed(files))  # type: ignore[arg-type]
    whole = read(LOSS.evidence)
    assert [source.name for source in together.sources] == ["tor.pcap (3 files)"]
    for table in captured_tables():
        one, other = (
            incident.frames[table.name].collect().drop("source", strict=False) for incident in (together, whole)
        )
        assert_frame_equal(one, other)


def test_a_frame_is_traced_to_its_file(files: list[Path]) -> None:
    (source,) = read([files[0].parent]).sources
    assert [source.place(frame) for frame in (1, 700, 701, 1500, 1501)] == [
        (files[0], 1),
        (files[0], 700),
        (files[1], 1),
        (files[1], 800),
        (files[2], 1),
    ]
    (alone,) = read([files[2]]).sources
    assert (alone.name, alone.place(7)) == ("tor.pcap2", (files[2], 7))


def test_two_rotations_of_the_same_name_are_told_apart(files: list[Path], tmp_path: Path) -> None:
    (tmp_path / "nic").mkdir()
    others = rotated(tmp_path / "nic", LOSS.evidence[0], [100])
    names = [source.name for source in read([*files, *others]).sources]
    assert names == ["tor.pcap (3 files)", "tor.pcap (2 files)"]
    again = rotated(tmp_path / "nic", LOSS.evidence[0], [100, 200])
    names = [source.name for source in read([*files, *again]).sources]
    assert names == ["ring/tor.pcap (3 files)", "nic/tor.pcap (3 files)"]


def test_two_taps_of_one_time_stay_two_captures(tmp_path: Path) -> None:
    taps = [pcap(tmp_path / f"tap.pcap{number}", [roce(4, 0x12, psn) for psn in range(9)]) for number in (1, 2)]
    assert [source.name for source in read(taps).sources] == ["tap.pcap1", "tap.pcap2"]


def test_a_file_that_is_no_capture_any_more_is_named(files: list[Path]) -> None:
    files[1].write_bytes(b"")
    assert [source.name for source in read([files[0].parent]).sources if source.kind == "pcap"] == [
        "tor.pcap",
        "tor.pcap2",
    ]


def test_the_cache_knows_a_rotation_by_all_its_files(
    files: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(cache.OFF)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "WORTH", 0)
    monkeypatch.setattr(cache, "_SETTLED", 0)
    first = read(files)
    passes: list[object] = []
    track, scan = _core.track, _core.scan

    def watched(reader: Callable[..., object]) -> Callable[..., object]:
        def watching(*arguments: object, **settings: object) -> object:
            passes.append(arguments)
            return reader(*arguments, **settings)

        return watching

    monkeypatch.setattr(_core, "track", watched(track))
    monkeypatch.setattr(_core, "scan", watched(scan))
    second = read(files)
    assert passes == []
    for name in ("roce_qps", "loss_episodes", "capture_health"):
        assert_frame_equal(first.frames[name].collect(), second.frames[name].collect())
    os.utime(files[2], (1, 1))
    read(files)
    assert passes


async def test_a_packet_is_shown_with_its_file(files: list[Path]) -> None:
    async with running(Request(tuple(files)), (120, 30)) as session:
        session.app.post_message(SpotsChosen((Spot("tor.pcap (3 files)", 700, "the NAK"),)))
        await settled(session.app, session.pilot)
        assert isinstance(session.screen, PacketScreen)
        assert "frame 700 = tor.pcap frame 700" in session.sees()
        await session.press("n")
        assert "frame 701 = tor.pcap1 frame 1" in session.sees()
        await session.press("p", "p")
        assert "frame 699 = tor.pcap frame 699" in session.sees()
