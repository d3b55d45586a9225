"""Tables written by hand: rows with the columns that a test is about, everything else null or nothing."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from badhop.analyses import all_tables
from badhop.sources import Incident, Source
from badhop.tables import raw_tables


def rows(table: str, *given: Mapping[str, Any]) -> pl.LazyFrame:
    """Rows of a declared table; a column that is not given is null."""
    schema = all_tables()[table].schema()
    return pl.LazyFrame([{name: row.get(name) for name in schema} for row in given], schema=schema)


def incident(tables: Mapping[str, pl.LazyFrame] | None = None, path: str = "tor.pcap") -> Incident:
    """An incident with these raw tables filled and all others empty, from one source."""
    frames = {table.name: table.empty() for table in raw_tables()} | dict(tables or {})
    counts = {name: frame.collect().height for name, frame in frames.items()}
    return Incident(frames, (Source(Path(path), Path(path).name, "pcap", counts),))


def qp(**given: Any) -> dict[str, Any]:
    """A row of `roce_qps` on which nothing happened; give what did."""
    nothing = dict.fromkeys(_COUNTS, 0)
    return {"source": "tor.pcap", "qp": 1, "src": "192.0.2.1", "dst": "192.0.2.2", "dest_qp": 17, "transport": "RC"} | (
        nothing | {"requests": 100, "acks": 50} | given
    )


_COUNTS = (
    *("requests", "acks", "naks_sequence", "naks_rnr", "naks_fatal", "read_responses"),
    *("replayed", "duplicates", "bad_icrc", "ect", "ce", "cnps"),
)


def episode(kind: str, side: str | None = None, **given: Any) -> dict[str, Any]:
    """A row of `loss_episodes` of requests from 192.0.2.1 to 192.0.2.2 that a NAK in frame 7 began."""
    row = {"source": "tor.pcap", "qp": 1, "src": "192.0.2.1", "dst": "192.0.2.2", "dest_qp": 17, "kind": kind}
    return (
        row
        | {"side": side, "hurt": "request", "recovered_by": "nak", "replayed": 4, "nak_frame": 7, "rounds": 1}
        | given
    )


def health(**given: Any) -> dict[str, Any]:
    """A row of `capture_health` of a capture without any flaw."""
    row = {"source": "tor.pcap", "container": "pcap", "packets": 200, "roce_packets": 180, "pause_frames": 0}
    flaws = "cut_packets undecoded unreliable_requests unreliable_gaps one_way_qps unseen duplicates backward_steps"
    good = {"reliable_requests": 100, "answers": 50, "followed": 150, "unseen_share": 0.0, "damaged": False}
    return row | dict.fromkeys(flaws.split(), 0) | good | given


def segment(tap_a: str = "a.pcap", tap_b: str = "b.pcap", **given: Any) -> dict[str, Any]:
    """A row of `segments` of RDMA packets from 192.0.2.1 to 192.0.2.2, 1000 of which passed both captures."""
    row = {"tap_a": tap_a, "tap_b": tap_b, "src": "192.0.2.1", "dst": "192.0.2.2", "traffic": "rdma"}
    names = ("lost", "witnessed", "missing_a", "missing_b", "elsewhere", "doubled", "marked", "damaged")
    counts = dict.fromkeys(names, 0)
    sent = {"sent": 1000 + given.get("lost", 0), "matched": 1000, "order_by": "times", "one_of": 1}
    return row | counts | sent | given
