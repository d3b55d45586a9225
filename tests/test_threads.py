"""One thread and two give the same tables, and the same rows in the same order."""

from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from badhop import _core

SAMPLES = Path(__file__).parent.parent / "captures"


def tracked(path: Path, threads: int) -> dict[str, pl.DataFrame]:
    return {name: pl.DataFrame(frame) for name, frame in _core.track(path, "tap", threads=threads).items()}


def scanned(path: Path, table: str, threads: int) -> pl.DataFrame | None:
    """The whole table, of batches so small that most captures have several; `None` when it has no rows."""
    parts = [pl.DataFrame(frame) for frame in _core.scan(path, table, "tap", None, 50, None, threads)]
    return pl.concat(parts) if parts else None


def same(path: Path) -> None:
    one, two = tracked(path, 1), tracked(path, 2)
    assert one.keys() == two.keys()
    for name in one:
        assert_frame_equal(one[name], two[name])


def same_rows(path: Path) -> None:
    for table in ("packets", "roce", "pauses"):
        alone, two = scanned(path, table, 0), scanned(path, table, 2)
        assert (alone is None) == (two is None)
        if alone is not None and two is not None:
            assert_frame_equal(alone, two)


@pytest.mark.parametrize("path", sorted(SAMPLES.rglob("*.pcap*")), ids=lambda path: path.parent.name)
def test_of_a_sample(path: Path) -> None:
    same(path)
    same_rows(path)


@pytest.mark.each_file("path", "rxe/runs/*/*.pcap", "corpus/files/*/*")
def test_of_a_real_capture(path: Path) -> None:
    try:
        _core.container(path)
    except _core.CaptureError as error:
        pytest.skip(error.what)
    same(path)
    same_rows(path)
