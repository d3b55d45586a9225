"""Terminals with few colours, or none."""

from pathlib import Path

import pytest
from rich.color import Color

from badhop.playbook import Playbook
from badhop.ui import colours
from badhop.ui.opened import Request
from badhop.ui.widgets.menu import Menu
from ui.session import episodes, evidence, running


@pytest.mark.parametrize(
    ("environment", "plain"),
    [
        ({"TERM": "screen"}, True),
        ({"TERM": "xterm-256color"}, False),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, True),
        ({"TERM": "screen", "COLORTERM": "truecolor"}, False),
        ({"TERM": "dumb"}, True),
    ],
)
def test_few_colours_and_no_colours_get_the_terminals_own(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], plain: bool
) -> None:
    for name in ("TERM", "COLORTERM", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert colours.is_plain() is plain


async def test_without_colours_the_cursor_is_reverse_and_nothing_is_black_on_black(
    monkeypatch: pytest.MonkeyPatch, capture: Path, playbook: Playbook
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "screen")
    async with running(Request((capture,))) as session:
        await session.show(evidence(capture, episodes(capture, ("loss", 1, 2)), playbook))
        menu = session.screen.query_one(Menu)
        chosen = [all(piece.style and piece.style.reverse for piece in menu.render_line(y)) for y in range(4)]
        assert chosen == [False, True, True, False]  # heading, title and symptom of the playbook, heading
        strips = session.screen._compositor.render_strips()
        colours_used = {
            colour
            for strip in strips
            for piece in strip.apply_filter(session.app._filters[-1], session.app.screen.background_colors[1])
            if piece.style
            for colour in (piece.style.color, piece.style.bgcolor)
        }
        assert colours_used <= {None, Color.default()}
