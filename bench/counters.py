"""Speed of the readers of counter streams beside those of others, on the same generated files in the same run.

    python bench/counters.py [--scale S] [--runs N] [--json]

Ratios count, not wall clocks. In process, warm, files in the page cache; the order of the contenders changes with each
run, so that other work on the machine hits all of them. See `counter_streams.py` for what the files hold.
"""

import argparse
import importlib.util
import json
import os
import re
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

import polars as pl

from badhop import _core
from badhop.sources.outputs import read_output
from badhop.sources.outputs.content import on_disk
from counter_streams import make

DATA = Path(__file__).parent / "data"
THREADS = min(2, os.cpu_count() or 1)
MOST = 1 << 26
PIECE = 20
"""A slow peer reads so much less of the file: one in this many samples from its start."""


@dataclass(frozen=True)
class Contender:
    """One way to read one file. `work` returns how many values it found; `share` is the part of the file it read."""

    file: str
    name: str
    work: Callable[[Path], int]
    share: float = 1.0


@dataclass(frozen=True)
class Against:
    """What is due, or aimed at: `ours` so many times as fast as `peer`, or so many values or bytes a second."""

    what: str
    ours: str
    peer: str | None
    due: float | None
    goal: float | None
    unit: str = "x"


@dataclass(frozen=True)
class Measured:
    file: str
    name: str
    seconds: float
    cpu_seconds: float
    values: int
    bytes: float

    @property
    def speed(self) -> float:
        """Values a second, by the clock."""
        return self.values / self.seconds


def ours_ethtool(path: Path) -> int:
    return pl.DataFrame(_core.ethtool_series(path, MOST, THREADS)["readings"]).height


def ours_prometheus(path: Path) -> int:
    return pl.DataFrame(_core.exposition(path, [], MOST, THREADS)["readings"]).height


def ours_records(form: str) -> Callable[[Path], int]:
    def work(path: Path) -> int:
        found = _core.records(path, form, ["ts_us"], THREADS)  # type: ignore[arg-type]
        if found is None or found["unread"]:
            raise SystemExit(f"{path}: not read to its end")
        return pl.DataFrame(found["rows"]).height * 16

    return work


def ours_table(path: Path) -> int:
    """The whole way to the tables of badhop: names looked up, times and places filled in."""
    told = read_output(on_disk(path, Path(path.name), path.name))
    return 0 if told is None else sum(told.rows.values())


def polars_csv(path: Path) -> int:
    return pl.read_csv(path).height * 16


def polars_json(path: Path) -> int:
    return pl.read_ndjson(path).height * 16


def python_regex(path: Path) -> int:
    """As people write it: one pattern over each snapshot."""
    pattern = re.compile(r"^\s+([^:\n]+): (\d+)$", re.MULTILINE)
    rows: list[list[int]] = []
    for part in _first(path, b"# ").split("# ")[1:]:
        rows.append([int(value) for _, value in pattern.findall(part)])
    return sum(map(len, rows))


def python_split(path: Path) -> int:
    """As people write it, the other way: line by line."""
    rows: list[dict[str, int]] = []
    for line in _first(path, b"# ").splitlines():
        if line.startswith("#"):
            rows.append({})
        elif ": " in line:
            name, value = line.rsplit(": ", 1)
            rows[-1][name.strip()] = int(value)
    return sum(map(len, rows))


def prometheus_client(path: Path) -> int:
    from prometheus_client.parser import text_string_to_metric_families  # type: ignore[import-not-found]

    count = 0
    for part in _first(path, b"# SCRAPE ").split("# SCRAPE ")[1:]:
        for family in text_string_to_metric_families(part.partition("\n")[2]):
            count += len(family.samples)
    return count


