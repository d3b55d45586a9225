"""The table of any number of rows."""

import polars as pl
import pytest
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from badhop.ui import cells
from badhop.ui.widgets.frame_table import PAGE, FrameTable
from ui.session import lines_of

MANY = 3_000_000


class OneTable(App[None]):
    """A screen with nothing but the table."""

    def __init__(self, frame: pl.DataFrame) -> None:
        super().__init__()
        self.frame = frame

    def compose(self) -> ComposeResult:
        yield FrameTable()

    def on_mount(self) -> None:
        self.query_one(FrameTable).show(self.frame, "rows")
        self.query_one(FrameTable).focus()


@pytest.fixture
def formatted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many rows each call formatted."""
    calls: list[int] = []
    page = cells.page

    def counting(frame: pl.DataFrame) -> list[tuple[str, ...]]:
        calls.append(frame.height)
        return page(frame)

    monkeypatch.setattr(cells, "page", counting)
    return calls


async def press(pilot: Pilot[None], *keys: str) -> None:
    await pilot.press(*keys)
    await pilot.pause()


async def test_of_three_million_rows_only_the_pages_on_screen_are_formatted(formatted: list[int]) -> None:
    app = OneTable(pl.DataFrame({"frame": pl.arange(1, MANY + 1, eager=True)}))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        table = app.query_one(FrameTable)
        assert lines_of(table)[1] == ">      1"
        await press(pilot, "end")
        assert lines_of(table)[-1] == f">{MANY}"
        await press(pilot, "home")
        assert lines_of(table)[1] == ">      1"
        for _ in range(5):
            await press(pilot, "pagedown")
    assert 0 < sum(formatted) <= 6 * PAGE


async def test_the_cursor_stays_inside_and_in_view() -> None:
    app = OneTable(pl.DataFrame({"n": list(range(100))}))
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.pause()
        table = app.query_one(FrameTable)
        await press(pilot, "up")
        assert table.cursor == 0
        await press(pilot, "G", "down")
        assert table.cursor == 99
        assert [line for line in lines_of(table) if line.startswith(">")] == [">99"]
        await press(pilot, "g")
        assert lines_of(table)[1] == "> 0"


async def test_columns_scroll_to_the_last_and_back() -> None:
    app = OneTable(pl.DataFrame({f"column_number_{n}": [n] for n in range(12)}))
    async with app.run_test(size=(80, 10)) as pilot:
        await pilot.pause()
        table = app.query_one(FrameTable)
        assert "column_number_0" in lines_of(table)[0]
        assert "column_number_11" not in lines_of(table)[0]
        await press(pilot, *["right"] * 20)
        assert "column_number_11" in lines_of(table)[0]
        await press(pilot, *["left"] * 20)
        assert "column_number_0" in lines_of(table)[0]


async def test_a_longer_value_on_a_later_page_is_shown_whole() -> None:
    app = OneTable(pl.DataFrame({"word": ["a"] * 300 + ["the longest of them all"] + ["b"] * 300}))
    async with app.run_test(size=(60, 12)) as pilot:
        await pilot.pause()
        table = app.query_one(FrameTable)
        table.cursor = 300
        await pilot.pause()
        assert any("the longest of them all" in line for line in lines_of(table))


async def test_a_value_that_is_too_long_ends_in_an_ellipsis() -> None:
    app = OneTable(pl.DataFrame({"says": ["x" * 500], "after": [1]}))
    async with app.run_test(size=(80, 6)) as pilot:
        await pilot.pause()
        line = lines_of(app.query_one(FrameTable))[1]
    assert "x…" in line
    assert line.endswith("1")


async def test_the_cursor_is_marked_without_colour_and_numbers_stand_to_the_right() -> None:
    app = OneTable(pl.DataFrame({"psn": [7, 16777215], "kind": ["loss", "reorder"]}))
    async with app.run_test(size=(40, 6)) as pilot:
        await pilot.pause()
        assert lines_of(app.query_one(FrameTable))[:3] == [
            "      psn  kind",
            ">       7  loss",
            " 16777215  reorder",
        ]


async def test_a_table_without_columns_is_still_being_read() -> None:
    app = OneTable(pl.DataFrame())
    async with app.run_test(size=(40, 6)) as pilot:
        await pilot.pause()
        assert "reading" in str(app.query_one(FrameTable).border_title)


async def test_an_empty_table_says_so_and_takes_every_key() -> None:
    app = OneTable(pl.DataFrame({"a": []}))
    async with app.run_test(size=(40, 6)) as pilot:
        await pilot.pause()
        await press(pilot, "down", "end", "home", "pagedown", "right", "left", "enter", "d")
        table = app.query_one(FrameTable)
        assert "no rows" in str(table.border_title)
        assert table.row() is None
