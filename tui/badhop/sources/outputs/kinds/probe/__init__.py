"""What tools print that send something to see what comes back."""

from badhop.sources.outputs.kind import Kind

KINDS: tuple[Kind, ...] = ()
