"""Captures of the same time are compared, and one that fails does not lose the rest."""

from collections.abc import Callable, Sequence
from pathlib import Path

import polars as pl
import pytest

from badhop import _core
from badhop import sources as reading
from badhop.errors import Cancelled
from badhop.schema import Column, Table, captured_tables
from badhop.sources import cache, read
from badhop.sources import capture as captures
from badhop.sources import taps as comparing
from badhop.sources.options import Options
from badhop.sources.taps import Tap, compare
from raw_capture import pcap, roce


def _table(name: str) -> Table:
    return Table(name, "Test.", (Column("tap_a", "text", "", "Test."), Column("lost", "u64", "", "Test.")))


STAND_INS = tuple(_table(name) for name in comparing.TABLES)


class Comparison:
    """In the place of the reader: says what it was asked, and fails for the files it is told to."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []
        self.bad: set[Path] = set()

    def fail(self, path: Path) -> None:
        """As the reader does for a file that cannot be opened."""
        error = _core.CaptureError("unreadable")
        error.path, error.what, error.offset, error.next = path, "the file is gone", None, ""
        raise error

    def compare_taps(
        self, given: Sequence[tuple[Path, str]], progress: Callable[[str, int, int | None], bool]
    ) -> dict[str, pl.DataFrame]:
        names = [name for _, name in given]
        self.asked.append(names)
        if not progress(names[0], 1, 2):
            raise _core.Cancelled
        if self.bad & {path for path, _ in given}:
            self.fail(given[0][0])  # it names the first, whichever it was
        frame = pl.DataFrame({"tap_a": names, "lost": [0] * len(names)}, schema=STAND_INS[0].schema())
        return dict.fromkeys(comparing.TABLES, frame)

    def container(self, path: Path) -> str:
        if path in self.bad:
            self.fail(path)
        return "pcap"


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> Comparison:
    stand_in = Comparison()
    tables = (*(table for table in captured_tables() if table.name not in comparing.TABLES), *STAND_INS)
    for module in (comparing, captures):
        monkeypatch.setattr(module, "captured_tables", lambda: tables)
    monkeypatch.setattr(reading, "raw_tables", lambda: tables)
    monkeypatch.setattr(_core, "compare_taps", stand_in.compare_taps, raising=False)
    return stand_in


def tap(name: str, first: int | None, last: int | None) -> Tap:
    return Tap(Path(name), name, first, last)


def go_on(_name: str, _done: int, _size: int | None) -> bool:
    return True


NO_CACHE = Options(cache=False)


def test_captures_whose_times_overlap_are_compared_and_no_others(compared: Comparison) -> None:
    taps = [tap("a", 0, 10), tap("b", 10, 20), tap("alone", 30, 40), tap("empty", None, None), tap("c", 5, 6)]
    assert set(compare(taps, go_on, NO_CACHE).frames) == set(comparing.TABLES)
    assert compared.asked == [["a", "b", "c"]]


@pytest.mark.parametrize("taps", [[], [tap("a", 0, 10)], [tap("a", 0, 10), tap("b", 11, 20)]])
def test_without_two_of_one_time_nothing_is_read(compared: Comparison, taps: list[Tap]) -> None:
    assert not compare(taps, go_on, NO_CACHE).frames
    assert compared.asked == []


def test_a_mirror_of_both_directions_is_compared_with_itself(compared: Comparison) -> None:
    mirror = Tap(Path("m"), "m", 0, 10, doubled=True)
    assert compare([mirror, tap("later", 20, 30)], go_on, NO_CACHE).frames
    assert compared.asked == [["m"]]


@pytest.mark.parametrize(("packets", "copies", "mostly"), [(0, 0, False), (200, 100, True), (200, 20, False)])
def test_few_copies_are_no_mirror(packets: int, copies: int, mostly: bool) -> None:
    assert comparing.mostly_doubled(packets, copies) is mostly


@pytest.fixture
def bad(compared: Comparison, monkeypatch: pytest.MonkeyPatch) -> Comparison:
    """Capture `b` cannot be opened any more."""
    compared.bad = {Path("b")}
    monkeypatch.setattr(_core, "container", compared.container)
    return compared


def test_one_that_fails_is_named_and_left_out(bad: Comparison) -> None:
    got = compare([tap("a", 0, 9), tap("b", 0, 9), tap("c", 0, 9)], go_on, NO_CACHE)
    assert got.frames["segments"]["tap_a"].to_list() == ["a", "c"]
    assert got.left_out == {"b": "not compared with the other captures: the file is gone"}


def test_when_one_of_two_fails_there_is_no_table_and_no_error(bad: Comparison) -> None:
    got = compare([tap("a", 0, 9), tap("b", 0, 9)], go_on, NO_CACHE)
    assert (got.frames, list(got.left_out)) == ({}, ["b"])


def test_when_nobody_knows_which_one_failed_all_say_so(bad: Comparison, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_core, "container", lambda _: "pcap")
    got = compare([tap("a", 0, 9), tap("b", 0, 9)], go_on, NO_CACHE)
    assert (got.frames, sorted(got.left_out)) == ({}, ["a", "b"])


def test_it_can_be_stopped(compared: Comparison) -> None:
    with pytest.raises(Cancelled):
        compare([tap("a", 0, 9), tap("b", 0, 9)], lambda *_: False, NO_CACHE)


@pytest.fixture
def pair(tmp_path: Path) -> list[Path]:
    return [pcap(tmp_path / f"{name}.pcap", [roce(4, 0x12, psn) for psn in range(3)]) for name in ("nic", "tor")]


def test_the_table_is_one_of_the_incident(compared: Comparison, pair: list[Path]) -> None:
    told: list[str] = []

    def progress(what: str, _done: int, _size: int | None) -> bool:
        told.append(what)
        return True

    incident = read(pair, progress=progress)
    assert incident.frames["segments"].collect()["tap_a"].to_list() == ["nic.pcap", "tor.pcap"]
    assert incident.rows("segments") == 2
    assert told[-1] == "nic.pcap"  # the comparison, after both passes
    alone = read(pair[:1])
    assert (alone.frames["segments"].collect().height, alone.rows("segments")) == (0, 0)


def test_a_capture_that_was_left_out_says_so(
    compared: Comparison, pair: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    note = "not compared with the other captures: the file is gone"
    monkeypatch.setattr(reading.taps, "compare", lambda *_: comparing.Compared({}, {"tor.pcap": note}))
    first, second = read(pair).sources
    assert (first.problems, second.problems) == ((), (note,))


def test_the_second_time_it_comes_from_the_cache(
    compared: Comparison, pair: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
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
