"""What inference engines and gateways log and export."""

from badhop.sources.outputs.kind import Kind

KINDS: tuple[Kind, ...] = ()
