"""`routes`: where a host or switch sends packets."""

from badhop.schema import Column
from badhop.tables.place import told_table

TABLE = told_table(
    "routes",
    "Where a host or switch sends packets: one row for each next hop of a route.",
    Column("device", "text", "", "Interface that packets leave by; null when nothing tells."),
    Column(
        "destination",
        "text",
        "",
        "Prefix: 10.0.1.0/24, fd00::/64; 0.0.0.0/0, ::/0, or default where nothing tells which.",
    ),
    Column("gateway", "text", "", "Address of the next hop; null for what is reached directly."),
    Column("kind", "text", "", "unicast, local, broadcast, multicast, blackhole, unreachable, prohibit, throw …"),
    Column("protocol", "text", "", "Who made it: kernel, static, dhcp, bgp, connected …; null when nothing tells."),
    Column("scope", "text", "", "link, host, global …; null when nothing tells."),
    Column("preferred_source", "text", "", "Address that packets of this host get as their source."),
    Column("metric", "u32", "", "Lower is preferred."),
    Column("routing_table", "text", "", "Table or VRF that it stands in; null for the main one."),
    Column("weight", "u32", "", "Share of this next hop among those of the same route."),
    Column("mtu", "u32", "B", "Where the route limits it."),
    Column("flags", "text", "", "The tool's own flags: UG, onlink, dead, linkdown …"),
)
