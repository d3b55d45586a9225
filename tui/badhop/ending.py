"""How a command ends: its exit code, and what stderr says when something was in the way.

Exit codes of a verdict stand in `localise`; these follow sysexits.h and the shell.
"""

import errno
import io
import os
import sys
import traceback
from collections.abc import Callable

from badhop.errors import BadhopError, Cancelled, Unreadable
from badhop.printable import printable_lines

USAGE, UNREADABLE, INTERNAL, INTERRUPTED, CLOSED_PIPE = 64, 66, 70, 130, 141

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""What writing to stdout may meet: a full disk behind it."""


class WrongUse(BadhopError):
    """The command was called in a way that makes no sense; the message says what to do."""


def say(text: str) -> None:
    """Talk goes to stderr, escaped: it may hold names of files."""
    print(printable_lines(text), file=sys.stderr)


def run_to_the_end(command: Callable[[], int], *, debug: bool) -> int:
    """The exit code of the command; with `debug` stderr also shows where an error came from."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a terminal without Unicode must not end the diagnosis
    try:
        code = command()
        sys.stdout.flush()
    except (KeyboardInterrupt, Cancelled):
        say("stopped")
        return INTERRUPTED
    except BrokenPipeError:
        _stop_writing()
        return CLOSED_PIPE
    except Unreadable as error:
        return _failed(error, UNREADABLE, debug=debug)
    except BadhopError as error:
        return _failed(error, _code_of(error), debug=debug)
    except SystemExit:
        raise
    except OSError as error:
        if error.errno not in _NO_ROOM:
            return _defect(error, debug=debug)
        _stop_writing()
        return _failed(WrongUse(f"cannot write the output: {error.strerror}"), USAGE, debug=debug)
    except BaseException as error:  # the last resort, also for a panic in Rust: a defect must not look like a verdict
        return _defect(error, debug=debug)
    return code


def _stop_writing() -> None:
    """Nobody reads on. Python would complain once more when it flushes at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _code_of(error: BadhopError) -> int:
    from badhop.playbook import UnknownPlaybook
    from badhop.sql import SqlError

    return USAGE if isinstance(error, (WrongUse, UnknownPlaybook, SqlError)) else UNREADABLE


def _failed(error: BadhopError, code: int, *, debug: bool) -> int:
    say(f"badhop: {error}")
    if debug:
        say(traceback.format_exc())
    return code


def _defect(error: BaseException, *, debug: bool) -> int:
    say(f"internal error: {type(error).__name__}: {error}")
    say("This is a defect of badhop. Please report it with the output of the same command after BADHOP_DEBUG=1.")
    if debug:
        say(traceback.format_exc())
    return INTERNAL
