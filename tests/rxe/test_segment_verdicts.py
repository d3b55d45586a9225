"""Real Soft-RoCE runs under counted faults, captures of one run opened together: the verdict must name the two taps
between which the packets were dropped, in their direction, and a side only where no tap stands behind or before it.

The expected place is worked out from `truth.json`, which counts the drops between neighbouring taps. Where the captures
that are open cannot know, that is written down here with the reason, and the verdict must then be silent and not wrong.
"""

import json
from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from badhop import playbook, sources
from badhop.fabric_map import FabricMap
from badhop.localise import Verdict

ORDER = ("a", "s_in", "s_mid", "s_out", "b")

NO_LOSS_BETWEEN_TAPS: Mapping[str, tuple[str, str, tuple[str, ...]]] = {
    "13": ("side-only", "graydrop", ("side:source@a.pcap",)),
    "31": ("likely", "reorder", ("between:s_mid.pcap->s_out.pcap",)),
    "33": ("suspect", "duplicate", ("side:source@s_out.pcap",)),
    "35": ("proven", "corrupt", ("between:s_mid.pcap->s_out.pcap",)),
    "37": ("workload", "incast", ("side:source@s_out.pcap",)),
    "43": ("side-only", "graydrop", ("side:destination@b.pcap",)),
    "45": ("likely", "slow", ("192.0.2.2/proc",)),
    "47": ("likely", "mismatch", ("192.0.2.1/proc",)),
    "51": ("likely", "timer", ("config:ack-timeout@192.0.2.1",)),
    "66": ("likely", "mismatch", ("192.0.2.1/proc",)),
    "68": ("proven", "corrupt", ("between:s_mid.pcap->s_out.pcap",)),
}
"""Run to verdict, mode and hops with all captures. In 13 the sender dropped before tap a, in 43 the queue pair at B was
dead. In 35 and 68 packets were damaged between two taps and dropped for it in B. Copies and marks (33, 37) are told by
the taps that see them: each knows only that they were made before it, and the first that sees them is the nearest."""

NOT_PROVEN: Mapping[str, str] = {
    "59": "UD: nobody acknowledges it, so no capture could be audited; three captures behind the drop miss the same",
}
"""Runs whose place is named and only called likely, with the reason."""

NOT_AUDITED: Mapping[str, str] = {
    "45": "too few packets were acknowledged to show what a capture lost itself",
    "59": "UD: nobody acknowledges it",
    "66": "too few packets were acknowledged to show what a capture lost itself",
}
"""Runs of which no piece of the way may be cleared, although none of their packets is missing there."""

NOBODY_KNOWS: Mapping[str, tuple[tuple[str, ...], str]] = {
    "23": (ORDER, "messages of the connection manager: none before the taps is missed, none after them is sent again"),
    "41": (("s_mid", "s_out", "b"), "the dead queue pairs never got as far as these taps"),
    "55": (("s_mid", "s_out", "b"), "all that was under way was lost and sent again: here it came once"),
    "59": (("a", "s_in"), "UD: what is lost after a tap is silent"),
    "64": (("s_out", "b"), "the answers passed these taps, and nobody had to send again"),
}
"""Run to the captures which, opened without any other, cannot know of the loss, and why."""


@cache
def verdict(*captures: Path) -> Verdict:
    return playbook.walk(playbook.find("roce-loss"), sources.read(captures)).verdict


def number(run: Path) -> str:
    return run.name[:2]


def taps_of(run: Path) -> tuple[str, ...]:
    return tuple(tap for tap in ORDER if (run / f"{tap}.pcap").exists())


def dropped(run: Path) -> tuple[tuple[str, str], ...]:
    """Neighbouring taps between which packets were dropped, in the direction of the packets."""
    counted = json.loads((run / "truth.json").read_text())["on_the_wire"]["lost_between_taps"]
    places = [place.partition(" ")[2].partition("->") for place, packets in counted.items() if packets]
    return tuple((before, after) for before, _, after in places)


