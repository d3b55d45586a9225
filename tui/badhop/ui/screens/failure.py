"""Something could not be done: what, where, and the next step."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Footer, Static

from badhop.ui.safe import safe
from badhop.ui.widgets.title_bar import TitleBar


class FailureScreen(Screen[None]):
    """Closes with Esc, back to what was there before."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,b,backspace", "app.back", "Back", id="failure.back"),
        Binding("r", "app.again", "Read again", id="failure.again"),
    ]

    def __init__(self, what: str, place: str, next_step: str, title: str = "Something went wrong") -> None:
        super().__init__()
        self._title, self._what, self._place, self._next_step = title, what, place, next_step

    def compose(self) -> ComposeResult:
        yield TitleBar(self._title)
        with VerticalScroll(id="failure"):
            yield Static(Content.assemble(("[!] ", "bold"), safe(self._what, "bold")), id="what")
            if self._place:
                yield Static(Content("Where: ").append(safe(self._place)), id="place")
            if self._next_step:
                yield Static(Content("Next: ").append(safe(self._next_step)), id="next-step")
        yield Footer(compact=True, show_command_palette=False)
