"""What the kernel of a host logs and counts, and its storage."""

from badhop.sources.outputs.kind import Kind
from badhop.sources.outputs.kinds.system import journal, kernel_log

KINDS: tuple[Kind, ...] = (journal.KIND, kernel_log.KIND)
