"""Puts a reading of an NVIDIA GPU into `gpus`, and what it tells of its PCIe link into `pcie`."""

import re
from collections.abc import Mapping
from typing import Any

from badhop.sources.outputs.kinds.hardware.pcie.rate import GENERATIONS, judged
from badhop.sources.outputs.passage import Moment, Passage
from badhop.sources.outputs.rows import Rows
from badhop.tables import gpus, pcie


def add(rows: Rows, passage: Passage, line: int, values: dict[str, Any], at: Moment | None = None) -> None:
    """A GPU into `gpus`, and its link into `pcie` where it tells one."""
    rows.add(gpus.TABLE, passage, line, at=at, part="gpu", **{"sample": 1, **values})
    generation, most = values.get("pcie_gen"), values.get("pcie_gen_max")
    if generation is None or values.get("device") is None:
        return
    link = judged(
        speed=GENERATIONS.get(generation),
        width=values.get("pcie_width"),
        speed_max=GENERATIONS.get(most) if most is not None else None,
        width_max=values.get("pcie_width_max"),
        idle=_idle(values),
    )
    rows.add(
        pcie.TABLE,
        passage,
        line,
        at=at,
        device=values["device"],
        kind="gpu",
        name=values.get("name"),
        part="endpoint",
        replays=values.get("pcie_replays"),
        **link,
    )


def _idle(values: Mapping[str, Any]) -> bool | None:
    """By the driver's own reason, else by the state of its clocks: P0 to P2 are those under load."""
    if "idle" in (values.get("throttle") or ()):
        return True
    state = values.get("pstate") or ""
    if re.fullmatch(r"P\d{1,2}", state) is None:
        return None
    if int(state[1:]) > 2:
        return True
    busy = values.get("busy")
    return None if busy is None else not busy
