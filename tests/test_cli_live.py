"""Captures that are still being made, with real pipes and real writers: ended by time or Ctrl-C, and then judged."""

import array
import fcntl
import json
import os
import signal
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from badhop.interrupts import first_interrupt
from badhop.sources import read
from badhop.sources.options import Options
from command import LOSS, process
from raw_capture import ack, pcap, roce

ENDLESS = (
    "import sys, time; sys.stdout.buffer.write(open(sys.argv[1], 'rb').read()); sys.stdout.flush(); "
    "print('written', file=sys.stderr, flush=True); time.sleep(600)"
)
"""A writer that hands out a capture, says so, and never ends."""


def unread(descriptor: int) -> int:
    """Bytes that wait in a pipe."""
    waiting = array.array("i", [0])
    fcntl.ioctl(descriptor, termios.FIONREAD, waiting)
    return waiting[0]


@pytest.fixture
def endless() -> Iterator[subprocess.Popen[bytes]]:
    writer = subprocess.Popen(
        [sys.executable, "-c", ENDLESS, str(LOSS.evidence[0])], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    yield writer
    writer.kill()
    writer.wait()
    for stream in (writer.stdout, writer.stderr):
        if stream:
            stream.close()


def test_an_endless_pipe_is_judged_after_its_time(endless: subprocess.Popen[bytes]) -> None:
    ran = process(["diagnose", "roce-loss", "-", "--for", "2s", "--json"], stdin=endless.stdout)
    got = json.loads(ran.stdout)
    assert (ran.returncode, got["verdict"], ran.stderr) == (2, "side-only", "")
    assert any("until it was ended" in problem for problem in got["sources"][0]["problems"])
    assert got["sources"][0]["tables"]["packets"] == read(LOSS.evidence).rows("packets")


def test_ctrl_c_ends_the_capture_and_not_the_program(endless: subprocess.Popen[bytes]) -> None:
    assert endless.stdout is not None
    assert endless.stderr is not None
    command = [sys.executable, "-m", "badhop", "diagnose", "roce-loss", "-", "--json"]
    running = subprocess.Popen(command, stdin=endless.stdout, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert endless.stderr.readline() == b"written\n"
    while unread(endless.stdout.fileno()):
        time.sleep(0.1)
    time.sleep(0.3)  # from the pipe into the copy
    running.send_signal(signal.SIGINT)
    out, err = running.communicate()
    assert (running.returncode, json.loads(out)["verdict"]) == (2, "side-only")
    assert err == "the capture is ended; what came so far is judged (Ctrl-C again stops)\n"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["diagnose", "roce-los", "-"], "roce-los"),
        (["diagnose", "roce-loss", "-", "--report", "nowhere/report.md"], "the folder nowhere of the report"),
    ],
)
def test_a_mistake_in_the_command_ends_the_reading_of_an_endless_pipe(
    endless: subprocess.Popen[bytes], arguments: list[str], says: str
) -> None:
    ran = process(arguments, stdin=endless.stdout)
    assert (ran.returncode, ran.stdout, ran.stderr.startswith("badhop: "), says in ran.stderr) == (64, "", True, True)


def test_the_second_ctrl_c_ends_the_program() -> None:
    with first_interrupt() as pressed:
        assert not pressed()
        signal.raise_signal(signal.SIGINT)
        assert pressed()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


def test_ctrl_c_is_as_always_when_nothing_is_waited_for() -> None:
    before = signal.getsignal(signal.SIGINT)
    with first_interrupt():
        assert signal.getsignal(signal.SIGINT) is not before
    assert signal.getsignal(signal.SIGINT) is before


def test_a_pipe_through_which_nothing_came_is_told_with_the_next_step() -> None:
    for options in ([], ["--for", "10ms"]):
        reader, writer = os.pipe()
        if not options:
            os.close(writer)
        ran = process(["diagnose", "roce-loss", "-", *options], stdin=reader)
        os.close(reader)
        if options:
            os.close(writer)
        assert ran.returncode == 66
        assert ran.stderr.startswith("badhop: stdin: nothing came through it; ")


