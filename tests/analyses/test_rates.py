"""Rates of counters: what two readings tell, and every way in which they tell nothing."""

from datetime import datetime, timedelta
from typing import Any

import polars as pl
import pytest

from badhop import vocabulary
from badhop.analyses.rates import TABLE, rates
from literal import rows

START = datetime(2026, 11, 30, 12)


def reading(raw_name: str, second: float, value: float | None, **given: Any) -> dict[str, Any]:
    """A reading of eth2 on h12, `second` seconds after the start, with what the vocabulary knows of its name."""
    dialect = given.pop("dialect", "node_exporter")
    meaning = vocabulary.look_up(raw_name, dialect) if dialect else None
    known = {"name": meaning.name, "unit": meaning.unit, "direction": meaning.direction} if meaning else {}
    place = {"source": "h12.txt", "host": "h12", "device": "eth2", "ts_from": "date", "dialect": dialect}
    return place | known | {"raw_name": raw_name, "value": value, "ts": START + timedelta(seconds=second)} | given


def told(*readings: dict[str, Any]) -> list[tuple[Any, ...]]:
    found = rates(rows("counters", *readings)).collect()
    assert found.schema == TABLE.schema()
    return found.select("raw_name", "seconds", "change", "rate", "flag").rows()


BYTES = "node_network_receive_bytes_total"
PACKETS = "node_network_receive_packets_total"
SENT = "node_network_transmit_bytes_total"
DROPS = "node_network_receive_drop_total"
OOS = "node_infiniband_out_of_sequence_packets_received_total"
DOWN = "node_infiniband_link_downed_total"
FULL = 2.0**32


def test_a_change_is_divided_by_the_time_that_really_passed() -> None:
    found = rates(rows("counters", reading(BYTES, 0, 1000), reading(BYTES, 2.5, 6000, line=9))).collect()
    row = found.row(0, named=True)
    assert found.height == 1
    assert (row["from_value"], row["value"], row["change"], row["seconds"], row["rate"]) == (
        1000,
        6000,
        5000,
        2.5,
        2000,
    )
    assert (row["unit"], row["flag"], row["line"], row["name"]) == ("bytes/s", "ok", 9, "bytes")
    assert (row["from_ts"], row["ts"]) == (START, START + timedelta(seconds=2.5))


def test_a_total_that_was_read_once_has_no_rate() -> None:
    assert told(reading(BYTES, 0, 1e12)) == []


def test_readings_without_time_or_value_are_no_readings() -> None:
    assert told(reading(BYTES, 0, 1), reading(BYTES, 1, None), reading(BYTES, 0, 9, ts=None)) == []
    assert told(reading(BYTES, 0, 1), reading(BYTES, 1, None), reading(BYTES, 2, 5)) == [(BYTES, 2.0, 4.0, 2.0, "ok")]


def test_gauges_high_water_marks_and_percentages_have_no_rate() -> None:
    assert told(reading("node_network_speed_bytes", 0, 1), reading("node_network_speed_bytes", 1, 2)) == []
    temperature = [reading("DCGM_FI_DEV_GPU_TEMP", second, 40 + second, dialect="dcgm") for second in (0, 1)]
    assert told(*temperature) == []


def test_a_32_bit_counter_that_falls_has_wrapped_when_the_rate_is_plausible() -> None:
    assert told(reading(OOS, 0, FULL - 100), reading(OOS, 10, 400)) == [(OOS, 10.0, 500.0, 50.0, "wrap")]


def test_a_32_bit_counter_that_falls_too_far_was_reset() -> None:
    # 10 s would have to hold 4.29 billion packets.
    assert told(reading(OOS, 0, 5000), reading(OOS, 10, 3)) == [(OOS, 10.0, None, None, "reset")]


def test_a_64_bit_counter_that_falls_was_reset() -> None:
    assert told(reading(BYTES, 0, 1e12), reading(BYTES, 1, 5), reading(BYTES, 2, 10)) == [
        (BYTES, 1.0, None, None, "reset"),
        (BYTES, 1.0, 5.0, 5.0, "ok"),
    ]


def test_when_all_counters_of_a_device_are_cleared_none_has_a_change() -> None:
    # Alone, OOS would pass for a wrap: 4.29e9 packets in 85 s are just plausible.
    before = [reading(OOS, 0, 5000), reading(BYTES, 0, 1e9), reading(SENT, 0, 1e9), reading(DROPS, 0, 2)]
    after = [reading(OOS, 85, 3), reading(BYTES, 85, 7), reading(SENT, 85, 8), reading(DROPS, 85, 4)]
    assert {(row[0], *row[2:]) for row in told(*before, *after)} == {
        (name, None, None, "reset") for name in (OOS, BYTES, SENT, DROPS)
    }
    assert told(before[0], after[0])[0][-1] == "wrap"


def test_the_reset_of_one_device_says_nothing_of_another() -> None:
    falls = [reading(name, 0, 900) for name in (BYTES, SENT)] + [reading(name, 1, 1) for name in (BYTES, SENT)]
    other = [reading(BYTES, second, 10 * second, device="eth3") for second in (0, 1)]
    assert [row[-1] for row in told(*falls, *other)] == ["reset", "reset", "ok"]


