"""The Rust half over several files of one rotation, and over a file that still grows."""

from pathlib import Path

import polars as pl
import pytest

from badhop import _core
from raw_capture import ack, pcap, roce

PACKETS = [roce(4, 0x12, psn) for psn in range(6)]


@pytest.fixture
def rotation(tmp_path: Path) -> list[Path]:
    return [pcap(tmp_path / "tor.pcap0", PACKETS[:4]), pcap(tmp_path / "tor.pcap1", PACKETS[4:])]


def frames_of(paths: Path | list[Path]) -> list[tuple[int, int]]:
    scan = _core.scan(paths, "roce", "tor", ["frame", "psn"], 100, None)
    return pl.concat(pl.DataFrame(frame) for frame in scan).rows()


def test_several_files_are_scanned_tracked_and_opened_as_one(rotation: list[Path]) -> None:
    assert frames_of(rotation) == [(psn + 1, psn) for psn in range(6)]
    tracked = {name: pl.DataFrame(frame) for name, frame in _core.track(rotation, "tor").items()}
    assert tracked["capture_health"].select("source", "packets", "damaged").rows() == [("tor", 6, False)]
    assert tracked["roce_qps"].select("requests", "first_frame", "last_frame").rows() == [(6, 1, 6)]
    assert tracked["interfaces"].height == 1
    assert _core.packet(rotation, 5).data == PACKETS[4]


def test_progress_over_several_files_counts_the_bytes_of_all(rotation: list[Path]) -> None:
    told: list[tuple[int, int | None]] = []

    def progress(done: int, size: int | None) -> bool:
        told.append((done, size))
        return True

    _core.track(rotation, "tor", progress)
    size = sum(path.stat().st_size for path in rotation)
    assert told[-1] == (size, size)


def test_a_file_of_several_that_cannot_be_read_is_a_problem_with_its_name(rotation: list[Path], tmp_path: Path) -> None:
    bad = tmp_path / "tor.pcap2"
    bad.write_text("no capture")
    problems = pl.DataFrame(_core.track([*rotation, bad], "tor")["problems"])
    assert problems["what"].to_list() == ["tor.pcap2: text, not a packet capture"]
    with pytest.raises(_core.CaptureError) as raised:
        _core.track([bad, bad], "tor")
    assert raised.value.path == bad


def test_a_growing_file_is_read_until_enough_is_said_with_all_that_was_written(tmp_path: Path) -> None:
    growing = pcap(tmp_path / "live.pcap", PACKETS[:1])
    whole = pcap(tmp_path / "whole.pcap", [*PACKETS, ack(0x11, 5)]).read_bytes()
    asked: list[int] = []

    def more(read: int) -> bool:
        asked.append(read)
        if len(asked) == 1:
            growing.write_bytes(whole[:-5])  # the last packet lacks its end
            return True
        return False

    tracked = _core.track(growing, "live", follow=more)
    health = pl.DataFrame(tracked["capture_health"])
    assert health.select("packets", "damaged").rows() == [(6, False)]
    assert pl.DataFrame(tracked["problems"]).is_empty()
    assert asked == [24 + 16 + len(PACKETS[0]), len(whole) - 5]


def test_a_growing_file_is_left_when_nothing_was_written_for_a_while(tmp_path: Path) -> None:
    growing = pcap(tmp_path / "live.pcap", PACKETS)
    tracked = _core.track([growing], "live", follow=lambda _: True, idle=0.0)
    assert pl.DataFrame(tracked["capture_health"])["packets"].to_list() == [6]


def test_what_the_callback_raises_while_a_file_is_waited_for_passes_through(tmp_path: Path) -> None:
    growing = pcap(tmp_path / "live.pcap", PACKETS)

    def broken(_: int) -> bool:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        _core.track(growing, "live", follow=broken)
