"""Times as tools and logs write them, as nanoseconds since 1970 in UTC. What cannot be read is None, never a guess.

A time without a zone is taken as UTC: nodes of a cluster run on it, and the offset of a laptop is nobody's business.
A time without a year gets the one that puts it closest before `now`.
"""

import re
from datetime import UTC, datetime, timedelta, timezone

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
"""As tools print them in the C locale."""

_MONTHS = {name: number for number, name in enumerate(MONTHS, 1)}
_ZONES = {"UTC": 0, "GMT": 0, "Z": 0, "CET": 60, "CEST": 120, "EST": -300, "EDT": -240, "PST": -480, "PDT": -420}
"""Minutes east, of the abbreviations that mean one thing everywhere; an unknown one gives no time."""

_RFC3339 = re.compile(
    r"(\d{4})[-/](\d\d)[-/](\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9})\d*)?)?\s?(Z|UTC|[+-]\d\d:?\d\d)?"
)
_DATE = re.compile(
    r"(?:[A-Z][a-z]{2},? )?(?:([A-Z][a-z]{2}) +(\d{1,2})|(\d{1,2}) ([A-Z][a-z]{2})) "
    r"(?:(\d{4}) )?(\d{1,2}):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?: ([AP]M))?(?: ([A-Z]{1,5}|[+-]\d\d:?\d\d))?(?: (\d{4}))?"
)
"""`date` of GNU and BSD, `date -R`, ctime, and 12-hour clocks (Tue 01 Dec 2026 04:03:03 AM UTC)."""

_SYSLOG = re.compile(r"([A-Z][a-z]{2}) +(\d{1,2}) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?")
_EPOCH = re.compile(r"(1\d{9})(?:\.(\d{1,9}))?|(1\d{12})|(1\d{15})|(1\d{18})")


def rfc3339(text: str) -> int | None:
    """ISO 8601 and RFC 3339: `2026-11-30T12:00:00.123Z`, `2026-11-30 12:00:00,123`, with or without a zone."""
    found = _RFC3339.fullmatch(text.strip())
    if found is None:
        return None
    year, month, day, hour, minute, second, fraction, zone = found.groups()
    return _ns(int(year), int(month), int(day), int(hour), int(minute), int(second or 0), fraction, zone)


def date_line(text: str) -> int | None:
    """The output of `date`, in its usual forms; a 12-hour clock is read by its AM or PM."""
    found = _DATE.fullmatch(text.strip())
    if found is None:
        return None
    before, after, other_day, other, early, hour, minute, second, fraction, half, zone, late = found.groups()
    month, day, year = _MONTHS.get(before or other), int(after or other_day), early or late
    if month is None or year is None:
        return None
    hours = int(hour) if half is None else int(hour) % 12 + 12 * (half == "PM")
    return _ns(int(year), month, day, hours, int(minute), int(second), fraction, zone)


def syslog(text: str, now: int | None = None) -> int | None:
    """`Nov 30 12:00:00`: the year is the latest in which this is not after `now` (ns; by default the present)."""
    found = _SYSLOG.fullmatch(text.strip())
    month = _MONTHS.get(found[1]) if found else None
    if found is None or month is None:
        return None
    latest = (datetime.now(UTC) if now is None else datetime.fromtimestamp(now / 1e9, UTC)) + timedelta(days=1)
    for year in range(latest.year, latest.year - 9, -1):  # 29 February comes every four or eight years
        ts = _ns(year, month, int(found[2]), int(found[3]), int(found[4]), int(found[5]), found[6], None)
        if ts is not None and ts <= latest.timestamp() * 1e9:
            return ts
    return None


def epoch(text: str) -> int | None:
    """Seconds since 1970, with or without a fraction, or whole ms, us or ns: told apart by their length."""
    found = _EPOCH.fullmatch(text.strip())
    if found is None:
        return None
    if found[1]:
        return int(found[1]) * 10**9 + int((found[2] or "").ljust(9, "0") or 0)
    return int(text.strip()) * (10**6 if found[3] else 10**3 if found[4] else 1)


def _ns(
    year: int, month: int, day: int, hour: int, minute: int, second: int, fraction: str | None, zone: str | None
) -> int | None:
    offset = _offset(zone)
    if offset is None:
        return None
    try:
        leap = second == 60
        moment = datetime(year, month, day, hour, minute, 59 if leap else second, tzinfo=timezone(offset))
    except (ValueError, OverflowError):
        return None
    seconds = (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(seconds=1) + leap
    ns = seconds * 10**9 + int((fraction or "").ljust(9, "0") or 0)
    return ns if abs(ns) < 2**63 else None


def _offset(zone: str | None) -> timedelta | None:
    if zone is None:
        return timedelta()
    if zone[0] in "+-":
        minutes = int(zone[1:3]) * 60 + int(zone[-2:])
        return timedelta(minutes=-minutes if zone[0] == "-" else minutes) if minutes < 24 * 60 else None
    return timedelta(minutes=_ZONES[zone]) if zone in _ZONES else None
