"""`qos`: how priorities are mapped, paused and scheduled."""

from badhop.schema import Column
from badhop.tables.place import told_table

TABLE = told_table(
    "qos",
    "How priorities are mapped, paused, buffered and scheduled: one row for each setting of a port, profile or pool.",
    Column("device", "text", "", "Port or NIC; null where it holds for the whole machine or for a profile."),
    Column(
        "profile", "text", "", "Profile, pool, policy or forwarding class that it belongs to; null for a port's own."
    ),
    Column("priority", "u8", "", "Priority (802.1p) that it is about, else null."),
    Column("queue", "u16", "", "Queue, traffic class or priority group that it is about, else null."),
    Column("dscp", "u8", "", "DSCP that it is about, else null."),
    Column(
        "setting",
        "text",
        "",
        "What is set: pfc, pfc_asymmetric, trust, priority_of_dscp, class_of_priority, scheduler, bandwidth, "
        "buffer_size, buffer_mode, buffer_type, buffer_pool, buffer_alpha, buffer_limit, xoff, xon, "
        "xon_offset, ecn, ecn_min, ecn_max, ecn_probability, pfcwd_action, pfcwd_detection, "
        "pfcwd_restoration, pfcwd_history, pfcwd_status; "
        "null for a name that is not known.",
    ),
    Column("raw_name", "text", "", "The setting's name as the tool printed it."),
    Column("value", "text", "", "What it is set to: on or off where it is one of them, else as printed."),
    Column("amount", "f64", "", "The value where it is a number; null for N/A and words."),
    Column("unit", "text", "", "Of the amount: bytes, ms, percent …; null when nothing tells."),
)
