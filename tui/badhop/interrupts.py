"""Ctrl-C that ends a capture and not the program."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

_STDERR = 2


@contextmanager
def first_interrupt() -> Iterator[Callable[[], bool]]:
    """Whether Ctrl-C was pressed. The second one, and any outside of this block, ends the program as always."""
    pressed = False
    before = signal.getsignal(signal.SIGINT)

    def once(number: int, frame: FrameType | None) -> None:
        nonlocal pressed
        pressed = True
        signal.signal(signal.SIGINT, before)
        # Not through sys.stderr, which may be in the middle of a line of progress: it must not be entered twice.
        os.write(_STDERR, b"the capture is ended; what came so far is judged (Ctrl-C again stops)\n")

    signal.signal(signal.SIGINT, once)
    try:
        yield lambda: pressed
    finally:
        signal.signal(signal.SIGINT, before)
