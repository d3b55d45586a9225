//! What the mirror port of a switch says of a packet that it copied (ERSPAN).

/// From the ERSPAN header; what its type does not carry is `None`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Mirror {
    /// Session; type I has none.
    pub session: Option<u16>,
    /// Sequence number of the GRE header: the mirror counts what it sends.
    pub seq: Option<u32>,
    /// Whether the packet was leaving the switch; type III only.
    pub egress: Option<bool>,
    /// Nanoseconds on the clock of the switch, whose zero is its own; `None` where its unit is not told.
    pub time: Option<i64>,
    /// Hardware that mirrored it; type III only.
    pub hardware: Option<u8>,
    /// Number of the port and its direction, as the platform counts them; type II only.
    pub index: Option<u32>,
}
