"""What NCCL, PyTorch and trainers log and dump."""

from badhop.sources.outputs.kind import Kind
from badhop.sources.outputs.kinds.training import nccl_log, watchdog_log

KINDS: tuple[Kind, ...] = (nccl_log.KIND, watchdog_log.KIND)
