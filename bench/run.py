"""Packets per second of badhop beside other tools and beside the machine, on the same captures in the same run.

    python bench/run.py                              one small capture made here
    python bench/run.py --shared --scale 0.1         the shared set of captures, made at a tenth of its size

Ratios count, not wall clocks: machines differ, and so do hours of one machine.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

import captures
from captures import HERE, Capture
from contenders import CONTENDERS, SMALL, Contender
from goals import BOUNDS, Bound, Reached, reached
from measuring import Failed, spawn
from peers import Peers

DATA = HERE / "data"


@dataclass(frozen=True)
class Measured:
    """Medians of one contender. `count` is what it found in the file."""

    name: str
    role: str
    task: str
    seconds: float
    cpu: float | None
    packets_per_s: float
    bytes_per_s: float
    anonymous_mb: float
    count: int | None

    @property
    def starved(self) -> bool:
        """It had a core for less than two thirds of its time: other work was on the machine."""
        return self.cpu is not None and self.cpu < self.seconds * 2 / 3


class Bench:
    """Measures one contender after another; those whose tools are missing are left out, with the reason told."""

    def __init__(self, runs: int, pipe_gb: float) -> None:
        DATA.mkdir(exist_ok=True)
        self.runs, self.pipe_gb = runs, pipe_gb
        self.peers = Peers(DATA)
        self.left_out: dict[str, str] = {}

    def measure(self, contender: Contender, capture: Capture) -> Measured | None:
        needed = [*filter(None, (contender.peer, "zstd" if "{zst}" in contender.command else None))]
        found = {name: self.peers.find(name) for name in needed}
        missing = [reason for reason in found.values() if isinstance(reason, str)]
        if missing:
            self.left_out[contender.name] = missing[0]
            return None
        zst = _compressed(capture) if "zstd" in found else ""
        fill = {"file": capture.path, "zst": zst, "runs": self.runs, "scratch": DATA / contender.name}
        command = [*found.get(contender.peer or "", ()), *(part.format(**fill) for part in contender.command)]
        packets, size = capture.packets, capture.size
        feed = None
        if contender.limit:
            read = min(contender.limit, packets)
            packets, size = read, size * read // packets
        if contender.feed:
            rounds = max(1, int(self.pipe_gb * 1e9 / size))
            packets, size = packets * rounds, size * rounds
            feed = (sys.executable, str(HERE / "repeat.py"), str(capture.path), str(rounds))
        if contender.name == "memcpy":
            size = 1 << 30
        seconds, cpu, memory, count = self._time(contender, command, feed)
        if contender.every_packet and count is not None and count != packets:
            raise SystemExit(f"{contender.name} found {count} packets of {packets}")
        rates = packets / seconds, size / seconds
        return Measured(contender.name, contender.role, contender.task, seconds, cpu, *rates, memory, count)

    def _time(
        self, contender: Contender, command: list[str], feed: tuple[str, ...] | None
    ) -> tuple[float, float | None, float, int | None]:
        """Seconds, CPU seconds, MB of its own memory, and what it counted."""
        output = DATA / "stdout"
        if contender.tells is None:
            once = contender.limit is not None and contender.limit > 1
            spent = [spawn(command, output, contender.accept) for _ in range(1 if once else self.runs + 1)]
            spent = spent[1:] or spent
            count = contender.count(output)
            return median(s.seconds for s in spent), median(s.cpu for s in spent), spent[-1].anonymous_mb, count
        whole = spawn(command, output, contender.accept, feed)
        if contender.tells == "walker":
            fields = output.read_text().split("\t")
            return float(fields[6]), whole.cpu / int(contender.command[-1]), whole.anonymous_mb, None
        told = json.loads(output.read_text())
        return told["seconds"], told["cpu"], whole.anonymous_mb, told["count"]


def _compressed(capture: Capture) -> Path:
    """The capture in zstd at its usual level, made once."""
    packed = capture.path.with_name(capture.path.name + ".zst")
    if not packed.is_file() or packed.stat().st_mtime < capture.path.stat().st_mtime:
        subprocess.run(["zstd", "-qf", str(capture.path), "-o", str(packed)], check=True)
    return packed


def benchmark(bench: Bench, files: list[Capture], only: str) -> list[Measured]:
    """Everything that fits these files. Rows that count the same table must agree."""
    by_role = {file.role: file for file in files}
    small = captures.own(DATA, 1000)[0]
    chosen = [(contender, by_role.get(contender.role)) for contender in CONTENDERS]
    chosen += [(contender, small) for contender in SMALL]
    measured = []
    settled = set()
    for contender, file in chosen:
        if file is None or (only and not any(part in contender.name for part in only.split(","))):
            continue
        if file.path not in settled:
            captures.settle(file)
            settled.add(file.path)
        try:
            row = bench.measure(contender, file)
        except Failed as failed:
            raise SystemExit(str(failed)) from failed
        if row:
            measured.append(row)
            print(_line(row), file=sys.stderr, flush=True)
    for role in by_role:
        counts = {row.count for row in measured if row.role == role and row.name in ROCE_ROWS}
        if len(counts) > 1:
            raise SystemExit(f"rows of `roce` in {role} do not agree: {sorted(map(str, counts))}")
    return measured


ROCE_ROWS = ("scan", "seven", "seven-1", "full", "seven-full", "icrc")


def _line(row: Measured) -> str:
    cpu = "-" if row.cpu is None else f"{row.cpu * 1e3:.0f}"
    rate, speed = f"{row.packets_per_s / 1e6:.2f}", f"{row.bytes_per_s / 1e9:.2f}"
    return f"{row.name:16} {row.task:56} {row.seconds * 1e3:9.1f} {cpu:>7} {rate:>9} {speed:>7} {row.anonymous_mb:7.0f}"


HEAD = f"{'row':16} {'task':56} {'ms':>9} {'cpu ms':>7} {'M pkt/s':>9} {'GB/s':>7} {'own MB':>7}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}" if value < 10 else f"{value:.0f}"


def _told(why: str, ratio: float | None, by_cpu: float | None, due: float | None, goal: float, word: str) -> str:
    return f"{why:64} {_number(ratio):>8} {_number(by_cpu):>8} {_number(due):>6} {_number(goal):>6} {word}".rstrip()


def _fat(bound: Bound, memory: dict[str, float]) -> bool:
    return memory.get(bound.row, 0) > bound.due


def _bound_line(bound: Bound, memory: dict[str, float]) -> str:
    found = memory.get(bound.row)
    word = "not measured" if found is None else "missed" if _fat(bound, memory) else ""
    return _told(bound.why, found, None, bound.due, bound.goal, word)


def _ratio_line(found: Reached) -> str:
    word = "missed" if found.missed else ""
    if found.ratio is None or found.starved:
        word = "not measured" if found.ratio is None else "starved: measure again on an idle machine"
    goal = found.goal
    return _told(goal.why, found.ratio, found.by_cpu, goal.due, goal.goal, word)


def _rates(measured: list[Measured]) -> dict[str, dict[str, float]]:
    """Rates by row; the ceiling of a capture other than the first is called by its role."""
    rates = {}
    for row in measured:
        own = row.name if row.role == "roce_128" or not row.name.startswith("walker") else f"walker-{row.role}"
        rates[own] = {"packets_per_s": row.packets_per_s, "bytes_per_s": row.bytes_per_s}
        if row.cpu:
            rates[own] |= {f"{by} of CPU": rate * row.seconds / row.cpu for by, rate in rates[own].items()}
    return rates


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--packets", type=int, default=1_000_000, help="of the capture that is made here")
    kept = DATA / "shared"
    parser.add_argument("--shared", type=Path, nargs="?", const=kept, metavar="DIR", help="the shared set, made there")
    parser.add_argument("--scale", type=float, default=0.1, help="of the shared set, where it has to be made")
    parser.add_argument("--python", default=sys.executable, help="a Python with numpy, to make the shared set")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", default="", metavar="A,B", help="rows whose names hold one of these")
    parser.add_argument("--pipe-gb", type=float, default=0.0, help="size of the long pipe; 0 sends the capture once")
    parser.add_argument("--gate", action="store_true", help="exit 1 when a ratio that is due is missed")
    parser.add_argument("--save", action="store_true", help="also write bench/results.json")
    parser.add_argument("--json", action="store_true", help="print the rows as JSON")
    options = parser.parse_args()
    bench = Bench(options.runs, options.pipe_gb)
    if options.shared:
        files = captures.shared(options.shared, options.scale, options.python)
    else:
        files = captures.own(DATA, options.packets)
    measured = benchmark(bench, files, options.only)
    for name, reason in bench.left_out.items():
        print(f"skipped {name}: {reason}", file=sys.stderr)
    ratios = reached(_rates(measured), {row.name for row in measured if row.starved})
    memory = {row.name: row.anonymous_mb for row in measured}
    if options.json:
        print(json.dumps([asdict(row) for row in measured], indent=2))
    else:
        head = f"{'ratio':64} {'is':>8} {'by CPU':>8} {'due':>6} {'goal':>6}"
        print("\n".join([HEAD, *map(_line, measured), "", head]))
        print("\n".join(_ratio_line(found) for found in ratios))
        print("\n".join(_bound_line(bound, memory) for bound in BOUNDS))
    if options.save:
        machine = {"machine": platform.machine(), "cpus": os.cpu_count(), "python": platform.python_version()}
        rows = [asdict(row) for row in measured]
        told = [
            {"ratio": f.goal.why, "is": f.ratio, "by_cpu": f.by_cpu, "due": f.goal.due, "goal": f.goal.goal}
            for f in ratios
        ]
        told += [{"ratio": b.why, "is": memory.get(b.row), "due": b.due, "goal": b.goal} for b in BOUNDS]
        result = {**machine, "runs": options.runs, "rows": rows, "ratios": told}
        (HERE / "results.json").write_text(json.dumps(result, indent=2) + "\n")
    missed = any(found.missed for found in ratios) or any(_fat(bound, memory) for bound in BOUNDS)
    return int(options.gate and missed)


if __name__ == "__main__":
    sys.exit(main())
