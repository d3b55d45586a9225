//! RDMA on the wire: what follows UDP port 4791, ethertype 0x8915, or an InfiniBand LRH.
//!
//! Layouts after the InfiniBand Architecture Specification vol. 1, chapter 9; `RoCEv2` after annex A17.

pub mod cm;
pub(crate) mod grh;
pub(crate) mod headers;
mod icrc;
pub mod mad;
pub mod opcode;
mod rare;
pub mod timers;

pub(crate) use headers::decode;
#[cfg(any(test, feature = "properties"))]
pub(crate) use icrc::icrc_of;
pub use icrc::icrc_ok;
pub use rare::{Atomic, Rare, rare};

/// `RoCEv1`, `RoCEv2` or native InfiniBand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encapsulation {
    /// GRH directly on Ethernet, ethertype 0x8915.
    RoceV1,
    /// UDP destination port 4791.
    RoceV2,
    /// LRH: link type 247, or ERF type 21.
    InfiniBand,
}

impl Encapsulation {
    /// The word in the `encapsulation` column.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::RoceV1 => "RoCEv1",
            Self::RoceV2 => "RoCEv2",
            Self::InfiniBand => "InfiniBand",
        }
    }
}

/// Base transport header, IBTA 9.2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // as many as the header has bits
pub struct Bth {
    /// Raw opcode byte; [`opcode`] knows its meaning.
    pub opcode: u8,
    /// Solicited event bit.
    pub solicited: bool,
    /// Migration request bit.
    pub mig_req: bool,
    /// Bytes of padding before the ICRC, 0 to 3.
    pub pad_count: u8,
    /// Partition key.
    pub p_key: u16,
    /// Forward explicit congestion notification.
    pub fecn: bool,
    /// Backward explicit congestion notification.
    pub becn: bool,
    /// Destination queue pair, 24 bits.
    pub dest_qp: u32,
    /// The sender asks for an acknowledgement.
    pub ack_req: bool,
    /// Packet sequence number, 24 bits; it wraps.
    pub psn: u32,
}

/// RDMA extended transport header, IBTA 9.3.3: the first packet of a WRITE, every READ request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reth {
    /// Virtual address.
    pub va: u64,
    /// Remote key.
    pub r_key: u32,
    /// Length of the whole message in bytes, not of this packet.
    pub dma_len: u32,
}

/// ACK extended transport header, IBTA 9.3.5.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Aeth {
    /// Raw syndrome byte: bits 6 to 5 the type, bits 4 to 0 the value (IBTA 9.7.5.2.1).
    pub syndrome: u8,
    /// Message sequence number, 24 bits.
    pub msn: u32,
}

/// Datagram extended transport header, IBTA 9.3.1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deth {
    /// Queue key.
    pub q_key: u32,
    /// Sender's queue pair, 24 bits.
    pub src_qp: u32,
}

/// The RDMA headers of one packet.
#[derive(Debug, Clone, Copy)]
pub struct Roce<'a> {
    /// How it was carried.
    pub encapsulation: Encapsulation,
    /// Base transport header.
    pub bth: Bth,
    /// RETH, when the opcode has one and its bytes were captured.
    pub reth: Option<Reth>,
    /// AETH, likewise.
    pub aeth: Option<Aeth>,
    /// DETH, likewise.
    pub deth: Option<Deth>,
    /// Immediate data, likewise.
    pub immediate: Option<u32>,
    /// Message bytes in this packet on the wire: after all headers, before padding and ICRC. `None` when the lengths
    /// in the packet contradict each other.
    pub payload_len: Option<u32>,
    /// The bytes that the ICRC covers and the ICRC itself, from the IP header (or GRH, LRH) on; `None` when the packet
    /// was cut.
    pub whole: Option<&'a [u8]>,
}
