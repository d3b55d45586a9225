"""The app: which screen comes when. Everything that is shown lives in the screens."""

import asyncio
import os
import signal
import threading
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.screen import Screen

from badhop.printable import printable
from badhop.sources.options import DEFAULT, Options
from badhop.ui import colours
from badhop.ui.keyboard import keyboard_beside_a_pipe
from badhop.ui.messages import EvidenceFailed, EvidenceOpened, PlaybookChosen, SpotsChosen, TableChosen
from badhop.ui.opened import Opened, Request
from badhop.ui.screens.failure import FailureScreen
from badhop.ui.screens.help import HelpScreen
from badhop.ui.screens.home import HomeScreen
from badhop.ui.screens.opening import OpeningScreen
from badhop.ui.screens.packet import PacketScreen
from badhop.ui.screens.table import TableScreen
from badhop.ui.screens.walk import WalkScreen

_UNREADABLE = 66
"""Exit code when nothing could be opened: EX_NOINPUT of sysexits.h."""


class BadhopApp(App[int]):
    """Opens evidence, and shows what its screens ask for."""

    TITLE = "badhop"
    CSS_PATH = "badhop.tcss"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (140, "-wide")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "help", "Keys", key_display="?", id="app.help"),
        Binding("q", "leave", "Quit", id="app.quit"),
        Binding("ctrl+c", "leave", "Quit", show=False, id="app.interrupt"),
    ]

    def __init__(self, request: Request) -> None:
        plain = colours.is_plain()
        super().__init__(ansi_color=True if plain else None)
        self._request = request
        self.opened: Opened | None = None
        if plain:
            self.theme = colours.PLAIN

    def on_mount(self) -> None:
        self.push_screen(OpeningScreen(self._request))

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """The command palette: every playbook and every table, then Textual's own."""
        if self.opened is not None:
            for found in self.opened.playbooks:
                title, symptom = printable(found.title), printable(found.symptom)
                yield SystemCommand(title, symptom, self._ask(PlaybookChosen(found.name)))
            for name, table in self.opened.tables.items():
                yield SystemCommand(f"Table {name}", table.doc, self._ask(TableChosen(name)))
        yield from super().get_system_commands(screen)

    def _ask(self, message: Message) -> Callable[[], object]:
        return partial(self.post_message, message)

    def action_help(self) -> None:
        active = [one.binding for one in self.screen.active_bindings.values() if one.enabled and one.binding.id]
        keys: dict[str, list[str]] = {}
        for binding in active:
            keys.setdefault(binding.tooltip or binding.description, []).append(self.get_key_display(binding))
        self.push_screen(HelpScreen([(", ".join(dict.fromkeys(names)), what) for what, names in keys.items()]))

    def action_leave(self) -> None:
        self.exit(0 if self.opened is not None else _UNREADABLE)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Reading again is for when nothing could be opened; back is for when there is something below."""
        if action == "again":
            return self.opened is None
        return action != "back" or len(self.screen_stack) > 2

    async def action_back(self) -> None:
        """One screen back; the lowest one stays."""
        if len(self.screen_stack) > 2:
            self.pop_screen()

    def action_again(self) -> None:
        self.switch_screen(OpeningScreen(self._request))

    @on(EvidenceOpened)
    def _opened(self, event: EvidenceOpened) -> None:
        self.opened = event.opened
        self.switch_screen(HomeScreen(event.opened))
        if event.opened.start is not None:
            self.push_screen(WalkScreen(event.opened, event.opened.start))

    @on(EvidenceFailed)
    def _failed(self, event: EvidenceFailed) -> None:
        title = "Nothing was opened"
        self.switch_screen(FailureScreen(event.what, event.place, event.next_step, title))

    @on(PlaybookChosen)
    def _walk(self, event: PlaybookChosen) -> None:
        if self.opened is None:
            return
        playbook = self.opened.playbook(event.name)
        if playbook is None:
            self.notify(f"There is no playbook {printable(event.name)}.", severity="warning", markup=False)
        else:
            self.push_screen(WalkScreen(self.opened, playbook))

    @on(TableChosen)
    def _table(self, event: TableChosen) -> None:
        if self.opened is not None:
            total = self.opened.incident.rows(event.name) if event.name in self.opened.incident.frames else None
            plan = self.opened.frames[event.name]
            self.push_screen(TableScreen(self.opened.tables[event.name], plan, total))

    @on(SpotsChosen)
    def _packet(self, event: SpotsChosen) -> None:
        if self.opened is None:
            return
        source = self.opened.source_of(event.spots[0].source)
        if source is None or not source.path.is_file():
            why = "The capture of this row cannot be opened again: it came by a pipe, or the row does not name it."
            self.notify(why, severity="warning", markup=False)
        else:
            self.push_screen(PacketScreen(source, event.spots))


def run(
    paths: Sequence[Path],
    playbook: str | None = None,
    playbook_dirs: Sequence[Path] = (),
    options: Options = DEFAULT,
) -> int:
    """Open the app on evidence, and on a playbook when one is named. Gives back the exit code of the process."""
    if any(str(path) == "-" for path in paths):
        keyboard_beside_a_pipe()
    request = Request(tuple(map(Path, paths)), playbook, tuple(playbook_dirs), options)
    return asyncio.run(_until_left(BadhopApp(request)))


async def _until_left(app: BadhopApp) -> int:
    """A killed session must not leave mouse and key modes on in the terminal, so signals end the app in order.

    A terminal that is gone cannot be put in order, and Textual's own threads may wait for it for ever: then the process
    ends without them.
    """

    def killed(number: int) -> None:
        app.exit(128 + number)
        end = threading.Timer(GRACE, os._exit, (128 + number,))
        end.daemon = True
        end.start()

    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, killed, number)
    code = await app.run_async()
    return app.return_code or 0 if code is None else code


GRACE = 2.0
"""Seconds that a killed app has to put its terminal in order."""
