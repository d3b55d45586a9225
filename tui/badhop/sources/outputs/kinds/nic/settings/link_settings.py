"""Plain `ethtool`: speed, duplex, link, and what the port can and announces."""

import re

from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.nic.settings.heading import headed, heading_line, switched
from badhop.sources.outputs.labelled import labelled, told
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import links

_name, _BEGINS = headed("Settings for")
_SPEED = re.compile(r"(\d{1,9})Mb/s")
_MODE = re.compile(r"(\d{1,9})base")


def _recognise(passage: Passage) -> bool:
    return _name(passage) is not None


def _read(passage: Passage, rows: Rows) -> None:
    heading = heading_line(passage, _BEGINS)
    said = {entry.label: entry.value for entry in labelled(passage)}
    speed = _SPEED.fullmatch(said.get("Speed", ""))
    if speed is None and told(said.get("Speed", "")) and not said["Speed"].startswith("Unknown"):
        rows.problem(heading, f"a speed that is none: {said['Speed'][:40]!r}", "its row has no speed")
    detected = said.get("Link detected", "")
    rows.add(
        links.TABLE,
        passage,
        heading,
        device=_name(passage),
        speed_bps=int(speed[1]) * 10**6 if speed else None,
        supported_bps=_fastest(passage, "Supported link modes"),
        lanes=int(said["Lanes"]) if re.fullmatch(r"\d\d?", said.get("Lanes", "")) else None,
        state={"yes": "up", "no": "down"}.get(detected.split(" ")[0]),
        reason=detected[3:].strip(" ()") or None if detected.startswith("no") else None,
        autoneg=switched(said.get("Auto-negotiation", "")),
        duplex={"full": "full", "half": "half"}.get(said.get("Duplex", "").lower()),
        media=told(said.get("Port", "")),
    )


def _fastest(passage: Passage, label: str) -> int | None:
    """Of the modes after a label and on the lines without a label below it."""
    fastest, inside = 0, False
    for text in passage.lines.texts:
        before, colon, after = text.partition(":")
        if colon:
            inside = before.strip() == label
        if inside:
            modes = _MODE.findall(after if colon else text)
            fastest = max([fastest, *(int(mode) for mode in modes)])
    return fastest * 10**6 or None


KIND = Output("ethtool", (links.TABLE,), _recognise, _read, _BEGINS)
