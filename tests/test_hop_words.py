"""Hop ids in plain words."""

import re
from pathlib import Path

import pytest

from badhop import analyses
from badhop.hop_words import in_words


@pytest.mark.parametrize(
    ("hop", "words"),
    [
        (
            "side:source@tor.pcap",
            "everything between the sender of the packets and the place where tor.pcap was taken",
        ),
        (
            "side:destination@a@b.pcap",
            "everything between the place where a@b.pcap was taken and the receiver of the packets",
        ),
        (
            "between:a.pcap->b.pcap",
            "everything on the way of the packets from the place where a.pcap was taken to the place where b.pcap was"
            " taken",
        ),
        ("between:a.pcap#before->a.pcap#after", "the switch whose ports a.pcap mirrors both ways"),
        ("10.0.1.12/proc", "the program on 10.0.1.12 that uses RDMA, not the network"),
        ("config:dcqcn@leaf4", "a setting of leaf4, not a broken part"),
        (
            "side:source@two\nlines{}.pcap",
            "everything between the sender of the packets and the place where two\nlines{}.pcap was taken",
        ),
    ],
)
def test_a_hop_id_is_told_in_words(hop: str, words: str) -> None:
    assert in_words(hop) == words


def test_the_name_of_a_part_needs_no_words() -> None:
    assert in_words("leaf4/Eth17->h12/mlx5_3") is None


def test_every_kind_of_hop_that_an_analysis_makes_has_words() -> None:
    made = re.findall(
        r'pl\.format\("([a-z:-]*(?:side:|between:|capture:|mac:|config:)[^"]*|\{\}/proc)"',
        "".join(path.read_text(encoding="utf-8") for path in Path(analyses.__file__).parent.glob("*.py")),
    )
    assert len(made) >= 10
    for pattern in made:
        for side in ("source", "destination"):
            hop = pattern.replace("side:{}", f"side:{side}").replace("{}", "x")
            assert in_words(hop), hop
