"""The line that says how far reading has come."""

import fcntl
import os
import pty
import struct
import termios

import pytest

from badhop.progress_line import ProgressLine


def on_terminal(columns: int, name: str) -> str:
    """What a terminal of that width is sent."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    with os.fdopen(follower, "w", encoding="utf-8") as stream, ProgressLine(stream) as line:
        line.reading(name, 1, 2)
    with os.fdopen(leader, "rb") as reader:
        return reader.read1(65536).decode()


@pytest.mark.parametrize(("columns", "longest"), [(60, 59), (200, 79), (0, 79)])
def test_it_never_fills_the_last_column_where_a_terminal_would_begin_a_new_line(columns: int, longest: int) -> None:
    written = on_terminal(columns, "x" * 300).split("\r")
    assert max(map(len, written)) == longest


def test_it_leaves_a_clean_line() -> None:
    assert on_terminal(60, "tor.pcap").endswith(f"\r{' ' * 59}\r")
