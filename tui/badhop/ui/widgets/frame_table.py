"""A table of any number of rows: only the lines on screen are formatted, and nothing is copied out of the frame."""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import polars as pl
from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from badhop.printable import printable
from badhop.ui import cells
from badhop.ui.safe import safe, thousands

PAGE = 64
"""Rows that are formatted at once: about two screens."""

_PAGES = 8
_WIDEST = 60
_GAP = "  "


class FrameTable(ScrollView, can_focus=True):
    """A cursor over rows; columns scroll one at a time."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"frame-table--header", "frame-table--cursor"}

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", "Row up", show=False, id="rows.up"),
        Binding("down,j", "move(1)", "Row down", show=False, id="rows.down"),
        Binding("pageup", "page(-1)", "Page up", show=False, id="rows.page-up"),
        Binding("pagedown,space", "page(1)", "Page down", show=False, id="rows.page-down"),
        Binding("home,g", "top", "First row", show=False, id="rows.top"),
        Binding("end,G", "end", "Last row", show=False, id="rows.end"),
        Binding("enter", "choose", "Packet", key_display="Enter", tooltip="Open the packet", id="rows.choose"),
        Binding("p", "choose", "Packet of the row", show=False, id="rows.packet"),
        Binding("d", "detail", "Row", tooltip="Every column of the row", id="rows.detail"),
        Binding("left,h", "column(-1)", "Columns to the left", show=False, id="rows.left"),
        Binding("right,l", "column(1)", "Columns to the right", show=False, id="rows.right"),
    ]

    cursor: reactive[int] = reactive(0, init=False)
    column: reactive[int] = reactive(0, init=False)

    @dataclass
    class Chosen(Message):
        """Enter on a row; `row` is None in an empty table."""

        row: Mapping[str, object] | None

    @dataclass
    class Detail(Message):
        """The person wants to see every column of a row."""

        frame: pl.DataFrame
        index: int

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._frame = pl.DataFrame()
        self._label = ""
        self._pages: OrderedDict[int, list[tuple[str, ...]]] = OrderedDict()
        self._names: list[str] = []
        self._widths: list[int] = []
        self._right: list[bool] = []

    @property
    def frame(self) -> pl.DataFrame:
        """What is shown."""
        return self._frame

    def show(self, frame: pl.DataFrame, label: str = "") -> None:
        """Show another frame from its first row and column on."""
        self._frame, self._label = frame, label
        self._pages.clear()
        self._names = [printable(name) for name in frame.columns]
        self._widths = [cell_len(name) for name in self._names]
        self._right = [cells.is_number(dtype) for dtype in frame.dtypes]
        if frame.height:
            self._page_of(frame.height - 1)  # numbers grow towards the end: learn their width before the first line
            self._page_of(0)
        self.virtual_size = Size(0, frame.height + 1)
        self.set_reactive(FrameTable.cursor, 0)
        self.set_reactive(FrameTable.column, 0)
        self.scroll_to(y=0, animate=False)
        self._caption()
        self.refresh()

    def row(self) -> Mapping[str, object] | None:
        """The row under the cursor, as values."""
        return self._frame.row(self.cursor, named=True) if self._frame.height else None

    def render_line(self, y: int) -> Strip:
        """One line of the screen; the header stays where it is."""
        width = self.size.width
        index = self.scroll_offset.y + y - 1
        if y == 0:
            return self._strip(" ", self._names, width, self.get_component_rich_style("frame-table--header"))
        if index >= self._frame.height:
            return Strip.blank(width, self.rich_style)
        if index == self.cursor:
            return self._strip(">", self._row(index), width, self.get_component_rich_style("frame-table--cursor"))
        return self._strip(" ", self._row(index), width, self.rich_style)

    def validate_cursor(self, cursor: int) -> int:
        return max(0, min(cursor, self._frame.height - 1))

    def validate_column(self, column: int) -> int:
        return max(0, min(column, len(self._names) - 1))

    def watch_cursor(self, old: int, new: int) -> None:
        rows = max(self.size.height - 1, 1)
        top = self.scroll_offset.y
        if new < top:
            self.scroll_to(y=new, animate=False, force=True)
        elif new >= top + rows:
            self.scroll_to(y=new - rows + 1, animate=False, force=True)
        else:
            for index in (old, new):
                self.refresh(Region(0, index - top + 1, self.size.width, 1))
        self._caption()

    def watch_column(self) -> None:
        self._caption()
        self.refresh()

    def on_resize(self) -> None:
        self._caption()
        self.watch_cursor(self.cursor, self.cursor)

    def action_move(self, by: int) -> None:
        self.cursor += by

    def action_page(self, by: int) -> None:
        self.cursor += by * max(self.size.height - 2, 1)

    def action_top(self) -> None:
        self.cursor = 0

    def action_end(self) -> None:
        self.cursor = self._frame.height - 1

    def action_column(self, by: int) -> None:
        if by < 0 or self._last_column() < len(self._names) - 1 or self._cut():
            self.column += by

    def action_choose(self) -> None:
        self.post_message(self.Chosen(self.row()))

    def action_detail(self) -> None:
        if self._frame.height:
            self.post_message(self.Detail(self._frame, self.cursor))

    def _row(self, index: int) -> tuple[str, ...]:
        return self._page_of(index)[index % PAGE]

    def _page_of(self, index: int) -> list[tuple[str, ...]]:
        number = index // PAGE
        if number in self._pages:
            self._pages.move_to_end(number)
            return self._pages[number]
        page = cells.page(self._frame.slice(number * PAGE, PAGE))
        self._pages[number] = page
        if len(self._pages) > _PAGES:
            self._pages.popitem(last=False)
        self._widen(page)
        return page

    def _widen(self, page: list[tuple[str, ...]]) -> None:
        """Columns only grow: a page with longer values must not make the others jump back and forth."""
        widths = [
            max(width, min(max(map(cell_len, column)), _WIDEST))
            for width, column in zip(self._widths, zip(*page, strict=True), strict=True)
        ]
        if widths != self._widths:
            self._widths = widths
            self.call_later(self.refresh)

    def _strip(self, mark: str, values: tuple[str, ...] | list[str], width: int, style: Style) -> Strip:
        parts = [
            _fit(value, wide, right)
            for value, wide, right in list(zip(values, self._widths, self._right, strict=True))[self.column :]
        ]
        text = set_cell_size(mark + _GAP.join(parts), width)
        return Strip([Segment(text, style)], width)

    def _last_column(self) -> int:
        """The last column that is seen, at least in part."""
        used = 1
        for index in range(self.column, len(self._widths)):
            used += self._widths[index] + len(_GAP)
            if used >= self.size.width:
                return index
        return len(self._widths) - 1

    def _cut(self) -> bool:
        """Does the last column stick out on the right?"""
        shown = self._widths[self.column :]
        return 1 + sum(shown) + len(_GAP) * (len(shown) - 1) > self.size.width

    def _caption(self) -> None:
        height, columns = self._frame.height, len(self._names)
        if not height:
            self.border_title = safe(f"{self._label}  {'no rows' if columns else 'reading …'}".strip())
            return
        where = f"row {thousands(self.cursor + 1)} of {thousands(height)}"
        seen = f"columns {self.column + 1}-{self._last_column() + 1} of {columns}"
        if self.column or self._cut():
            seen += " (left, right)"
        self.border_title = safe(f"{self._label}  {where} · {seen}".strip())


def _fit(text: str, width: int, right: bool) -> str:
    size = cell_len(text)
    if size > width:
        return set_cell_size(text, width - 1) + "…"
    return " " * (width - size) + text if right else text + " " * (width - size)
