//! Captures to tables: everything of badhop that touches bytes, and the flow state that must walk packets in order.
//!
//! The modules follow the data, each using only those above it:
//!
//! | module | turns | into |
//! |---|---|---|
//! | [`window`] | a file, a compressed stream, a pipe | bytes, seen through one moving window |
//! | [`container`] | those bytes (pcap, pcapng) | [`container::Record`]s with time, interface and link type |
//! | [`decode`] through [`link`], [`net`], [`rdma`] | a record's bytes | one [`packet::Packet`], or where decoding stopped |
//! | [`fragments`] | a later fragment | one with the ports and the frame of the first |
//! | [`tables`] | packets and tracker events | Arrow columns, each declared once with its meaning |
//! | [`track`] | packets in order | queue pairs, loss episodes, pauses, the audit of the capture |
//! | [`taps`] | several captures of the same traffic | what was lost between them, and how their clocks differ |
//! | [`pickle`] | the dump of a flight recorder | plain values, without running anything |
//! | [`scan`] | one capture | one big table, batch by batch, only the columns asked for |
//! | [`counter_text`] | counters as text | readings, each name parsed once |

pub mod address;
pub mod container;
pub mod counter_text;
pub mod decode;
pub mod error;
pub mod fragments;
pub mod link;
mod map;
pub mod net;
pub mod packet;
pub mod pickle;
#[cfg(any(test, feature = "properties"))]
pub mod properties;
pub mod rdma;
pub mod scan;
pub mod tables;
pub mod taps;
pub mod track;
pub mod window;

pub use error::CaptureError;
