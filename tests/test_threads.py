"""One thread and two give the same tables."""

from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from badhop import _core

SAMPLES = Path(__file__).parent.parent / "captures"


def tracked(path: Path, threads: int) -> dict[str, pl.DataFrame]:
    return {name: pl.DataFrame(frame) for name, frame in _core.track(path, "tap", threads=threads).items()}


def same(path: Path) -> None:
    one, two = tracked(path, 1), tracked(path, 2)
    assert one.keys() == two.keys()
    for name in one:
        assert_frame_equal(one[name], two[name])


@pytest.mark.parametrize("path", sorted(SAMPLES.rglob("*.pcap*")), ids=lambda path: path.parent.name)
def test_of_a_sample(path: Path) -> None:
    same(path)


@pytest.mark.each_file("path", "rxe/runs/*/*.pcap", "corpus/files/*/*")
def test_of_a_real_capture(path: Path) -> None:
    try:
        _core.container(path)
    except _core.CaptureError as error:
        pytest.skip(error.what)
    same(path)
