"""What each process says of itself in an NCCL log: version, NICs, GPUDirect, bootstrap, settings."""

import re
from dataclasses import dataclass, field

from badhop.sources.outputs.kinds.training.nccl_lines import Said

_VERSION = re.compile(r"NCCL version (\d+\.\d+(?:\.\d+)?)")
_SETTING = re.compile(r"(NCCL_\w{1,60}) set (?:by environment )?to (.{0,300})")
_USED = re.compile(r"\[(\d{1,3})\]([A-Za-z][^\s;,\]]{0,99})")
"""`[0]mlx5_0:1/RoCE` in the list of NICs; the `[RO]` behind it has no number."""

_VIRTUAL = re.compile(r"Made virtual device \[(\d{1,3})\] name=(\S{1,99})")
_OUT_OF_BAND = re.compile(r"OOB (\S+)")
_BOOTSTRAP = re.compile(r"Bootstrap ?: Using (?:\[0\])?(\S+)")
_GDR = re.compile(r"GPU Direct RDMA (Enabled|Disabled) for HCA \d+ '(\S{1,60})'")
_GDR_OF_GPU = re.compile(r"GPU Direct RDMA (Enabled|Disabled) for GPU \S+ / HCA (\d{1,3})")
_NETWORK = re.compile(r"(?:Using network|Assigned NET plugin) (\S+(?: Libfabric)?)")

_MOST_SETTINGS = 300
"""Settings kept of a process; NCCL has about 250 variables."""

_MOST_NICS, _MOST_GPUS = 256, 16
"""NICs and GPUs kept of a process; a host has at most a few dozen."""

_MOST_PROCESSES = 1 << 16
"""Processes kept of a log; one line of 40 characters could else cost a kilobyte."""


@dataclass
class Process:
    """What one process said of itself so far."""

    version: str | None = None
    cuda_driver: int | None = None
    network: str | None = None
    out_of_band: str | None = None
    nics: dict[int, str] = field(default_factory=dict)
    """As printed, by NCCL's index."""
    gdr: dict[str, bool] = field(default_factory=dict)
    """Whether GPUDirect RDMA is enabled, by the NIC's name."""
    gdr_of_gpu: dict[tuple[int | None, str], bool] = field(default_factory=dict)
    settings: dict[str, str] = field(default_factory=dict)

    def nic(self, index: int) -> str | None:
        """The name of a NIC: `mlx5_5` of `mlx5_5:1/RoCE`."""
        printed = self.nics.get(index)
        return printed.split(":", 1)[0] if printed else None

    def nics_with_gdr(self, gpu: int | None, enabled: bool) -> list[str] | None:
        """NICs of which it said so for all GPUs or for this one; None when it said nothing of the kind at all."""
        told = self.gdr | {nic: state for (of, nic), state in self.gdr_of_gpu.items() if of == gpu}
        return [nic for nic, state in told.items() if state == enabled] if told else None


class Processes:
    """The processes of a log."""

    def __init__(self) -> None:
        self._known: dict[tuple[str | None, int | None], Process] = {}
        self.versions: set[str] = set()
        """All versions that stand in the log, at most a few."""
        self.full = False
        """Whether there were more processes than are kept."""

    def of(self, process: tuple[str | None, int | None]) -> Process:
        """A process; an empty one where nothing is known of it."""
        return self._known.get(process) or Process()

    def read(self, message: Said) -> None:
        """Takes what a message tells of its process."""
        text = message.text
        if not any(word in text for word in _WORDS):
            return
        known = self._known.get(message.process)
        if known is None:
            if len(self._known) >= _MOST_PROCESSES:
                self.full = True
                return
            known = self._known[message.process] = Process()
        self._take(known, message, text)

    def _take(self, known: Process, message: Said, text: str) -> None:
        if found := _VERSION.search(text):
            known.version = found[1]
            self.mention(found[1])
        elif text.startswith("cudaDriverVersion "):
            number = text.split()[1:2]
            known.cuda_driver = int(number[0]) if number and number[0].isdigit() and len(number[0]) < 9 else None
        elif found := _SETTING.search(text):
            if len(known.settings) < _MOST_SETTINGS:
                known.settings[found[1]] = found[2].removesuffix(".")
        elif found := _BOOTSTRAP.search(text):
            known.out_of_band = found[1]
        elif "NET/" in text and ": Using [" in text:
            _nics(known, text)
        elif found := _VIRTUAL.search(text):
            known.nics[int(found[1])] = found[2]
        elif found := _GDR.search(text):
            if len(known.gdr) < _MOST_NICS:
                known.gdr[found[2]] = found[1] == "Enabled"
        elif found := _GDR_OF_GPU.search(text):
            nic = known.nic(int(found[2])) or f"HCA {found[2]}"
            if len(known.gdr_of_gpu) < _MOST_NICS * _MOST_GPUS:
                known.gdr_of_gpu[message.gpu, nic] = found[1] == "Enabled"
        elif found := _NETWORK.search(text):
            known.network = found[1]

    def mention(self, version: str) -> None:
        """A version that some process has."""
        if len(self.versions) < _FEW:
            self.versions.add(version)

    def version_of(self, process: tuple[str | None, int | None]) -> str | None:
        """The version of a process: its own word, or the only one in the log (rank 0 prints it for all)."""
        own = self.of(process).version
        return own or (next(iter(self.versions)) if len(self.versions) == 1 else None)


_FEW = 8
_WORDS = (
    "NCCL version ",
    "cudaDriverVersion ",
    " set ",
    "Bootstrap",
    ": Using [",
    "Made virtual",
    "GPU Direct RDMA",
    "Using network",
    "Assigned NET plugin",
)


def _nics(known: Process, text: str) -> None:
    for index, name in _USED.findall(text):
        if len(known.nics) < _MOST_NICS:
            known.nics[int(index)] = name
    if found := _OUT_OF_BAND.search(text):
        known.out_of_band = found[1]


def version_in(text: str) -> str | None:
    """The version in a line that NCCL prints without its prefix: `NCCL version 2.21.5+cuda12.4`."""
    found = _VERSION.match(text.strip())
    return found[1] if found else None
