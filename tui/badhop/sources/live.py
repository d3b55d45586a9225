"""Captures that are still being made: how long they are waited for, and what says that it is enough."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

Enough = Callable[[], AbstractContextManager[Callable[[], bool]]]
"""Entered while a capture is waited for. It gives the question that is asked several times a second: is it enough?"""

_PATIENCE = 0.2
"""Seconds between two looks at a file that grows."""


@contextmanager
def never() -> Iterator[Callable[[], bool]]:
    """For whoever cannot stop a capture: it ends by itself, or after its time."""
    yield lambda: False


def after(seconds: float | None, asked: Callable[[], bool]) -> Callable[[], bool]:
    """True after so many seconds from now, if they are given, or as soon as `asked` says so."""
    begin = time.monotonic()
    return lambda: asked() or (seconds is not None and time.monotonic() - begin >= seconds)


def wait_for(files: Sequence[Path], reading: Callable[[Path, int], object], enough: Callable[[], bool]) -> None:
    """Lets the files grow until it is enough; `reading` is told the size of each now and then."""
    while files and not enough():
        for path in files:
            reading(path, path.stat().st_size)
        time.sleep(_PATIENCE)
