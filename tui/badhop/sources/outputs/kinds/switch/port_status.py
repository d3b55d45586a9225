"""`show interfaces status` of EOS and NX-OS: link, speed and optic of each port.

A name may hold anything, so that a line is read from its status on, which is one of a few words.
"""

import re

from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.switch.amounts import speed
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import links

_HEADING = re.compile(r"Port +Name +Status +Vlan +Duplex +Speed +Type(?: .*)?")
_STATES = {
    "connected": ("up", "up"),
    "notconnect": ("down", "up"),
    "notconnec": ("down", "up"),
    "xcvrAbsen": ("down", None),
    "xcvrAbsent": ("down", None),
    "sfpAbsent": ("down", None),
    "sfpInvali": ("down", None),
    "errdisabled": ("down", None),
    "err-disabled": ("down", None),
    "inactive": ("down", None),
    "noOperMem": ("down", "up"),
    "linkFlapE": ("down", None),
    "down": ("down", None),
    "up": ("up", "up"),
    "disabled": ("down", "down"),
    "suspended": ("down", None),
    "suspndByV": ("down", None),
}
"""Link and admin state by the words of both; NX-OS cuts them after nine letters."""

_ROW = re.compile(
    r"(\S+)\s+(?:\S.*?\s+)??(" + "|".join(map(re.escape, _STATES)) + r")\s+(in \S+|\S+)\s+(\S+)\s+(\S+)(?:\s+(\S.*))?"
)


def _recognise(passage: Passage) -> bool:
    return any(text.startswith("Port ") and _HEADING.fullmatch(text) for text in passage.opening)


def _read(passage: Passage, rows: Rows) -> None:
    started = False
    for line, raw in passage.numbered():
        text = raw.strip()[:1024]
        if _HEADING.fullmatch(text):
            started = True
        elif started and text and text.strip("-"):
            if found := _ROW.fullmatch(text):
                port, word, _, _, rate, media = found.groups()
                state, admin = _STATES[word]
                rows.add(
                    links.TABLE,
                    passage,
                    line,
                    device=port,
                    state=state,
                    admin=admin,
                    speed_bps=speed(rate) if state == "up" else None,
                    autoneg="on" if rate.startswith("a-") else None,
                    media=None if media in (None, "--", "N/A", "Not Present") else media.strip(),
                )
            else:
                rows.problem(line, "no status of a port that is known", "not read")


KIND = Output("show interfaces status", (links.TABLE,), _recognise, _read)
