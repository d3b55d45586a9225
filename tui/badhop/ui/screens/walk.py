"""A playbook, one step at a time: what was asked, the answer, its rows, and where to go next."""

from dataclasses import dataclass
from typing import ClassVar

import polars as pl
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.message import Message
from textual.widgets import Footer, Static
from textual.worker import get_current_worker

from badhop import playbook as engine
from badhop.errors import BadhopError, Cancelled
from badhop.playbook import Playbook, Result, Step, Walk
from badhop.ui.messages import SpotsChosen
from badhop.ui.opened import Opened
from badhop.ui.prose import prose
from badhop.ui.safe import safe
from badhop.ui.screens.row import RowScreen
from badhop.ui.screens.steps import StepsScreen
from badhop.ui.screens.verdict import VerdictScreen
from badhop.ui.screens.working import WorkingScreen
from badhop.ui.spots import spots_of
from badhop.ui.step_text import answer, commands, suggestion
from badhop.ui.widgets.frame_table import FrameTable
from badhop.ui.widgets.title_bar import TitleBar


class WalkScreen(WorkingScreen):
    """All steps run in the background, in their order; the person reads them in the order of the suggestions."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n,enter", "follow", "Next", tooltip="Go where the outcome points", id="walk.next"),
        Binding("b,backspace", "return", "Back", tooltip="The step that was read before", id="walk.previous"),
        Binding("s", "steps", "Steps", tooltip="All steps with their outcomes", id="walk.steps"),
        Binding("v", "verdict", "Verdict", id="walk.verdict"),
        Binding("escape", "app.back", "Leave", tooltip="Leave the walk", id="walk.leave"),
    ]

    @dataclass
    class StepRan(Message):
        """One more step has its result."""

        result: Result

    @dataclass
    class Walked(Message):
        """All steps ran; there is a verdict."""

        walk: Walk

    @dataclass
    class Failed(Message):
        """The walk cannot go on."""

        why: str

    def __init__(self, opened: Opened, playbook: Playbook) -> None:
        super().__init__()
        self._opened, self._playbook = opened, playbook
        self._results: dict[str, Result] = {}
        self._step: Step = playbook.steps[0]
        self._history: list[Step] = []
        self._walk: Walk | None = None

    @property
    def step(self) -> Step:
        """The step on screen."""
        return self._step

    def compose(self) -> ComposeResult:
        yield TitleBar()
        with Vertical(id="body"):
            with VerticalScroll(id="explain"):
                yield Static(id="answer")
                yield Static(id="prose")
                yield Static(id="commands")
            yield FrameTable(id="rows")
        yield Static(id="suggestion")
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        self._show()
        self._run()

    def action_follow(self) -> None:
        """Go where the outcome points; at the end of the road that is the verdict."""
        result = self._results.get(self._step.slug)
        if result is None:
            self.notify("This step is still running.", markup=False)
            return
        outcome = self._step.outcomes.get(result.outcome)
        target = self._find(outcome.goto) if outcome else None
        if target is None:
            self.action_verdict()
        else:
            self._go(target)

    def action_return(self) -> None:
        """Back to the step read before; from the first one, out."""
        if not self._history:
            self.app.pop_screen()
            return
        self._step = self._history.pop()
        self._show()

    def action_steps(self) -> None:
        def jump(slug: str | None) -> None:
            target = self._find(slug)
            if target is not None and target is not self._step:
                self._go(target)

        self.app.push_screen(StepsScreen(self._playbook, dict(self._results), self._step.slug), jump)

    def action_verdict(self) -> None:
        if self._walk is None:
            done, total = len(self._results), len(self._playbook.steps)
            self.notify(f"The verdict needs every step: {done} of {total} are done.", markup=False)
            return
        self.app.push_screen(VerdictScreen(self._walk))

    @work(thread=True, exclusive=True, exit_on_error=False, group="walk")
    def _run(self) -> None:
        worker = get_current_worker()

        def on_step(_done: int, _of: int, result: Result) -> bool:
            if not worker.is_cancelled:
                self.post_message(self.StepRan(result))
            return not worker.is_cancelled

        try:
            message: Message = self.Walked(engine.walk(self._playbook, self._opened.incident, on_step))
        except Cancelled:
            return
        except (BadhopError, pl.exceptions.PolarsError, OSError, ValueError) as error:
            message = self.Failed(str(error))
        if not worker.is_cancelled:
            self.post_message(message)

    @on(StepRan)
    def _keep(self, event: StepRan) -> None:
        self._results = {**self._results, event.result.step.slug: event.result}
        if event.result.step.slug == self._step.slug:
            self._show()

    @on(Walked)
    def _finish(self, event: Walked) -> None:
        self._walk = event.walk
        self._results = {result.step.slug: result for result in event.walk.results}
        self._suggest()

    @on(Failed)
    def _say(self, event: Failed) -> None:
        self.query_one("#answer", Static).update(safe(f"[!] The walk stopped: {event.why}", "bold"))

    @on(FrameTable.Chosen)
    def _open(self, event: FrameTable.Chosen) -> None:
        spots = spots_of(event.row or {})
        if spots:
            self.post_message(SpotsChosen(spots))
        else:
            self.query_one(FrameTable).action_detail()

    @on(FrameTable.Detail)
    def _detail(self, event: FrameTable.Detail) -> None:
        self.app.push_screen(RowScreen(self._step.title, event.frame, event.index))

    def _find(self, slug: str | None) -> Step | None:
        return next((step for step in self._playbook.steps if step.slug == slug), None)

    def _go(self, step: Step) -> None:
        self._history.append(self._step)
        self._step = step
        self._show()

    def _show(self) -> None:
        step, result = self._step, self._results.get(self._step.slug)
        place = f"step {self._playbook.steps.index(step) + 1} of {len(self._playbook.steps)}"
        self.query_one(TitleBar).name_places(self._playbook.title, place, step.title)
        self.query_one("#answer", Static).update(answer(self._playbook, step, result))
        self.query_one("#prose", Static).update(prose(self._text(step)))
        self.query_one("#commands", Static).update(commands(step))
        self._suggest()
        rows = self.query_one(FrameTable)
        filled = result is not None and result.rows > 0
        rows.display = filled
        explain = self.query_one("#explain", VerticalScroll)
        explain.set_class(not filled, "alone")
        explain.scroll_home(animate=False)
        if result is not None and filled:
            rows.show(result.frame, step.sql_name)
        (rows if filled else explain).focus()

    def _text(self, step: Step) -> str:
        """The first step also says what the playbook is for."""
        intro = self._playbook.intro if step is self._playbook.steps[0] else ""
        return f"{intro}\n\n{step.prose}" if intro else step.prose

    def _suggest(self) -> None:
        result = self._results.get(self._step.slug)
        text = suggestion(self._playbook, self._step, result, ready=self._walk is not None)
        self.query_one("#suggestion", Static).update(text)
