"""Every step of a playbook with its outcome, to jump to one."""

from collections.abc import Mapping
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Footer
from textual.widgets.option_list import Option

from badhop.playbook import Playbook, Result, Step
from badhop.ui.outcome import SIGNS, WAITING
from badhop.ui.safe import counted, safe
from badhop.ui.widgets.menu import Menu
from badhop.ui.widgets.title_bar import TitleBar


class StepsScreen(Screen[str | None]):
    """Gives back the slug of the chosen step, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,b,backspace,s", "dismiss", "Back", id="steps.back"),
    ]

    def __init__(self, playbook: Playbook, results: Mapping[str, Result], current: str) -> None:
        super().__init__()
        self._playbook, self._results, self._current = playbook, results, current

    def compose(self) -> ComposeResult:
        yield TitleBar(self._playbook.title, counted(len(self._playbook.steps), "step"))
        yield Menu(
            *(Option(self._line(number, step), id=step.slug) for number, step in enumerate(self._playbook.steps, 1)),
            id="steps",
        )
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        steps = self.query_one(Menu)
        steps.highlighted = steps.get_option_index(self._current)

    @on(Menu.OptionSelected)
    def _go(self, event: Menu.OptionSelected) -> None:
        self.dismiss(event.option.id)

    def _line(self, number: int, step: Step) -> Content:
        result = self._results.get(step.slug)
        sign = SIGNS[result.outcome] if result else WAITING
        here = "  (here)" if step.slug == self._current else ""
        rows = f"  {counted(result.rows, 'row')}" if result and result.rows else ""
        start = safe(f"{number:>2}  {sign.mark:<4} {sign.word:<8}")
        return start.append(safe(step.title, "bold")).append(safe(rows + here))
