"""`ethtool -i`: driver, firmware and PCI address of an interface."""

from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.labelled import labelled
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import links


def _recognise(passage: Passage) -> bool:
    opening = passage.opening
    return any(text.startswith("driver:") for text in opening[:2]) and any(
        text.startswith(("firmware-version:", "bus-info:")) for text in opening
    )


def _read(passage: Passage, rows: Rows) -> None:
    said = {entry.label: entry for entry in labelled(passage)}
    if "driver" not in said:
        return

    def value(label: str) -> str | None:
        return (said[label].value or None) if label in said else None

    rows.add(
        links.TABLE,
        passage,
        said["driver"].line,
        device=passage.device,
        driver=value("driver"),
        driver_version=value("version"),
        firmware=None if value("firmware-version") == "N/A" else value("firmware-version"),
        bus=value("bus-info"),
    )


KIND = Output("ethtool -i", (links.TABLE,), _recognise, _read)
