"""The topology file: the speeds of links and NICs, and nothing that is guessed."""

from pathlib import Path

import pytest

from badhop.cli_options import reading
from badhop.errors import Unreadable
from badhop.topology import load

G = 10**9


@pytest.fixture
def written(tmp_path: Path) -> Path:
    path = tmp_path / "topology.yaml"
    path.write_text(
        "hosts:\n"
        '  h12: {leaf: leaf4, nics: {mlx5_3: {ip: 10.0.1.12, mac: "02:00:00:00:01:0C", speed: 400G}}}\n'
        '  h13: {nics: {mlx5_0: {mac: "02-00-00-00-01-0d"}, mlx5_1: {mac: "02:00:00:00:01:0e"}}}\n'
        "  h14: {leaf: leaf4}\n"
        "links:\n"
        "  - [h12/mlx5_3, leaf4/Eth17, {speed: 400G}]\n"
        "  - [h13/mlx5_0, leaf4/Eth18, {speed: 200Gb/s}]\n"
        "  - [h14/mlx5_0, leaf4/Eth19]\n"
    )
    return path


def test_a_nic_has_its_own_speed_or_that_of_its_link(written: Path) -> None:
    topology = load(written)
    assert topology.nic_speeds == {"02:00:00:00:01:0c": 400 * G, "02:00:00:00:01:0d": 200 * G}
    assert (topology.link_speed, topology.notes) == (None, ())


def test_where_all_links_are_equally_fast_every_port_is(written: Path) -> None:
    written.write_text(written.read_text().replace("200Gb/s", "400G"))
    assert load(written).link_speed == 400 * G


def test_a_contradiction_is_told(written: Path) -> None:
    written.write_text(written.read_text().replace("Eth17, {speed: 400G", "Eth17, {speed: 100G"))
    topology = load(written)
    assert topology.nic_speeds["02:00:00:00:01:0c"] == 400 * G
    (note,) = topology.notes
    assert "h12/mlx5_3 has 400G, its link 100G" in note


@pytest.mark.parametrize(
    ("old", "new", "place", "what"),
    [
        ("speed: 400G}}}", "speed: 400000}}}", "hosts, h12/mlx5_3", "400000 of what"),
        ("200Gb/s", "fast", "links, number 2", "no link speed"),
        ('"02-00-00-00-01-0d"', "2:0:1", "hosts, h13/mlx5_0", "no MAC"),
        ('"02-00-00-00-01-0d"', "10:20:30:40:50:10", "hosts, h13/mlx5_0", "no MAC"),  # a number, says YAML: base 60
    ],
)
def test_what_cannot_be_understood_is_named(written: Path, old: str, new: str, place: str, what: str) -> None:
    text = written.read_text()
    assert old in text
    written.write_text(text.replace(old, new))
    with pytest.raises(Unreadable, match=what) as raised:
        load(written)
    assert raised.value.place == place
    assert raised.value.next_step


@pytest.mark.parametrize(
    "text", ["hosts: 3", "links: {a: b}", "hosts: {h1: 3}", "hosts: {h1: {nics: [1]}}", "links: [1]"]
)
def test_a_part_of_another_form_says_nothing(written: Path, text: str) -> None:
    written.write_text(text)
    assert (load(written).nic_speeds, load(written).link_speed) == ({}, None)


def test_the_command_line_goes_before_the_topology_where_no_nic_is_named(written: Path) -> None:
    written.write_text(written.read_text().replace("200Gb/s", "400G"))
    topology = load(written)
    assert reading(topology=topology).link_speed == 400 * G
    options = reading(topology=topology, link_speed=100 * G)
    assert options.link_speed == 100 * G
    assert dict(options.nic_speeds)["02:00:00:00:01:0c"] == 400 * G


def test_where_captures_were_taken_names_what_lies_between_them(written: Path) -> None:
    written.write_text(
        written.read_text() + "taps:\n"
        "  tor.pcap: {at: leaf4/Eth17, sees: both}\n"
        "  sender.pcap: {at: h12/mlx5_3}\n"
        "  odd.pcap: {at: leaf9/Eth1}\n"
        "  none.pcap: {}\n"
    )
    topology = load(written)
    assert topology.map.between("sender.pcap", "tor.pcap") == ("h12/mlx5_3->leaf4/Eth17",)
    assert topology.map.between("sender.pcap", "none.pcap") == ()
    (note,) = topology.notes
    assert "odd.pcap was taken at leaf9/Eth1, to which no link leads" in note


@pytest.mark.parametrize("taps", ["taps: 3", "taps: [a, b]", "taps: {a.pcap: leaf4}", "links: {a: b}", "links: [[a]]"])
def test_taps_and_links_of_another_shape_say_nothing(tmp_path: Path, taps: str) -> None:
    path = tmp_path / "topology.yaml"
    path.write_text(f"hosts: {{h1: {{}}}}\n{taps}\n")
    assert load(path).map.between("a.pcap", "b.pcap") == ()
