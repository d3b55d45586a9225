"""Short lists of the RDMA devices of a host: `ibdev2netdev` (also `-v`), `ibv_devices`, `ibv_devinfo -l`."""

import re

from badhop.sources.outputs.kind import Output
from badhop.sources.outputs.kinds.fabric.devices import spoken
from badhop.sources.outputs.passage import Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import rdma_devices

_PAIR = re.compile(
    r"\s*(?:([0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]) )?([\w.-]+)(?: \((\w+) - .{0,200}?\bfw (\S+))? port (\d{1,2})"
    r"(?: \((\w+) *\))? ==> ([\w.-]+) \((Up|Down)\)\s*$"
)
_HEAD = re.compile(r"\s*device\s+node GUID\s*$")
_FOUND = re.compile(r"(\d{1,4}) HCAs? found:$")


def _is_pairs(passage: Passage) -> bool:
    return any(" ==> " in text and _PAIR.match(text[:500]) for text in passage.opening)


def _read_pairs(passage: Passage, rows: Rows) -> None:
    for line, text in passage.numbered():
        found = _PAIR.match(text[:500])
        if found is None:
            if "==>" in text:
                rows.problem(line, f"no device and interface: {text.strip()[:80]!r}")
            continue
        bus, device, model, firmware, port, state, netdev, netdev_state = found.groups()
        rows.add(
            rdma_devices.TABLE,
            passage,
            line,
            part="port",
            device=device,
            port=int(port),
            state=spoken.state(state or ""),
            netdev=netdev,
            netdev_state=netdev_state.lower(),
            bus=bus,
            type=model,
            firmware=firmware,
        )


def _is_list(passage: Passage) -> bool:
    return bool(passage.opening) and bool(_HEAD.match(passage.opening[0]) or _FOUND.match(passage.opening[0]))


def _read_list(passage: Passage, rows: Rows) -> None:
    inside = False
    for line, text in passage.numbered():
        cells = text.split()
        if not cells or text.strip().startswith("---"):
            continue
        if not inside:
            inside = bool(_HEAD.match(text) or _FOUND.match(text.strip()))
        elif len(cells) <= 2 and (len(cells) == 1 or spoken.guid(cells[1])):
            guid = spoken.guid(cells[1]) if len(cells) == 2 else None
            rows.add(rdma_devices.TABLE, passage, line, part="device", device=cells[0], guid=guid)
        else:
            rows.problem(line, f"no RDMA device: {text.strip()[:80]!r}")


PAIRS = Output("ibdev2netdev", (rdma_devices.TABLE,), _is_pairs, _read_pairs)
LIST = Output("ibv_devices", (rdma_devices.TABLE,), _is_list, _read_list, _HEAD)
