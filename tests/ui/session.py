"""A running app with hands on its keyboard, and evidence in memory for it: what the tests of the screens share."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import polars as pl
from textual.content import Content
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from badhop.playbook import Playbook
from badhop.sources import Incident, Source
from badhop.tables import raw_tables
from badhop.ui.app import BadhopApp
from badhop.ui.messages import EvidenceOpened
from badhop.ui.opened import Opened, Request, opened

SMALL = (80, 24)
LARGE = (200, 50)


async def settled(app: BadhopApp, pilot: Pilot[int]) -> None:
    """Wait until no worker runs and everything that they caused is on screen."""
    await pilot.pause()
    while any(not worker.is_finished for worker in app.workers):
        await app.workers.wait_for_complete()
        await pilot.pause()  # what it told may start the next one
    await pilot.pause()


@dataclass(frozen=True)
class Session:
    """The app, and what a person does and sees."""

    app: BadhopApp
    pilot: Pilot[int]

    @property
    def screen(self) -> Screen[object]:
        """The screen on top."""
        return self.app.screen

    async def press(self, *keys: str) -> None:
        """Press keys one after another; everything is on screen when it returns."""
        for key in keys:
            await self.pilot.press(key)
            await settled(self.app, self.pilot)

    async def show(self, opened: Opened) -> None:
        """As if this had been read."""
        self.app.post_message(EvidenceOpened(opened))
        await settled(self.app, self.pilot)

    def says(self, selector: str) -> str:
        """What a Static of the screen on top says."""
        content = self.screen.query_one(selector, Static).visual
        assert isinstance(content, Content)
        return content.plain

    def sees(self) -> str:
        """Every line that is on the terminal now."""
        return "\n".join("".join(piece.text for piece in strip) for strip in self.screen._compositor.render_strips())


@asynccontextmanager
async def running(request: Request, size: tuple[int, int] = SMALL) -> AsyncIterator[Session]:
    """The app on `request`, when it has read it."""
    app = BadhopApp(request)
    async with app.run_test(size=size) as pilot:
        await settled(app, pilot)
        yield Session(app, pilot)


def lines_of(widget: Widget) -> list[str]:
    """The lines of one widget, as drawn."""
    return [widget.render_line(y).text.rstrip() for y in range(widget.size.height)]


def episodes(capture: Path, *rows: tuple[str, int | None, int | None]) -> pl.LazyFrame:
    """`loss_episodes` with (kind, sent_frame, nak_frame) of each row; what is not given is unknown."""
    schema = next(table for table in raw_tables() if table.name == "loss_episodes").schema()
    given = [
        {"source": capture.name, "kind": kind, "side": "source", "sent_frame": sent, "nak_frame": nak}
        for kind, sent, nak in rows
    ]
    return pl.LazyFrame(given, schema=schema)


def evidence(capture: Path, losses: pl.LazyFrame, *playbooks: Playbook, kind: str = "pcap") -> Opened:
    """One capture with a queue pair and these losses, without reading any file."""
    frames = {table.name: table.empty() for table in raw_tables()} | {"loss_episodes": losses}
    rows = {"packets": 40, "roce_qps": 1, "loss_episodes": losses.collect().height}
    source = Source(capture, capture.name, kind, rows, ("the file ends inside packet 41",))
    return opened(Incident(frames, (source,)), playbooks)
