"""Captures of the same time are compared, and one that fails does not lose the rest."""

from collections.abc import Callable, Sequence
from pathlib import Path

import polars as pl
import pytest

from badhop import _core
from badhop import sources as reading
from badhop.errors import Cancelled
from badhop.schema import Column, Table, raw_tables
from badhop.sources import cache, read
from badhop.sources import capture as captures
from badhop.sources import taps as comparing
from badhop.sources.options import Options
from badhop.sources.taps import Tap, compare
from raw_capture import pcap, roce

SEGMENTS = Table("segments", "Test.", (Column("from_tap", "text", "", "Test."), Column("lost", "u64", "", "Test.")))


class Compared:
    """In the place of the reader: says what it was asked, and fails for the files it is told to."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []
        self.bad: set[Path] = set()

    def __call__(
        self, paths: Sequence[Path], names: Sequence[str], progress: Callable[[int, int | None], bool]
    ) -> pl.DataFrame:
        self.asked.append(list(names))
        if not progress(1, 2):
            raise _core.Cancelled
        for path in paths:
            if path in self.bad:
                error = _core.CaptureError("unreadable")
                error.path, error.what = path, "the file is gone"
                raise error
        return pl.DataFrame({"from_tap": list(names), "lost": [0] * len(names)}, schema=SEGMENTS.schema())


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> Compared:
    stand_in = Compared()
    tables = (*(table for table in raw_tables() if table.name != "segments"), SEGMENTS)
    for module in (comparing, captures, reading):
        monkeypatch.setattr(module, "raw_tables", lambda: tables)
    monkeypatch.setattr(_core, "segments", stand_in, raising=False)
    return stand_in


def tap(name: str, first: int | None, last: int | None) -> Tap:
    return Tap(Path(name), name, first, last)


def go_on(_done: int, _size: int | None) -> bool:
    return True


NO_CACHE = Options(cache=False)


def test_captures_whose_times_overlap_are_compared_and_no_others(compared: Compared) -> None:
    taps = [tap("a", 0, 10), tap("b", 10, 20), tap("alone", 30, 40), tap("empty", None, None), tap("c", 5, 6)]
    assert compare(taps, go_on, NO_CACHE).frame is not None
    assert compared.asked == [["a", "b", "c"]]


@pytest.mark.parametrize("taps", [[], [tap("a", 0, 10)], [tap("a", 0, 10), tap("b", 11, 20)]])
def test_without_two_of_one_time_nothing_is_read(compared: Compared, taps: list[Tap]) -> None:
    assert compare(taps, go_on, NO_CACHE).frame is None
    assert compared.asked == []


def test_one_that_fails_is_named_and_left_out(compared: Compared) -> None:
    compared.bad = {Path("b")}
    got = compare([tap("a", 0, 9), tap("b", 0, 9), tap("c", 0, 9)], go_on, NO_CACHE)
    assert got.frame is not None
    assert got.frame["from_tap"].to_list() == ["a", "c"]
    assert got.left_out == {"b": "not compared with the other captures: the file is gone"}


def test_when_one_of_two_fails_there_is_no_table_and_no_error(compared: Compared) -> None:
    compared.bad = {Path("b")}
    got = compare([tap("a", 0, 9), tap("b", 0, 9)], go_on, NO_CACHE)
    assert (got.frame, list(got.left_out)) == (None, ["b"])


def test_it_can_be_stopped(compared: Compared) -> None:
    with pytest.raises(Cancelled):
        compare([tap("a", 0, 9), tap("b", 0, 9)], lambda *_: False, NO_CACHE)


@pytest.fixture
def pair(tmp_path: Path) -> list[Path]:
    return [pcap(tmp_path / f"{name}.pcap", [roce(4, 0x12, psn) for psn in range(3)]) for name in ("nic", "tor")]


def test_the_table_is_one_of_the_incident(compared: Compared, pair: list[Path]) -> None:
    told: list[str] = []

    def progress(what: str, _done: int, _size: int | None) -> bool:
        told.append(what)
        return True

    incident = read(pair, progress=progress)
    assert incident.frames["segments"].collect()["from_tap"].to_list() == ["nic.pcap", "tor.pcap"]
    assert incident.rows("segments") == 2
    assert "nic.pcap, tor.pcap" in told
    alone = read(pair[:1])
    assert (alone.frames["segments"].collect().height, alone.rows("segments")) == (0, 0)


def test_a_capture_that_was_left_out_says_so(compared: Compared, pair: list[Path]) -> None:
    compared.bad = {pair[1]}
    first, second = read(pair).sources
    assert (first.problems, second.problems) == ((), ("not compared with the other captures: the file is gone",))


def test_the_second_time_it_comes_from_the_cache(
    compared: Compared, pair: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(cache.OFF)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "WORTH", 0)
    monkeypatch.setattr(cache, "_SETTLED", 0)
    first, second = read(pair), read(pair)
    assert len(compared.asked) == 1
    assert first.frames["segments"].collect().equals(second.frames["segments"].collect())
    pair[1].rename(pair[1].with_name("spine.pcap"))
    read([pair[0], pair[1].with_name("spine.pcap")])
    assert compared.asked[-1] == ["nic.pcap", "spine.pcap"]
