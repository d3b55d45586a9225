"""Packets per second of badhop beside tshark, on the same generated RoCE capture in the same run.

    python bench/run.py [--packets N] [--runs N] [--gate] [--save]

Ratios count, not wall clocks: machines differ, and so do hours of one machine.
"""

import argparse
import json
import mmap
import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

HERE = Path(__file__).parent
DATA = HERE / "data"
TARGET = 30.0
"""Times tshark: the first target."""
COLUMNS = ["ts", "dest_qp", "psn"]


def touch(path: Path) -> int | None:
    """The limit: every byte of the file is copied out of the page cache, and nothing else."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as view:
        for start in range(0, len(view), 1 << 18):
            view[start : start + (1 << 18)]
    return None


def track(path: Path) -> int:
    """The one-pass diagnosis: queue pairs, loss episodes, pauses, health of the capture."""
    from polars import DataFrame

    from badhop import _core

    return int(DataFrame(_core.track(str(path), path.name, None)["capture_health"])["packets"][0])


def scan(path: Path) -> int:
    """Three columns of every RoCE packet as a polars frame."""
    import badhop

    return badhop.scan_capture(path, "roce").select(COLUMNS).collect().height


def diagnosed(output: Path) -> int:
    return int(json.loads(output.read_text())["sources"][0]["tables"]["packets"])


def lines(output: Path) -> int:
    with output.open("rb") as file:
        return sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b""))


IN_PROCESS: dict[str, Callable[[Path], int | None]] = {"touch": touch, "track": track, "scan": scan}


@dataclass(frozen=True)
class Contender:
    """What is measured. `command` is a whole process; without one, `name` is timed inside a warm process."""

    name: str
    task: str
    command: tuple[str, ...] = ()
    count: Callable[[Path], int] | None = None
    accept: tuple[int, ...] = (0,)
    gated: bool = False


CONTENDERS = (
    Contender("touch", "limit: copy the file's bytes out of an mmap, in process"),
    Contender("track", "one-pass diagnosis, in process", gated=True),
    Contender("scan", "three columns of `roce` to polars, in process", gated=True),
    Contender(
        "diagnose",
        "badhop diagnose roce-loss, whole process",
        (sys.executable, "-m", "badhop", "diagnose", "roce-loss", "{file}", "--json"),
        diagnosed,
        accept=(0, 1, 2, 3),
    ),
    Contender(
        "tshark",
        "tshark -T fields, three fields, whole process",
        (
            *("tshark", "-n", "-r", "{file}", "-T", "fields"),
            *("-e", "frame.time_epoch", "-e", "infiniband.bth.destqp", "-e", "infiniband.bth.psn"),
        ),
        lines,
    ),
)


@dataclass(frozen=True)
class Measured:
    """Medians of one contender. `count` is what it found in the file: all must agree."""

    name: str
    task: str
    seconds: float
    packets_per_s: float
    peak_rss_mb: float
    count: int | None
    ratio: float | None = None
    """Times faster than tshark; None without tshark."""


def _spawn(command: list[str], output: Path, accept: tuple[int, ...]) -> tuple[float, float]:
    """Wall seconds and peak RSS in MB of a whole process."""
    with output.open("wb") as out, (DATA / "stderr").open("wb+") as err:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=out, stderr=err)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in accept:
            err.seek(0)
            raise SystemExit(f"{command[0]} failed ({process.returncode}): {err.read().decode(errors='replace')}")
    return seconds, usage.ru_maxrss / 1024


def measure(contender: Contender, file: Path, packets: int, runs: int) -> Measured:
    """One warm-up, then the median of `runs`."""
    output = DATA / "stdout"
    if contender.command:
        command = [part.format(file=file) for part in contender.command]
        spent = [_spawn(command, output, contender.accept) for _ in range(runs + 1)][1:]
        seconds = median(wall for wall, _ in spent)
        rss = max(peak for _, peak in spent)
        count = contender.count(output) if contender.count else None
    else:
        inside = [sys.executable, str(HERE / "run.py"), "--inside", contender.name, str(file), "--runs", str(runs)]
        _, rss = _spawn(inside, output, (0,))
        told = json.loads(output.read_text())
        seconds, count = told["seconds"], told["count"]
    return Measured(contender.name, contender.task, seconds, packets / seconds, rss, count)


def _inside(name: str, file: Path, runs: int) -> None:
    """Times one in-process contender and tells its parent."""
    work = IN_PROCESS[name]
    count = work(file)
    spent = []
    for _ in range(runs):
        start = time.perf_counter()
        work(file)
        spent.append(time.perf_counter() - start)
    print(json.dumps({"seconds": median(spent), "count": count}))


def benchmark(packets: int, runs: int) -> list[Measured]:
    """Makes the capture when it is missing or stale, measures what is installed, and compares the counts."""
    from generate import generate

    file = DATA / f"roce-{packets}.pcap"
    made_by = max(path.stat().st_mtime for path in (HERE / "generate.py", HERE.parent / "captures" / "wire.py"))
    if not file.is_file() or file.stat().st_mtime < made_by:
        generate(file, packets)
    measured = []
    for contender in CONTENDERS:
        if contender.command and not shutil.which(contender.command[0]):
            print(f"skipped {contender.name}: {contender.command[0]} is not installed", file=sys.stderr)
            continue
        measured.append(measure(contender, file, packets, runs))
    if wrong := {m.name: m.count for m in measured if m.count not in (None, packets)}:
        raise SystemExit(f"counts differ from the {packets} packets of the file: {wrong}")
    tshark = next((m.seconds for m in measured if m.name == "tshark"), None)
    return [Measured(**{**asdict(m), "ratio": tshark and tshark / m.seconds}) for m in measured]


def table(measured: list[Measured]) -> str:
    rows = [f"{'what':58} {'ms':>9} {'packets/s':>12} {'x tshark':>9} {'RSS MB':>7}"]
    for m in measured:
        ratio = f"{m.ratio:9.1f}" if m.ratio else f"{'?':>9}"
        rows.append(f"{m.task:58} {m.seconds * 1e3:9.1f} {m.packets_per_s:12,.0f} {ratio} {m.peak_rss_mb:7.0f}")
    return "\n".join(rows)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--packets", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--gate", action="store_true", help=f"exit 1 when a gated ratio is under {TARGET:g}")
    parser.add_argument("--save", action="store_true", help="write bench/results.json")
    parser.add_argument("--json", action="store_true", help="print the rows as JSON")
    parser.add_argument("--inside", nargs=2, metavar=("NAME", "FILE"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        _inside(options.inside[0], Path(options.inside[1]), options.runs)
        return 0
    measured = benchmark(options.packets, options.runs)
    print(json.dumps([asdict(m) for m in measured], indent=2) if options.json else table(measured))
    if options.save:
        machine = {"machine": platform.machine(), "cpus": os.cpu_count(), "python": platform.python_version()}
        result = {**machine, "packets": options.packets, "runs": options.runs, "rows": [asdict(m) for m in measured]}
        (HERE / "results.json").write_text(json.dumps(result, indent=2) + "\n")
    if not options.gate:
        return 0
    gated = {contender.name for contender in CONTENDERS if contender.gated}
    slow = [m for m in measured if m.name in gated and (m.ratio is None or m.ratio < TARGET)]
    for m in slow:
        found = "tshark is not installed" if m.ratio is None else f"{m.ratio:.1f} times tshark"
        print(f"{m.name}: {found}; the target is {TARGET:g}", file=sys.stderr)
    return bool(slow)


if __name__ == "__main__":
    sys.exit(main())
