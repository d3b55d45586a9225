"""What is open, and what can be asked of it: playbooks first, then the tables."""

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Footer, Static
from textual.widgets.option_list import Option

from badhop.playbook import Playbook
from badhop.sources import Source
from badhop.ui.messages import PlaybookChosen, TableChosen
from badhop.ui.opened import Opened
from badhop.ui.safe import counted, lines, safe, thousands
from badhop.ui.widgets.menu import Menu, heading
from badhop.ui.widgets.title_bar import TitleBar

_SOURCES_SHOWN = 4


class HomeScreen(Screen[None]):
    """One list: Enter walks a playbook or shows a table."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "stay", "Back", show=False, id="home.back"),
    ]

    def __init__(self, opened: Opened) -> None:
        super().__init__()
        self._opened = opened

    def compose(self) -> ComposeResult:
        found = self._opened.incident.sources
        packets = self._opened.incident.rows("packets")
        captures = sum("packets" in source.rows for source in found)
        others = sum(bool(source.rows) for source in found) - captures
        parts = [counted(captures, "capture"), counted(packets, "packet")] if captures or not others else []
        yield TitleBar(*parts, *([counted(others, "output")] if others else []))
        yield Static(lines(_sources(found), _mistakes(self._opened.mistakes)), id="sources")
        yield Menu(*self._options(), id="choices")
        yield Footer(compact=True, show_command_palette=False)

    def action_stay(self) -> None:
        self.notify("This is the first screen: q quits.", markup=False)

    @on(Menu.OptionSelected)
    def _choose(self, event: Menu.OptionSelected) -> None:
        kind, _, name = (event.option.id or "").partition(":")
        self.post_message(PlaybookChosen(name) if kind == "playbook" else TableChosen(name))

    def _options(self) -> list[Option]:
        opened = self._opened
        options = [heading("Playbooks: what is wrong?")]
        for playbook in opened.playbooks:
            remark = "" if playbook.name in opened.fitting else "no evidence for it here"
            options.append(Option(_playbook(playbook, remark), id=f"playbook:{playbook.name}"))
        options.append(heading("Tables: what was seen"))
        width = max((len(name) for name in opened.tables), default=0)
        for name, table in sorted(opened.tables.items(), key=lambda item: self._is_empty(item[0])):
            rows = self._rows(name)
            line = safe(f"{name:{width}}  {rows:>13}  ").append(safe(table.doc, "dim"))
            options.append(Option(line, id=f"table:{name}"))
        return options

    def _is_empty(self, table: str) -> bool:
        """Empty tables come last: there are many, and nothing to see in them."""
        return table in self._opened.incident.frames and not self._opened.incident.rows(table)

    def _rows(self, table: str) -> str:
        """Derived tables are made when they are opened, so nobody knows their rows yet."""
        if table not in self._opened.incident.frames:
            return "derived"
        return thousands(self._opened.incident.rows(table))


def _playbook(playbook: Playbook, remark: str = "") -> Content:
    title = safe(playbook.title, "bold")
    if remark:
        title = title.append(f"  ({remark})")
    return lines(title, Content("  ").append(safe(playbook.symptom)))


def _sources(found: tuple[Source, ...]) -> Content:
    parts: list[Content] = []
    for source in found[:_SOURCES_SHOWN]:
        parts.append(safe(f"{source.name}  {source.kind}{_holds(source)}"))
        parts += [safe(f"  [!] {problem}") for problem in source.problems[:1]]
        if len(source.problems) > 1:
            parts.append(safe(f"      and {len(source.problems) - 1} more, see the table problems"))
    if len(found) > _SOURCES_SHOWN:
        parts.append(safe(f"and {len(found) - _SOURCES_SHOWN} more"))
    return lines(*parts)


def _holds(source: Source) -> str:
    """Packets of a capture; of an output the table that it gives most rows to."""
    if not source.rows:
        return ""
    if "packets" in source.rows:
        return f"  {counted(source.rows['packets'], 'packet')}"
    table, count = max(source.rows.items(), key=lambda item: item[1])
    return f"  {thousands(count)} {table}"


def _mistakes(mistakes: tuple[str, ...]) -> Content:
    """Broken playbooks are left out, and that is said."""
    return lines(*(safe(f"[!] playbook left out: {mistake}") for mistake in mistakes[:2]))
