"""A screen with a worker: what goes wrong in it without having been foreseen is shown, and does not end the app."""

from textual.screen import Screen
from textual.worker import Worker, WorkerState

from badhop.ui.screens.failure import FailureScreen


class WorkingScreen(Screen[None]):
    """Expected errors become messages in the worker itself; this is for the rest."""

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A worker that died of a programming error says so, with the words to report it by."""
        if event.state is not WorkerState.ERROR:
            return
        error = event.worker.error
        self.app.push_screen(
            FailureScreen(
                what=f"{type(error).__name__}: {error}",
                place=f"in {event.worker.name}: this is a mistake of badhop, not of your network",
                next_step="Press Esc to go back. Please report it with the two lines above.",
            )
        )
