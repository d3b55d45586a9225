"""Whatever a real capture gives to the tables, the cache gives it back unchanged."""

from pathlib import Path

import pytest
from polars.testing import assert_frame_equal

from badhop.errors import Unreadable
from badhop.schema import captured_tables
from badhop.sources import cache, read
from badhop.sources.options import Options


@pytest.mark.each_file("capture", "corpus/files/*/*", "rxe/runs/*/*.pcap*")
def test_tables_from_the_cache_are_those_of_the_pass(
    capture: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(cache.OFF)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(cache, "WORTH", 0)
    monkeypatch.setattr(cache, "_SETTLED", 0)
    try:
        first = read([capture], options=Options(cache=False))
    except Unreadable:
        with pytest.raises(Unreadable):
            read([capture])
        return
    read([capture])
    assert len(list((tmp_path / "badhop").iterdir())) == 1
    again = read([capture])
    assert first.sources == again.sources
    for table in captured_tables():
        if not table.scanned:
            assert_frame_equal(first.frames[table.name].collect(), again.frames[table.name].collect())
