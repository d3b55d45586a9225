"""What the kernel of a host logs and counts, and its storage."""

from badhop.sources.outputs.kind import Kind

KINDS: tuple[Kind, ...] = ()
