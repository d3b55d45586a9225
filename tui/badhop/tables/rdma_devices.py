"""`rdma_devices`: each RDMA port: state, GIDs, MTU, firmware, driver."""

from badhop.schema import Column
from badhop.tables.place import told_table

TABLE = told_table(
    "rdma_devices",
    "What each RDMA device says of itself: a row for each port with its state, and a row for each GID of its table.",
    Column("part", "text", "", "port, gid, device where one is told without ports, or switch."),
    Column("device", "text", "", "RDMA device: mlx5_0, bnxt_re1, rxe0."),
    Column("port", "u8", "", "Its port, from 1; null where it is not said."),
    Column("state", "text", "", "Logical state: down, init, armed, active."),
    Column("physical_state", "text", "", "As printed: LinkUp, Polling, Disabled …"),
    Column(
        "rate_bps", "u64", "bit/s", "Speed of the port now. A port that is down may print one that it does not have."
    ),
    Column("lanes", "u8", "", "Serial lanes in use."),
    Column("link_layer", "text", "", "InfiniBand or Ethernet (RoCE)."),
    Column("lid", "u16", "", "LID; null on Ethernet and where none was given (65535)."),
    Column("sm_lid", "u16", "", "LID of the subnet manager: 0 where none was found."),
    Column("active_mtu", "u32", "B", "Path MTU in use."),
    Column("max_mtu", "u32", "B", "Largest path MTU that the port can."),
    Column("netdev", "text", "", "Network interface on the same port."),
    Column("netdev_state", "text", "", "up or down, of that interface."),
    Column("type", "text", "", "Model, as printed: MT4129."),
    Column("firmware", "text", "", "Firmware version."),
    Column("board", "text", "", "Board id (PSID)."),
    Column("bus", "text", "", "PCI address."),
    Column("guid", "text", "", "GUID of the node, without 0x and colons."),
    Column("port_guid", "text", "", "GUID of the port."),
    Column("gid_index", "u16", "", "Place in the GID table: what NCCL_IB_GID_INDEX names."),
    Column("gid", "text", "", "The GID."),
    Column("gid_type", "text", "", "RoCEv1, RoCEv2 or IB; null where nothing tells."),
    Column("gid_ip", "text", "", "Its IPv4 address, where it is one."),
    Column("alarms", "list[text]", "", "Power supplies, fans and other parts of a switch that are not OK."),
)
