"""`show interfaces counters` and its siblings: one line a port, one column a counter, rates as gauges.

With `-p SECONDS` the counts are what was counted in that time: their raw names say so, for they are no totals.
"""

from badhop.sources.outputs.kinds.switch.columns import Cut, Ruled
from badhop.sources.outputs.kinds.switch.sonic.printed import Place, Printed, known
from badhop.tables import counters, links

_STATES = {"U": ("up", "up"), "D": ("down", "up"), "X": ("down", "down")}
"""Link and admin state by the letters of portstat: up, down, disabled."""

_NO_COUNTS = ("_BPS", "_PPS", "_UTIL", "_BER", "_MAX", "(O)", "(Accuracy)", "_T")
"""Ends of columns that are rates and ratios of their own."""


def _read(table: Ruled, place: Place) -> None:
    for row in table.rows:
        port = row.cells.get("IFACE")
        for name, text in row.cells.items():
            if name not in ("IFACE", "STATE"):
                place.readings.count(row.line, port, _name(name, place.period), text)
        _link(row, port, place)


def _name(column: str, period: int | None) -> str:
    return column if period is None or column.endswith(_NO_COUNTS) else f"{column} in {period} s"


def _link(row: Cut, port: str | None, place: Place) -> None:
    state, admin = _STATES.get(row.cells.get("STATE", ""), (None, None))
    before, after = _ratio(row.cells.get("FEC_PRE_BER")), _ratio(row.cells.get("FEC_POST_BER"))
    if state or before is not None or after is not None:
        place.rows.add(
            links.TABLE,
            place.passage,
            row.line,
            device=port,
            state=state,
            admin=admin,
            pre_fec_ber=before,
            post_fec_ber=after,
        )


def _ratio(text: str | None) -> float | None:
    try:
        return None if known(text) is None else float(str(text))
    except ValueError:
        return None


_FILLS = (counters.TABLE, links.TABLE)

COUNTERS = Printed("show interfaces counters", ("IFACE", "STATE", "RX_OK"), _FILLS, _read)
FEC = Printed("show interfaces counters fec-stats", ("IFACE", "STATE", "FEC_CORR"), _FILLS, _read)
DROPS = Printed("show dropcounters counts", ("IFACE", "STATE", "RX_ERR"), _FILLS, _read)
TRIM = Printed("show interfaces counters trim", ("IFACE", "STATE", "TRIM_PKTS"), _FILLS, _read)
ROUTED = Printed("show interfaces counters rif", ("IFACE", "RX_OK"), _FILLS, _read)


def _read_device(table: Ruled, place: Place) -> None:
    for row in table.rows:
        for name, text in row.cells.items():
            if name != "DEVICE":
                place.readings.count(row.line, None, name, text, host=row.cells.get("DEVICE"))


SWITCH_DROPS = Printed("show dropcounters counts", ("DEVICE",), (counters.TABLE,), _read_device)
"""The second table of that command: drops that are counted for the switch as a whole."""
