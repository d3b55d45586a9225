"""Speeds and times as people type them; nothing without a unit is guessed."""

import pytest

from badhop.units import bits_per_second, seconds


@pytest.mark.parametrize(
    ("text", "speed"),
    [
        ("400G", 400 * 10**9),
        ("400g", 400 * 10**9),
        ("25Gb/s", 25 * 10**9),
        ("25 Gbit/s", 25 * 10**9),
        ("200Gbps", 200 * 10**9),
        ("100000Mb/s", 100 * 10**9),
        ("2.5G", 2_500_000_000),
        ("1.6T", 1_600_000_000_000),
        (" 10M ", 10_000_000),
    ],
)
def test_a_link_speed_is_in_bits_a_second(text: str, speed: int) -> None:
    assert bits_per_second(text) == speed


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("100000", "100000 of what"),
        ("400", "Say 400G or 400Mb/s"),
        ("50GB/s", "counts bytes"),
        ("50GiB", "counts bytes"),
        ("fast", "no link speed"),
        ("0G", "no link speed"),
        ("-1G", "no link speed"),
        ("1e3G", "no link speed"),
        ("999999T", "no link speed"),
        ("", "no link speed"),
    ],
)
def test_what_is_no_link_speed_is_told_what_to_write(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        bits_per_second(text)


@pytest.mark.parametrize(("text", "time"), [("30s", 30), ("500ms", 0.5), ("1.5m", 90), ("5min", 300), ("1h", 3600)])
def test_a_time_is_in_seconds(text: str, time: float) -> None:
    assert seconds(text) == time


@pytest.mark.parametrize("text", ["30", "0s", "-1s", "soon", "", "1d"])
def test_what_is_no_time_is_told_what_to_write(text: str) -> None:
    with pytest.raises(ValueError, match="write it as 30s"):
        seconds(text)
