"""`lspci -vmm` (also with -n, -k): a record for each device, made for scripts."""

import re
from itertools import pairwise

from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.hardware.pcie.address import address
from badhop.sources.outputs.kinds.hardware.pcie.device_class import kind_of
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import pcie

_SLOT = re.compile(r"Slot:\s+(\S+)\s*")


def _recognise(passage: Passage) -> bool:
    opening = passage.opening
    return bool(opening) and any(
        _SLOT.fullmatch(first) and second.startswith("Class:") for first, second in pairwise(opening)
    )


def _read(passage: Passage, rows: Rows) -> None:
    record: dict[str, str] = {}
    start = passage.lines.first
    for line, text in passage.numbered():
        label, colon, value = text.strip().partition(":")
        if label == "Slot" and colon:
            _add(passage, rows, start, record)
            record, start = {}, line
        if colon and len(record) < 32:
            record[label] = value.strip()
    _add(passage, rows, start, record)


def _add(passage: Passage, rows: Rows, line: int, record: dict[str, str]) -> None:
    slot = address(record.get("Slot", ""))
    if slot is None:
        return
    kind = kind_of(record.get("Class", ""), record.get("Vendor", ""))
    if kind == "other":
        return
    numa = record.get("NUMANode", "")
    rows.add(
        pcie.TABLE,
        passage,
        line,
        device=slot,
        kind=kind,
        name=" ".join(record[part] for part in ("Vendor", "Device") if record.get(part)) or None,
        driver=record.get("Driver") or None,
        numa=int(numa) if re.fullmatch(r"\d{1,5}", numa) else None,
        iommu_group=record.get("IOMMUGroup") or None,
    )


KIND = Output("lspci -vmm", (pcie.TABLE,), _recognise, _read)
