"""No file of the corpus, however broken, may do worse than say that it cannot be read."""

from pathlib import Path

import polars as pl
import pytest

from badhop import scan_capture
from badhop.errors import Unreadable
from badhop.sources import Incident, read

SCANNED = {"packets": "packets", "roce": "roce_packets", "pauses": "pause_frames"}
"""Each scanned table, and the column of `capture_health` in which the tracker counts its rows."""


def read_or_refuse(capture: Path) -> Incident | Unreadable:
    try:
        return read([capture])
    except Unreadable as error:
        return error


@pytest.mark.each_file("capture", "corpus/files/*/*")
def test_a_file_is_read_or_refused_in_one_line(capture: Path) -> None:
    incident = read_or_refuse(capture)
    if isinstance(incident, Unreadable):
        assert incident.path == capture
        assert incident.what
        assert incident.next_step
        assert "\n" not in str(incident)
        for table in SCANNED:
            with pytest.raises(Unreadable):
                scan_capture(capture, table)
        return
    health = incident.frames["capture_health"].collect().row(0, named=True)
    assert health["container"] in ("pcap", "pcapng")
    for table, counted in SCANNED.items():
        rows = incident.frames[table].collect()
        assert rows.height == incident.rows(table) == health[counted]
        assert rows["frame"].is_sorted()
        assert rows["frame"].is_unique().all()
    for table, frame in incident.frames.items():
        assert incident.rows(table) == frame.select(pl.len()).collect().item()


@pytest.mark.each_file("capture", "corpus/files/*/*")
def test_a_filter_and_a_projection_change_nothing_in_the_rows(capture: Path) -> None:
    try:
        packets = scan_capture(capture)
    except Unreadable:
        pytest.skip("not readable, which the other test looks at")
    wanted = ["frame", "kind", "stopped"]
    odd = pl.col("frame") % 2 == 1
    assert packets.filter(odd).select(wanted).collect().equals(packets.collect().filter(odd).select(wanted))
