"""A capture from a pipe: copied whole, never at the cost of a full disk, gone when the process ends."""

import io
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
    spooled = pipe.spool(io.BytesIO(content), told.append)
    assert spooled.path.read_bytes() == content
    assert told == [len(content)]
    assert spooled.note.startswith(f"{len(content)} bytes came through a pipe")


def test_the_copy_ends_before_the_disk_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    class Usage:
        free = 0

    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage)
    spooled = pipe.spool(io.BytesIO(bytes(3 << 20)), lambda _: None)
    assert spooled.path.stat().st_size == 1 << 20
    assert "only the first 1048576 bytes" in spooled.note


def test_the_copy_goes_away_with_the_process() -> None:
    program = "import io; from badhop.sources.pipe import spool; print(spool(io.BytesIO(b'x'), print).path)"
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    path = Path(done.stdout.split()[-1])
    assert path.is_absolute()
    assert not path.exists()
