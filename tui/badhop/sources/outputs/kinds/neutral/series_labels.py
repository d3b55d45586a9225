"""What the labels of a Prometheus series tell: which host and device it is about, its unit, its bucket."""

from collections.abc import Mapping, Sequence

WANTED: Sequence[str] = (
    *("job", "instance", "le", "quantile"),
    *("host", "hostname", "Hostname", "node", "nodename"),
    *("device", "interface", "port", "gpu"),
)
"""Labels that are looked at one by one; all of them stand in `labels`."""

_BASE_UNITS = (
    "seconds",
    "bytes",
    "celsius",
    "meters",
    "volts",
    "amperes",
    "joules",
    "grams",
    "ratio",
    "watts",
    "hertz",
)
"""The base units of Prometheus' naming rules, and two that exporters add. A name ends in its unit, before _total."""

_HERE = ("localhost", "127.", "[::1]", "::1", "0.0.0.0")
"""Targets that say only that the exporter ran beside Prometheus."""


def host_of(labels: Mapping[str, str | None]) -> str | None:
    """The host that a label names, else the one that was scraped; an exporter's own loopback address says nothing."""
    for name in ("Hostname", "hostname", "host", "nodename", "node"):
        if found := labels.get(name):
            return found
    instance = labels.get("instance")
    if not instance or instance.startswith(_HERE):
        return None
    host, colon, port = instance.rpartition(":")
    return (host.strip("[]") if colon and port.isdigit() else instance) or None


def device_of(labels: Mapping[str, str | None]) -> str | None:
    """eth2, mlx5_0/1 or gpu3. A device of dcgm-exporter is called nvidia3 beside its label gpu."""
    if (gpu := labels.get("gpu")) is not None:
        return f"gpu{gpu}" if gpu.isdigit() else gpu
    device, port = labels.get("device") or labels.get("interface"), labels.get("port")
    return f"{device}/{port}" if device and port and port.isdigit() else device


def unit_of(metric: str, kind: str | None, told: str | None) -> str | None:
    """The unit of a sample's value; None where it counts observations or nothing tells."""
    if kind in ("histogram", "gaugehistogram") and metric.endswith(("_bucket", "_count", "_gcount")):
        return None
    if kind == "summary" and metric.endswith("_count"):
        return None
    if told is not None:
        return told
    ending = metric.removesuffix("_total").removesuffix("_sum").rsplit("_", 1)[-1]
    return ending if ending in _BASE_UNITS else None
