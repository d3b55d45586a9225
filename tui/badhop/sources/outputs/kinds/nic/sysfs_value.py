"""A file of a copied sysfs tree: one counter, told by its path, for its content is one number or N/A."""

from badhop.sources.outputs.counting import count, number
from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.nic.sysfs_place import place_of
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import counters

_LONGEST = 3
"""Lines; the value is the only one that is not empty."""


def _recognise(passage: Passage) -> bool:
    if len(passage.lines.texts) > _LONGEST or len(passage.opening) != 1 or place_of(passage.path) is None:
        return False
    try:
        number(passage.opening[0])
    except ValueError:
        return False
    return True


def _read(passage: Passage, rows: Rows) -> None:
    place = place_of(passage.path)
    if place is None:
        return
    dialect = place.dialects[0] if len(place.dialects) == 1 else None
    sample = rows.sample("sysfs", passage.host, place.device, place.name)
    for line, text in passage.numbered():
        if text.strip():
            count(
                rows,
                passage,
                line,
                place.name,
                text,
                dialect=dialect,
                among=place.dialects,
                device=place.device,
                sample=sample,
            )


KIND = Output("sysfs counter", (counters.TABLE,), _recognise, _read)