@pytest.mark.parametrize("time", ["30", "soon", "0s"])
def test_a_time_without_a_unit_is_wrong_use(time: str) -> None:
    ran = process(["diagnose", "roce-loss", "-", "--for", time])
    assert (ran.returncode, ran.stdout) == (64, "")
    assert "write it as 30s" in ran.stderr


# --follow


def after(grow: Callable[[], object], looks: int = 1) -> Callable[[], object]:
    """Enough after `looks` looks; the file grows at the first of them."""

    @contextmanager
    def enough() -> Iterator[Callable[[], bool]]:
        asked = 0

        def question() -> bool:
            nonlocal asked
            if not asked:
                grow()
            asked += 1
            return asked > looks

        yield question

    return enough


@pytest.fixture
def whole(tmp_path: Path) -> bytes:
    return pcap(tmp_path / "whole.pcap", [roce(4, 0x12, psn) for psn in range(100)] + [ack(0x11, 99)]).read_bytes()


@pytest.mark.parametrize("begun", [0, 24, 3000])
def test_a_growing_file_is_read_as_it_is_when_it_is_enough(tmp_path: Path, whole: bytes, begun: int) -> None:
    path = tmp_path / "tor.pcap"
    path.write_bytes(whole[:begun])
    told: list[tuple[str, int, int | None]] = []

    def progress(what: str, done: int, size: int | None) -> bool:
        told.append((what, done, size))
        return True

    def grow() -> None:
        path.write_bytes(whole)

    incident = read([path], options=Options(follow=True), enough=after(grow), progress=progress)  # type: ignore[arg-type]
    assert incident.rows("packets") == 101
    assert (str(path), len(whole), None) in told


@pytest.mark.parametrize("cut", [1, 57, 58, 65, 73])
def test_the_packet_that_is_being_written_is_no_damage(tmp_path: Path, whole: bytes, cut: int) -> None:
    path = tmp_path / "tor.pcap"
    path.write_bytes(whole[:-cut])
    followed = read([path], options=Options(follow=True, seconds=0.01))
    assert followed.sources[0].problems == ()
    assert followed.frames["capture_health"].collect()["damaged"].to_list() == [False]
    assert followed.rows("packets") == 100
    assert read([path]).frames["capture_health"].collect()["damaged"].to_list() == [True]


def test_damage_further_up_stays_damage_in_a_file_that_grows(tmp_path: Path, whole: bytes) -> None:
    path = tmp_path / "tor.pcap"
    content = bytearray(whole + bytes(600_000))
    content[24 + 8 : 24 + 12] = b"\xff\xff\xff\x7f"  # the length of the first packet
    path.write_bytes(content)
    followed = read([path], options=Options(follow=True, seconds=0.01))
    assert followed.sources[0].problems
    assert followed.frames["capture_health"].collect()["damaged"].to_list() == [True]


def test_a_file_that_a_process_writes_is_followed_for_its_time(tmp_path: Path) -> None:
    path = tmp_path / "tor.pcap"
    content = LOSS.evidence[0].read_bytes()
    path.write_bytes(content[: len(content) // 2])
    stop = threading.Event()

    def write() -> None:
        with path.open("ab") as file:
            for offset in range(len(content) // 2, len(content), 4096):
                file.write(content[offset : offset + 4096])
                file.flush()
                stop.wait(0.001)

    writer = threading.Thread(target=write)
    writer.start()
    ran = process(["diagnose", "roce-loss", str(path), "--follow", "--for", "2s", "--json"])
    writer.join()
    got = json.loads(ran.stdout)
    assert (ran.returncode, got["verdict"], got["sources"][0]["problems"]) == (2, "side-only", [])
    assert got["sources"][0]["tables"]["packets"] == read(LOSS.evidence).rows("packets")
