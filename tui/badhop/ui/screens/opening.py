"""Reading the evidence, with a bar and a way out."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Footer, ProgressBar, Static
from textual.worker import get_current_worker

from badhop.errors import BadhopError, Cancelled, Unreadable
from badhop.playbook import PlaybookError
from badhop.ui.messages import EvidenceFailed, EvidenceOpened
from badhop.ui.opened import Request, open_evidence
from badhop.ui.safe import safe
from badhop.ui.screens.working import WorkingScreen
from badhop.ui.widgets.title_bar import TitleBar

_REPAINT = 0.2
"""Seconds between two steps of the bar: five a second are enough, and cheap on a slow link."""

_MB = 1_000_000


class OpeningScreen(WorkingScreen):
    """Starts to read when it is shown; ends in one message to the app."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "enough", "Judge what came", tooltip="End the capture and judge it", id="opening.enough"),
        Binding("escape,c", "stop", "Cancel", id="opening.cancel"),
    ]

    @dataclass
    class Progressed(Message):
        """So many bytes of one file are read."""

        source: str
        done: int
        size: int | None

        def can_replace(self, message: Message) -> bool:
            return isinstance(message, OpeningScreen.Progressed)

    def __init__(self, request: Request) -> None:
        super().__init__()
        self._request = request
        self._stopped = False
        self._enough = False

    def compose(self) -> ComposeResult:
        yield TitleBar("opening")
        with Vertical(id="opening"):
            yield Static(safe(", ".join(map(str, self._request.paths))), id="paths")
            yield ProgressBar(id="progress", total=None, show_eta=False)
            yield Static("", id="bytes", markup=False)
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        self._read()

    def action_stop(self) -> None:
        """The reader asks before each step whether it should go on; it stops at the next one."""
        self._stopped = True
        self.query_one("#bytes", Static).update("stopping …")

    def action_enough(self) -> None:
        """The capture ends at the next look; what came of it is read."""
        self._enough = True
        self.query_one("#bytes", Static).update("ending the capture …")
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "enough" or (self._request.live and not self._enough)

    @contextmanager
    def _asked(self) -> Iterator[Callable[[], bool]]:
        yield lambda: self._enough

    @work(thread=True, exclusive=True, exit_on_error=False, group="read")
    def _read(self) -> None:
        worker = get_current_worker()
        last = 0.0

        def progress(source: str, done: int, size: int | None) -> bool:
            nonlocal last
            now = time.monotonic()
            if now - last >= _REPAINT:
                last = now
                self.post_message(self.Progressed(source, done, size))
            return not (self._stopped or worker.is_cancelled)

        try:
            message: Message = EvidenceOpened(open_evidence(self._request, progress, self._asked))
        except Cancelled:
            message = EvidenceFailed("Cancelled: nothing was opened.", "", "Press r to read it again, q to quit.")
        except Unreadable as error:
            message = EvidenceFailed(error.what, _place(error), _sentence(error.next_step))
        except PlaybookError as error:
            place = f"{error.path}, line {error.line}" if error.line else str(error.path)
            message = EvidenceFailed(error.message, place, "badhop playbooks check finds every mistake of a playbook.")
        except BadhopError as error:
            message = EvidenceFailed(str(error), "", "")
        if not worker.is_cancelled:
            self.post_message(message)

    @on(Progressed)
    def _advance(self, event: Progressed) -> None:
        if self._stopped:
            return
        self.query_one(ProgressBar).update(total=event.size or None, progress=event.done)
        of = f" of {event.size / _MB:.1f} MB" if event.size else ""
        self.query_one("#bytes", Static).update(safe(f"{event.source}: {event.done / _MB:.1f} MB{of}"))


def _place(error: Unreadable) -> str:
    return f"{error.path}, {error.place}" if error.place else str(error.path)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}." if text else ""
