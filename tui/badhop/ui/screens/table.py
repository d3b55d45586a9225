"""One table, as a grid."""

from dataclasses import dataclass
from typing import ClassVar

import polars as pl
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Footer, Static
from textual.worker import get_current_worker

from badhop.errors import BadhopError
from badhop.schema import Table
from badhop.ui.messages import SpotsChosen
from badhop.ui.safe import counted, safe, thousands
from badhop.ui.screens.row import RowScreen
from badhop.ui.screens.working import WorkingScreen
from badhop.ui.spots import spots_of
from badhop.ui.widgets.frame_table import FrameTable
from badhop.ui.widgets.title_bar import TitleBar

MOST_ROWS = 1_000_000
"""Rows that are held at once, of a scanned table about 130 MB: a table can be longer than the memory of the node."""


_PARTS = "Next and previous part of a long table"


class TableScreen(WorkingScreen):
    """Enter opens the packet of a row, or the row in full where it has none."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right_square_bracket", "part(1)", "Part", key_display="[ ]", tooltip=_PARTS, id="table.part"),
        Binding("left_square_bracket", "part(-1)", "Part", show=False, tooltip=_PARTS, id="table.part-before"),
        Binding("escape,b,backspace", "app.back", "Back", id="table.back"),
    ]

    @dataclass
    class Collected(Message):
        """The rows from number `start` on are here."""

        start: int
        frame: pl.DataFrame

    @dataclass
    class Failed(Message):
        """The rows could not be made."""

        why: str

    def __init__(self, table: Table, plan: pl.LazyFrame, total: int | None) -> None:
        super().__init__()
        self._table, self._plan, self._total = table, plan, total
        self._start = 0

    def compose(self) -> ComposeResult:
        yield TitleBar(self._table.name)
        yield Static(safe(self._table.doc), id="doc")
        yield FrameTable(id="rows")
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        self._collect(0)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Short tables have no parts."""
        return action != "part" or (self._total or 0) > MOST_ROWS

    def action_part(self, by: int) -> None:
        """Another million rows, read from the file again."""
        start = self._start + by * MOST_ROWS
        if 0 <= start < (self._total or 0):
            self._collect(start)

    @work(thread=True, exclusive=True, exit_on_error=False, group="collect")
    def _collect(self, start: int) -> None:
        worker = get_current_worker()
        try:
            message: Message = self.Collected(start, self._plan.slice(start, MOST_ROWS).collect())
        except (pl.exceptions.PolarsError, BadhopError, OSError, ValueError) as error:
            message = self.Failed(str(error))
        if not worker.is_cancelled:
            self.post_message(message)

    @on(Collected)
    def _show(self, event: Collected) -> None:
        self._start = event.start
        rows = self.query_one(FrameTable)
        rows.show(event.frame)
        rows.focus()
        if self._total is not None and self._total > event.frame.height:
            part = f"From row {thousands(event.start + 1)} of {counted(self._total, 'row')}; ] and [ show other parts."
            self.query_one("#doc", Static).update(safe(f"{part} {self._table.doc}"))

    @on(Failed)
    def _say(self, event: Failed) -> None:
        self.query_one("#doc", Static).update(safe(f"[!] This table could not be made: {event.why}"))
        rows = self.query_one(FrameTable)
        rows.display = rows.frame.height > 0  # an empty grid would say that it is still reading

    @on(FrameTable.Chosen)
    def _open(self, event: FrameTable.Chosen) -> None:
        spots = spots_of(event.row or {})
        if spots:
            self.post_message(SpotsChosen(spots))
        else:
            self.query_one(FrameTable).action_detail()

    @on(FrameTable.Detail)
    def _detail(self, event: FrameTable.Detail) -> None:
        self.app.push_screen(RowScreen(self._table.name, event.frame, event.index, self._table))
