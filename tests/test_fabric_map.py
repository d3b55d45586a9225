"""What lies between two taps, by a map of links and taps."""

from dataclasses import replace

import pytest

from badhop.fabric_map import FabricMap

MAP = FabricMap(
    links=(
        ("h1/n0", "leaf1/E1"),
        ("h2/n0", "leaf1/E2"),
        ("leaf1/U1", "spine1/P1"),
        ("leaf1/U2", "spine2/P1"),
        ("leaf2/U1", "spine1/P2"),
        ("leaf2/U2", "spine2/P2"),
        ("leaf2/E1", "h3/n0"),
        ("h4/n0", "leaf2/E4"),
        ("h4/n1", "leaf2/E5"),
    ),
    taps={
        "nic.pcap": "h1/n0",
        "host.pcap": "h2",
        "in.pcap": "leaf1/E1",
        "out.pcap": "leaf1/U1",
        "spine.pcap": "spine1/P1",
        "far.pcap": "leaf2/E1",
        "two.pcap": "h4",
        "some.pcap": "leaf1",
        "lost.pcap": "leaf9/E1",
    },
    hosts=frozenset({"h1", "h2", "h3", "h4"}),
)


@pytest.mark.parametrize(
    ("tap_a", "tap_b", "hops"),
    [
        ("nic.pcap", "in.pcap", ("h1/n0->leaf1/E1",)),
        ("in.pcap", "nic.pcap", ("leaf1/E1->h1/n0",)),
        ("in.pcap", "out.pcap", ("leaf1",)),
        ("nic.pcap", "host.pcap", ("h1/n0->leaf1/E1", "leaf1/E2->h2/n0", "leaf1")),
        ("out.pcap", "spine.pcap", ("leaf1/U1->spine1/P1",)),
        ("nic.pcap", "some.pcap", ("h1/n0->leaf1/E1", "leaf1")),
        ("in.pcap", "in.pcap", ("leaf1",)),
    ],
)
def test_the_hops_on_the_way_are_named_in_its_direction(tap_a: str, tap_b: str, hops: tuple[str, ...]) -> None:
    if tap_a == tap_b:
        tap_a, tap_b = f"{tap_a}#before", f"{tap_b}#after"
    assert MAP.between(tap_a, tap_b) == hops


def test_of_several_shortest_ways_all_hops_are_told() -> None:
    hops = MAP.between("in.pcap", "far.pcap")
    assert {"spine1", "spine2", "leaf1", "leaf2"} <= set(hops)
    assert len(hops) == 8


@pytest.mark.parametrize("other", ["two.pcap", "lost.pcap", "unknown.pcap"])
def test_a_place_that_is_not_known_gives_no_hop(other: str) -> None:
    assert MAP.between("nic.pcap", other) == ()


def test_no_way_leads_through_a_host() -> None:
    bonded = replace(MAP, links=(("leaf1/E1", "h1/n0"), ("leaf2/E1", "h1/n1")), hosts=frozenset({"h1"}))
    assert bonded.between("in.pcap", "far.pcap") == ()


def test_a_capture_is_known_by_the_end_of_its_path_unless_that_fits_two() -> None:
    assert MAP.between("run/nic.pcap", "in.pcap") == ("h1/n0->leaf1/E1",)
    two = replace(MAP, taps={"x/nic.pcap": "h1/n0", "y/nic.pcap": "h2/n0", "in.pcap": "leaf1/E1"})
    assert two.between("x/nic.pcap", "in.pcap") == ("h1/n0->leaf1/E1",)
    assert two.between("nic.pcap", "in.pcap") == ()


def test_two_captures_at_one_port_have_nothing_between_them() -> None:
    same = replace(MAP, taps={**MAP.taps, "again.pcap": "leaf1/E1"})
    assert same.between("in.pcap", "again.pcap") == ()
