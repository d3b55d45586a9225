"""What NCCL, PyTorch and trainers log and dump."""

from badhop.sources.outputs.kind import Kind

KINDS: tuple[Kind, ...] = ()