def place(taps: tuple[str, ...], drop: tuple[str, str]) -> str:
    """What those taps can say of a drop: the nearest two around it, else the side of the outermost one."""
    back = ORDER.index(drop[0]) > ORDER.index(drop[1])
    order = ORDER[::-1] if back else ORDER
    before = [tap for tap in order if tap in taps and order.index(tap) <= order.index(drop[0])]
    after = [tap for tap in order if tap in taps and order.index(tap) >= order.index(drop[1])]
    if before and after:
        return f"between:{before[-1]}.pcap->{after[0]}.pcap"
    return f"side:destination@{before[-1]}.pcap" if before else f"side:source@{after[0]}.pcap"


def hops(got: Verdict) -> set[str]:
    return {hop.id for hop in got.hops}


EACH_RUN = pytest.mark.each_file("file", "rxe/runs/*/truth.json")


@EACH_RUN
def test_all_captures_of_a_run_name_the_taps_around_the_drop_in_its_direction(file: Path) -> None:
    run = file.parent
    got = verdict(*(run / f"{tap}.pcap" for tap in taps_of(run)))
    if drops := dropped(run):
        assert hops(got) == {place(taps_of(run), drop) for drop in drops}
        assert got.verdict == ("likely" if number(run) in NOT_PROVEN else "proven")
        assert {hop.mode for hop in got.hops} == {"graydrop"}
        assert got.rivals == (), "it is one cause, and no side of a tap is its rival"
    elif number(run) in NO_LOSS_BETWEEN_TAPS:
        word, mode, places = NO_LOSS_BETWEEN_TAPS[number(run)]
        assert (got.verdict, {hop.mode for hop in got.hops}, hops(got)) == (word, {mode}, set(places))
    else:
        assert (got.verdict, got.hops) == ("healthy", ())


@EACH_RUN
def test_the_proof_is_packets_that_one_capture_has_and_the_next_one_has_not(file: Path) -> None:
    run = file.parent
    got = verdict(*(run / f"{tap}.pcap" for tap in taps_of(run)))
    for before, after in dropped(run):
        hop = place(taps_of(run), (before, after))
        (proof,) = [piece for piece in got.evidence if piece.detector == "segment-loss" and piece.hop == hop]
        assert proof.source == f"{before}.pcap"
        assert proof.frames
        assert f"passed {before}.pcap and never came by {after}.pcap" in proof.says
    cleared = {piece.hop for piece in got.evidence if piece.detector == "segment-clear"}
    assert all(piece.db < 0 for piece in got.evidence if piece.detector == "segment-clear")
    guilty = {place(taps_of(run), drop) for drop in dropped(run)}
    damaged = {"between:s_mid.pcap->s_out.pcap"} if number(run) in ("35", "68") else set()
    ways = {f"between:{a}.pcap->{b}.pcap" for pair in pairwise(taps_of(run)) for a, b in (pair, pair[::-1])}
    assert cleared == (set() if number(run) in NOT_AUDITED else ways - guilty - damaged)


@EACH_RUN
def test_any_two_captures_name_what_lies_between_them_or_the_side_behind_them(file: Path) -> None:
    run = file.parent
    silent, reason = NOBODY_KNOWS.get(number(run), ((), ""))
    taps = taps_of(run)
    for pair in (*pairwise(taps), (taps[0], taps[-1]), (taps[0], taps[2]), (taps[-3], taps[-1])):
        got = verdict(*(run / f"{tap}.pcap" for tap in pair))
        expected = {place(pair, drop) for drop in dropped(run)}
        if set(pair) <= set(silent):
            expected = {hop for hop in expected if hop.startswith("between:")}
        if dropped(run):
            assert hops(got) == expected, (pair, reason)
            assert got.verdict in (
                ("proven", "likely", "suspect", "side-only") if expected else ("healthy", "cannot-tell")
            )
        elif number(run) not in NO_LOSS_BETWEEN_TAPS:
            assert (got.verdict, got.hops) == ("healthy", ()), pair


