"""The keys of the screen below, and what the signs mean."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Footer, Static

from badhop.ui.outcome import SIGNS
from badhop.ui.safe import lines, safe
from badhop.ui.widgets.title_bar import TitleBar


class HelpScreen(Screen[None]):
    """A whole screen: a panel over a dimmed one would send every cell of both over the link."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,b,backspace,question_mark", "app.back", "Back", id="help.back"),
    ]

    def __init__(self, keys: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self._keys = keys

    def compose(self) -> ComposeResult:
        yield TitleBar("keys")
        with VerticalScroll():
            yield Static(self._content(), id="help")
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()

    def _content(self) -> Content:
        width = max((len(key) for key, _ in self._keys), default=0)
        parts = [safe(f"{key:>{width}}  {what}") for key, what in self._keys]
        parts.append(Content("Arrows, page up and down, home and end move. Ctrl-P finds playbooks and tables."))
        parts.append(Content(" "))
        parts += [safe(f"{sign.mark:>{width}}  {sign.word}: {sign.means}") for sign in SIGNS.values()]
        parts.append(safe(f"{'-':>{width}}  in a table: a value that nobody knows"))
        parts += [Content(" "), Content("Times are UTC. badhop runs no command that it shows.")]
        return lines(*parts)
