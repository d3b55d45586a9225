"""A list to choose from: headings between the choices, one cursor, no wrapping round at the ends."""

from typing import ClassVar

from rich.style import Style
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.strip import Strip
from textual.widgets import OptionList
from textual.widgets.option_list import Option

_REVERSE = Style(reverse=True)


class Menu(OptionList):
    """An OptionList whose Enter is in the footer, and whose cursor stops at both ends."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "select", "Open", key_display="Enter", id="menu.open"),
        Binding("j", "cursor_down", "Down", show=False, id="menu.down"),
        Binding("k", "cursor_up", "Up", show=False, id="menu.up"),
        Binding("g", "first", "First", show=False, id="menu.first"),
        Binding("G", "last", "Last", show=False, id="menu.last"),
    ]

    def __init__(self, *content: Option, id: str | None = None, opens: bool = True) -> None:
        super().__init__(*content, id=id, compact=True)
        self._opens = opens

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A list that is only read says nothing of Enter in the footer."""
        return self._opens or action != "select"

    def render_line(self, y: int) -> Strip:
        """The chosen lines in reverse video: Textual drops that attribute from an option's style (8.2.8), and without
        colours the cursor would not be seen at all."""
        strip = super().render_line(y)
        line = self.scroll_offset.y + y
        at = self._lines[line][0] if line < len(self._lines) else None
        return strip.apply_style(_REVERSE) if at is not None and at == self.highlighted else strip

    def on_mount(self) -> None:
        self.focus()
        if self.highlighted is None and self.option_count:
            self.action_first()

    def action_cursor_down(self) -> None:
        before = self.highlighted
        super().action_cursor_down()
        if before is not None and self.highlighted is not None and self.highlighted < before:
            self.highlighted = before

    def action_cursor_up(self) -> None:
        before = self.highlighted
        super().action_cursor_up()
        if before is None or self.highlighted is None:
            return
        if self.highlighted > before:
            self.highlighted = before
            self.scroll_home(animate=False)  # the heading above the first choice


def heading(text: str) -> Option:
    """A line that the cursor passes over."""
    return Option(Content.styled(text, "bold underline"), disabled=True)
