"""`show mmu`, `show buffer information` and `show ecn`: pools, profiles and ECN thresholds, each between two rules."""

import re
from itertools import pairwise

from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import qos

_TITLE = re.compile(r"(Pool|Profile)(?: for namespace (\w+))?: (\S+)")
_PAIR = re.compile(r"\s*(\S+)\s+(\S.*?)\s*")

_SETTINGS = {
    "mode": ("buffer_mode", None),
    "type": ("buffer_type", None),
    "size": ("buffer_size", "bytes"),
    "pool": ("buffer_pool", None),
    "xon": ("xon", "bytes"),
    "xon_offset": ("xon_offset", "bytes"),
    "xoff": ("xoff", "bytes"),
    "dynamic_th": ("buffer_alpha", None),
    "static_th": ("buffer_limit", "bytes"),
    "ecn": ("ecn", None),
    "green_min_threshold": ("ecn_min", "bytes"),
    "green_max_threshold": ("ecn_max", "bytes"),
    "green_drop_probability": ("ecn_probability", "percent"),
}
"""Setting and unit by SONiC's names. ECN marks by green, the colour of packets that no meter has coloured.
`dynamic_th` is the exponent of two by which free buffer is multiplied."""


def _recognise(passage: Passage) -> bool:
    texts = passage.opening
    return any(_TITLE.fullmatch(title) and not rule.strip("- ") and "--" in rule for title, rule in pairwise(texts))


def _read(passage: Passage, rows: Rows) -> None:
    profile = namespace = None
    rules = 0
    for line, raw in passage.numbered():
        text = raw.strip()
        if found := _TITLE.fullmatch(text):
            namespace, profile, rules = found[2], found[3], 0
        elif text and not text.strip("- "):
            rules += 1
        elif profile is not None and rules == 1 and (pair := _PAIR.fullmatch(text)):
            setting, unit = _SETTINGS.get(pair[1], (None, None))
            amount = float(pair[2]) if re.fullmatch(r"-?\d{1,18}", pair[2]) else None
            rows.add(
                qos.TABLE,
                passage,
                line,
                device=namespace,
                profile=profile,
                setting=setting,
                raw_name=pair[1],
                value=pair[2],
                amount=amount,
                unit=unit if amount is not None else None,
            )


KIND = Output("show mmu, show ecn", (qos.TABLE,), _recognise, _read)
