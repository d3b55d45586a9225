"""The keyboard, when the evidence comes through standard input (`ssh node tcpdump -w - | badhop open -`)."""

import os
import sys


def keyboard_beside_a_pipe() -> None:
    """Keep the pipe as `sys.stdin` and put the terminal in its place, where Textual reads the keys.

    Does nothing when standard input is a terminal, or when there is none (then the app says so itself).
    """
    if sys.stdin is None or sys.stdin.isatty():
        return
    try:
        terminal = os.open("/dev/tty", os.O_RDWR)
    except OSError:
        return
    pipe = os.dup(0)
    os.dup2(terminal, 0)
    os.close(terminal)
    sys.stdin = os.fdopen(pipe)
