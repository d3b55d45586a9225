"""Snapshots of `ethtool -S` in one file: samples with times and devices, and what is left to the reader of text."""

from datetime import datetime

from badhop.tables import counters
from outputs.claimed import of_text, rows

FIRST = datetime(2025, 12, 1)
KIND = ("ethtool -S series",)


def snapshot(head: str, pause: str, sent: str) -> str:
    return f"{head}\nNIC statistics:\n     rx_prio3_pause: {pause}\n     tx_prio3_pause: {sent}\n"


def test_snapshots_become_samples_of_their_device() -> None:
    told = of_text(
        snapshot("# 1764547200000000 eth0", "1", "2")
        + snapshot("# 1764547200000000 eth1", "7", "8")
        + snapshot("# 1764547200100000 eth0", "3", "2"),
        "h12/all.txt",
    )
    assert told is not None
    assert told.kinds == KIND
    found = rows(told, counters.TABLE, "line", "host", "device", "sample", "ts", "ts_from", "direction", "value")
    later = datetime(2025, 12, 1, 0, 0, 0, 100000)
    assert found == [
        (3, "h12", "eth0", 1, FIRST, "date", "rx", 1.0),
        (4, "h12", "eth0", 1, FIRST, "date", "tx", 2.0),
        (7, "h12", "eth1", 2, FIRST, "date", "rx", 7.0),
        (8, "h12", "eth1", 2, FIRST, "date", "tx", 8.0),
        (11, "h12", "eth0", 3, later, "date", "rx", 3.0),
        (12, "h12", "eth0", 3, later, "date", "tx", 2.0),
    ]
    assert rows(told, counters.TABLE, "name", "priority", "dialect")[0] == ("pause_frames", 3, "mlx5")


def test_a_date_holds_for_the_snapshots_after_it_and_the_path_names_the_device() -> None:
    head = "Mon Dec  1 00:00:00 UTC 2025"
    again = "NIC statistics:\n     rx_prio3_pause: 9\n"
    told = of_text(snapshot(head, "1", "2") + again, "h12/ethtool_eth2.txt")
    assert told is not None
    assert told.kinds == KIND
    assert rows(told, counters.TABLE, "ts", "device", "sample", "value")[-1] == (FIRST, "eth2", 2, 9.0)


def test_values_that_are_none_are_null_and_only_nonsense_is_a_problem() -> None:
    told = of_text(
        snapshot("# 1764547200000000 eth0", "N/A", "EINVAL") + snapshot("# 1764547200100000 eth0", "0x10", "-1")
    )
    assert told is not None
    assert rows(told, counters.TABLE, "value") == [(None,), (None,), (16.0,), (-1.0,)]
    assert [problem["line"] for problem in told.problems] == [4]


def test_one_snapshot_and_foreign_lines_are_left_to_the_reader_of_text() -> None:
    one = snapshot("# 1764547200000000 eth0", "1", "2")
    for text in (one, one + "root@h12:~# ethtool -S eth0\n" + one, one + "what is this\n" + one):
        told = of_text(text)
        assert told is not None
        assert told.kinds == ("ethtool -S",)


def test_dos_line_ends_change_nothing_and_a_cut_invents_nothing() -> None:
    text = snapshot("# 1764547200000000 eth0", "1", "2") + snapshot("# 1764547200100000 eth0", "31", "42")
    columns = ("line", "sample", "ts", "device", "raw_name", "value")
    whole = rows(of_text(text), counters.TABLE, *columns)
    assert rows(of_text(text.replace("\n", "\r\n")), counters.TABLE, *columns) == whole
    for length in range(text.index("31") + 1, len(text)):
        told = of_text(text[:length])
        assert told is not None
        assert told.kinds == KIND
        found = rows(told, counters.TABLE, *columns[:-1])
        assert found == [row[:-1] for row in whole][: len(found)]
