"""`ethtool -a`: global pause of an interface. Priority flow control switches it off."""

from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.nic.settings.heading import headed, heading_line, switched
from badhop.sources.outputs.labelled import labelled
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import links

_name, _BEGINS = headed("Pause parameters for")


def _recognise(passage: Passage) -> bool:
    return _name(passage) is not None


def _read(passage: Passage, rows: Rows) -> None:
    heading = heading_line(passage, _BEGINS)
    said = {entry.label.lower(): switched(entry.value) for entry in labelled(passage)}
    rows.add(
        links.TABLE,
        passage,
        heading,
        device=_name(passage),
        pause_autoneg=said.get("autonegotiate"),
        pause_rx=said.get("rx"),
        pause_tx=said.get("tx"),
    )


KIND = Output("ethtool -a", (links.TABLE,), _recognise, _read, _BEGINS)