def _first(path: Path, mark: bytes) -> str:
    """The first samples of a file: a `PIECE`-th of it, up to the next mark."""
    with path.open("rb") as file:
        whole = file.read(path.stat().st_size // PIECE + 1)
    end = whole.rfind(b"\n" + mark)
    return (whole[: end + 1] if end > 0 else whole).decode()


CONTENDERS = [
    Contender("ethtool.txt", "ethtool", ours_ethtool),
    Contender("ethtool.txt", "ethtool to `counters`", ours_table),
    Contender("ethtool.txt", "Python, regex", python_regex, 1 / PIECE),
    Contender("ethtool.txt", "Python, split", python_split, 1 / PIECE),
    Contender("prom.txt", "prometheus", ours_prometheus),
    Contender("prom.txt", "prometheus to `metrics`", ours_table),
    Contender("hirate.csv", "csv", ours_records("csv")),
    Contender("hirate.csv", "polars.read_csv", polars_csv),
    Contender("hirate.jsonl", "jsonl", ours_records("jsonl")),
    Contender("hirate.jsonl", "polars.read_ndjson", polars_json),
]
if importlib.util.find_spec("prometheus_client"):
    CONTENDERS.append(Contender("prom.txt", "prometheus_client", prometheus_client, 1 / PIECE))

AGAINST = [
    Against("ethtool -S beside Python's regex", "ethtool", "Python, regex", 30, 60),
    Against("ethtool -S beside Python's split", "ethtool", "Python, split", 30, 60),
    Against("ethtool -S, values a second", "ethtool", None, None, 150e6, "values/s"),
    Against("Prometheus beside Python's regex on ethtool -S", "prometheus", "Python, regex", 7.4, 31.5),
    Against("Prometheus, samples a second", "prometheus", None, 13.7e6, 58e6, "values/s"),
    Against("Prometheus beside prometheus_client", "prometheus", "prometheus_client", 1, 800),
    Against("CSV beside polars", "csv", "polars.read_csv", 1, 1.8),
    Against("CSV, bytes a second", "csv", None, None, 2e9, "bytes/s"),
    Against("JSON lines beside polars", "jsonl", "polars.read_ndjson", 1, 8),
    Against("JSON lines, bytes a second", "jsonl", None, None, 6e9, "bytes/s"),
]
"""VictoriaMetrics is not here: at rest, its parser read 13.7 M samples/s in process, 7.4 times what Python's regex read
of ethtool -S on the same machine (1.84 M values/s); that ratio stands for it."""


def measure(folder: Path, values: dict[str, int], runs: int) -> list[Measured]:
    """A warm-up of each, then the median of `runs`. Stops where somebody finds other values than were written."""
    spent: dict[str, list[tuple[float, float]]] = {contender.name: [] for contender in CONTENDERS}
    found: dict[str, int] = {}
    for run in range(runs + 1):
        for contender in CONTENDERS if run % 2 else reversed(CONTENDERS):
            start, start_cpu = time.perf_counter(), time.process_time()
            found[contender.name] = contender.work(folder / contender.file)
            if run:
                used = time.perf_counter() - start, time.process_time() - start_cpu
                spent[contender.name].append(used)
    measured = []
    for contender in CONTENDERS:
        count, of_file = found[contender.name], values[contender.file]
        if (contender.share == 1 and count < of_file) or count == 0:
            raise SystemExit(f"{contender.name} found {count} of {of_file} values")
        wall, cpu = (max(median(used), 1e-9) for used in zip(*spent[contender.name], strict=True))
        size = (folder / contender.file).stat().st_size
        share = count / of_file if contender.share < 1 else 1.0
        measured.append(Measured(contender.file, contender.name, wall, cpu, count, size * share))
    return measured


def compared(measured: list[Measured]) -> list[dict[str, object]]:
    """Each ratio or speed beside what is due and what is aimed at; None for a peer that is not installed.

    `cpu` is the same by processor time of all threads, which other work on the machine disturbs less.
    """
    by_name = {m.name: m for m in measured}
    lines: list[dict[str, object]] = []
    for against in AGAINST:
        mine, peer = by_name[against.ours], by_name.get(against.peer or "")
        got: float | None = None
        cpu: float | None = None
        if against.unit != "x":
            amount = mine.bytes if against.unit == "bytes/s" else mine.values
            got, cpu = amount / mine.seconds, amount / mine.cpu_seconds
        elif peer is not None:
            got = mine.speed / peer.speed
            cpu = (mine.values / mine.cpu_seconds) / (peer.values / peer.cpu_seconds)
        told: dict[str, object] = {"what": against.what, "got": got, "cpu": cpu, "unit": against.unit}
        lines.append(told | {"due": against.due, "goal": against.goal})
    return lines


def _shown(value: object, unit: str) -> str:
    if not isinstance(value, int | float):
        return "-"
    return f"{value:.1f} x" if unit == "x" else f"{value / 1e6:,.1f} M{unit}"


def table(measured: list[Measured], lines: list[dict[str, object]]) -> str:
    rows = [f"{'file':14} {'what':26} {'ms':>9} {'CPU ms':>9} {'M values/s':>11} {'MB/s':>8}"]
    for m in measured:
        spent = f"{m.seconds * 1e3:9.1f} {m.cpu_seconds * 1e3:9.1f}"
        rows.append(f"{m.file:14} {m.name:26} {spent} {m.speed / 1e6:11.1f} {m.bytes / m.seconds / 1e6:8.0f}")
    parts = ("got", "cpu", "due", "goal")
    rows.append(f"\n{'':52} " + " ".join(f"{part:>17}" for part in parts))
    for line in lines:
        unit = str(line["unit"])
        rows.append(f"{line['what']!s:52} " + " ".join(f"{_shown(line[part], unit):>17}" for part in parts))
    return "\n".join(rows)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", type=float, default=0.5, help="1 is the full size: 2.3 GB")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", action="store_true", help="print all figures as JSON")
    options = parser.parse_args()
    folder = DATA / f"counters-{options.scale:g}"
    values = make(folder, options.scale)
    measured = measure(folder, values, options.runs)
    lines = compared(measured)
    if options.json:
        print(json.dumps({"measured": [asdict(m) for m in measured], "compared": lines}, indent=2))
    else:
        print(table(measured, lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
