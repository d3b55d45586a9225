"""Which files of the corpus are said to be of a NIC's settings, of a fabric or of hardware: no others."""

from pathlib import Path

import pytest

from badhop.sources.outputs.kinds.fabric import devices, topology
from badhop.sources.outputs.kinds.hardware import KINDS as HARDWARE
from badhop.sources.outputs.kinds.nic import settings
from outputs.claimed import of_file

KINDS = {kind.name for kind in (*settings.KINDS, *devices.KINDS, *topology.KINDS, *HARDWARE)}
FOLDERS = {
    "ethtool_misc",
    "optics",
    "ibstat",
    "ibnetdiscover",
    "ibswinfo",
    "lspci",
    "nvidia-smi",
    "rocm-smi",
    "gpu_logs",
    "host_inventory",
    "rdma_tool",
}


@pytest.mark.each_file("path", "corpus/text/*/*")
def test_no_file_of_another_kind_is_claimed(path: Path) -> None:
    if path.parent.name in FOLDERS or "test_nvidia__NVIDIA_SMI_L" in path.name:
        return
    told = of_file(path)
    assert told is None or not KINDS & set(told.kinds)


@pytest.mark.each_file("path", "corpus/text/nvidia-smi/*.metrics", "corpus/text/dcgm/*")
def test_metrics_and_lists_of_fields_are_not_claimed(path: Path) -> None:
    told = of_file(path)
    assert told is None or not KINDS & set(told.kinds)
