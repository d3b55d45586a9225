"""What counters mean: the vendors' names and ours, one file of data for each vendor (`mlx5.toml`, `sonic.toml`, …).

A file says `dialect`, `version` (the day of the last change), `source` (where its names and meanings are from), may
say `layer` for those of its counters that do not, and has under `[counters]` one line for each name. In a name
`{priority}`, `{queue}` and `{index}` stand for a number. A line has `name` (ours), and where they differ from what is
usual or are known: `direction` (rx or tx, from the device's own view), `layer` (what is counted: the same name at two
layers counts different things), `unit` (packets when not given), `width` (bits before it wraps; 64), `reads` (see
`Reads`), `reason` (of a discard), `hop` (who is to be suspected when it grows) and `says` (what its growth means).

Under `[plain]` stand, by unit, the names that a driver has for its own bookkeeping: known, with no name of ours,
suspicion of nobody. Names that no file has are kept as they are and never guessed.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, Literal, get_args

Reads = Literal["counter", "saturating", "gauge", "high-water", "percent"]
"""A counter only grows and wraps at its width; a saturating one stays at its largest value; a gauge goes both ways; a
high-water mark only grows until it is cleared; a percentage is of the last second. Only the first two have rates."""

Layer = Literal["phy", "mac", "port", "queue", "function", "roce", "ib", "pcie", "nvlink", "gpu", "host", "socket"]
"""Where it is counted. phy: signals, lanes; mac: frames of the wire; port: all of a port, RDMA and VFs included;
queue: one queue of a NIC or switch; function: one PF, VF or virtual port; roce: RDMA over Ethernet; ib: an InfiniBand
port; pcie: the slot; nvlink: a link between GPUs; gpu: the GPU itself; host: what the kernel's network stack saw,
without RDMA; socket: all sockets of a host."""

_PLACES = {"priority": "[0-7]", "queue": "[0-9]{1,4}", "index": "[0-9]{1,5}"}
_PLACE = re.compile(r"\{(\w+)\}")
_FIELDS = {"name", "direction", "layer", "unit", "width", "reads", "reason", "hop", "says"}


@dataclass(frozen=True)
class Meaning:
    """What a vendor's name means."""

    dialect: str
    name: str | None
    """Ours; None for the driver's own bookkeeping."""
    direction: str | None
    layer: Layer | None
    unit: str
    width: int
    reads: Reads
    reason: str | None
    hop: str | None
    says: str | None
    priority: int | None = None
    queue: int | None = None


@dataclass(frozen=True)
class Dialect:
    """One vendor's file."""

    name: str
    version: str
    source: str
    counters: Mapping[str, Meaning]
    """By name as written in the file, with its `{places}`."""


@cache
def dialects() -> Mapping[str, Dialect]:
    """Every dialect by its name. Raises ValueError for a file that breaks the rules above: a defect of badhop."""
    found = {}
    for file in sorted(files(__name__).iterdir(), key=lambda file: file.name):
        if file.name.endswith(".toml"):
            dialect = _dialect(file.name, tomllib.loads(file.read_text(encoding="utf-8")))
            found[dialect.name] = dialect
    return found


@lru_cache(maxsize=1 << 16)
def look_up(raw_name: str, dialect: str) -> Meaning | None:
    """What this dialect means by a name; None when its file does not say."""
    if dialect not in dialects():
        return None
    exact, patterns = _index(dialect)
    if (meaning := exact.get(raw_name)) is not None:
        return meaning
    for pattern, meaning in patterns.get(_without_digits(raw_name), ()):
        if found := pattern.fullmatch(raw_name):
            places = found.groupdict()
            numbers = {place: int(places[place]) for place in ("priority", "queue") if places.get(place)}
            return Meaning(**{**vars(meaning), **numbers})
    return None


def agreed(raw_name: str, among: Iterable[str]) -> Meaning | None:
    """What all of these dialects that know a name mean by it; None when they differ. Of whom it is stays open."""
    known = [meaning for dialect in among if (meaning := look_up(raw_name, dialect)) is not None]
    if not known or len({_core_of(meaning) for meaning in known}) > 1:
        return None
    return known[0]


