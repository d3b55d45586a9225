"""What a PCIe link carries, and whether it is slower than both its ends can."""

from typing import Any

GENERATIONS = {1: 2.5, 2: 5.0, 3: 8.0, 4: 16.0, 5: 32.0, 6: 64.0}
"""GT/s of each lane."""

_PAYLOAD = {2.5: 8 / 10, 5.0: 8 / 10, 8.0: 128 / 130, 16.0: 128 / 130, 32.0: 128 / 130, 64.0: 236 / 256}
"""Share of the bits that is data: 8b/10b, 128b/130b, and of generation 6 the bytes for TLPs in a flit of 256
(PCI Express Base Specification 6.0, chapters 4.2.1 and 4.2.3)."""


def bytes_per_second(speed: float | None, width: int | None) -> float | None:
    """Each way, before packet headers; None for a speed that is none, or where one of both is not known."""
    share = _PAYLOAD.get(speed) if speed else None
    return speed * 1e9 * width / 8 * share if share and speed and width else None


def judged(
    *,
    speed: float | None,
    width: int | None,
    speed_max: float | None,
    width_max: int | None,
    upstream_speed_max: float | None = None,
    upstream_width_max: int | None = None,
    idle: bool | None = None,
) -> dict[str, Any]:
    """Columns of `pcie` on speed and width. Slower counts only where the device was not idle, or never slows down.

    `idle` is None where nothing tells, and then a link at its best is fine, one below it may sleep: null.
    """
    best_speed = _smaller(speed_max, upstream_speed_max)
    best_width = _smaller(width_max, upstream_width_max)
    known = None not in (speed, width, best_speed, best_width)
    slower = known and bool((speed or 0) < (best_speed or 0) or (width or 0) < (best_width or 0))
    return {
        "speed_gts": speed,
        "width": width,
        "speed_max_gts": speed_max,
        "width_max": width_max,
        "upstream_speed_max_gts": upstream_speed_max,
        "upstream_width_max": upstream_width_max,
        "bytes_per_second": bytes_per_second(speed, width),
        "bytes_per_second_max": bytes_per_second(best_speed, int(best_width) if best_width else None),
        "idle": idle,
        "downgraded": None if not known or (slower and idle is not False) else slower,
    }


def _smaller(own: float | None, upstream: float | None) -> float | None:
    return min(own, upstream) if own is not None and upstream is not None else own
