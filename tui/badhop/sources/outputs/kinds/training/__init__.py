"""What NCCL, PyTorch and trainers log and dump."""

from badhop.sources.outputs.kind import Kind
from badhop.sources.outputs.kinds.training import (
    deepspeed_log,
    flight_recorder,
    hf_trainer_log,
    inspector,
    megatron_log,
    nccl_log,
    nemo_log,
    progress_bars,
    ras_json,
    ras_text,
    torchtitan_log,
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
    megatron_log.KIND,
    deepspeed_log.KIND,
    torchtitan_log.KIND,
    nemo_log.KIND,
    hf_trainer_log.KIND,
    progress_bars.KIND,
)
