"""What NCCL, PyTorch and trainers log and dump."""

from badhop.sources.outputs.kind import Kind
from badhop.sources.outputs.kinds.training import (
    flight_recorder,
    inspector,
    nccl_log,
    ras_json,
    ras_text,
    watchdog_log,
)

KINDS: tuple[Kind, ...] = (
    flight_recorder.PICKLE,
    flight_recorder.JSON,
    nccl_log.KIND,
    watchdog_log.KIND,
    ras_text.KIND,
    ras_json.KIND,
    inspector.KIND,
)