def test_a_narrow_counter_that_is_read_too_seldom_has_no_rate() -> None:
    # 2^32 packets pass in 86 s at the fastest: after 10 minutes nobody knows how often it wrapped.
    assert told(reading(OOS, 0, 1), reading(OOS, 600, 4)) == [(OOS, 600.0, None, None, "gap")]
    assert told(reading(OOS, 0, 9), reading(OOS, 600, 4)) == [(OOS, 600.0, None, None, "gap")]


def test_a_value_that_stands_while_its_twin_moves_is_missing_and_not_zero() -> None:
    packets = [reading(PACKETS, second, 1000 * second) for second in range(4)]
    sizes = [reading(BYTES, second, value) for second, value in enumerate((0, 4e6, 4e6, 12e6))]
    assert [row for row in told(*packets, *sizes) if row[0] == BYTES] == [
        (BYTES, 1.0, 4e6, 4e6, "ok"),
        (BYTES, 1.0, None, None, "stale"),
        (BYTES, 2.0, 8e6, 4e6, "ok"),  # over both polls: the old value told nothing of the first
    ]


def test_a_counter_of_rare_events_that_stands_is_zero_and_not_stale() -> None:
    packets = [reading(PACKETS, second, 1000 * second) for second in range(2)]
    drops = [reading(DROPS, second, 3) for second in range(2)]
    assert told(*packets, *drops)[1] == (DROPS, 1.0, 0.0, 0.0, "ok")


def test_a_counter_that_stays_at_its_largest_value_tells_only_a_least() -> None:
    assert told(reading(DOWN, 0, 200), reading(DOWN, 1, 255), reading(DOWN, 2, 255)) == [
        (DOWN, 1.0, None, None, "saturated"),
        (DOWN, 1.0, None, None, "saturated"),
    ]
    assert told(reading(DOWN, 0, 200), reading(DOWN, 1, 254)) == [(DOWN, 1.0, 54.0, 54.0, "ok")]


def test_a_sample_that_comes_twice_counts_once() -> None:
    assert told(reading(BYTES, 0, 1), reading(BYTES, 1, 5), reading(BYTES, 1, 5), reading(BYTES, 2, 7)) == [
        (BYTES, 1.0, 4.0, 4.0, "ok"),
        (BYTES, 1.0, 2.0, 2.0, "ok"),
    ]


def test_two_values_at_one_time_have_no_rate() -> None:
    assert told(reading(BYTES, 1, 5), reading(BYTES, 1, 8)) == [(BYTES, 0.0, None, None, "clock")]


def test_a_clock_that_was_set_back_gives_no_rate_and_no_reset() -> None:
    assert told(reading(BYTES, 3600, 10), reading(BYTES, 5, 20), reading(BYTES, 6, 21)) == [
        (BYTES, -3595.0, None, None, "clock"),
        (BYTES, 1.0, 1.0, 1.0, "ok"),
    ]


def test_times_of_files_give_a_rate_that_says_so() -> None:
    found = told(reading(BYTES, 0, 1, ts_from="mtime"), reading(BYTES, 1, 5, ts_from="mtime"))
    assert found == [(BYTES, 1.0, 4.0, 4.0, "mtime")]
    assert told(reading(BYTES, 0, 1), reading(BYTES, 1, 5, ts_from="mtime"))[0][-1] == "mtime"


def test_a_name_that_nobody_knows_has_a_rate_while_it_grows() -> None:
    odd = [reading("odd", second, value, dialect=None) for second, value in enumerate((1, 3, 2))]
    assert told(*odd) == [("odd", 1.0, 2.0, 2.0, "ok"), ("odd", 1.0, None, None, "unknown")]
    assert rates(rows("counters", *odd)).collect()["unit"].to_list() == [None, None]


def test_priorities_queues_and_devices_are_counters_of_their_own() -> None:
    given = [
        reading(BYTES, second, 10 * second, priority=priority, device=device)
        for second in (0, 1)
        for priority in (3, 4)
        for device in ("eth2", None)
    ]
    assert [row[2:] for row in told(*given)] == [(10.0, 10.0, "ok")] * 4


@pytest.mark.parametrize(
    ("first", "second", "pairs"),
    [
        ("eth_2026-11-30T12-00-00.txt", "eth_2026-11-30T12-00-01.txt", 1),
        ("eth_1764547200.txt", "eth_1764547201.txt", 1),
        ("h1.txt", "h2.txt", 0),
    ],
)
def test_files_of_unknown_hosts_are_one_series_only_where_a_time_tells_their_names_apart(
    first: str, second: str, pairs: int
) -> None:
    assert (
        len(told(reading(BYTES, 0, 1, host=None, source=first), reading(BYTES, 1, 2, host=None, source=second)))
        == pairs
    )


def test_files_of_one_host_follow_one_another_by_time_in_any_order() -> None:
    later, earlier = reading(BYTES, 1, 5, source="b.txt"), reading(BYTES, 0, 1, source="a.txt")
    assert told(later, earlier) == [(BYTES, 1.0, 4.0, 4.0, "ok")]


def test_no_readings_are_no_rates() -> None:
    assert rates(rows("counters")).collect().schema == TABLE.schema()
    assert isinstance(rates(rows("counters")), pl.LazyFrame)
