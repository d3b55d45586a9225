"""One row in full: every column below the other, with its unit and meaning where it is declared."""

from typing import ClassVar

import polars as pl
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Footer, Static

from badhop.schema import Table
from badhop.ui import cells
from badhop.ui.safe import lines, safe, thousands
from badhop.ui.widgets.title_bar import TitleBar


class RowScreen(Screen[None]):
    """For rows that are wider than the screen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,b,backspace,d", "app.back", "Back", id="row.back"),
    ]

    def __init__(self, title: str, frame: pl.DataFrame, index: int, table: Table | None = None) -> None:
        super().__init__()
        self._title, self._frame, self._index, self._table = title, frame, index, table

    def compose(self) -> ComposeResult:
        yield TitleBar(self._title, f"row {thousands(self._index + 1)} of {thousands(self._frame.height)}")
        with VerticalScroll(id="row"):
            yield Static(self._content(), id="columns")
        yield Footer(compact=True, show_command_palette=False)

    def _content(self) -> Content:
        meaning = {column.name: column for column in (self._table.columns if self._table else ())}
        shown = cells.row(self._frame, self._index)
        width = max((len(name) for name, _ in shown), default=0)
        parts = []
        for name, value in shown:
            line = safe(f"{name:{width}}  ").append(safe(value, "bold"))
            if name in meaning:
                column = meaning[name]
                unit = f" {column.unit}" if column.unit and column.type not in ("time", "duration") else ""
                line = line.append(safe(unit)).append(safe(f"   {column.doc}", "dim"))
            parts.append(line)
        return lines(*parts)
