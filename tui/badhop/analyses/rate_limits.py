"""How fast a counter can grow at most: tells a wrap from a reset, and a poll that came too late for a narrow one."""

from collections.abc import Mapping

FASTEST: Mapping[str, float] = {
    "bytes": 1e11,
    "words4": 2.5e10,
    "bits": 8e11,
    "packets": 5e7,
    "frames": 5e7,
    "events": 1e6,
    "us": 1e6,
    "ns": 1e9,
}
"""By unit, in units a second. Octets: a port of 800 Gbit/s. Packets and frames: 400 Gbit/s in packets of 1 kB, so that
32 bits wrap after 86 s (after 6 minutes at the usual 4 kB). Events (timeouts, retries, flaps) are handled by software
or firmware, a million a second at most. Times cannot grow faster than time. A unit that is not here has no known limit.
"""
