"""`ip route` and `ip -j route`: the kernel's routes, one line each, next hops of one that has several below it."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from badhop.sources.outputs import json_text
from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.switch import objects
from badhop.sources.outputs.kinds.switch.routing import prefixes
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import routes

_KINDS = frozenset(
    ("unicast", "local", "broadcast", "multicast", "throw", "unreachable", "prohibit", "blackhole", "nat", "anycast")
)
_VALUED = frozenset(
    (
        *("via", "dev", "table", "proto", "scope", "src", "metric", "mtu", "weight", "advmss", "hoplimit", "expires"),
        *("pref", "nhid", "window", "rtt", "rto_min", "initcwnd", "initrwnd", "congctl", "realm", "error", "cache"),
    )
)
_FLAGS = frozenset(
    ("onlink", "linkdown", "dead", "pervasive", "offload", "trap", "notify", "rt_offload", "rt_trap", "unresolved")
)
_DESTINATION = re.compile(
    r"default|[0-9]{1,3}(?:\.[0-9]{1,3}){3}(?:/\d{1,2})?|[0-9a-fA-F:]*:[0-9a-fA-F:.]*(?:/\d{1,3})?"
)


def _parsed(text: str) -> dict[str, str] | None:
    """A line as its keywords; None where any word of it is none of a route's."""
    words = iter(text.split())
    first = next(words, "")
    found = {"type": first} if first in _KINDS else {}
    destination = next(words, "") if found else first
    if destination == "nexthop":
        found["nexthop"] = ""
    elif _DESTINATION.fullmatch(destination):
        found["dst"] = destination
    else:
        return None
    for word in words:
        if word in _FLAGS:
            found["flags"] = f"{found['flags']} {word}" if "flags" in found else word
        elif word in _VALUED:
            value = next(words, None)
            if value in ("inet", "inet6"):
                value = next(words, None)
            if value is None:
                return None
            found[word] = value
        else:
            return None
    return found


_PROOF = (" via ", " proto ", " scope ", " metric ", " table ")


def _recognise(passage: Passage) -> bool:
    """Every line must be a route, and one says what only routes do: `ip neigh` also begins with an address and dev."""
    texts = passage.opening
    if not texts or not any(proof in text for text in texts for proof in _PROOF):
        return False
    return all(_parsed(text[:1024]) is not None for text in texts)


def _read(passage: Passage, rows: Rows) -> None:
    above: dict[str, str] = {}
    waiting: tuple[int, dict[str, str]] | None = None
    for line, text in passage.numbered():
        if not text.strip():
            continue
        found = _parsed(text[:1024])
        if found is None:
            rows.problem(line, f"no route: {text.strip()[:60]!r}", "not read")
            continue
        if "nexthop" in found:
            waiting = None
            _add(rows, passage, line, {**above, **found})
            continue
        if waiting:
            _add(rows, passage, *waiting)
        # A route with several next hops has neither way nor interface on its own line.
        above, waiting = found, (line, found)
    if waiting:
        _add(rows, passage, *waiting)


def _add(rows: Rows, passage: Passage, line: int | None, said: Mapping[str, str]) -> None:
    destination, gateway = said.get("dst", "default"), said.get("via")
    prefixes.add(
        rows,
        passage,
        line,
        device=said.get("dev"),
        destination=prefixes.default(gateway) if destination == "default" else prefixes.prefix(destination),
        gateway=gateway,
        kind=said.get("type", "unicast"),
        protocol=said.get("proto"),
        scope=said.get("scope"),
        preferred_source=said.get("src"),
        metric=prefixes.whole(said.get("metric")),
        routing_table=None if said.get("table") == "main" else said.get("table"),
        weight=prefixes.whole(said.get("weight")),
        mtu=prefixes.whole(said.get("mtu")),
        flags=said.get("flags"),
    )


_JSON_NAMES = {
    "type": "type",
    "gateway": "via",
    "dev": "dev",
    "protocol": "proto",
    "scope": "scope",
    "prefsrc": "src",
    "metric": "metric",
    "table": "table",
    "weight": "weight",
}


def _recognise_json(passage: Passage) -> bool:
    if not objects.begins_json(passage):
        return False
    head = objects.head(passage)
    return '"dst"' in head and '"lladdr"' not in head and ('"protocol"' in head or '"nexthops"' in head)


def _read_json(passage: Passage, rows: Rows) -> None:
    for route in objects.several(json_text.parsed(passage, rows, "ip route")):
        if isinstance(route, dict) and "dst" in route:
            for said in _hops(route):
                _add(rows, passage, None, said)


def _hops(route: dict[str, Any]) -> Iterator[dict[str, str]]:
    above = {**_words(route), "dst": objects.text(route["dst"]) or "default"}
    hops = [hop for hop in objects.several(route.get("nexthops")) if isinstance(hop, dict)]
    for hop in hops or [{}]:
        yield {**above, **_words(hop)}


def _words(said: dict[str, Any]) -> dict[str, str]:
    found = {ours: text for theirs, ours in _JSON_NAMES.items() if (text := objects.text(said.get(theirs))) is not None}
    via = said.get("via")
    if isinstance(via, dict) and (host := objects.text(via.get("host"))):
        found["via"] = host
    flags = " ".join(str(flag) for flag in objects.several(said.get("flags")))
    return {**found, "flags": flags} if flags else found


KIND = Output("ip route", (routes.TABLE,), _recognise, _read)
JSON = Output("ip -j route", (routes.TABLE,), _recognise_json, _read_json)
