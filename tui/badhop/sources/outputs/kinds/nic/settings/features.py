"""`ethtool -k` and `--show-priv-flags`: which offloads and private flags of an interface are on and off."""

from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.nic.settings.heading import headed, switched
from badhop.sources.outputs.labelled import labelled
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import links

_features_name, _FEATURES_BEGIN = headed("Features for")
_flags_name, _FLAGS_BEGIN = headed("Private flags for")
_MOST = 512
"""Flags of a real driver are fewer than 100."""


def _are_features(passage: Passage) -> bool:
    return _features_name(passage) is not None


def _are_flags(passage: Passage) -> bool:
    return _flags_name(passage) is not None


def _read(passage: Passage, rows: Rows) -> None:
    device = _features_name(passage) or _flags_name(passage)
    heading, found = passage.lines.first, {"on": list[str](), "off": list[str]()}
    for line, text in passage.numbered():
        if _FEATURES_BEGIN.match(text) or _FLAGS_BEGIN.match(text):
            heading = line
        elif text.strip() and ":" not in text:
            rows.problem(line, f"no flag and its state: {text.strip()[:80]!r}")
    for entry in labelled(passage):
        if (state := switched(entry.value)) and len(found[state]) < _MOST:
            found[state].append(entry.label)
    if found["on"] or found["off"]:
        rows.add(links.TABLE, passage, heading, device=device, features_on=found["on"], features_off=found["off"])


FEATURES = Output("ethtool -k", (links.TABLE,), _are_features, _read, _FEATURES_BEGIN)
FLAGS = Output("ethtool --show-priv-flags", (links.TABLE,), _are_flags, _read, _FLAGS_BEGIN)
