"""Real Soft-RoCE runs under counted faults: every capture of every run must get the verdict that its truth demands.

The expected side is worked out from `truth.json`, which counts the dropped packets between two taps. Where a tap cannot
know, that is written down here with the reason, and the verdict must then be silent and not wrong.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from badhop import playbook, sources
from badhop.localise import Verdict

ORDER = ("a", "s_in", "s_mid", "s_out", "b")

HEALTHY = ("01", "03", "05", "07", "09", "53")

ONLY_LOOKS_LIKE_LOSS = {
    "31": ("reorder", None),
    "45": ("slow", "192.0.2.2/proc"),
    "47": ("mismatch", "192.0.2.1/proc"),
    "51": ("timer", "config:ack-timeout@192.0.2.1"),
    "66": ("mismatch", "192.0.2.1/proc"),
}
"""Run to mode and hop, at every tap."""

CANNOT_KNOW: Mapping[str, tuple[tuple[str, ...], str]] = {
    "41": (("s_mid", "s_out", "b"), "the dead queue pairs never got as far as these taps"),
    "55": (("s_mid", "s_out", "b"), "all that was under way was lost and sent again: here it came once"),
    "64": (("s_out", "b"), "the answers passed these taps, and nobody had to send again"),
}

UNRELIABLE = ("59",)
"""UD: lost before the tap it shows, lost after it nobody can know."""

DAMAGED = {"35": "s_out", "68": "s_out"}
"""Run to the first tap that sees the damage. There the ICRC tells: it happened before the tap, wherever the receiver
dropped the packet."""


@cache
def verdict(path: Path) -> Verdict:
    """The verdict on one capture alone."""
    return playbook.walk(playbook.find("roce-loss"), sources.read([path])).verdict


def number(capture: Path) -> str:
    return capture.parent.name[:2]


def where(capture: Path) -> list[dict[str, str]]:
    """The places of `truth.json` at which packets were dropped or changed."""
    loaded: dict[str, list[dict[str, str]]] = json.loads((capture.parent / "truth.json").read_text())
    return loaded["where"]


def expected_side(capture: Path) -> str | None:
    """`source` or `destination` for the traffic that was hurt; None when the run lost nothing on its way."""
    tap = ORDER.index(capture.stem)
    if number(capture) in DAMAGED:
        return "source" if tap >= ORDER.index(DAMAGED[number(capture)]) else "destination"
    sides = set()
    for place in where(capture):
        link, direction = place["link"], place["direction"]
        if link.startswith("inside A, before"):
            sides.add("source")
            continue
        before, after = (ORDER.index(end) for end in link.split("->"))
        forward = direction == "A->B"
        sides.add("source" if (tap >= after if forward else tap <= after) else "destination")
        assert tap <= min(before, after) or tap >= max(before, after), "no tap stands inside a link"
    return sides.pop() if len(sides) == 1 else None


@pytest.mark.each_file("capture", "rxe/runs/*/*.pcap")
def test_every_capture_of_every_run_gets_the_verdict_that_its_truth_demands(capture: Path) -> None:
    got = verdict(capture)
    run = number(capture)
    hops = [(hop.id, hop.mode) for hop in got.hops]
    if run in HEALTHY or run == "23":  # 23 lost packets of the connection manager only; its queue pair never lost one
        assert (got.verdict, hops) == ("healthy", [])
    elif run in ONLY_LOOKS_LIKE_LOSS:
        mode, hop = ONLY_LOOKS_LIKE_LOSS[run]
        assert {found for _, found in hops} == {mode}
        assert got.verdict in ("likely", "side-only")
        assert hop is None or [found for found, _ in hops] == [hop]
    elif run == "33":
        doubled = capture.stem in ("s_out", "b")
        assert [mode for _, mode in hops] == (["duplicate"] if doubled else [])
        assert got.verdict == ("suspect" if doubled else "healthy")
    elif run == "37":
        marked = capture.stem in ("s_out", "b")
        assert [mode for _, mode in hops] == (["incast"] if marked else [])
        assert got.verdict == ("workload" if marked else "healthy")
    elif run == "43":  # the queue pair at B is dead: nothing is lost, and behind every tap nobody answers
        assert hops == [(f"side:destination@{capture.name}", "graydrop")]
    elif run in UNRELIABLE:
        side = expected_side(capture)
        assert hops == ([(f"side:source@{capture.name}", "graydrop")] if side == "source" else [])
        assert got.verdict == ("suspect" if side == "source" else "cannot-tell")
    elif capture.stem in CANNOT_KNOW.get(run, ((), ""))[0]:
        assert hops == [], CANNOT_KNOW[run][1]
    else:
        assert [hop for hop, _ in hops] == [f"side:{expected_side(capture)}@{capture.name}"]
        assert got.verdict == "side-only"
        seen_damage = run in DAMAGED and expected_side(capture) == "source"
        assert {mode for _, mode in hops} == {"corrupt" if seen_damage else "graydrop"}


@pytest.mark.each_file("truth_file", "rxe/runs/*/truth.json")
def test_the_capture_audit_finds_no_drop_where_tcpdump_counted_none(truth_file: Path) -> None:
    loaded = json.loads(truth_file.read_text())
    incident = sources.read(sorted(truth_file.parent.glob("*.pcap")))
    health = incident.frames["capture_health"].collect()
    for row in health.iter_rows(named=True):
        tap = loaded["taps"][Path(row["source"]).stem]
        if tap["tcpdump"]["dropped_by_kernel"] == 0:
            assert row["unseen"] == 0, row["source"]
        assert row["roce_packets"] == loaded["on_the_wire"]["roce_packets"][Path(row["source"]).stem]
