"""Captures from pipes: copied whole or ended when it is enough, never at the cost of a full disk."""

import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from badhop.sources import pipe
from badhop.sources.pipe import Pipe, Spooled, opened_pipe, spool
from raw_capture import ack, pcap


class Ends:
    """The two ends of a pipe of the system."""

    def __init__(self) -> None:
        reader, self.writer = os.pipe()
        self.pipe = Pipe(reader, Path("stdin"))

    def close(self) -> None:
        os.close(self.writer)


@pytest.fixture
def ends() -> Iterator[Callable[[], Ends]]:
    """Makes pipes, and closes what the test leaves open."""
    made: list[Ends] = []

    def make() -> Ends:
        made.append(Ends())
        return made[-1]

    yield make
    for one in made:
        os.close(one.pipe.descriptor)


def nothing(_label: Path, _size: int) -> None:
    """Nobody looks."""


def test_the_copy_is_the_stream(tmp_path: Path) -> None:
    content = pcap(tmp_path / "tor.pcap", [ack(1, 1)] * 3).read_bytes()
    told: list[tuple[str, int]] = []
    with (tmp_path / "tor.pcap").open("rb") as stream:
        given = Pipe(stream.fileno(), Path("stdin"))
        (spooled,) = spool([given], lambda label, size: told.append((str(label), size)))
    assert spooled.path.read_bytes() == content
    assert told == [("stdin", 0), ("stdin", len(content))]
    assert spooled.note.startswith(f"{len(content)} bytes came through a pipe and are kept")
    assert (spooled.size, spooled.ended) == (len(content), False)


def test_several_pipes_are_read_side_by_side(ends: Callable[[], Ends]) -> None:
    """The writer fills the second pipe, more than it holds, before it writes a byte into the first."""
    first, second = ends(), ends()
    much = os.urandom(300_000)

    def write() -> None:
        with os.fdopen(second.writer, "wb") as stream:
            stream.write(much)
        with os.fdopen(first.writer, "wb") as stream:
            stream.write(b"little")

    writer = threading.Thread(target=write)
    writer.start()
    one, other = spool([first.pipe, second.pipe], nothing)
    writer.join()
    assert (one.path.read_bytes(), other.path.read_bytes()) == (b"little", much)


def test_a_pipe_without_end_is_ended_when_it_is_enough_and_its_writer_notices(
    ends: Callable[[], Ends], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipe, "_PATIENCE", 0.001)
    one = ends()
    os.write(one.writer, b"some")
    (spooled,) = spool([one.pipe], nothing, lambda: True)
    assert (spooled.path.read_bytes(), spooled.ended) == (b"some", True)
    assert "4 bytes came through a pipe until it was ended" in spooled.note
    with pytest.raises(BrokenPipeError):
        os.write(one.writer, b"more")
    one.close()


def test_the_last_words_of_a_writer_that_ends_at_the_same_time_are_heard(
    ends: Callable[[], Ends], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As with Ctrl-C, which reaches tcpdump too: it writes what it holds and ends."""
    monkeypatch.setattr(pipe, "_PATIENCE", 10.0)
    monkeypatch.setattr(pipe, "_GRACE", 10.0)
    one = ends()
    os.write(one.writer, b"some")
    asked = threading.Event()

    def last_words() -> None:
        asked.wait()
        os.write(one.writer, b" more")
        one.close()

    def enough() -> bool:
        asked.set()
        return True

    writer = threading.Thread(target=last_words)
    writer.start()
    (spooled,) = spool([one.pipe], nothing, enough)
    writer.join()
    assert (spooled.path.read_bytes(), spooled.ended) == (b"some more", False)


def test_a_writer_that_does_not_end_is_not_waited_for(
    ends: Callable[[], Ends], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipe, "_GRACE", 0.01)
    one = ends()
    stop = threading.Event()

    def write() -> None:
        try:
            while not stop.wait(0.0001):
                os.write(one.writer, bytes(10))
        except BrokenPipeError:
            one.close()

    writer = threading.Thread(target=write)
    writer.start()
    (spooled,) = spool([one.pipe], nothing, lambda: True)
    writer.join()
    assert spooled.ended
    assert spooled.size > 0


def test_a_named_pipe_is_waited_for_until_somebody_writes(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    asked: list[int] = []
    result: list[Spooled] = []
    one = opened_pipe(path)
    reader = threading.Thread(target=lambda: result.extend(spool([one], lambda _, size: asked.append(size))))
    reader.start()
    while len(asked) < 2:  # it goes round without a writer
        time.sleep(0.01)
    path.write_bytes(b"some")
    reader.join()
    os.close(one.descriptor)
    assert result[0].path.read_bytes() == b"some"


def test_the_copy_ends_before_the_disk_is_full(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class Usage:
        free = 0

    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage)
    (tmp_path / "much").write_bytes(bytes(3 << 20))
    with (tmp_path / "much").open("rb") as stream:
        (spooled,) = spool([Pipe(stream.fileno(), Path("stdin"))], nothing)
    assert spooled.path.stat().st_size == 1 << 20
    assert "only the first 1048576 bytes" in spooled.note
    assert spooled.ended


def test_a_pipe_that_says_nothing_can_be_left(ends: Callable[[], Ends], monkeypatch: pytest.MonkeyPatch) -> None:
    class Left(Exception):
        pass

    asked: list[int] = []

    def ask(_label: Path, size: int) -> None:
        asked.append(size)
        if len(asked) == 3:
            raise Left

    monkeypatch.setattr(pipe, "_PATIENCE", 0.001)
    one = ends()
    os.write(one.writer, b"some")
    with pytest.raises(Left):
        spool([one.pipe], ask)
    one.close()
    assert asked == [0, 4, 4]


def test_the_copy_goes_away_with_the_process() -> None:
    program = (
        "from pathlib import Path; from badhop.sources.pipe import Pipe, spool; "
        "print(spool([Pipe(0, Path('-'))], lambda *_: None)[0].path)"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True, input="x")
    path = Path(done.stdout.split()[-1])
    assert path.is_absolute()
    assert not path.exists()