@EACH_RUN
def test_only_packets_whose_loss_a_receiver_missed_prove_it_to_two_captures(file: Path) -> None:
    """An acknowledgement or datagram that the last capture misses may have been lost by that capture."""
    run = file.parent
    if number(run) not in ("17", "23", "59", "64"):
        return
    for drop in dropped(run):
        got = verdict(*(run / f"{tap}.pcap" for tap in sorted(drop, key=ORDER.index)))
        assert got.verdict in ("likely", "suspect")
        assert place(drop, drop) in hops(got)


FABRIC = FabricMap(
    links=(("hA/mlx5_0", "sw1/Eth1"), ("sw1/Eth9", "sw2/Eth9"), ("sw2/Eth1", "hB/mlx5_0")),
    taps={
        "a.pcap": "hA/mlx5_0",
        "s_in.pcap": "sw1/Eth1",
        "s_mid.pcap": "sw2/Eth9",
        "s_out.pcap": "sw2/Eth1",
        "b.pcap": "hB",
    },
    hosts=frozenset({"hA", "hB"}),
)


@pytest.mark.each_file("file", *(f"rxe/runs/{run}-*/truth.json" for run in ("11", "15", "19", "49", "64")))
def test_with_a_map_the_link_or_switch_between_the_taps_is_named(file: Path) -> None:
    run = file.parent
    captures = [run / f"{tap}.pcap" for tap in taps_of(run)]
    got = playbook.walk(playbook.find("roce-loss"), sources.read(captures), fabric=FABRIC).verdict
    word, kind, named = {
        "11": ("likely", "link", ("sw1/Eth9->sw2/Eth9", "sw1")),
        "15": ("likely", "link", ("hA/mlx5_0->sw1/Eth1", "sw1/Eth9->sw2/Eth9", "sw1")),
        "19": ("proven", "switch", ("sw2",)),
        "49": ("proven", "link", ("sw2/Eth1->hB/mlx5_0",)),
        "64": ("proven", "switch", ("sw2",)),
    }[number(run)]
    (hop,) = got.hops
    assert (got.verdict, hop.kind, (hop.id, *hop.equivalents)) == (word, kind, named)
    assert all(piece.hop == hop.id for piece in got.evidence if piece.db > 0)


def records(capture: Path) -> list[tuple[bytes, bytes]]:
    """Seconds and microseconds of each packet, so that they sort, and its whole record, of a little-endian file."""
    content, at, found = capture.read_bytes(), 24, []
    while at < len(content):
        end = at + 16 + int.from_bytes(content[at + 8 : at + 12], "little")
        found.append((content[at : at + 4][::-1] + content[at + 4 : at + 8][::-1], content[at:end]))
        at = end
    return found


@pytest.mark.each_file("file", *(f"rxe/runs/{run}-*/truth.json" for run in ("01", "03", "09", "53")))
def test_what_a_capture_lost_itself_is_never_blamed_on_the_way_to_it(file: Path, tmp_path: Path) -> None:
    whole = file.with_name("b.pcap")
    kept = [record for number, (_, record) in enumerate(records(whole)) if number % 40 != 20]
    leaky = tmp_path / "b.pcap"
    leaky.write_bytes(whole.read_bytes()[:24] + b"".join(kept))
    got = verdict(file.with_name("a.pcap"), leaky)
    assert (got.verdict, hops(got)) == ("capture", {"capture:b.pcap"})
    assert not [piece for piece in got.evidence if piece.detector.startswith("segment-")]


@pytest.mark.each_file("file", "rxe/runs/11-loss-write-core/truth.json")
def test_one_capture_of_ingress_and_egress_names_the_switch_that_it_mirrors(file: Path, tmp_path: Path) -> None:
    """The taps s_in and s_mid share one clock, so together they are what such a mirror would have captured."""
    both = sorted(records(file.with_name("s_in.pcap")) + records(file.with_name("s_mid.pcap")), key=lambda one: one[0])
    mirror = tmp_path / "mirror.pcap"
    mirror.write_bytes(file.with_name("s_in.pcap").read_bytes()[:24] + b"".join(record for _, record in both))
    got = verdict(mirror)
    assert (got.verdict, hops(got)) == ("likely", {"between:mirror.pcap#before->mirror.pcap#after"})
