"""Real Soft-RoCE runs: every tap holds the packets, opcodes, NAKs and marks that were counted when it was made."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from badhop import scan_capture

RUNS = pytest.mark.each_file("truth", "rxe/runs/*/truth.json")
SYNDROMES = {"psn_seq": 0x60, "invalid_req": 0x61, "remote_access": 0x62, "remote_op": 0x63}


def taps(truth: Path) -> dict[str, pl.LazyFrame]:
    """The RDMA packets of each tap."""
    files = {name: tap["file"] for name, tap in json.loads(truth.read_text())["taps"].items()}
    return {name: scan_capture(truth.parent / file, "roce") for name, file in files.items()}


def on_the_wire(truth: Path) -> dict[str, Any]:
    counted: dict[str, Any] = json.loads(truth.read_text())["on_the_wire"]
    return counted


@RUNS
def test_every_tap_has_the_rdma_packets_that_passed_it(truth: Path) -> None:
    got = {tap: roce.select(pl.len()).collect().item() for tap, roce in taps(truth).items()}
    assert got == on_the_wire(truth)["roce_packets"]


@RUNS
def test_the_first_tap_has_the_opcodes_that_passed_it(truth: Path) -> None:
    roce = taps(truth)["a"].group_by("opcode").len().collect()
    got = {str(opcode): count for opcode, count in roce.iter_rows()}
    assert got == on_the_wire(truth)["opcodes_at_a"]


@RUNS
def test_the_naks_are_those_that_the_receiver_sent(truth: Path) -> None:
    counted = on_the_wire(truth)
    at_b = taps(truth)["b"].filter(pl.col("syndrome").is_not_null()).select("syndrome").collect()["syndrome"]
    naks = counted["naks"].get("B->A at b", {})
    for name, syndrome in SYNDROMES.items():
        assert (at_b == syndrome).sum() == naks.get(name, 0), name
    assert at_b.is_between(0x20, 0x3F).sum() == counted["rnr_naks"].get("B->A at b", 0)


@RUNS
def test_no_packet_is_marked_ce_before_the_queue_that_marks(truth: Path) -> None:
    marked = on_the_wire(truth).get("ce_marked") or dict.fromkeys(taps(truth), 0)
    got = {tap: roce.filter(pl.col("ecn") == 3).select(pl.len()).collect().item() for tap, roce in taps(truth).items()}
    assert got == marked


@RUNS
def test_the_icrc_is_wrong_where_bits_were_flipped_and_nowhere_else(truth: Path) -> None:
    counted = on_the_wire(truth).get("icrc")
    for tap, roce in taps(truth).items():
        fits = roce.select("icrc_ok").collect()["icrc_ok"]
        if counted is None:
            assert fits.drop_nulls().all(), tap
        else:
            assert (fits.sum(), (~fits).sum()) == (counted[tap]["icrc_ok"], counted[tap]["icrc_bad"]), tap


@RUNS
def test_source_ports_are_those_of_the_queue_pairs(truth: Path) -> None:
    counted = on_the_wire(truth)["udp_source_ports"]
    ports = taps(truth)["a"].select(pl.col("sport").unique().sort()).collect()["sport"].to_list()
    assert ports == sorted({port for direction in counted.values() for port in direction})
