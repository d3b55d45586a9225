"""Other tools on the same files, and the ceiling: what is installed, or can be built here and now.

What cannot is left out with its reason, never replaced.
"""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from captures import HERE, SHARED

Found = tuple[str, ...] | str
"""The start of a command, or why there is none."""


def installed(program: str) -> Found:
    return (program,) if shutil.which(program) else f"{program} is not installed"


def libpcap(folder: Path) -> Found:
    """Our driver of libpcap."""
    if not shutil.which("gcc"):
        return "gcc is not installed"
    program, source = folder / "fields", HERE / "fields.c"
    command = ["gcc", "-O3", "-march=native", str(source), "-o", str(program), "-lpcap"]
    return _built(command, program, source, "libpcap's headers are not installed (libpcap-dev)")


def walker(folder: Path) -> Found:
    """The ceiling: a walker over the same records with nothing around it, from the shared folder."""
    source = SHARED / "walker" / "walker.rs"
    if not source.is_file():
        return f"no walker at {source}: set BADHOP_CORPUS to the folder that holds bench/"
    if not shutil.which("rustc"):
        return "rustc is not installed"
    program = folder / "walker"
    command = ["rustc", "--edition", "2021", "-O", "-C", "target-cpu=native", "-o", str(program), str(source)]
    return _built(command, program, source, "rustc did not compile the walker")


def _built(command: list[str], program: Path, source: Path, failure: str) -> Found:
    if program.is_file() and program.stat().st_mtime > source.stat().st_mtime:
        return (str(program),)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return (str(program),) if done.returncode == 0 else failure


FIND: dict[str, Callable[[Path], Found]] = {
    "tshark": lambda _folder: installed("tshark"),
    "tcptrace": lambda _folder: installed("tcptrace"),
    "tcpflow": lambda _folder: installed("tcpflow"),
    "zstd": lambda _folder: installed("zstd"),
    "libpcap": libpcap,
    "walker": walker,
}


class Peers:
    """Each is looked for once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._found: dict[str, Found] = {}

    def find(self, name: str) -> Found:
        if name not in self._found:
            self._found[name] = FIND[name](self._folder)
        return self._found[name]
