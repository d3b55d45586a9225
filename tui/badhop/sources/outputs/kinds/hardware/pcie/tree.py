"""The way from a PCIe device to the root, by the bus that each bridge has below it."""

from collections.abc import Mapping

DEEPEST = 16
"""Bridges above a device; real hosts have up to six."""


def path_to_root(device: str, above: Mapping[str, str]) -> list[str]:
    """The ports above a device, nearest first. `above` has the port above each bus: 0000:3b → 0000:3a:00.0."""
    found: list[str] = []
    bus = device.rpartition(":")[0]
    while (port := above.get(bus)) is not None and port not in found and len(found) < DEEPEST:
        found.append(port)
        bus = port.rpartition(":")[0]
    return found
