"""What one capture of a real Soft-RoCE run counts, against what `truth.json` counted of the same capture: exactly.

`on_the_wire` was made from the captures by another program. Every difference that is meant is declared here, with its
reason; all else must agree for every run and every tap.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import polars as pl
import pytest

from badhop.sources.capture import track

ORDER = ("a", "s_in", "s_mid", "s_out", "b")

HOSTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"A": ("192.0.2.1", "2001:db8::1", "198.51.100.1"), "B": ("192.0.2.2", "2001:db8::2", "198.51.100.2")}
)
"""Addresses of both hosts: IPv4, IPv6, and inside the VLAN of run 57."""

DATAGRAMS: Mapping[str, str] = MappingProxyType(
    {"23": "messages of the connection manager, which are rows of `cm_events`", "59": "a UD queue pair"}
)
"""Runs with packets of no reliable queue pair."""

FALSE_NAKS: Mapping[str, tuple[int, str]] = MappingProxyType(
    {
        "27": (1, "a NAK so soon after a resend by timer that it answers what was sent before it: no second episode"),
        "31": (10, "of NAKs in one run all but the first are the echo of a reordering: one episode"),
        "45": (4, "the sequence NAK that rxe sends right after an RNR NAK for the same PSN: nothing was lost"),
    }
)
"""NAKs for a sequence error that begin no episode of their own, at most, and why."""

LOST_BEFORE_EVERY_TAP = "13"
"""Packets lost before tap a and sent again within a replay are replays to badhop; `truth.json` counts only PSNs that
the tap had seen before."""


@cache
def frames(capture: Path) -> Mapping[str, pl.DataFrame]:
    return track([capture], capture.stem).frames


@cache
def truth(capture: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((capture.parent / "truth.json").read_text())
    return loaded


def number(capture: Path) -> str:
    return capture.parent.name[:2]


def sent_by(host: str, column: str = "src") -> pl.Expr:
    return pl.col(column).is_in(HOSTS[host])


def at_tap(counted: Mapping[str, Any], default: Any) -> Any:
    """The value of the one entry `A->B at a` and so on."""
    assert len(counted) <= 1
    return next(iter(counted.values()), default)


EACH_TAP = pytest.mark.each_file("capture", "rxe/runs/*/*.pcap")


@EACH_TAP
def test_each_packet_of_each_direction_is_counted_once(capture: Path) -> None:
    qps, marks = frames(capture)["roce_qps"], frames(capture)["ecn_marks"]
    answers = pl.sum_horizontal("acks", "naks_sequence", "naks_rnr", "naks_fatal", "read_responses")
    for direction in ("A->B", "B->A"):
        want = truth(capture)["on_the_wire"]["by_direction"][capture.stem].get(direction, 0)
        assert marks.filter(sent_by(direction[0]))["packets"].sum() == want
        requests = qps.filter(sent_by(direction[0]))["requests"].sum()
        answered = qps.filter(sent_by(direction[0], "dst")).select(answers.sum()).item()
        if number(capture) in DATAGRAMS:
            assert requests + answered <= want
        else:
            assert requests + answered == want


@EACH_TAP
def test_answers_of_each_kind_are_those_that_were_counted(capture: Path) -> None:
    wire, qps = truth(capture)["on_the_wire"], frames(capture)["roce_qps"]
    naks = at_tap(wire["naks"], {})
    assert qps["naks_sequence"].sum() == naks.get("psn_seq", 0)
    assert qps["naks_fatal"].sum() == sum(count for kind, count in naks.items() if kind != "psn_seq")
    assert qps["naks_rnr"].sum() == at_tap(wire["rnr_naks"], 0)
    for direction, tap in (("B->A", "b"), ("A->B", "a")):  # counted where they are sent
        if capture.stem == tap:
            assert qps.filter(sent_by(direction[0], "dst"))["acks"].sum() == wire["acks"][direction]


@EACH_TAP
def test_what_was_sent_again_is_counted_where_it_is_sent(capture: Path) -> None:
    replayed = frames(capture)["roce_qps"].filter(sent_by("A"))["replayed"].sum()
    want = at_tap(truth(capture)["on_the_wire"]["retransmissions"], 0)
    if capture.stem != "a":
        return
    if number(capture) == LOST_BEFORE_EVERY_TAP:
        dropped = sum(place["packets"] for place in truth(capture)["where"])
        assert want <= replayed <= want + dropped
    else:
        assert replayed == want


@EACH_TAP
def test_marks_copies_and_damage_show_from_the_tap_behind_their_cause(capture: Path) -> None:
    wire, qps = truth(capture)["on_the_wire"], frames(capture)["roce_qps"]
    marked = wire.get("ce_marked", {}).get(capture.stem, 0)
    marks = frames(capture)["ecn_marks"]
    assert (qps["ce"].sum(), marks["ce"].sum()) == (marked, marked)
    assert marks.filter(congested="before this tap").height == (1 if marked else 0)
    place = ORDER.index(capture.stem)
    extra = wire["extra_after_tap"].items()
    doubled = [count for link, count in extra if place >= ORDER.index(link.rpartition("->")[2])]
    assert qps["duplicates"].sum() == sum(doubled)
    if "icrc" in wire:
        assert qps["bad_icrc"].sum() == wire["icrc"][capture.stem]["icrc_bad"]
    assert frames(capture)["cnp_rates"].height == wire["cnps"] == 0


@EACH_TAP
def test_each_nak_is_an_episode_and_each_wait_a_row(capture: Path) -> None:
    wire, tables = truth(capture)["on_the_wire"], frames(capture)
    episodes = tables["loss_episodes"]
    by_nak = episodes.filter(pl.col("nak_frame").is_not_null(), pl.col("kind") != "receiver-not-ready").height
    naks = at_tap(wire["naks"], {}).get("psn_seq", 0)
    tolerated, _ = FALSE_NAKS.get(number(capture), (0, ""))
    assert naks - tolerated <= by_nak <= naks
    waits = tables["rnr_waits"]
    assert waits.height == at_tap(wire["rnr_naks"], 0) == episodes.filter(kind="receiver-not-ready").height
    waited = waits.filter(pl.col("wait").is_not_null())
    assert (waited["wait"] >= waited["timer"]).all()
    timeouts, by_timer = tables["ack_timeouts"], episodes.filter(recovered_by="timeout")
    assert timeouts.height == by_timer["rounds"].sum()
    assert (timeouts["silence"] <= timeouts["wait"]).fill_null(value=True).all()
    assert tables["credits"].height == 0  # nobody gives credit in these runs


@pytest.mark.each_file("capture", "rxe/runs/17-*/*.pcap", "rxe/runs/49-*/*.pcap", "rxe/runs/51-*/*.pcap")
def test_the_timer_that_was_set_is_what_its_waits_allow(capture: Path) -> None:
    if capture.stem == "b":  # the emulated host gets bursts at once: gaps there are not those of the wire
        return
    set_to = {"17": 15, "49": 15, "51": 10}[number(capture)]
    codes = frames(capture)["ack_timeouts"]["timeout_code"].drop_nulls()
    # rxe rounds up to ticks of 4 ms, so code 10 (4.2 ms) may take for 11. Nothing fires early.
    fitting = codes.is_in([set_to, set_to + 1])
    assert codes.min() == set_to
    assert fitting.sum() >= (1.0 if capture.stem == "a" else 0.95) * codes.len()


@EACH_TAP
def test_how_a_sender_recovers_is_told_where_it_lost_enough(capture: Path) -> None:
    found = set(frames(capture)["roce_qps"]["loss_recovery"].drop_nulls())
    assert found <= {"go-back-n"}
    if number(capture) in ("11", "13", "15", "19", "62"):
        assert found == {"go-back-n"}
