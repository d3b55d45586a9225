"""Whose names the counters of an RDMA device are: its driver's, which its own name mostly tells."""

from collections.abc import Iterable

from badhop import vocabulary

CORE = "rdma"
"""The names that the kernel gives every port, and those of mlx5."""

DIALECTS = (CORE, "bnxt_re", "ice", "efa", "hns3", "ionic", "rxe")

_PREFIXES = (
    ("mlx", CORE),
    ("bnxt_re", "bnxt_re"),
    ("irdma", "ice"),
    ("i40iw", "ice"),
    ("efa", "efa"),
    ("hns", "hns3"),
    ("ionic", "ionic"),
    ("rxe", "rxe"),
)
"""What the drivers call their devices; names that rdma-core makes of PCI places (rocep19s0) tell no driver."""


def dialects_of(device: str | None, names: Iterable[str]) -> tuple[str, ...]:
    """The dialects that the names of a device may be of; one where that is sure."""
    for prefix, dialect in _PREFIXES:
        if device is not None and device.startswith(prefix):
            return (dialect,)
    return vocabulary.best_dialects(names, DIALECTS)


def known(name: str) -> bool:
    """Whether any driver has an RDMA counter of this name; some files have those of the Ethernet side, too."""
    found = ((dialect, vocabulary.look_up(name, dialect)) for dialect in DIALECTS)
    return any(said is not None and (dialect in _RDMA_ONLY or said.layer == "roce") for dialect, said in found)


_RDMA_ONLY = (CORE, "bnxt_re", "efa", "rxe")
