"""Amounts as people type them: link speeds and times. A number without a unit is refused, not guessed."""

import re

_AMOUNT = r"(\d+(?:\.\d+)?)\s*"
_SPEED = re.compile(_AMOUNT + r"([MGT])(?:b(?:it|ps)?(?:/s)?)?", re.IGNORECASE)
_BYTES = re.compile(r"[kMGT]i?B(?:/s|ps)?$")
_POWERS = {"m": 10**6, "g": 10**9, "t": 10**12}
_FASTEST = 10**14
"""Bits a second: a hundred times what any port does; more is a slip of the finger."""

_TIME = re.compile(_AMOUNT + r"(ms|s|min|m|h)")
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}


def bits_per_second(text: str) -> int:
    """A link speed: `400G`, `25Gb/s`, `100000Mb/s` as ethtool prints it.

    Raises ValueError, with what to write instead. A bare number is refused: sysfs means Mb/s by it, people mean Gb/s.
    """
    given = text.strip()
    if given.replace(".", "", 1).isdecimal():
        raise ValueError(f"{given} of what? Say {given}G or {given}Mb/s")
    found = _SPEED.fullmatch(given)
    if _BYTES.search(given):
        raise ValueError(f"{given} counts bytes; a link speed is in bits: 400G, 25Gb/s, 100000Mb/s")
    speed = round(float(found[1]) * _POWERS[found[2].lower()]) if found else 0
    if not 0 < speed <= _FASTEST:
        raise ValueError(f"{given!r} is no link speed; write it as 400G, 25Gb/s or 100000Mb/s")
    return speed


def seconds(text: str) -> float:
    """A time: `30s`, `500ms`, `5m`, `1h`. Raises ValueError, with what to write instead."""
    found = _TIME.fullmatch(text.strip())
    if found is None or not float(found[1]):
        raise ValueError(f"{text.strip()!r} is no time; write it as 30s, 500ms, 5m or 1h")
    return float(found[1]) * _SECONDS[found[2]]
