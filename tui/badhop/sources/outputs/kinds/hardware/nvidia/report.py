"""`nvidia-smi -q`: everything that the driver says of each GPU, as text and as XML (-x)."""

import re
from collections.abc import Mapping
from typing import Any
from xml.parsers import expat

from badhop.sources.outputs import clock
from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.hardware.nvidia import throttling
from badhop.sources.outputs.kinds.hardware.nvidia.fields import columns, said
from badhop.sources.outputs.kinds.hardware.nvidia.reading import add
from badhop.sources.outputs.kinds.hardware.pcie.address import address
from badhop.sources.outputs.labelled import labelled, leading_whole
from badhop.sources.outputs.passage import Moment, Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import gpus, pcie

_BEGINS = re.compile(r"=+NVSMI LOG=+\s*$")
_GPU = re.compile(r"GPU ([0-9A-Fa-f]{8})")
_REASONS = ("clocks event reasons/", "clocks throttle reasons/")
_MOST_VALUES = 4096
"""Of one GPU: real reports have about 300 and a few for each process and MIG device."""


def _is_text(passage: Passage) -> bool:
    opening = passage.opening
    if any(_BEGINS.match(text) for text in opening):
        return True
    return any(text.startswith("Driver Version  ") for text in opening) and any(
        text.startswith("Attached GPUs  ") for text in opening
    )


def _read_text(passage: Passage, rows: Rows) -> None:
    taken: Moment | None = None
    common: dict[str, Any] = {}
    gpu: tuple[int, str] | None = None
    values: dict[str, str] = {}
    for entry in labelled(passage):
        if entry.depth == 0:
            _gpu(passage, rows, gpu, values, common, taken)
            gpu, values = None, {}
            if _GPU.fullmatch(entry.label):
                gpu = (entry.line, f"{entry.label[4:]}:{entry.value}")
            elif entry.label == "Timestamp":
                ts = clock.date_line(entry.value)
                taken = Moment(ts, "output") if ts is not None else None
            elif entry.label == "Driver Version":
                common["driver"] = said(entry.value.partition(" [")[0])
        elif gpu and len(values) < _MOST_VALUES:
            values["/".join((*entry.above[1:], entry.label)).lower()] = entry.value
    _gpu(passage, rows, gpu, values, common, taken)


def _gpu(
    passage: Passage,
    rows: Rows,
    gpu: tuple[int, str] | None,
    values: Mapping[str, str],
    common: Mapping[str, Any],
    taken: Moment | None,
) -> None:
    if gpu is None:
        return
    reasons = {
        name.rsplit("/", 1)[1].replace(" ", "_"): value for name, value in values.items() if name.startswith(_REASONS)
    }
    found = {"device": address(gpu[1]), **common, **columns(values, "report"), **_ecc(values, " ")}
    found["throttle"] = throttling.of_words(reasons)
    add(rows, passage, gpu[0], found, taken)


def _ecc(values: Mapping[str, str], blank: str) -> dict[str, int]:
    """Errors of all memories together; older drivers print a total for single and double bits."""
    found: dict[str, int] = {}
    for name, text in values.items():
        parts = name.split("/")
        if parts[0] != f"ecc{blank}errors" or parts[1:2] not in (["volatile"], ["aggregate"]):
            continue
        ever = "_ever" if parts[1] == "aggregate" else ""
        if len(parts) == 4 and parts[3] == "total":
            kind = {f"single{blank}bit": "corrected", f"double{blank}bit": "uncorrected"}.get(parts[2])
        elif len(parts) == 3 and "uncorrectable" in parts[2]:
            kind = "uncorrected"
        elif len(parts) == 3 and "correctable" in parts[2]:
            kind = "corrected"
        else:
            kind = None
        number = leading_whole(text, 2**50)
        if kind and number is not None:
            found[f"ecc_{kind}{ever}"] = found.get(f"ecc_{kind}{ever}", 0) + number
    return found


def _is_xml(passage: Passage) -> bool:
    opening = passage.opening
    return any(text.startswith(("<nvidia_smi_log", "<!DOCTYPE nvidia_smi_log")) for text in opening[:3])


class _Refused(ValueError):
    """What no nvidia-smi writes: entities, a DTD of its own, nesting without end."""


class _Xml:
    """Collects the values of each GPU by their path of tags, while the parser walks through the text."""

    DEEPEST = 32

    def __init__(self, passage: Passage, rows: Rows) -> None:
        self.passage, self.rows = passage, rows
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.EntityDeclHandler = self._entity
        self.path: list[str] = []
        self.gpu: tuple[int, str] | None = None
        self.values: dict[str, str] = {}
        self.common: dict[str, Any] = {}
        self.taken: Moment | None = None

    def _doctype(self, name: str, system: str | None, public: str | None, internal: bool) -> None:
        if internal:
            raise _Refused("a DTD inside the file")

    def _entity(self, *declared: object) -> None:
        raise _Refused("an entity")

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if len(self.path) >= self.DEEPEST:
            raise _Refused("elements nested without end")
        self.path.append(tag)
        if self.path == ["nvidia_smi_log", "gpu"]:
            line = self.passage.lines.first + self.parser.CurrentLineNumber - 1
            self.gpu, self.values = (line, attributes.get("id", "")), {}

    def _text(self, text: str) -> None:
        if not text.strip():
            return
        if self.path == ["nvidia_smi_log", "timestamp"]:
            ts = clock.date_line(text)
            self.taken = Moment(ts, "output") if ts is not None else None
        elif self.path == ["nvidia_smi_log", "driver_version"]:
            self.common["driver"] = said(text.partition(" [")[0])
        elif self.gpu and len(self.path) > 2 and len(self.values) < _MOST_VALUES:
            self.values.setdefault("/".join(self.path[2:]), text.strip())

    def _end(self, tag: str) -> None:
        if self.path == ["nvidia_smi_log", "gpu"]:
            self.finish()
        self.path.pop()

    def finish(self) -> None:
        """Adds the GPU that was being read."""
        if self.gpu is None:
            return
        found = {"device": address(self.gpu[1]), **self.common, **columns(self.values, "xml"), **_ecc(self.values, "_")}
        reasons = {_REASON.sub("", name): value for name, value in self.values.items() if _REASON.match(name)}
        found["throttle"] = throttling.of_words(reasons)
        add(self.rows, self.passage, self.gpu[0], found, self.taken)
        self.gpu = None


_REASON = re.compile(r"clocks_(?:event|throttle)_reasons/clocks_(?:event|throttle)_reason_")


def _read_xml(passage: Passage, rows: Rows) -> None:
    reader = _Xml(passage, rows)
    try:
        reader.parser.Parse(passage.text, True)
    except _Refused as refused:
        rows.problem(passage.lines.first, f"XML of nvidia-smi with {refused}", "only what stands before it was read")
    except (expat.ExpatError, ValueError) as broken:
        reader.finish()
        rows.problem(passage.lines.first, f"XML of nvidia-smi that is cut or broken: {broken}")


_TABLES = (gpus.TABLE, pcie.TABLE)
TEXT = Output("nvidia-smi -q", _TABLES, _is_text, _read_text, _BEGINS)
XML = Output("nvidia-smi -q -x", _TABLES, _is_xml, _read_xml)
