"""What inference engines and gateways log and export."""

from badhop.sources.outputs.kind import Kind
from badhop.sources.outputs.kinds.serving import engine_lines, envoy, haproxy, nginx, traefik

KINDS: tuple[Kind, ...] = (engine_lines.KIND, envoy.KIND, haproxy.KIND, nginx.KIND, traefik.KIND)
