"""Makes the counter streams that `counters.py` measures: ethtool -S, Prometheus text, CSV, JSON lines. Deterministic.

    python bench/counter_streams.py FOLDER [--scale S]

At scale 1: 2,000 snapshots of 1,500 counters; 250 scrapes of 3,852 series; 64 ports with 16 counters each for 60 s at
1 kHz. The files take the shape of what people send: names of mlx5, node_exporter and vLLM.
"""

import argparse
import random
from collections.abc import Sequence
from pathlib import Path

START = 1_764_547_200_000_000
"""us of the first sample."""
STREAM = (
    *("rx_bytes", "tx_bytes", "rx_packets", "tx_packets", "rx_prio3_pause", "tx_prio3_pause", "rx_prio3_pause_us"),
    *("tx_prio3_pause_us", "rx_discards", "tx_discards", "rx_ecn_marked", "np_cnp_sent", "rp_cnp_handled"),
    *("out_of_sequence", "buffer_occupancy", "rx_symbol_err"),
)
PORTS = 64


class Walk:
    """Counters that grow by their own pace; many stand still, as most counters of a NIC do."""

    def __init__(self, random_numbers: random.Random, count: int) -> None:
        self._random = random_numbers
        pace = [0, 0, 1, 1500, 90_000, 25_000_000]
        self._paces = [random_numbers.choice(pace) for _ in range(count)]
        self.values = [random_numbers.randrange(1, 10**12) if pace > 1 else 17 * pace for pace in self._paces]

    def step(self) -> Sequence[int]:
        jitter = self._random.randrange(900, 1100)
        self.values = [value + pace * jitter // 1000 for value, pace in zip(self.values, self._paces, strict=True)]
        return self.values


def ethtool_names() -> list[str]:
    """1,500 names as mlx5 prints them: the port, eight priorities, and many queues."""
    port = [f"{way}_{what}_phy" for way in ("rx", "tx") for what in ("packets", "bytes", "discards", "errors")]
    parts = ("bytes", "packets", "discards", "pause", "pause_duration", "pause_transition")
    prio = [f"{way}_prio{number}_{part}" for way in ("rx", "tx") for number in range(8) for part in parts]
    rings = ("packets", "bytes", "csum_complete", "csum_none", "lro_packets", "wqe_err", "cache_reuse", "xdp_drop")
    queue = [f"rx{number}_{part}" for number in range(200) for part in rings]
    return (port + prio + queue)[:1500]


def ethtool(path: Path, snapshots: int) -> int:
    """Writes the snapshots; returns the number of values."""
    names = ethtool_names()
    walk = Walk(random.Random(1), len(names))
    heads = [f"     {name}: " for name in names]
    with path.open("w") as file:
        for index in range(snapshots):
            values = walk.step()
            body = "\n".join([head + str(value) for head, value in zip(heads, values, strict=True)])
            file.write(f"# {START + index * 100_000} eth0\nNIC statistics:\n{body}\n")
    return snapshots * len(names)


def _go_number(value: int) -> str:
    """As Go's %g prints it."""
    if value < 1_000_000:
        return str(value)
    digits = str(value)
    short = digits.rstrip("0")
    return f"{short[0]}{'.' + short[1:] if len(short) > 1 else ''}e+{len(digits) - 1:02d}"


def series_names() -> list[tuple[str, str]]:
    """3,852 series with the comments that stand before them."""
    series: list[tuple[str, str]] = []

    def family(name: str, kind: str, members: Sequence[str]) -> None:
        about = f"# HELP {name} Words about {name}.\n# TYPE {name} {kind}\n"
        series.extend((about if index == 0 else "", member) for index, member in enumerate(members))

    for what in ("port_data_received_bytes", "port_data_transmitted_bytes", "port_packets_received", "link_downed"):
        name = f"node_infiniband_{what}_total"
        nics = [f'device="mlx5_{nic}",port="1",host="h{host}"' for host in range(24) for nic in range(8)]
        family(name, "counter", [f"{name}{{{nic}}}" for nic in nics])
    for what in ("receive_bytes", "transmit_bytes", "receive_drop", "transmit_drop", "receive_errs"):
        name = f"node_network_{what}_total"
        family(name, "counter", [f'{name}{{device="eth{d}"}}' for d in range(64)])
    roce = ("rx_prio_pause", "tx_prio_pause", "np_cnp_sent", "rp_cnp_handled", "out_of_sequence", "packet_seq_err")
    for what in roce:
        name = f"rdma_{what}_total"
        nics = [f'device="mlx5_{nic}",port="1",prio="{prio}"' for nic in range(32) for prio in range(8)]
        family(name, "counter", [f"{name}{{{nic}}}" for nic in nics])
    name = "vllm:time_per_output_token_seconds"
    bounds = ("0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "0.5", "1", "2.5", "5", "+Inf")
    for number in range(100):
        same = f'engine="{number}",model_name="llm-70b"'
        buckets = [f'{name}_bucket{{{same},le="{le}"}}' for le in bounds]
        family(name, "histogram", [*buckets, f"{name}_sum{{{same}}}", f"{name}_count{{{same}}}"])
    return series


def prometheus(path: Path, scrapes: int) -> int:
    """Writes the scrapes; returns the number of samples."""
    series = series_names()
    walk = Walk(random.Random(2), len(series))
    heads = [f"{about}{name} " for about, name in series]
    with path.open("w") as file:
        for index in range(scrapes):
            values = walk.step()
            body = "\n".join([head + _go_number(value) for head, value in zip(heads, values, strict=True)])
            file.write(f"# SCRAPE {START // 1000 + index * 1000}\n{body}\n")
    return scrapes * len(series)


def stream(csv: Path, jsonl: Path, ticks: int) -> int:
    """Writes the same stream of all ports as CSV and as JSON lines; returns the number of values."""
    numbers = random.Random(3)
    walks = [Walk(numbers, len(STREAM)) for _ in range(PORTS)]
    names = [f',"{name}":' for name in STREAM]
    with csv.open("w") as table, jsonl.open("w") as lines:
        table.write(f"ts_us,port,{','.join(STREAM)}\n")
        for tick in range(ticks):
            ts = START + tick * 1000 + numbers.randrange(40)
            for port, walk in enumerate(walks):
                values = [str(value) for value in walk.step()]
                table.write(f"{ts},p{port},{','.join(values)}\n")
                told = "".join([name + value for name, value in zip(names, values, strict=True)])
                lines.write(f'{{"ts_us":{ts},"port":"p{port}"{told}}}\n')
    return ticks * PORTS * len(STREAM)


def make(folder: Path, scale: float) -> dict[str, int]:
    """All files that are missing; the number of values of each."""
    folder.mkdir(parents=True, exist_ok=True)
    counted = {
        "ethtool.txt": max(4, int(2000 * scale)) * len(ethtool_names()),
        "prom.txt": max(2, int(250 * scale)) * len(series_names()),
        "hirate.csv": (ticks := max(100, int(60_000 * scale))) * PORTS * len(STREAM),
        "hirate.jsonl": ticks * PORTS * len(STREAM),
    }
    if not all((folder / name).is_file() for name in counted):
        ethtool(folder / "ethtool.txt", max(4, int(2000 * scale)))
        prometheus(folder / "prom.txt", max(2, int(250 * scale)))
        stream(folder / "hirate.csv", folder / "hirate.jsonl", ticks)
    return counted


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--scale", type=float, default=0.1)
    options = parser.parse_args()
    for name, count in make(options.folder, options.scale).items():
        print(f"{name}: {count:,} values")
