"""`show interfaces status`, `… fec status`, `… autoneg status`, `… flap`, `… description` and `… neighbor expected`."""

from badhop.sources.outputs import clock
from badhop.sources.outputs.kinds.switch.amounts import lanes, speed
from badhop.sources.outputs.kinds.switch.columns import Ruled
from badhop.sources.outputs.kinds.switch.sonic.printed import Place, Printed, known
from badhop.tables import links, neighbours, qos


def _read_status(table: Ruled, place: Place) -> None:
    for row in table.rows:
        cell, port = row.cells.get, row.cells.get("Interface")
        mtu = known(cell("MTU"))
        state = _word(cell("Oper"))
        place.rows.add(
            links.TABLE,
            place.passage,
            row.line,
            device=port,
            # What is printed of a port that is down is what it was configured to.
            speed_bps=speed(cell("Speed", "")) if state == "up" else None,
            lanes=lanes(known(cell("Lanes"))),
            state=state,
            admin=_word(cell("Admin")),
            fec_configured=known(cell("FEC")),
            mtu=int(mtu) if mtu and mtu.isascii() and mtu.isdigit() and len(mtu) < 9 else None,
            media=known(cell("Type")),
        )
        if asymmetric := known(cell("Asym PFC")):
            place.rows.add(
                qos.TABLE,
                place.passage,
                row.line,
                device=port,
                setting="pfc_asymmetric",
                raw_name="Asym PFC",
                value=asymmetric,
            )


def _read_fec(table: Ruled, place: Place) -> None:
    for row in table.rows:
        place.rows.add(
            links.TABLE,
            place.passage,
            row.line,
            device=row.cells.get("Interface"),
            fec=known(row.cells.get("FEC Oper")),
            fec_configured=known(row.cells.get("FEC Admin")),
        )


def _read_negotiation(table: Ruled, place: Place) -> None:
    for row in table.rows:
        state = _word(row.cells.get("Oper"))
        place.rows.add(
            links.TABLE,
            place.passage,
            row.line,
            device=row.cells.get("Interface"),
            speed_bps=speed(row.cells.get("Speed", "")) if state == "up" else None,
            autoneg={"enabled": "on", "disabled": "off"}.get(row.cells.get("Auto-Neg Mode", "")),
            state=state,
            admin=_word(row.cells.get("Admin")),
            media=known(row.cells.get("Type")),
        )


def _read_flaps(table: Ruled, place: Place) -> None:
    for row in table.rows:
        changes = (row.cells.get("Link Down TimeStamp(UTC)"), row.cells.get("Link Up TimeStamp(UTC)"))
        times = [ts for text in changes if text and (ts := clock.date_line(text)) is not None]
        flaps = known(row.cells.get("Flap Count"))
        place.rows.add(
            links.TABLE,
            place.passage,
            row.line,
            device=row.cells.get("Interface"),
            state=_word(row.cells.get("Oper")),
            admin=_word(row.cells.get("Admin")),
            flaps=int(flaps) if flaps and flaps.isascii() and flaps.isdigit() and len(flaps) < 19 else None,
            last_change=max(times, default=None),
        )


def _read_expected(table: Ruled, place: Place) -> None:
    for row in table.rows:
        place.rows.add(
            neighbours.TABLE,
            place.passage,
            row.line,
            device=row.cells.get("LocalPort"),
            protocol="configured",
            system_name=known(row.cells.get("Neighbor")),
            port_id=known(row.cells.get("NeighborPort")),
            management_address=known(row.cells.get("NeighborMgmt")),
        )


def _word(text: str | None) -> str | None:
    """up or down, however it is written."""
    word = (text or "").lower()
    return word if word in ("up", "down") else None


def _read_description(table: Ruled, place: Place) -> None:
    for row in table.rows:
        place.rows.add(
            links.TABLE,
            place.passage,
            row.line,
            device=row.cells.get("Interface"),
            state=_word(row.cells.get("Oper")),
            admin=_word(row.cells.get("Admin")),
        )


DESCRIPTION = Printed("show interfaces description", ("Interface", "Oper", "Admin"), (links.TABLE,), _read_description)
STATUS = Printed("show interfaces status", ("Interface", "Lanes"), (links.TABLE, qos.TABLE), _read_status)
FEC = Printed("show interfaces fec status", ("Interface", "FEC Oper"), (links.TABLE,), _read_fec)
NEGOTIATION = Printed(
    "show interfaces autoneg status", ("Interface", "Auto-Neg Mode"), (links.TABLE,), _read_negotiation
)
FLAPS = Printed("show interfaces flap", ("Interface", "Flap Count"), (links.TABLE,), _read_flaps)
EXPECTED = Printed(
    "show interfaces neighbor expected", ("LocalPort", "Neighbor", "NeighborPort"), (neighbours.TABLE,), _read_expected
)
