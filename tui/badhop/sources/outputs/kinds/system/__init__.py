"""What the kernel of a host logs and counts, and its storage."""

from badhop.sources.outputs.kind import Kind
from badhop.sources.outputs.kinds.system import iostat, journal, kernel_log, lustre, nfs, waiting

KINDS: tuple[Kind, ...] = (
    iostat.TEXT,
    iostat.JSON,
    nfs.KIND,
    lustre.KIND,
    waiting.PRESSURE,
    waiting.VMSTAT,
    waiting.PS,
    journal.KIND,
    kernel_log.KIND,
)
