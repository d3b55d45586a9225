"""Numbers with a unit behind them, as switches print them: 204.80 KB/s, 64.00%, 1,200, 40G, 7.81e-10 (89%)."""

import re

_SCALED = re.compile(
    r"([-+]?[\d,]+(?:\.\d+)?(?:[eE][-+]?\d+)?)\s?([KMGTkmgt])?i?(B/s|b/s|bps|pps|/s|B|Bytes|bytes|%)?(?: \(\d+%\))?"
)
_TIMES = {"": 1.0, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
_SPEED = re.compile(r"a?-?(\d{1,9}(?:\.\d{1,6})?)\s?([KMGTkmgt]?)(?:b/s|bit/s|bps|bit|b)?", re.IGNORECASE)

_FASTEST = 10**15
"""Bits a second that no port has: what says more is no speed."""

_MOST_LANES = 255


def plain(text: str) -> str:
    """The number without its unit, scaled by its suffix (1000-based, as SONiC means it); what is none as it stands."""
    found = _SCALED.fullmatch(text.strip())
    if found is None or not (found[2] or found[3] or "(" in text):
        return text
    return repr(float(found[1].replace(",", "")) * _TIMES[(found[2] or "").upper()])


def speed(text: str, unit: float = 1e6) -> int | None:
    """Bits a second of 40G, 100Gb/s, a-1G, and of a number alone, which is in `unit`; None for auto and the like."""
    found = _SPEED.fullmatch(text.strip())
    if found is None:
        return None
    bits = round(float(found[1]) * (_TIMES[found[2].upper()] if found[2] else unit))
    return bits if 0 < bits <= _FASTEST else None


def lanes(text: str | None) -> int | None:
    """How many lanes a list of them names: `33,34,35,36`; None where nothing or nonsense is told."""
    count = text.count(",") + 1 if text else 0
    return count if 0 < count <= _MOST_LANES else None
