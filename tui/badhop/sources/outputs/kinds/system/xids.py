"""Xid numbers of NVIDIA's driver: what each means, and what is usually done.

After NVIDIA's catalogue of Xid errors and what operators report; a number that is not here is kept without a meaning.
"""

from typing import NamedTuple


class Xid(NamedTuple):
    """What a number stands for, and what to do."""

    meaning: str
    action: str


_APPLICATION = "look at the application first; many GPUs at once speak for the hardware below"
_CONSEQUENCE = "nothing: it follows from another error, look before it"
_RESET = "drain the node and reset the GPU"
_REPLACE = "drain the node and have the GPU replaced"
_LINK = "look at the link that the text names; drain the node if it comes back"

XIDS: dict[int, Xid] = {
    8: Xid("the GPU stopped processing", _APPLICATION),
    13: Xid("graphics or SM exception", _APPLICATION),
    31: Xid("MMU fault: an address that is not mapped", _APPLICATION),
    32: Xid("broken push buffer: often the PCIe path", "look at PCIe errors of this GPU"),
    38: Xid("driver firmware error", "update the driver, reset the GPU"),
    43: Xid("a channel was stopped", _CONSEQUENCE),
    45: Xid("clean-up after an earlier error or a killed process", _CONSEQUENCE),
    48: Xid("double-bit ECC error", _RESET),
    61: Xid("internal microcontroller breakpoint", _RESET),
    62: Xid("internal microcontroller halt", _RESET),
    63: Xid("row remapping or page retirement recorded", "reset the GPU when the job allows it"),
    64: Xid("row remapping or page retirement failed", _REPLACE),
    68: Xid("video processor exception", _APPLICATION),
    69: Xid("graphics class error", _APPLICATION),
    74: Xid("NVLink error", "look at the NVLink counters of both ends; reset, then the baseboard"),
    78: Xid("vGPU start error", "look at the licence and the host driver"),
    79: Xid("the GPU has fallen off the bus", "power-cycle the node; then PCIe slot, riser or GPU"),
    92: Xid("high rate of single-bit ECC errors", "watch; replace the GPU if it goes on"),
    94: Xid("contained ECC error: only the named process is hit", "restart the job; reset the GPU when it is free"),
    95: Xid("uncontained ECC error", _RESET),
    109: Xid("context switch timeout", _RESET),
    119: Xid("GSP firmware did not answer", "reset the GPU, update the driver"),
    120: Xid("GSP firmware error", "reset the GPU, update the driver"),
    121: Xid("C2C link error between CPU and GPU", _RESET),
    122: Xid("SPI PMU RPC failure", _RESET),
    123: Xid("SPI PMU RPC write failure", _RESET),
    136: Xid("link training failed", _LINK),
    137: Xid("NVLink privilege error: often the far GPU", "look for an error of the peer first"),
    140: Xid("unrecovered ECC error", _RESET),
    143: Xid("the GPU did not initialise", _RESET),
    144: Xid("NVLink SAW error", _LINK),
    145: Xid("NVLink RLW error", _LINK),
    146: Xid("NVLink TLW error", _LINK),
    147: Xid("NVLink TREX error", _LINK),
    148: Xid("NVLink NVLPW error", _LINK),
    149: Xid("NVLink NETIR error", _LINK),
    150: Xid("NVLink MSE error", _LINK),
    154: Xid("the recovery action changed", "do what the text says: none, drain, reset or reboot"),
    155: Xid("NVLink software event", _LINK),
    156: Xid("resource retirement recorded", "reset the GPU when the job allows it"),
    157: Xid("resource retirement failed", _REPLACE),
    158: Xid("fatal timeout", _RESET),
    160: Xid("channel retirement recorded", "reset the GPU when the job allows it"),
    161: Xid("channel retirement failed", _REPLACE),
    167: Xid("fatal PCIe error", "look at PCIe errors of this GPU; drain the node"),
    171: Xid("uncorrectable DRAM error", _RESET),
    172: Xid("uncorrectable SRAM error", _RESET),
}
