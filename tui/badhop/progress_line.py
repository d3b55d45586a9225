"""One line on stderr that says how far reading has come; nothing at all when stderr is no terminal."""

import os
import sys
from typing import TextIO

from badhop.printable import printable

_WIDTH = 79
"""Columns that the line fills at most. It leaves the last one of the terminal free, where some would wrap it."""


class ProgressLine:
    """Shows progress while it is open, and leaves a clean line behind."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._shown = False
        self._width = _WIDTH

    def __enter__(self) -> "ProgressLine":
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown:
            self._write("")

    def reading(self, name: str, done: int, size: int | None) -> bool:
        """For `sources.read`: bytes done of the file, and its size; None for what may go on without end."""
        if size is None:
            self.show(f"reading {name}: {done / 1e6:.1f} MB, Ctrl-C ends the capture")
        else:
            self.show(f"reading {name}: {min(100, 100 * done // size)} %" if size else f"reading {name}")
        return True

    def show(self, text: str) -> None:
        """Put `text` in place of what the line said."""
        if self._stream.isatty():
            self._width = min(_WIDTH, _columns(self._stream) - 1)
            self._write(printable(text)[: self._width])
            self._shown = True

    def _write(self, text: str) -> None:
        self._stream.write(f"\r{text:<{self._width}}\r")
        self._stream.flush()


def _columns(stream: TextIO) -> int:
    """Of the terminal, now: its window may have changed. 80 when it does not say."""
    try:
        columns = os.get_terminal_size(stream.fileno()).columns
    except OSError:
        columns = 0
    return columns or _WIDTH + 1
