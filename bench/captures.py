"""The captures that are measured: one that `generate.py` makes here, or those of the shared generator.

The shared generator is found through BADHOP_CORPUS, as the tests find the corpus. It needs numpy, which this project
does not: name a Python that has it with --python.
"""

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
SHARED = Path(os.environ.get("BADHOP_CORPUS", HERE.parent.parent / "shared")).resolve() / "bench"
SETTLED = 1_000_000_000
"""Seconds since 1970: a file that was written just now may still grow and is read as a stream."""


@dataclass(frozen=True)
class Capture:
    """A file, the part it plays, and what a correct reader counts in it."""

    role: str
    """`roce_128`, `roce_full`, `mixed` or `sse`: names of the shared set."""
    path: Path
    packets: int

    @property
    def size(self) -> int:
        return self.path.stat().st_size


def own(folder: Path, packets: int) -> list[Capture]:
    """A headers-only RoCE capture of so many packets, made anew when missing or older than what makes it."""
    from generate import generate

    file = folder / f"roce-{packets}.pcap"
    stamp = folder / f"roce-{packets}.made"
    made_by = max(path.stat().st_mtime for path in (HERE / "generate.py", HERE.parent / "captures" / "wire.py"))
    if not file.is_file() or not stamp.is_file() or stamp.stat().st_mtime < made_by:
        generate(file, packets)
        stamp.touch()
    os.utime(file, (SETTLED, SETTLED))
    return [Capture("roce_128", file, packets)]


SETS = {"roce_128": "roce128", "roce_full": "roce", "mixed": "mixed", "sse": "tcp"}
"""Roles, and the sets of the shared generator that hold them."""
FILES = {"roce_128": "roce_128.pcap", "roce_full": "roce_full.pcap", "mixed": "mixed.pcapng", "sse": "sse.pcap"}


def shared(folder: Path, scale: float, python: str) -> list[Capture]:
    """The shared set at this scale, made in `folder` where a file of it is missing."""
    missing = [role for role, name in FILES.items() if not (folder / name).is_file()]
    if missing:
        generator = SHARED / "gen_captures.py"
        if not generator.is_file():
            raise SystemExit(f"no generator at {generator}: set BADHOP_CORPUS to the folder that holds bench/")
        only = ",".join(SETS[role] for role in missing)
        before = _manifest(folder)
        command = [python, str(generator), "--out", str(folder), "--scale", str(scale), "--only", only]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        merged = before | _manifest(folder)
        (folder / "manifest.json").write_text(json.dumps(merged, indent=1))
    told = {name: file for part in _manifest(folder).values() for name, file in part["files"].items()}
    for name in FILES.values():
        os.utime(folder / name, (SETTLED, SETTLED))
    return [Capture(role, folder / name, int(told[name]["packets"])) for role, name in FILES.items()]


def settle(capture: Capture) -> None:
    """Puts the file out of the page cache and reads it in again, in one go.

    A file that was written bit by bit, or has lain about, is cached in small pieces; mapping those costs five times as
    much, for every reader, and hides what is measured.
    """
    with capture.path.open("rb", buffering=0) as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        while file.read(1 << 22):
            pass


def _manifest(folder: Path) -> dict[str, dict[str, dict[str, dict[str, int]]]]:
    path = folder / "manifest.json"
    found: dict[str, dict[str, dict[str, dict[str, int]]]] = json.loads(path.read_text()) if path.is_file() else {}
    return found
