"""Reading evidence: progress, a way out, and errors as a screen."""

import os
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
from textual.widgets import ProgressBar

from badhop import sources
from badhop.errors import Cancelled, Unreadable
from badhop.sources import Incident, Progress
from badhop.sources.live import Enough
from badhop.sources.options import Options
from badhop.ui.app import BadhopApp
from badhop.ui.opened import Request
from badhop.ui.screens.failure import FailureScreen
from badhop.ui.screens.home import HomeScreen
from badhop.ui.screens.opening import OpeningScreen
from ui.session import Session, running, settled


class SlowReader:
    """Reads for ever, until it is told to stop."""

    def __init__(self) -> None:
        self.steps = 0
        self.started, self.stopped = threading.Event(), threading.Event()

    def read(self, paths: Sequence[Path], *, progress: Progress, options: Options, enough: Enough) -> Incident:
        pause = threading.Event()
        while progress("huge.pcap", self.steps * 1_000_000, 1_000_000_000):
            self.steps += 1
            self.started.set()
            pause.wait(0.01)
        self.stopped.set()
        raise Cancelled


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> SlowReader:
    reader = SlowReader()
    monkeypatch.setattr(sources, "read", reader.read)
    return reader


async def reading(app: BadhopApp, session: Session, slow: SlowReader) -> None:
    """Wait until the bar has moved."""
    while not (slow.started.is_set() and app.screen.query_one(ProgressBar).progress):
        await session.pilot.pause(0.02)


@pytest.mark.parametrize("key", ["escape", "c"])
async def test_cancel_stops_the_reader_and_says_what_can_be_done(slow: SlowReader, key: str) -> None:
    app = BadhopApp(Request((Path("huge.pcap"),)))
    async with app.run_test(size=(80, 24)) as pilot:
        session = Session(app, pilot)
        await reading(app, session, slow)
        assert isinstance(app.screen, OpeningScreen)
        assert app.screen.query_one(ProgressBar).total == 1_000_000_000
        assert "of 1000.0 MB" in session.says("#bytes")
        await pilot.press(key)
        await settled(app, pilot)
        assert slow.stopped.is_set()
        assert "Cancelled" in session.says("#what")
        assert "r to read it again" in session.says("#next-step")


async def test_leaving_the_app_stops_the_reader_too(slow: SlowReader) -> None:
    app = BadhopApp(Request((Path("huge.pcap"),)))
    async with app.run_test(size=(80, 24)) as pilot:
        await reading(app, Session(app, pilot), slow)
        await pilot.press("q")
    assert slow.stopped.wait(10)
    assert app.return_value == 66


async def test_an_unreadable_file_names_the_file_the_place_and_the_next_step(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(paths: Sequence[Path], *, progress: Progress, options: Options, enough: Enough) -> Incident:
        raise Unreadable(Path("x\x1b[31m.pcap"), "byte 24", "[bold]a block\x9b of 4 GiB", "copy the file again")

    monkeypatch.setattr(sources, "read", read)
    async with running(Request((Path("x.pcap"),))) as session:
        assert isinstance(session.screen, FailureScreen)
        assert session.says("#what") == "[!] [bold]a block\\x9b of 4 GiB"
        assert session.says("#place") == "Where: x\\x1b[31m.pcap, byte 24"
        assert session.says("#next-step") == "Next: Copy the file again."
        assert "\x1b" not in session.sees()
        await session.press("q")
    assert session.app.return_value == 66


async def test_after_a_failure_r_reads_again(capture: Path) -> None:
    content = capture.read_bytes()
    capture.write_bytes(b"not a capture at all, but long enough to be looked at")
    async with running(Request((capture,))) as session:
        assert isinstance(session.screen, FailureScreen)
        assert str(capture) in session.says("#place").replace("\n", "")
        assert session.sees().splitlines()[-1].split("Keys")[0].split() == ["r", "Read", "again", "?"]  # nothing below
        capture.write_bytes(content)
        await session.press("r")
        assert isinstance(session.screen, HomeScreen)
        await session.press("q")
    assert session.app.return_value == 0


async def test_a_mistake_of_badhop_itself_is_a_screen_and_not_a_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(paths: Sequence[Path], *, progress: Progress, options: Options, enough: Enough) -> Incident:
        raise RuntimeError("this was not foreseen")

    monkeypatch.setattr(sources, "read", read)
    async with running(Request((Path("x.pcap"),))) as session:
        assert "RuntimeError: this was not foreseen" in session.says("#what")
        await session.press("q")


async def test_a_playbook_that_does_not_exist_is_told_before_anything_is_read(slow: SlowReader) -> None:
    async with running(Request((Path("huge.pcap"),), "no-such-playbook")) as session:
        assert "no playbook of that name" in session.says("#what")
        assert slow.steps == 0


async def test_enter_ends_the_capture_and_opens_what_came(capture: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    app = BadhopApp(Request((pipe,)))
    async with app.run_test(size=(80, 24)) as pilot:
        session = Session(app, pilot)
        with pipe.open("wb") as writer:  # stays open: the capture has no end of its own
            writer.write(capture.read_bytes())
            writer.flush()
            while not ("MB" in session.says("#bytes") and "Judge what came" in session.sees()):
                await pilot.pause(0.02)
            await session.press("enter")
        assert isinstance(app.screen, HomeScreen)
        assert app.opened is not None
        assert app.opened.incident.rows("packets") == 40


async def test_only_a_capture_that_is_being_made_can_be_ended(slow: SlowReader, tmp_path: Path) -> None:
    app = BadhopApp(Request((tmp_path / "huge.pcap",)))
    async with app.run_test(size=(80, 24)) as pilot:
        session = Session(app, pilot)
        await reading(app, session, slow)
        assert "Judge what came" not in session.sees()
        await pilot.press("c")
        await settled(app, pilot)
