"""What is measured on which capture, ours and others."""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from captures import HERE


def diagnosed(output: Path) -> int:
    return int(json.loads(output.read_text())["sources"][0]["tables"]["packets"])


def lines(output: Path) -> int:
    with output.open("rb") as file:
        return sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b""))


def first_number(output: Path) -> int:
    return int(output.read_text().split()[0])


def nothing(_output: Path) -> None:
    return None


@dataclass(frozen=True)
class Contender:
    """One row. A whole process is timed from outside; the others tell their own time, after one warm-up."""

    name: str
    role: str
    task: str
    command: tuple[str, ...]
    """`{file}`, `{zst}`, `{scratch}` and `{runs}` are filled in; without `peer`, the whole command."""
    peer: str | None = None
    """The tool whose command goes before."""
    tells: str | None = None
    """Who measures: None from outside, `inside` our JSON, `walker` its line."""
    count: Callable[[Path], int | None] = nothing
    accept: tuple[int, ...] = (0,)
    limit: int | None = None
    """A slow peer reads only so many packets; its rate is that of those."""
    feed: bool = False
    """The capture comes through a pipe, over and over."""
    every_packet: bool = False
    """It counts every packet of the file, so the count is known beforehand."""


def inside(name: str, role: str, task: str, work: str, *threads: str, file: str = "{file}") -> Contender:
    command = (sys.executable, str(HERE / "inside.py"), work, file, "{runs}", *threads)
    return Contender(name, role, task, command, tells="inside", every_packet=work in ("track", "streamed", "inner"))


def tshark(name: str, role: str, task: str, *arguments: str, limit: int = 300_000) -> Contender:
    command = ("-n", "-r", "{file}", "-c", str(limit), *arguments)
    return Contender(name, role, task, command, peer="tshark", count=lines, limit=limit, every_packet=True)


def ceiling(role: str, threads: int) -> Contender:
    return Contender(
        f"walker-{threads}",
        role,
        f"ceiling: seven fields by the walker, {threads} thread{'s' * (threads > 1)}",
        ("extract", "{file}", str(threads), "5"),
        peer="walker",
        tells="walker",
    )


ROCE_FIELDS = ("-T", "fields", "-e", "frame.time_epoch", "-e", "infiniband.bth.destqp", "-e", "infiniband.bth.psn")
AGAIN = (sys.executable, "-m", "badhop", "diagnose", "roce-loss", "{file}", "--json")
DIAGNOSE = (*AGAIN, "--no-cache")
VERDICTS = (0, 1, 2, 3)

CONTENDERS = (
    inside("touch", "roce_128", "limit: copy the file's bytes out of an mmap", "touch"),
    ceiling("roce_128", 1),
    ceiling("roce_128", 2),
    inside("track", "roce_128", "one-pass diagnosis", "track"),
    inside("track-1", "roce_128", "one-pass diagnosis, 1 thread", "track", "1"),
    inside("scan", "roce_128", "three columns of `roce` by scan_capture", "scan"),
    inside("seven", "roce_128", "seven columns of `roce`", "seven"),
    inside("seven-1", "roce_128", "seven columns of `roce`, 1 thread", "seven", "1"),
    inside("full", "roce_128", "every column of `roce` but the ICRC", "full"),
    Contender(
        *("diagnose", "roce_128", "badhop diagnose roce-loss, whole process", DIAGNOSE),
        count=diagnosed,
        accept=VERDICTS,
        every_packet=True,
    ),
    Contender(
        *("again", "roce_128", "the same of a file that was opened before", AGAIN),
        count=diagnosed,
        accept=VERDICTS,
        every_packet=True,
    ),
    Contender(
        *("libpcap", "roce_128", "libpcap, bare fields, whole process", ("{file}",), "libpcap"),
        count=first_number,
        every_packet=True,
    ),
    tshark("tshark", "roce_128", "tshark -T fields, three fields, whole process", *ROCE_FIELDS),
    inside("zst", "roce_128", "one-pass diagnosis of the capture in zstd", "track", file="{zst}"),
    Contender("zstd", "roce_128", "zstd -dc of the same", ("-dcq", "{zst}"), peer="zstd"),
    inside("streamed", "roce_128", "every column of `packets`, no batch kept", "streamed"),
    Contender(
        "piped",
        "roce_128",
        "one-pass diagnosis of a long pipe",
        (sys.executable, str(HERE / "inside.py"), "track", "/dev/stdin", "1"),
        tells="inside",
        feed=True,
        every_packet=True,
    ),
    ceiling("roce_full", 2),
    inside("seven-full", "roce_full", "seven columns of `roce`, whole packets", "seven"),
    inside("icrc", "roce_full", "the same with every ICRC checked", "icrc"),
    Contender(
        "memcpy", "roce_full", "ceiling: copying 1 GiB", ("memcpy", "1024", "2", "5"), peer="walker", tells="walker"
    ),
    ceiling("mixed", 2),
    inside("inner", "mixed", "nine columns of `packets`, of the inner headers", "inner"),
    ceiling("sse", 2),
    inside("tcp", "sse", "one-pass diagnosis", "track"),
    inside("tcp-1", "sse", "one-pass diagnosis, 1 thread", "track", "1"),
    inside("tokens", "sse", "one-pass diagnosis, its tokens counted", "tokens"),
    Contender(
        *("tcpflow", "sse", "tcpflow, reassembly to files, whole process"),
        *(("-q", "-r", "{file}", "-o", "{scratch}"), "tcpflow"),
    ),
    Contender("tcptrace", "sse", "tcptrace -r -l, whole process", ("-n", "-r", "-l", "{file}"), peer="tcptrace"),
    tshark(
        *("tshark-tcp", "sse", "tshark -2, its TCP analysis, whole process", "-2", "-T", "fields"),
        *("-e", "tcp.analysis.flags", "-e", "tcp.analysis.ack_rtt"),
    ),
)

SMALL = (
    Contender(
        "first-row",
        "small",
        "badhop query, first row of a small capture",
        (sys.executable, "-m", "badhop", "query", "SELECT frame, kind FROM packets LIMIT 1", "{file}"),
        limit=1,
    ),
    tshark("tshark-first-row", "small", "tshark, its first row", limit=1),
)
