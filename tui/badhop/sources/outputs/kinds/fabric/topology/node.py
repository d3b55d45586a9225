"""What node descriptions and speeds of an InfiniBand fabric mean."""

import re
from typing import NamedTuple

PER_LANE = {
    "SDR": 2.5e9,
    "DDR": 5e9,
    "QDR": 10e9,
    "FDR10": 10e9,
    "FDR": 14e9,
    "EDR": 25e9,
    "HDR": 50e9,
    "NDR": 100e9,
    "XDR": 200e9,
}
"""Bits per second and lane, as the rate of `ibstat` counts them."""

_SIGNALLING = {
    2.5: 2.5e9,
    5.0: 5e9,
    10.0: 10e9,
    10.3125: 10e9,
    14.0625: 14e9,
    25.78125: 25e9,
    53.125: 50e9,
    106.25: 100e9,
    212.5: 200e9,
}
_MANAGED = re.compile(r"\w+;([^:;]+):[^/]+(?:/\w+)*")
"""MF0;leaf4:MQM9700/U1: how NVIDIA's managed switches name themselves."""

_HCA = re.compile(r"([A-Za-z0-9][\w.-]*) ((?:mlx\d_|HCA-|hfi\d_|ib|rocep|bnxt_re|qib)\w*)")


class Node(NamedTuple):
    """Host or switch, and the device in it; None where a description names none."""

    host: str | None
    device: str | None

    def port(self, number: int) -> str:
        """The port as `links` names it: mlx5_0/1 of a host, 17 of a switch."""
        return f"{self.device}/{number}" if self.device else str(number)


def node(description: str) -> Node:
    """Of a node's description. What vendors write into new ones names no machine."""
    text = description.strip().strip("'\"").strip()
    if found := _MANAGED.fullmatch(text):
        return Node(found[1], None)
    if found := _HCA.fullmatch(text):
        return Node(found[1], found[2])
    return Node(text, None) if text and " " not in text else Node(None, None)


def per_lane(signalling: float) -> float | None:
    """The rate of a lane, of the rate on the wire that `iblinkinfo` prints in Gb/s; None for one that is none."""
    return _SIGNALLING.get(signalling)
