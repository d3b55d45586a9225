"""Times as tools print them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from badhop.sources.outputs import clock

NOON = 1_764_504_000_000_000_000  # 2025-11-30T12:00:00Z


@pytest.mark.parametrize(
    ("text", "ns"),
    [
        ("2025-11-30T12:00:00Z", NOON),
        ("2025-11-30T12:00:00.123456789Z", NOON + 123_456_789),
        ("2025-11-30 12:00:00,123", NOON + 123_000_000),
        ("2025-11-30T13:00:00+01:00", NOON),
        ("2025-11-30T13:00:00+0100", NOON),
        ("2025/11/30 12:00:00", NOON),
        ("2025-11-30T12:00:00-00:30", NOON + 1800 * 10**9),
        ("2016-12-31T23:59:60Z", 1_483_228_800_000_000_000),  # a leap second
        ("2025-13-30T12:00:00Z", None),
        ("2025-11-30", None),
        ("0000-11-30T12:00:00Z", None),
    ],
)
def test_iso_8601(text: str, ns: int | None) -> None:
    assert clock.rfc3339(text) == ns


@pytest.mark.parametrize(
    "text",
    [
        "Sun Nov 30 12:00:00 UTC 2025",
        "Sun 30 Nov 2025 12:00:00 PM UTC",
        "Sun Nov 30 12:00:00 2025",
        "Sun, 30 Nov 2025 13:00:00 +0100",
        "Sun Nov 30 13:00:00 CET 2025",
        "Sun Nov 30 07:00:00 EST 2025",
        "Sun Nov 30 12:00:00 PM UTC 2025",
    ],
)
def test_the_output_of_date(text: str) -> None:
    assert clock.date_line(text) == NOON


@pytest.mark.parametrize("text", ["Sun Nov 30 12:00:00 XYZ 2025", "Sun Nov 30 12:00:00", "Nov 31", "date", ""])
def test_a_zone_nobody_knows_or_a_year_nobody_says_gives_no_time(text: str) -> None:
    assert clock.date_line(text) is None


def test_midnight_on_a_12_hour_clock() -> None:
    assert clock.date_line("Mon 01 Dec 2025 12:00:00 AM UTC") == NOON + 12 * 3600 * 10**9


def test_syslog_takes_the_latest_year_that_is_not_in_the_future() -> None:
    assert clock.syslog("Nov 30 12:00:00", now=NOON + 3600 * 10**9) == NOON
    assert clock.syslog("Nov 30 12:00:00", now=NOON + 200 * 86400 * 10**9) == NOON
    assert clock.syslog("Dec 25 12:00:00", now=NOON) == NOON - 340 * 86400 * 10**9
    assert clock.syslog("Feb 29 12:00:00", now=NOON) == clock.rfc3339("2024-02-29T12:00:00Z")


@pytest.mark.parametrize(
    ("text", "ns"),
    [
        ("1764504000", NOON),
        ("1764504000.25", NOON + 250_000_000),
        ("1764504000000", NOON),
        ("1764504000000000", NOON),
        ("1764504000000000000", NOON),
        ("17645040000", None),
        ("264504000", None),
    ],
)
def test_seconds_since_1970_are_told_from_finer_units_by_their_length(text: str, ns: int | None) -> None:
    assert clock.epoch(text) == ns


@given(st.text(max_size=60))
def test_no_text_raises(text: str) -> None:
    for read in (clock.rfc3339, clock.date_line, clock.syslog, clock.epoch):
        assert read(text) is None or isinstance(read(text), int)
