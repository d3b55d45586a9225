"""The Rust half as Python sees it: one packet, the one pass, its progress and its errors."""

import ast
import inspect
import os
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import badhop
from badhop import _core
from raw_capture import START, ack, pcap, pfc, roce


@pytest.fixture
def capture(tmp_path: Path) -> Path:
    return pcap(tmp_path / "tor.pcap", [roce(4, 0x12, 100), ack(0x11, 100)], snap_len=60)


def test_a_packet_is_given_by_its_number(capture: Path) -> None:
    packet = _core.packet(capture, 2)
    whole = ack(0x11, 100)
    assert (packet.frame, packet.ts, packet.link_type) == (2, START + 1000, 1)
    assert (packet.captured_len, packet.wire_len) == (60, len(whole))
    assert packet.data == whole[:60]


@pytest.mark.parametrize("frame", [0, 3, 2**64 - 1])
def test_a_packet_that_is_not_there_is_an_index_error(capture: Path, frame: int) -> None:
    with pytest.raises(IndexError, match=f"no frame {frame}: the capture has 2"):
        _core.packet(capture, frame)


def test_a_packet_cannot_be_changed(capture: Path) -> None:
    with pytest.raises(AttributeError):
        _core.packet(capture, 1).frame = 7  # type: ignore[misc]


def test_a_frame_can_be_taken_twice(capture: Path) -> None:
    frame = next(_core.scan(capture, "roce", "tor", ["psn"], 10, None))
    assert pl.DataFrame(frame)["psn"].to_list() == [100, 100]
    assert pl.DataFrame(frame)["psn"].to_list() == [100, 100]


def test_one_pass_gives_all_tracked_tables(capture: Path) -> None:
    tracked = {name: pl.DataFrame(frame) for name, frame in _core.track(capture, "tor").items()}
    together = {"segments", "segment_losses", "tap_clocks"}  # what several captures tell
    assert set(tracked) == {table["name"] for table in _core.tables() if not table["scanned"]} - together
    assert tracked["capture_health"].select("source", "packets", "roce_packets").rows() == [("tor", 2, 2)]


@pytest.mark.parametrize(
    ("speeds", "paused", "reason"),
    [
        ({}, None, "link speed not known: give --link-speed"),
        ({"link_speed": 100_000_000_000}, 1000, None),
        ({"link_speeds": {"02:00:00:00:00:01": 1_000_000_000_000}}, 512, None),
        ({"link_speed": 1, "link_speeds": {"02-00-00-00-00-01": 1_000_000_000_000}}, 512, None),
        ({"link_speeds": {"02:00:00:00:00:02": 1_000_000_000_000}}, None, "link speed not known: give --link-speed"),
    ],
)
def test_a_pause_has_a_length_where_the_link_speed_is_known(
    tmp_path: Path, speeds: dict[str, Any], paused: int | None, reason: str | None
) -> None:
    stop = pfc(1 << 3, [0, 0, 0, 1000, 0, 0, 0, 0])
    capture = pcap(tmp_path / "tor.pcap", [stop, ack(0x11, 100)])  # 1 us apart
    rows = pl.DataFrame(_core.track(capture, "tor", **speeds)["pause_time"])
    assert rows.select(pl.col("paused").dt.total_nanoseconds(), "reason").rows() == [(paused, reason)]


@pytest.mark.parametrize(
    "speeds", [{"link_speed": 0}, {"link_speeds": {"eth0": 1}}, {"link_speeds": {"02:00:00:00:00:01": 0}}]
)
def test_a_speed_or_a_mac_that_is_none_is_refused(capture: Path, speeds: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"eth0|zero|invalid"):
        _core.track(capture, "tor", **speeds)


def test_progress_is_told_and_may_go_on(capture: Path) -> None:
    told: list[tuple[int, int | None]] = []

    def progress(done: int, size: int | None) -> bool:
        told.append((done, size))
        return True

    _core.track(capture, "tor", progress)
    assert told
    assert all(size == capture.stat().st_size and 0 <= done <= size for done, size in told)


def test_progress_may_stop_the_pass(capture: Path) -> None:
    with pytest.raises(_core.Cancelled):
        _core.track(capture, "tor", lambda _done, _size: False)


@pytest.mark.parametrize("raised", [KeyboardInterrupt, ZeroDivisionError])
def test_what_the_callback_raises_passes_through(capture: Path, raised: type[BaseException]) -> None:
    def progress(_done: int, _size: int | None) -> bool:
        raise raised

    with pytest.raises(raised):
        _core.track(capture, "tor", progress)


def test_an_error_names_path_place_and_next_step(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("not a capture at all, but long enough to be looked at")
    for read in (_core.container, lambda path: _core.track(path, "x"), lambda path: _core.packet(path, 1)):
        with pytest.raises(_core.CaptureError) as raised:
            read(text)
        error = raised.value
        assert (error.path, error.kind, error.offset) == (text, "not-a-capture", 0)
        assert error.what
        assert error.next
        assert str(text) in str(error)


def test_a_missing_file_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(_core.CaptureError) as raised:
        _core.scan(tmp_path / "gone.pcap", "packets", "x", None, 10, None)
    assert (raised.value.kind, raised.value.offset) == ("io", None)


def test_a_path_that_is_no_text_is_opened_all_the_same(capture: Path) -> None:
    odd = capture.with_name(os.fsdecode(b"tor-\xff.pcap"))
    capture.rename(odd)
    assert _core.container(odd) == "pcap"


def test_unknown_names_are_value_errors(capture: Path) -> None:
    with pytest.raises(ValueError, match="no table that is scanned"):
        _core.scan(capture, "counters", "x", None, 10, None)
    with pytest.raises(ValueError, match="has no column hop"):
        _core.scan(capture, "roce", "x", ["hop"], 10, None)


def test_the_stubs_are_of_the_built_module() -> None:
    stub = ast.parse(Path(badhop.__file__).with_name("_core.pyi").read_text())
    functions = [node for node in stub.body if isinstance(node, ast.FunctionDef)]
    written = {node.name: [argument.arg for argument in (*node.args.args, *node.args.kwonlyargs)] for node in functions}
    built = {name: value for name, value in vars(_core).items() if inspect.isbuiltin(value)}
    assert written == {name: list(inspect.signature(value).parameters) for name, value in built.items()}
    classes = {node.name for node in stub.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")}
    assert classes == {name for name, value in vars(_core).items() if inspect.isclass(value)}
