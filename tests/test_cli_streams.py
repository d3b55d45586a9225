"""What badhop writes to and reads from: terminals wide and narrow, pipes, full disks."""

import fcntl
import json
import os
import pty
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from command import HEALTHY, LOSS, files, process


def test_a_reader_that_goes_away_is_no_error() -> None:
    command = f"{sys.executable} -m badhop query 'SELECT * FROM packets, (SELECT 1 AS x) y' {files(LOSS)[0]} | head -1"
    ran = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert ran.stdout.startswith("source")
    assert ran.stderr == ""


@pytest.mark.parametrize("form", ["table", "csv", "json"])
def test_a_reader_of_rows_that_goes_away_is_no_error(form: str) -> None:
    query = f"{sys.executable} -m badhop query 'SELECT * FROM packets' {files(LOSS)[0]} --format {form}"
    command = f"{query} | head -c 1 >/dev/null; exit ${{PIPESTATUS[0]}}"
    ran = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (141, "")


@pytest.mark.parametrize(
    "arguments",
    [["diagnose", "roce-loss"], ["query", "SELECT * FROM packets"], ["query", "--format=csv", "SELECT * FROM packets"]],
    ids=" ".join,
)
def test_a_full_disk_behind_stdout_is_no_defect_of_badhop(arguments: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        ran = process([*arguments, *files(LOSS)], capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert (ran.returncode, ran.stderr) == (64, "badhop: cannot write the output: No space left on device\n")


@pytest.mark.parametrize("arguments", [["diagnose", "roce-loss", *files(LOSS)], ["demo", "--headless"]])
def test_text_is_as_wide_as_the_window(arguments: list[str]) -> None:
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 15, 60, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    running = subprocess.Popen(
        [sys.executable, "-m", "badhop", *arguments], stdout=follower, stderr=subprocess.DEVNULL, env=environment
    )
    os.close(follower)
    shown = b""
    try:
        while piece := os.read(leader, 65536):
            shown += piece
    except OSError:  # Linux says so when the other end is closed
        pass
    os.close(leader)
    running.wait()
    lines = shown.decode().replace("\r", "").split("\n")
    sentences = [line for line in lines if "$ " not in line and not line.strip().startswith(str(LOSS.folder.parent))]
    assert {line for line in sentences if len(line) > 60} == set()


def test_a_dumb_terminal_gets_text_and_not_the_app() -> None:
    leader, follower = pty.openpty()
    streams = {"stdin": follower, "stdout": follower, "stderr": follower, "env": os.environ | {"TERM": "dumb"}}
    ran = process(["open", *files(HEALTHY)], capture_output=False, **streams)
    assert ran.returncode == 64
    ran = process(["demo"], capture_output=False, **streams)
    os.close(follower)
    shown = os.read(leader, 65536).decode()
    os.close(leader)
    assert ran.returncode == 0
    assert "the app needs a terminal" in shown
    assert "What really happened" in shown
    assert "\x1b" not in shown


def test_a_terminal_without_unicode_gets_the_verdict_too() -> None:
    ran = process(["diagnose", "roce-loss", *files(LOSS)], env=os.environ | {"PYTHONIOENCODING": "ascii"})
    assert (ran.returncode, ran.stderr) == (2, "")


def test_a_capture_can_come_through_a_pipe() -> None:
    with LOSS.evidence[0].open("rb") as stream:
        ran = process(["diagnose", "roce-loss", "-", "--json"], stdin=stream)
    assert ran.returncode == 2
    assert json.loads(ran.stdout)["verdict"] == "side-only"


def test_progress_is_shown_on_a_terminal_only_and_leaves_the_line_clean() -> None:
    leader, follower = pty.openpty()
    ran = process(["tables", *files(LOSS)], capture_output=False, stdout=subprocess.PIPE, stderr=follower)
    os.close(follower)
    shown = os.read(leader, 65536).decode()
    os.close(leader)
    assert ran.returncode == 0
    assert "reading tor.pcap" in shown
    assert shown.endswith(" \r")
    assert "reading tor.pcap" not in ran.stdout
