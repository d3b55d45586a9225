"""Short names that tell captures apart."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from badhop.sources.naming import distinct_names


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["/run/a.pcap", "/run/b.pcap"], ["a.pcap", "b.pcap"]),
        (["/h1/tor.pcap", "/h2/tor.pcap", "/h2/nic.pcap"], ["h1/tor.pcap", "h2/tor.pcap", "nic.pcap"]),
        (["/x/h1/tor.pcap", "/y/h1/tor.pcap"], ["x/h1/tor.pcap", "y/h1/tor.pcap"]),
        (["tor.pcap", "h1/tor.pcap"], ["tor.pcap", "h1/tor.pcap"]),
        ([], []),
    ],
)
def test_a_name_is_as_short_as_can_be(paths: list[str], names: list[str]) -> None:
    assert distinct_names([Path(path) for path in paths]) == tuple(names)


PATHS = st.lists(
    st.lists(st.sampled_from(["a", "b", "tor.pcap"]), min_size=1, max_size=4).map(lambda parts: Path("/", *parts)),
    unique=True,
)


@given(PATHS)
def test_no_two_files_share_a_name(paths: list[Path]) -> None:
    names = distinct_names(paths)
    assert len(set(names)) == len(paths)
    for path, name in zip(paths, names, strict=True):
        assert Path(name).parts == path.parts[-len(Path(name).parts) :]


def test_a_name_that_is_no_text_becomes_one() -> None:
    (name,) = distinct_names([Path(os.fsdecode(b"tor\xff\x1b.pcap"))])
    assert name == "tor\\xff\x1b.pcap"
    assert name.encode() == b"tor\\xff\x1b.pcap"
