"""The walk by keyboard alone, at 80 by 24."""

import re
from pathlib import Path

import pytest

from badhop import playbook as engine
from badhop.playbook import Playbook
from badhop.ui.messages import TableChosen
from badhop.ui.opened import Request
from badhop.ui.screens import table
from badhop.ui.screens.home import HomeScreen
from badhop.ui.screens.packet import PacketScreen
from badhop.ui.screens.row import RowScreen
from badhop.ui.screens.steps import StepsScreen
from badhop.ui.screens.table import TableScreen
from badhop.ui.screens.verdict import VerdictScreen
from badhop.ui.screens.walk import WalkScreen
from badhop.ui.widgets.frame_table import FrameTable
from badhop.ui.widgets.hex_view import HexView
from badhop.ui.widgets.menu import Menu
from ui.session import LARGE, SMALL, Session, episodes, evidence, lines_of, running


async def walking(session: Session, capture: Path, playbook: Playbook, rows: int = 2) -> WalkScreen:
    """Home, and Enter on the one playbook."""
    losses = [("loss", 2 * n + 1, 2 * n + 2) for n in range(rows)]
    await session.show(evidence(capture, episodes(capture, *losses), playbook))
    assert isinstance(session.screen, HomeScreen)
    await session.press("enter")
    assert isinstance(session.screen, WalkScreen)
    return session.screen


async def test_home_tells_what_was_opened_and_what_can_be_asked(capture: Path, playbook: Playbook) -> None:
    async with running(Request((capture,))) as session:
        await session.show(evidence(capture, episodes(capture, ("loss", 1, 2)), playbook))
        sees = session.sees()
    assert "tor.pcap  pcap  40 packets" in sees
    assert "[!] the file ends inside packet 41" in sees
    assert "Lost packets" in sees
    assert "it is slow" in sees
    assert re.search(r"loss_episodes +1 ", sees)


async def test_a_step_shows_its_answer_in_words_its_prose_and_its_rows(capture: Path, playbook: Playbook) -> None:
    async with running(Request((capture,))) as session:
        screen = await walking(session, capture, playbook)
        assert session.says("#answer") == "[!] FOUND  2 rows"
        assert session.says("#prose") == "Why this is asked.\n\nOne row for each episode."
        assert "$ tcpdump -i {iface} -w {bundle}/x.pcap udp port 4791" in session.says("#commands")
        assert "needs root; 30 s, reads only" in session.says("#commands")
        assert session.says("#commands").endswith("Put your own in place of {iface}, {bundle}.")
        assert session.says("#suggestion") == "n > Where?"
        rows = screen.query_one(FrameTable)
        assert [line.split()[:4] for line in lines_of(rows)[1:3]] == [
            [">tor.pcap", "loss", "1", "2"],
            ["tor.pcap", "loss", "3", "4"],
        ]


async def test_n_follows_the_suggestion_and_b_comes_back_through_the_history(capture: Path, playbook: Playbook) -> None:
    async with running(Request((capture,))) as session:
        screen = await walking(session, capture, playbook)
        await session.press("n")
        assert screen.step.title == "Where?"
        assert session.says("#answer") == "[!] FOUND  1 row: the side with most episodes"
        await session.press("b")
        assert screen.step.title == "Was anything lost?"
        await session.press("n", "backspace", "b")
        assert isinstance(session.screen, HomeScreen)


async def test_the_list_of_steps_jumps_and_b_knows_the_way_back(capture: Path, playbook: Playbook) -> None:
    async with running(Request((capture,))) as session:
        screen = await walking(session, capture, playbook)
        await session.press("s")
        assert isinstance(session.screen, StepsScreen)
        sees = session.sees()
        assert "1  [!]  FOUND   Was anything lost?  2 rows  (here)" in sees
        assert "3  [?]  NO DATA Was it paused?" in sees
        await session.press("end", "enter")
        assert screen.step.title == "Was it paused?"
        assert session.says("#answer") == "[?] NO DATA: capture at the switch\nWithout rows: pause_time"
        assert not screen.query_one(FrameTable).display
        await session.press("b")
        assert screen.step.title == "Was anything lost?"


