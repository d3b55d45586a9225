"""Which files of the corpus are of NCCL, PyTorch and trainers, and that no other file is taken for one."""

from pathlib import Path

import pytest

from badhop.sources.outputs.kinds import training
from outputs.claimed import of_file

OURS = {
    "nccl/ml-engineering__pytorch__block3.txt": "NCCL log",
    "nccl/nccl_issue1405.log": "NCCL log",
    "nccl/nccl_issue622.log": "NCCL log",
    "nccl/nccl_tests_issue182.log": "NCCL log",
    "nccl/roce-testing__all_reduce_roce_1gpu.log": "NCCL log",
    "nccl/roce-testing__sendrecv_roce_1gpu.log": "NCCL log",
    "pytorch/watchdog_basicsr737.log": "PyTorch watchdog",
    "pytorch/watchdog_llamafactory7396.log": "PyTorch watchdog",
    "pytorch/watchdog_ofa271_old_format.log": "PyTorch watchdog",
}
"""The dumps of the flight recorder, 32 of them, come on top."""


@pytest.mark.each_file("path", "corpus/text/*/*")
def test_a_file_is_ours_or_not(path: Path) -> None:
    told = of_file(path)
    found = {kind.name for kind in training.KINDS} & set(told.kinds if told else ())
    name = f"{path.parent.name}/{path.name}"
    expected = "flight recorder (pickle)" if "__dump_" in path.name else OURS.get(name)
    assert found == ({expected} if expected else set())
