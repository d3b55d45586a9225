"""What tools say of GPUs and of the PCIe links of a host."""

from badhop.sources.outputs.kind import Kind
from badhop.sources.outputs.kinds.hardware import (
    dcgm,
    dcgm_nvlink,
    fabric_manager,
    nvidia,
    pcie,
    rocm_smi,
    rocm_table,
    sysfs,
)

KINDS: tuple[Kind, ...] = (
    *nvidia.KINDS,
    *pcie.KINDS,
    *sysfs.KINDS,
    dcgm.DMON,
    dcgm.DIAG,
    dcgm_nvlink.KIND,
    rocm_smi.KIND,
    rocm_table.KIND,
    fabric_manager.KIND,
)