async def test_without_rows_enter_follows_the_suggestion(capture: Path, playbook: Playbook) -> None:
    async with running(Request((capture,))) as session:
        await walking(session, capture, playbook, rows=0)
        assert session.says("#answer") == "[ok] CLEAR: nothing was lost"
        await session.press("enter")
        assert isinstance(session.screen, VerdictScreen)


async def test_enter_on_a_row_opens_its_packets_and_brackets_go_through_them(capture: Path, playbook: Playbook) -> None:
    async with running(Request((capture,))) as session:
        await walking(session, capture, playbook)
        await session.press("down", "enter")
        assert isinstance(session.screen, PacketScreen)
        assert "frame 3, first sent (1 of 2)" in session.sees()
        assert "RC_RDMA_WRITE_ONLY" in session.sees()
        await session.press("right_square_bracket")
        assert "frame 4, the NAK (2 of 2)" in session.sees()
        assert "RC_ACKNOWLEDGE" in session.sees()
        await session.press("n")
        assert "frame 5" in session.sees()
        await session.press("p", "p")
        assert "frame 3" in session.sees()
        await session.press("escape")
        assert isinstance(session.screen, WalkScreen)


async def test_the_bytes_of_the_field_under_the_cursor_are_marked(capture: Path, playbook: Playbook) -> None:
    async with running(Request((capture,))) as session:
        await walking(session, capture, playbook)
        await session.press("enter")
        view = session.screen.query_one(HexView)
        line = view.render_line(2)  # the BTH starts at byte 42, 0x2a
        marked = [piece.text for piece in line if piece.style and piece.style.reverse]
        assert marked == ["0a", "."]
        await session.press(*["down"] * 6)
        assert sum(piece.text.count("ff") for y in range(4) for piece in view.render_line(y) if "ff" in piece.text) >= 2


async def test_a_row_without_packets_opens_in_full(capture: Path, playbook: Playbook) -> None:
    async with running(Request((capture,))) as session:
        await walking(session, capture, playbook)
        await session.press("n", "enter")
        assert isinstance(session.screen, RowScreen)
        assert session.says("#columns").split() == ["side", "source", "episodes", "2"]


async def test_the_verdict_waits_for_every_step(capture: Path, playbook: Playbook) -> None:
    async with running(Request((capture,))) as session:
        await walking(session, capture, playbook)
        await session.press("v")
        assert isinstance(session.screen, VerdictScreen)
        assert "Was it paused? No data." in session.sees()  # silence is not a clean bill
        await session.press("v")
        assert isinstance(session.screen, WalkScreen)


async def test_a_walk_that_fails_says_why_in_place(
    capture: Path, playbook: Playbook, monkeypatch: pytest.MonkeyPatch
) -> None:
    def walk(*_: object) -> engine.Walk:
        raise engine.PlaybookError(playbook.path, 12, 3, "the query \x1bfailed")

    monkeypatch.setattr(engine, "walk", walk)
    async with running(Request((capture,))) as session:
        await walking(session, capture, playbook)
        assert "[!] The walk stopped" in session.says("#answer")
        assert "12:3: the query \\x1bfailed" in session.says("#answer")


async def test_a_table_opens_as_a_grid_with_its_meaning(capture: Path, playbook: Playbook) -> None:
    async with running(Request((capture,))) as session:
        await session.show(evidence(capture, episodes(capture, ("loss", 1, 2), ("reorder", 3, 4)), playbook))
        menu = session.screen.query_one(Menu)
        menu.highlighted = menu.get_option_index("table:loss_episodes")
        await session.press("enter")
        assert isinstance(session.screen, TableScreen)
        assert session.says("#doc").startswith("One row for each time a sender")
        assert "reorder" in lines_of(session.screen.query_one(FrameTable))[2]
        await session.press("d")
        assert isinstance(session.screen, RowScreen)
        assert "nak_frame" in session.says("#columns")
        await session.press("escape", "enter")
        assert isinstance(session.screen, PacketScreen)


