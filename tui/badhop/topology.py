"""topology.yaml: hosts, switches, links and taps of a fabric, for the speeds of links and the places of captures."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from badhop.errors import Unreadable
from badhop.fabric_map import FabricMap
from badhop.units import bits_per_second

_LARGEST = 64 << 20
"""Bytes; a fabric of 100000 links takes about a tenth of it."""

_MAC = re.compile(r"[0-9a-f]{2}(?::[0-9a-f]{2}){5}")


@dataclass(frozen=True)
class Topology:
    """What a topology file says. Speeds are in bits a second; `notes` are what it contradicts itself in."""

    path: Path
    nic_speeds: Mapping[str, int]
    """By MAC, as `02:00:00:00:01:0c`: the NIC's own speed, else that of its link."""
    link_speed: int | None = None
    """The speed of every port, where the file knows only one: also that of the switch ports, whose MACs it does not."""
    notes: tuple[str, ...] = ()
    map: FabricMap = field(default_factory=FabricMap)
    """What is linked to what, and where captures were taken."""


def load(path: Path) -> Topology:
    """Raises Unreadable: it is not there, no YAML map, or a speed or MAC in it cannot be understood."""
    try:
        with path.open("rb") as file:
            loaded = yaml.safe_load(file.read(_LARGEST))
    except OSError as error:
        raise Unreadable(path, "", error.strerror or str(error), "check the path of --topology") from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        problem = " ".join(str(error).split())
        raise Unreadable(path, "", f"no YAML: {problem}", "correct it, or leave --topology out") from error
    if not isinstance(loaded, dict):
        raise Unreadable(path, "", "holds no `hosts`, `switches` or `links`", "correct it, or leave --topology out")
    return _Reader(path).read(loaded)


class _Reader:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._notes: list[str] = []

    def read(self, loaded: Mapping[object, object]) -> Topology:
        links = dict(self._links(loaded.get("links")))
        speeds = dict(links)
        nics: dict[str, int] = {}
        for port, nic in _nics(loaded.get("hosts")):
            own = self._speed(nic.get("speed"), f"hosts, {port}")
            linked = links.get(port)
            if own and linked and own != linked:
                self._notes.append(
                    f"{self._path}: {port} has {_said(own)}, its link {_said(linked)}; the NIC's own is taken"
                )
            speed = own or linked
            if speed:
                speeds[port] = speed
            if speed and (mac := self._mac(nic.get("mac"), f"hosts, {port}")):
                nics[mac] = speed
        only = set(speeds.values())
        fabric = self._map(loaded)
        return Topology(self._path, nics, only.pop() if len(only) == 1 else None, tuple(self._notes), fabric)

    def _map(self, loaded: Mapping[object, object]) -> FabricMap:
        hosts, links = loaded.get("hosts"), loaded.get("links")
        ends = [
            (str(link[0]), str(link[1]))
            for link in (links if isinstance(links, list) else ())
            if isinstance(link, list) and len(link) >= 2
        ]
        known = {place for end in ends for place in (*end, *(port.partition("/")[0] for port in end))}
        taps: dict[str, str] = {}
        given = loaded.get("taps")
        for capture, tap in given.items() if isinstance(given, dict) else ():
            place = tap.get("at") if isinstance(tap, dict) else None
            if place is None:
                continue
            taps[str(capture)] = str(place)
            if str(place) not in known:
                self._notes.append(f"{self._path}: {capture} was taken at {place}, to which no link leads")
        return FabricMap(tuple(ends), taps, frozenset(map(str, hosts)) if isinstance(hosts, dict) else frozenset())

    def _links(self, links: object) -> Iterator[tuple[str, int]]:
        """Each end of each link that has a speed."""
        for number, link in enumerate(links if isinstance(links, list) else (), 1):
            if isinstance(link, list) and len(link) == 3 and isinstance(link[2], dict):
                speed = self._speed(link[2].get("speed"), f"links, number {number}")
                if speed:
                    yield from ((str(end), speed) for end in link[:2])

    def _speed(self, value: object, place: str) -> int | None:
        if value is None:
            return None
        try:
            return bits_per_second(str(value))
        except ValueError as error:
            raise Unreadable(self._path, place, f"speed: {error}", "correct it, or leave it out") from error

    def _mac(self, value: object, place: str) -> str | None:
        if value is None:
            return None
        mac = str(value).strip().lower().replace("-", ":")
        if not _MAC.fullmatch(mac):  # unquoted, YAML takes some of them for numbers to the base of 60
            what = f"{value!r} is no MAC"
            raise Unreadable(self._path, place, what, 'write it in quotes: "02:00:00:00:01:0c"')
        return mac


def _nics(hosts: object) -> Iterator[tuple[str, Mapping[object, object]]]:
    """Port (`h12/mlx5_3`) and properties of each NIC."""
    for host, properties in hosts.items() if isinstance(hosts, dict) else ():
        nics = properties.get("nics") if isinstance(properties, dict) else None
        for name, nic in nics.items() if isinstance(nics, dict) else ():
            if isinstance(nic, dict):
                yield f"{host}/{name}", nic


def _said(speed: int) -> str:
    return f"{speed / 10**9:g}G"
