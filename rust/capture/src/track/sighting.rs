//! A packet at the tap, lent to the trackers of RDMA traffic.

use crate::packet::Packet;

/// A packet, and where and when it passed. Packets are large, and most that pass are RDMA: so it is lent and not copied into
/// a row of its own.
#[derive(Debug, Clone, Copy)]
pub struct Sighting<'p> {
    /// Name of the capture.
    pub source: &'p str,
    /// Number in the capture, from 1.
    pub frame: u64,
    /// Nanoseconds since 1970, UTC; `None` where the capture gives no time.
    pub ts: Option<i64>,
    /// Its layers.
    pub packet: &'p Packet<'p>,
}
