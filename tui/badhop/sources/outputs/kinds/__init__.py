"""Every kind of input that is no capture, by family. `KINDS` is the explicit list; bulk readers come first.

To add one, write a file in its family with a `KIND` and add it to the family's `KINDS`.
"""

from badhop.sources.outputs.kind import Kind
from badhop.sources.outputs.kinds import fabric, hardware, neutral, nic, probe, serving, switch, system, training

KINDS: tuple[Kind, ...] = (
    *neutral.KINDS,
    *nic.KINDS,
    *fabric.KINDS,
    *switch.KINDS,
    *hardware.KINDS,
    *training.KINDS,
    *system.KINDS,
    *probe.KINDS,
    *serving.KINDS,
)
