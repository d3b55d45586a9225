"""A capture from a pipe: copied whole, never at the cost of a full disk, gone when the process ends."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from badhop.sources import pipe
from raw_capture import ack, pcap


def test_the_copy_is_the_stream(tmp_path: Path) -> None:
    content = pcap(tmp_path / "tor.pcap", [ack(1, 1)] * 3).read_bytes()
    told: list[int] = []
    with (tmp_path / "tor.pcap").open("rb") as stream:
        spooled = pipe.spool(stream, told.append)
    assert spooled.path.read_bytes() == content
    assert told == [0, len(content)]
    assert spooled.note.startswith(f"{len(content)} bytes came through a pipe")


def test_the_copy_ends_before_the_disk_is_full(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class Usage:
        free = 0

    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage)
    (tmp_path / "much").write_bytes(bytes(3 << 20))
    with (tmp_path / "much").open("rb") as stream:
        spooled = pipe.spool(stream, lambda _: None)
    assert spooled.path.stat().st_size == 1 << 20
    assert "only the first 1048576 bytes" in spooled.note


def test_a_pipe_that_says_nothing_can_be_left(monkeypatch: pytest.MonkeyPatch) -> None:
    class Left(Exception):
        pass

    asked: list[int] = []

    def ask(size: int) -> None:
        asked.append(size)
        if len(asked) == 3:
            raise Left

    monkeypatch.setattr(pipe, "_PATIENCE", 0.001)
    reader, writer = os.pipe()
    try:
        os.write(writer, b"some")
        with os.fdopen(reader, "rb") as stream, pytest.raises(Left):
            pipe.spool(stream, ask)
    finally:
        os.close(writer)
    assert asked == [0, 4, 4]


def test_the_copy_goes_away_with_the_process() -> None:
    program = "import sys; from badhop.sources.pipe import spool; print(spool(sys.stdin.buffer, lambda _: None).path)"
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True, input="x")
    path = Path(done.stdout.split()[-1])
    assert path.is_absolute()
    assert not path.exists()
