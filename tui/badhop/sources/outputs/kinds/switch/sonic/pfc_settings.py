"""`show pfc priority` and `show pfc asymmetric`: what each port pauses, and in which direction."""

from badhop.sources.outputs.kinds.switch.columns import Ruled
from badhop.sources.outputs.kinds.switch.sonic.printed import Place, Printed, known
from badhop.tables import qos

_LOSSLESS = "Lossless priorities"


def _read_priorities(table: Ruled, place: Place) -> None:
    for row in table.rows:
        said = known(row.cells.get(_LOSSLESS))
        for priority in said.split(",") if said else ():
            if priority.strip() not in ("0", "1", "2", "3", "4", "5", "6", "7"):
                place.rows.problem(row.line, f"no priority: {priority[:40]!r}", "not read")
                continue
            place.rows.add(
                qos.TABLE,
                place.passage,
                row.line,
                device=row.cells.get("Interface"),
                priority=int(priority),
                setting="pfc",
                raw_name=_LOSSLESS,
                value="on",
            )


def _read_asymmetric(table: Ruled, place: Place) -> None:
    for row in table.rows:
        if value := known(row.cells.get("Asymmetric")):
            place.rows.add(
                qos.TABLE,
                place.passage,
                row.line,
                device=row.cells.get("Interface"),
                setting="pfc_asymmetric",
                raw_name="Asymmetric",
                value=value,
            )


PRIORITIES = Printed("show pfc priority", ("Interface", _LOSSLESS), (qos.TABLE,), _read_priorities)
ASYMMETRIC = Printed("show pfc asymmetric", ("Interface", "Asymmetric"), (qos.TABLE,), _read_asymmetric)