def _core_of(meaning: Meaning) -> tuple[object, ...]:
    return meaning.name, meaning.direction, meaning.layer, meaning.unit, meaning.reads, meaning.reason


def best_dialects(raw_names: Iterable[str], among: Iterable[str]) -> tuple[str, ...]:
    """Whose names these may be: the dialects that know most of them.

    None when the best knows less than half: then it is a driver that no file is for.
    """
    names = tuple(raw_names)
    known = {dialect: sum(look_up(name, dialect) is not None for name in names) for dialect in among}
    best = max(known.values(), default=0)
    if not best or 2 * best < len(names):
        return ()
    return tuple(dialect for dialect, count in known.items() if count == best)


def dialect_of(raw_names: Iterable[str], among: Iterable[str]) -> str | None:
    """Whose names these are; None when it may be those of several dialects, or of none (see `best_dialects`)."""
    best = best_dialects(raw_names, among)
    return best[0] if len(best) == 1 else None


@cache
def _index(dialect: str) -> tuple[dict[str, Meaning], dict[str, list[tuple[re.Pattern[str], Meaning]]]]:
    exact: dict[str, Meaning] = {}
    patterns: dict[str, list[tuple[re.Pattern[str], Meaning]]] = {}
    for name, meaning in dialects()[dialect].counters.items():
        if "{" not in name:
            exact[name] = meaning
            continue
        pattern = "".join(
            _number(part) if number % 2 else re.escape(part) for number, part in enumerate(_PLACE.split(name))
        )
        key = _without_digits(_PLACE.sub("", name))
        patterns.setdefault(key, []).append((re.compile(pattern), meaning))
    return exact, patterns


def _number(place: str) -> str:
    """Only what is told further gets a group: a size has two numbers, from and to."""
    return f"(?:{_PLACES[place]})" if place == "index" else f"(?P<{place}>{_PLACES[place]})"


def _without_digits(name: str) -> str:
    return name.translate(_DIGITS)


_DIGITS = {ord(digit): None for digit in "0123456789"}


def _dialect(file: str, loaded: Mapping[str, Any]) -> Dialect:
    name = str(loaded["dialect"])
    if f"{name}.toml" != file:
        raise ValueError(f"{file} declares the dialect {name}")
    layer = loaded.get("layer")
    counters = {raw: _meaning(file, name, layer, raw, line) for raw, line in loaded.get("counters", {}).items()}
    for unit, names in loaded.get("plain", {}).items():
        for raw in names:
            if raw in counters:
                raise ValueError(f"{file}: {raw} stands in it twice")
            counters[raw] = _meaning(file, name, layer, raw, {"name": None, "unit": unit})
    return Dialect(name, str(loaded["version"]), str(loaded["source"]), counters)


def _meaning(file: str, dialect: str, layer: Layer | None, raw: str, line: Mapping[str, Any]) -> Meaning:
    places = _PLACE.findall(raw)
    if not line.keys() <= _FIELDS or "name" not in line or not _PLACES.keys() >= set(places):
        raise ValueError(f"{file}: {raw}: fields are {', '.join(sorted(_FIELDS))}, places {', '.join(_PLACES)}")
    meaning = Meaning(
        dialect=dialect,
        name=line["name"],
        direction=line.get("direction") or _direction(raw),
        layer=line.get("layer", layer),
        unit=line.get("unit", "packets"),
        width=line.get("width", 64),
        reads=line.get("reads", "counter"),
        reason=line.get("reason"),
        hop=line.get("hop"),
        says=line.get("says"),
    )
    if meaning.direction not in (None, "rx", "tx") or meaning.reads not in get_args(Reads):
        raise ValueError(f"{file}: {raw}: {meaning.direction}, {meaning.reads}")
    if meaning.layer is not None and meaning.layer not in get_args(Layer):
        raise ValueError(f"{file}: {raw}: no layer {meaning.layer}")
    return meaning


def _direction(raw: str) -> str | None:
    """What the name itself says: a word of it that is rx or tx. Both say nothing."""
    found = {word for word in re.split(r"[^a-z]+", _PLACE.sub("", raw)) if word in ("rx", "tx")}
    return found.pop() if len(found) == 1 else None
