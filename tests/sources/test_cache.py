"""The cache of tracked tables: the same tables as without, never those of another file, and never in the way."""

import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from polars.testing import assert_frame_equal

from badhop import _core, cli
from badhop.errors import Cancelled
from badhop.samples import Sample
from badhop.schema import captured_tables
from badhop.sources import Incident, cache, read, taps
from badhop.sources.options import Options
from command import LOSS, SAMPLES
from raw_capture import ack, pcap, roce

TRACKED = [table.name for table in captured_tables() if not table.scanned and table.name not in taps.TABLES]


class Passes:
    """Counts the passes over captures."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.made = 0
        track = _core.track

        def counted(*arguments: Any, **settings: Any) -> object:
            self.made += 1
            return track(*arguments, **settings)

        monkeypatch.setattr(_core, "track", counted)


@pytest.fixture
def passes(monkeypatch: pytest.MonkeyPatch) -> Passes:
    return Passes(monkeypatch)


@pytest.fixture(autouse=True)
def entries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[Path]]:
    """A cache of its own that keeps also small and young files, and what is in it, oldest use first."""
    monkeypatch.delenv(cache.OFF)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "WORTH", 0)
    monkeypatch.setattr(cache, "_SETTLED", 0)

    def entries() -> list[Path]:
        return sorted((tmp_path / "cache" / "badhop").glob("*"), key=lambda path: path.stat().st_mtime_ns)

    return entries


@pytest.fixture
def tor(tmp_path: Path) -> Path:
    return pcap(tmp_path / "tor.pcap", [roce(4, 0x12, 100), ack(0x11, 100)])


def same(one: Incident, other: Incident) -> None:
    for table in captured_tables():
        assert_frame_equal(one.frames[table.name].collect(), other.frames[table.name].collect())
    assert one.sources == other.sources


@pytest.mark.parametrize("sample", SAMPLES.values(), ids=list(SAMPLES))
def test_tables_are_the_same_with_and_without(sample: Sample, passes: Passes) -> None:
    paths = sample.evidence
    without = read(paths, options=Options(cache=False))
    first, second = read(paths), read(paths)
    assert passes.made == 2 * len(paths)
    same(without, first)
    same(without, second)


def test_a_cut_capture_keeps_its_problems(tor: Path, passes: Passes) -> None:
    tor.write_bytes(tor.read_bytes()[:-20])
    same(read([tor]), read([tor]))
    assert passes.made == 1
    assert read([tor]).sources[0].problems


def test_the_name_of_the_capture_is_the_one_of_now(tor: Path, tmp_path: Path, passes: Passes) -> None:
    read([tor])
    (tmp_path / "h2").mkdir()
    other = pcap(tmp_path / "h2" / "tor.pcap", [])
    health = read([tor, other]).frames["capture_health"].collect()
    assert passes.made == 2
    assert health["source"].to_list() == [f"{tmp_path.name}/tor.pcap", "h2/tor.pcap"]
    assert health.columns[0] == "source"


def test_a_hit_tells_its_progress_and_can_be_stopped(tor: Path) -> None:
    def progress(what: str, done: int, size: int | None) -> bool:
        told.append((what, done, size))
        return True

    read([tor])
    told: list[tuple[str, int, int | None]] = []
    read([tor], progress=progress)
    assert set(told) == {("tor.pcap", tor.stat().st_size, tor.stat().st_size)}
    with pytest.raises(Cancelled):
        read([tor], progress=lambda *_: False)


# When there is no hit


def _append(path: Path) -> None:
    path.write_bytes(path.read_bytes() + bytes(16))


def _change_a_byte_and_set_the_time_back(path: Path) -> None:
    before = path.stat()
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    with path.open("r+b") as file:
        file.write(content)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def _replace_by_a_copy(path: Path) -> None:
    copy = path.with_name("copy")
    copy.write_bytes(path.read_bytes())
    copy.replace(path)


@pytest.mark.parametrize("change", [_append, _change_a_byte_and_set_the_time_back, _replace_by_a_copy])
def test_a_changed_file_is_read_again(tor: Path, passes: Passes, change: Callable[[Path], None]) -> None:
    read([tor])
    change(tor)
    read([tor])
    assert passes.made == 2


@pytest.mark.parametrize("place", [0, 70_000, 4_000_000, -1])
def test_bytes_tell_a_file_from_another_when_all_its_numbers_are_equal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: int
) -> None:
    path = tmp_path / "big"
    path.write_bytes(bytes(8_000_000))
    numbers = path.stat()
    step = 8_000_000 // 65
    place = {70_000: step + 7, 4_000_000: 32 * step}.get(place, place)
    monkeypatch.setattr(os, "fstat", lambda _: numbers)
    before = cache.key_of((path,), "track")
    content = bytearray(8_000_000)
    content[place] = 1
    path.write_bytes(content)
    assert before is not None
    assert cache.key_of((path,), "track") != before


@pytest.mark.parametrize("change", ["version", "declarations", "question"])
def test_another_version_declaration_or_question_finds_nothing(
    tor: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    before = cache.key_of((tor,), "track")
    if change == "version":
        monkeypatch.setattr(_core, "__version__", "99.0.0")
    elif change == "declarations":
        monkeypatch.setattr(cache, "captured_tables", lambda: captured_tables()[:-1])
    cache._program.cache_clear()
    after = cache.key_of((tor,), "segments" if change == "question" else "track")
    monkeypatch.undo()
    cache._program.cache_clear()
    assert before is not None
    assert after is not None
    assert before != after


def test_a_file_that_was_just_written_is_not_kept(
    tor: Path, passes: Passes, entries: Callable[[], list[Path]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "_SETTLED", 10_000_000_000)
    os.utime(tor, (1, 1))  # a program can set this time back, but not the one of the change
    read([tor])
    read([tor])
    assert (passes.made, entries()) == (2, [])


def test_a_small_file_is_not_kept(
    tor: Path, entries: Callable[[], list[Path]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "WORTH", tor.stat().st_size + 1)
    read([tor])
    assert entries() == []


def test_a_file_that_changes_while_it_is_read_is_not_kept(tor: Path, entries: Callable[[], list[Path]]) -> None:
    def write(*_: object) -> bool:
        _append(tor)
        return True

    read([tor], progress=write)
    assert entries() == []


@pytest.mark.parametrize("how", ["option", "environment"])
def test_it_can_be_turned_off(
    tor: Path, passes: Passes, entries: Callable[[], list[Path]], monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    read([tor])
    (kept,) = entries()
    used = kept.stat()
    if how == "environment":
        monkeypatch.setenv(cache.OFF, "1")
    read([tor], options=Options(cache=how == "environment"))
    assert (passes.made, entries(), kept.stat()) == (2, [kept], used)


@pytest.mark.parametrize(
    "command",
    [["diagnose", "roce-loss"], ["query", "SELECT COUNT(*) AS n FROM roce_qps"], ["tables"]],
    ids=lambda words: words[0],
)
def test_every_command_that_reads_takes_no_cache(
    command: list[str], passes: Passes, entries: Callable[[], list[Path]], capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(LOSS.evidence[0])
    printed = []
    for options, made, kept in (["--no-cache"], 1, 0), ([], 2, 1), ([], 2, 1), (["--no-cache"], 3, 1):
        cli.main([*command, path, *options])
        printed.append(capsys.readouterr().out)
        assert (passes.made, len(entries())) == (made, kept)
    assert printed[0]
    assert len(set(printed)) == 1


# Its folder


def test_entries_are_for_the_eyes_of_their_owner(tor: Path, entries: Callable[[], list[Path]]) -> None:
    read([tor])
    (kept,) = entries()
    assert (kept.stat().st_mode & 0o777, kept.parent.stat().st_mode & 0o777) == (0o600, 0o700)


def test_an_entry_is_arrow_in_a_zip_file(tor: Path, entries: Callable[[], list[Path]]) -> None:
    read([tor])
    with zipfile.ZipFile(entries()[0]) as packed:
        assert {name.removesuffix(".arrow") for name in packed.namelist()} == set(TRACKED)
        contents = [packed.read(name) for name in packed.namelist()]
        assert any(contents)
        assert all(content.startswith(b"ARROW1") for content in contents if content)  # nothing for a table without rows


def _flip(entry: Path, place: int) -> None:
    content = bytearray(entry.read_bytes())
    content[place] ^= 0x40
    entry.write_bytes(content)


@pytest.mark.parametrize(
    "damage",
    [
        lambda entry: entry.write_bytes(b""),
        lambda entry: entry.write_bytes(b"not at all what was written"),
        lambda entry: entry.write_bytes(entry.read_bytes()[: entry.stat().st_size // 2]),
        *[lambda entry, part=part: _flip(entry, entry.stat().st_size * part // 20) for part in range(20)],
    ],
)
def test_a_damaged_entry_is_made_anew(
    tor: Path, passes: Passes, entries: Callable[[], list[Path]], damage: Callable[[Path], object]
) -> None:
    before = read([tor])
    (kept,) = entries()
    content = kept.read_bytes()
    damage(kept)
    same(before, read([tor]))
    same(before, read([tor]))
    assert passes.made <= 2  # damage outside of the tables, such as in a time stamp, harms nothing
    if passes.made == 2:
        assert len(kept.read_bytes()) == len(content)


def test_an_entry_with_other_columns_is_not_believed(tor: Path, passes: Passes) -> None:
    key = cache.key_of((tor,), "track")
    assert key is not None
    frames = {name: frame.collect() for name, frame in read([tor], options=Options(cache=False)).frames.items()}
    wrong = {name: frames[name] for name in TRACKED} | {"roce_qps": frames["capture_health"]}
    cache.store(key, wrong)
    assert cache.load(key, {table.name: table.schema() for table in captured_tables() if table.name in TRACKED}) is None
    read([tor])
    assert passes.made == 2


def test_it_may_be_deleted_at_any_moment(tor: Path, entries: Callable[[], list[Path]]) -> None:
    before = read([tor])
    for kept in entries():
        kept.unlink()
    same(before, read([tor]))
    (kept,) = entries()
    kept.unlink()
    kept.parent.rmdir()
    same(before, read([tor]))
    assert len(entries()) == 1


@pytest.mark.parametrize("obstacle", ["a file", "a link into nothing", "open to others"])
def test_a_folder_that_cannot_be_used_is_no_cache(tor: Path, tmp_path: Path, passes: Passes, obstacle: str) -> None:
    where = tmp_path / "cache" / "badhop"
    where.parent.mkdir()
    if obstacle == "a file":
        where.write_text("in the way")
    elif obstacle == "a link into nothing":
        where.symlink_to(tmp_path / "nothing" / "there")
    else:
        where.mkdir()
        where.chmod(0o777)
    same(read([tor]), read([tor]))
    assert passes.made == 2
    assert obstacle != "open to others" or list(where.iterdir()) == []


def test_without_a_home_there_is_no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", homeless)
    assert cache.folder() is not None
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert cache.folder() is None


def test_a_full_disk_is_left_alone(
    tor: Path, entries: Callable[[], list[Path]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "has_room", lambda *_: False)
    read([tor])
    assert entries() == []


def test_what_was_used_longest_ago_goes_first(
    tmp_path: Path, passes: Passes, entries: Callable[[], list[Path]], monkeypatch: pytest.MonkeyPatch
) -> None:
    captures = [pcap(tmp_path / f"{name}.pcap", [ack(0x11, psn)]) for psn, name in enumerate("abc")]
    read([captures[0]])
    size = entries()[0].stat().st_size
    monkeypatch.setattr(cache, "LIMIT", 2 * size + size // 2)
    read([captures[1]])
    for age, kept in enumerate(entries()):
        os.utime(kept, (age + 1, age + 1))
    read([captures[0]])  # used again: now b is the oldest
    read([captures[2]])
    assert (len(entries()), passes.made) == (2, 3)
    read([captures[0]])
    read([captures[2]])
    assert passes.made == 3
    read([captures[1]])
    assert passes.made == 4


def test_an_entry_larger_than_its_share_is_not_kept(
    tor: Path, entries: Callable[[], list[Path]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "_LARGEST", 10)
    read([tor])
    assert entries() == []


def test_what_killed_processes_left_is_swept_up(tor: Path, tmp_path: Path, entries: Callable[[], list[Path]]) -> None:
    where = tmp_path / "cache" / "badhop"
    where.mkdir(parents=True, mode=0o700)
    old, young = where / "new-old", where / "new-young"
    old.write_bytes(b"half")
    young.write_bytes(b"half")
    os.utime(old, (1, 1))
    read([tor])
    assert not old.exists()
    assert young.exists()
    assert len(entries()) == 2