async def test_a_table_longer_than_memory_is_shown_in_parts(
    capture: Path, playbook: Playbook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "MOST_ROWS", 2)
    losses = episodes(capture, *(("loss", None, frame) for frame in range(1, 6)))
    async with running(Request((capture,))) as session:
        await session.show(evidence(capture, losses, playbook))
        session.app.post_message(TableChosen("loss_episodes"))
        await session.press("right_square_bracket", "right_square_bracket", "right_square_bracket")
        rows = session.screen.query_one(FrameTable)
        assert rows.frame["nak_frame"].to_list() == [5]
        assert session.says("#doc").startswith("From row 5 of 5 rows")
        await session.press("left_square_bracket")
        assert rows.frame["nak_frame"].to_list() == [3, 4]


async def test_a_table_whose_file_is_gone_says_so_and_does_not_go_on_reading(capture: Path, playbook: Playbook) -> None:
    async with running(Request((capture,))) as session:
        capture.unlink()
        session.app.post_message(TableChosen("packets"))
        await session.press("down")
        assert isinstance(session.screen, TableScreen)
        assert "This table could not be made" in session.says("#doc")
        assert "reading" not in session.sees()


async def test_hostile_text_reaches_no_screen_unescaped(tmp_path: Path, playbook: Playbook) -> None:
    evil = tmp_path / "\x1b]0;owned\x07[red]\u202e.pcap"
    losses = episodes(evil, ("\x1b[2J[bold]loss[/bold]\u202e", 1, 2))
    async with running(Request((evil,)), LARGE) as session:
        await session.show(evidence(evil, losses, playbook, kind="pcap\x1b"))
        for keys in (("enter",), ("d",), ("escape", "s"), ("escape", "enter"), ("escape", "v")):
            await session.press(*keys)
            sees = session.sees()
            assert sees.replace("\n", "").isprintable()
            if isinstance(session.screen, WalkScreen | RowScreen):
                assert "\\x1b[2J[bold]loss[/bold]\\u202e" in sees


@pytest.mark.parametrize(("size", "beside"), [(SMALL, False), (LARGE, True)])
async def test_bytes_and_fields_stand_side_by_side_where_there_is_room(
    capture: Path, playbook: Playbook, size: tuple[int, int], beside: bool
) -> None:
    async with running(Request((capture,)), size) as session:
        screen = await walking(session, capture, playbook)
        table, explain = screen.query_one(FrameTable), screen.query_one("#explain")
        assert (table.region.y == explain.region.y) is beside
        await session.press("enter")
        fields, view = session.screen.query_one("#fields"), session.screen.query_one(HexView)
        assert (fields.region.y == view.region.y) is beside
        assert "hello, fab" in session.sees()  # the rest is on the next line


async def test_help_tells_every_key_of_the_screen_and_the_signs(capture: Path, playbook: Playbook) -> None:
    async with running(Request((capture,)), LARGE) as session:
        await walking(session, capture, playbook)
        await session.press("question_mark")
        sees = session.sees()
        for words in ("Go where the outcome points", "All steps with their outcomes", "Open the packet", "NO DATA"):
            assert words in sees
        await session.press("escape")
        assert isinstance(session.screen, WalkScreen)


async def test_the_palette_offers_playbooks_and_tables(capture: Path, playbook: Playbook) -> None:
    async with running(Request((capture,))) as session:
        await session.show(evidence(capture, episodes(capture), playbook))
        titles = [command.title for command in session.app.get_system_commands(session.screen)]
    assert titles[0] == "Lost packets"
    assert "Table loss_episodes" in titles


async def test_every_key_of_the_footer_fits_on_eighty_columns(capture: Path, playbook: Playbook) -> None:
    async with running(Request((capture,))) as session:
        await walking(session, capture, playbook)
        assert "q Quit" in session.sees().splitlines()[-1]
        await session.press("enter")
        assert "q Quit" in session.sees().splitlines()[-1]
