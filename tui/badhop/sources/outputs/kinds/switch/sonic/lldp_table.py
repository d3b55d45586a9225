"""`show lldp table`: who stands at each port."""

from badhop.sources.outputs.kinds.switch.columns import Ruled
from badhop.sources.outputs.kinds.switch.sonic.printed import Place, Printed, known
from badhop.tables import neighbours


def _read(table: Ruled, place: Place) -> None:
    for row in table.rows:
        place.rows.add(
            neighbours.TABLE,
            place.passage,
            row.line,
            device=row.cells.get("LocalPort"),
            protocol="lldp",
            system_name=known(row.cells.get("RemoteDevice")),
            port_id=known(row.cells.get("RemotePortID")),
            port_description=known(row.cells.get("RemotePortDescr")),
        )


PRINTED = Printed("show lldp table", ("LocalPort", "RemoteDevice"), (neighbours.TABLE,), _read)
