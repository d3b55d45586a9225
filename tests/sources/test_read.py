"""Files, folders and pipes as one incident."""

import os
import threading
from pathlib import Path
from typing import TextIO, cast

import pytest

from badhop.errors import Cancelled, Unreadable
from badhop.sources import read
from badhop.tables import raw_tables
from raw_capture import ack, pcap, pfc, roce

XOFF = pfc(8, [0, 0, 0, 9, 0, 0, 0, 0])


@pytest.fixture
def tor(tmp_path: Path) -> Path:
    return pcap(tmp_path / "tor.pcap", [roce(4, 0x12, 100), ack(0x11, 100), XOFF])


def test_every_raw_table_is_there_with_or_without_evidence(tor: Path) -> None:
    for incident in (read([]), read([tor])):
        assert set(incident.frames) == {table.name for table in raw_tables()}
        for table in raw_tables():
            assert dict(incident.frames[table.name].collect_schema()) == table.schema()


def test_rows_are_counted_for_each_table(tor: Path) -> None:
    incident = read([tor])
    (source,) = incident.sources
    assert (source.name, source.path, source.kind, source.problems) == ("tor.pcap", tor, "pcap", ())
    for table in raw_tables():
        assert incident.rows(table.name) == incident.frames[table.name].collect().height, table.name
    assert (incident.rows("packets"), incident.rows("roce"), incident.rows("pauses")) == (3, 2, 1)
    assert incident.rows("loss_budget") == 0


def test_captures_are_told_apart_by_source(tor: Path, tmp_path: Path) -> None:
    (tmp_path / "h2").mkdir()
    other = pcap(tmp_path / "h2" / "tor.pcap", [XOFF])
    incident = read([tor, other])
    names = [f"{tmp_path.name}/tor.pcap", "h2/tor.pcap"]
    assert [source.name for source in incident.sources] == names
    assert incident.frames["packets"].collect()["source"].to_list() == [names[0]] * 3 + [names[1]]
    assert incident.frames["capture_health"].collect()["source"].to_list() == names
    assert incident.rows("packets") == 4


def test_a_folder_gives_its_captures_and_a_note_on_the_rest(tor: Path) -> None:
    (tor.parent / "notes.txt").write_text("seen at three in the morning")
    incident = read([tor.parent])
    assert [source.kind for source in incident.sources] == ["pcap", "folder"]
    assert incident.sources[1].problems == ("1 file is of no known kind and was left out: notes.txt",)
    assert incident.rows("packets") == 3


def test_a_capture_given_twice_is_read_once(tor: Path) -> None:
    link = tor.with_name("link.pcap")
    link.symlink_to(tor)
    incident = read([tor, tor.parent, str(tor), link])
    assert [source.name for source in incident.sources] == ["tor.pcap"]
    assert incident.rows("packets") == 3


def test_the_order_is_the_one_given(tor: Path, tmp_path: Path) -> None:
    first = pcap(tmp_path / "zulu.pcap", [])
    incident = read([first, tor, first])
    assert [source.name for source in incident.sources] == ["zulu.pcap", "tor.pcap"]


def test_a_cut_capture_gives_its_rows_and_names_the_place(tor: Path) -> None:
    tor.write_bytes(tor.read_bytes()[:-20])
    incident = read([tor])
    (source,) = incident.sources
    assert source.rows["packets"] == 2
    (problem,) = source.problems
    assert problem.startswith("byte ")
    assert "after frame 2" in problem
    assert incident.frames["problems"].collect().height == 1


def test_tracked_tables_do_not_need_the_file_again(tor: Path) -> None:
    incident = read([tor])
    tor.unlink()
    assert incident.frames["capture_health"].collect().height == 1


@pytest.mark.parametrize(
    ("name", "says"),
    [("gone.pcap", "No such file"), ("notes.txt", "not a packet capture"), ("empty", "no packet capture")],
)
def test_what_cannot_be_read_is_named(tmp_path: Path, tor: Path, name: str, says: str) -> None:
    (tmp_path / "notes.txt").write_text("seen at three in the morning")
    (tmp_path / "empty").mkdir()
    with pytest.raises(Unreadable, match=says) as raised:
        read([tor, tmp_path / name])
    assert raised.value.path == tmp_path / name
    assert raised.value.next_step


def test_a_device_is_not_read() -> None:
    with pytest.raises(Unreadable, match="neither a file, a folder nor a pipe"):
        read([os.devnull])


def test_progress_names_what_is_read(tor: Path) -> None:
    told: list[tuple[str, int, int | None]] = []

    def progress(what: str, done: int, size: int | None) -> bool:
        told.append((what, done, size))
        return True

    read([tor], progress=progress)
    assert ("tor.pcap", tor.stat().st_size) in {(what, size) for what, _, size in told}


@pytest.mark.parametrize("folder", [False, True])
def test_progress_can_stop_it(tor: Path, folder: bool) -> None:
    with pytest.raises(Cancelled):
        read([tor.parent if folder else tor], progress=lambda _what, _done, _size: False)


def test_a_capture_can_come_through_a_named_pipe(tor: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=[tor.read_bytes()])
    writer.start()
    incident = read([pipe])
    writer.join()
    assert incident.sources[0].name == "pipe"
    assert "came through a pipe" in incident.sources[0].problems[0]
    assert incident.frames["roce"].collect()["psn"].to_list() == [100, 100]


class Piped:
    """Standard input as a pipe."""

    def __init__(self, content: bytes, *, terminal: bool = False) -> None:
        reader, writer = os.pipe()
        os.write(writer, content)  # less than a pipe holds
        os.close(writer)
        self.buffer = os.fdopen(reader, "rb")
        self._terminal = terminal

    def fileno(self) -> int:
        return self.buffer.fileno()

    def isatty(self) -> bool:
        return self._terminal

    def __del__(self) -> None:
        self.buffer.close()


def test_a_dash_is_standard_input(tor: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", cast(TextIO, Piped(tor.read_bytes())))
    incident = read(["-"])
    (source,) = incident.sources
    assert source.name == "stdin"
    assert source.path.read_bytes() == tor.read_bytes()
    assert incident.frames["roce"].collect()["source"].to_list() == ["stdin", "stdin"]


def test_standard_input_that_is_no_capture_is_named_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", cast(TextIO, Piped(b"tcpdump: permission denied, it said")))
    with pytest.raises(Unreadable) as raised:
        read(["-"])
    assert raised.value.path == Path("stdin")


def test_a_terminal_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", cast(TextIO, Piped(b"", terminal=True)))
    with pytest.raises(Unreadable, match="standard input is a terminal"):
        read(["-"])


def test_a_file_whose_name_is_no_text_is_read_alone_and_in_its_folder(tmp_path: Path) -> None:
    path = pcap(tmp_path / os.fsdecode(b"tor\xff.pcap"), [ack(1, 1)])
    for given in (path, tmp_path):
        incident = read([given])
        assert incident.frames["packets"].collect()["source"].to_list() == ["tor\\xff.pcap"]
