"""Wall clock, CPU and memory of whole processes."""

import os
import subprocess
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

SAMPLE_S = 0.005
"""Between two looks at the memory of a process."""


@dataclass(frozen=True)
class Spent:
    """What one process took.

    `anonymous_mb` is the most RssAnon seen: its own memory, without the pages of mapped files, which belong to the page
    cache and are given back when somebody needs them.
    """

    seconds: float
    cpu: float
    anonymous_mb: float


class Failed(Exception):
    """A process ended with a code that it should not."""


def spawn(
    command: Sequence[str], output: Path, accept: Sequence[int] = (0,), feed: Sequence[str] | None = None
) -> Spent:
    """Runs it to its end, with its output in a file. `feed` is a command whose output it reads as standard input."""
    errors = output.with_suffix(".stderr")
    with output.open("wb") as out, errors.open("wb+") as err:
        feeder = subprocess.Popen(feed, stdout=subprocess.PIPE) if feed else None
        start = time.perf_counter()
        process = subprocess.Popen(command, stdin=feeder.stdout if feeder else None, stdout=out, stderr=err)
        if feeder and feeder.stdout:
            feeder.stdout.close()  # ours: the feeder must learn when the reader goes away
        watch = _Watch(process.pid)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if feeder:
            feeder.wait()
        if process.returncode not in accept:
            err.seek(0)
            raise Failed(f"{command[0]} failed ({process.returncode}): {err.read().decode(errors='replace')}")
    return Spent(seconds, usage.ru_utime + usage.ru_stime, watch.most_mb())


class _Watch:
    """Looks at the RssAnon of a process until it ends."""

    def __init__(self, pid: int) -> None:
        self._status = Path(f"/proc/{pid}/status")
        self._most = 0
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while True:
            try:
                lines = self._status.read_text().splitlines()
            except OSError:
                return
            found = [int(line.split()[1]) for line in lines if line.startswith("RssAnon:")]
            if not found:
                return  # a zombie has no memory
            self._most = max(self._most, *found)
            time.sleep(SAMPLE_S)

    def most_mb(self) -> float:
        self._thread.join()
        return self._most / 1024
