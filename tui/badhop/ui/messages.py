"""What screens ask of the app: to open a playbook, a table, a packet."""

from dataclasses import dataclass

from textual.message import Message

from badhop.ui.opened import Opened
from badhop.ui.spots import Spot


@dataclass
class EvidenceOpened(Message):
    """Everything was read."""

    opened: Opened


@dataclass
class EvidenceFailed(Message):
    """Nothing could be opened, or the person stopped it."""

    what: str
    place: str
    next_step: str


@dataclass
class PlaybookChosen(Message):
    """Walk the playbook of this name."""

    name: str


@dataclass
class TableChosen(Message):
    """Show the table of this name."""

    name: str


@dataclass
class SpotsChosen(Message):
    """Open the first of these packets; the person can go through the others."""

    spots: tuple[Spot, ...]
