"""Work that goes on in a second thread while the first one reads captures: loading what is needed only afterwards.

A pass over a capture runs in Rust and leaves the interpreter to others. The first thread keeps the reading, because
Ctrl-C comes to it alone.
"""

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

_Made = TypeVar("_Made")


class Meanwhile(Generic[_Made]):
    """Begins the work at once. What the first thread imports meanwhile it must have imported before, whole packages
    excepted: two threads in a circle of imports would see modules half made."""

    def __init__(self, work: Callable[[], _Made]) -> None:
        self._work = work
        self._made: list[_Made] = []
        self._raised: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="meanwhile")
        self._thread.start()

    def goes_well(self) -> bool:
        """False once the work has failed: then nobody needs to go on."""
        return self._raised is None

    def result(self) -> _Made:
        """What the work made, once it is done. Raises what it raised."""
        self._thread.join()
        if self._raised is not None:
            raise self._raised
        return self._made[0]

    def _run(self) -> None:
        try:
            self._made.append(self._work())
        except BaseException as raised:  # whatever it is, it is told to who asks for the result
            self._raised = raised
