"""What is timed inside a warm process: `python bench/inside.py NAME FILE RUNS [THREADS]` prints seconds, CPU and count.

One warm-up, then the median of the runs. Columns are kept until the end of a run, as a query would.
"""

import json
import mmap
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

BATCH_ROWS = 1 << 17
THREE = ["ts", "dest_qp", "psn"]
SEVEN = ["ts", "wire_len", "sport", "opcode", "dest_qp", "psn", "ecn"]
INNER = ["ts", "wire_len", "ethertype", "vlan", "tunnel_id", "src", "dst", "dport", "protocol"]


def touch(path: Path, _threads: int | None) -> None:
    """The limit: every byte of the file is copied out of the page cache, and nothing else."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as view:
        for start in range(0, len(view), 1 << 18):
            view[start : start + (1 << 18)]


def track(path: Path, threads: int | None) -> int:
    """The one-pass diagnosis: every tracked table."""
    from polars import DataFrame

    from badhop import _core

    return int(DataFrame(_core.track(str(path), path.name, threads=threads)["capture_health"])["packets"][0])


def tokens(path: Path, threads: int | None) -> int:
    """The same pass, down to the frame of tokens: what it found of them."""
    from polars import DataFrame

    from badhop import _core

    return DataFrame(_core.track(str(path), path.name, threads=threads)["tokens"]).height


def scan(path: Path, _threads: int | None) -> int:
    """Three columns of every RoCE packet as a polars frame, by the public way."""
    import badhop

    return badhop.scan_capture(path, "roce").select(THREE).collect().height


def columns(table: str, names: list[str] | None) -> Callable[[Path, int | None], int]:
    """These columns of a table, or all of them but the ICRC, as Arrow batches in polars."""

    def run(path: Path, threads: int | None) -> int:
        from polars import DataFrame

        from badhop import _core

        wanted = names
        if wanted is None:
            declared = next(known for known in _core.tables() if known["name"] == table)
            wanted = [name for name, *_ in declared["columns"] if name != "icrc_ok"]
        kept = [DataFrame(part) for part in _core.scan(path, table, path.name, wanted, BATCH_ROWS, None, threads)]
        return sum(part.height for part in kept)

    return run


def streamed(path: Path, threads: int | None) -> int:
    """Every column of every packet, batch by batch, none of them kept."""
    from polars import DataFrame

    from badhop import _core

    parts = _core.scan(path, "packets", path.name, None, BATCH_ROWS, None, threads)
    return sum(DataFrame(part).height for part in parts)


WORK: dict[str, Callable[[Path, int | None], int | None]] = {
    "touch": touch,
    "track": track,
    "tokens": tokens,
    "scan": scan,
    "seven": columns("roce", SEVEN),
    "icrc": columns("roce", [*SEVEN, "icrc_ok"]),
    "full": columns("roce", None),
    "inner": columns("packets", INNER),
    "streamed": streamed,
}


def main() -> None:
    name, file, runs, *rest = sys.argv[1:]
    work, path = WORK[name], Path(file)
    threads = int(rest[0]) if rest else None
    found = None if path.is_char_device() or path.is_fifo() else work(path, threads)  # what is piped comes once
    spent, cpu = [], []
    for _ in range(int(runs)):
        start, start_cpu = time.perf_counter(), time.process_time()
        found = work(path, threads)
        spent.append(time.perf_counter() - start)
        cpu.append(time.process_time() - start_cpu)
    print(json.dumps({"seconds": median(spent), "cpu": median(cpu), "count": found}))


if __name__ == "__main__":
    main()
