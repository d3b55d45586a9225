"""`links`: what each port says of its link: speed, width, state, FEC, optics, flaps."""

from badhop.schema import Column
from badhop.tables.place import told_table

TABLE = told_table(
    "links",
    "What each port says of its link: speed, width, state, FEC, optics, flaps. An optic gives one row for each lane.",
    Column("device", "text", "", "NIC, port or interface: eth2, mlx5_0/1, Ethernet12, swp3; null when nothing tells."),
    Column("speed_bps", "u64", "bit/s", "Speed of the link now."),
    Column("supported_bps", "u64", "bit/s", "The fastest that the port says it can do."),
    Column("lanes", "u8", "", "Serial lanes of the port."),
    Column(
        "lane", "u8", "", "Which lane this row's optical values are of, as the tool counts; null where it is not one."
    ),
    Column("state", "text", "", "Whether the link is there: up or down."),
    Column("admin", "text", "", "Whether it was switched on: up or down."),
    Column("fec", "text", "", "FEC in use: rs, fc, none, or the tool's own word."),
    Column("fec_configured", "text", "", "FEC as configured."),
    Column("autoneg", "text", "", "Whether speed is negotiated: on or off."),
    Column("mtu", "u32", "B", "Largest packet that it takes."),
    Column("media", "text", "", "Optic or cable, in the tool's words."),
    Column("temperature_c", "f64", "degrees C", "Of the optic."),
    Column("rx_power_dbm", "f64", "dBm", "Light that arrives; null where none is measured."),
    Column("tx_power_dbm", "f64", "dBm", "Light that is sent."),
    Column("bias_ma", "f64", "mA", "Current of the laser."),
    Column("flaps", "u64", "", "How often the link went down or changed, as the tool counts."),
    Column("last_change", "time", "UTC", "When it last went up or down."),
    Column("pre_fec_ber", "f64", "", "Share of bits that were wrong before FEC."),
    Column("post_fec_ber", "f64", "", "Share of bits that FEC could not repair."),
)
