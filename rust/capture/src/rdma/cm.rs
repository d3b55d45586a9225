//! Messages of the connection manager: who opens, refuses and closes which queue pair with which settings (IBTA vol. 1,
//! 12.6). What a message does not have, or what was cut off, is `None`.

#[cfg(test)]
mod tests;

use crate::address::Address;

/// Attribute identifiers, which name the message (IBTA vol. 1, table 103).
pub const REQ: u16 = 0x10;
#[allow(missing_docs)]
pub const MRA: u16 = 0x11;
#[allow(missing_docs)]
pub const REJ: u16 = 0x12;
#[allow(missing_docs)]
pub const REP: u16 = 0x13;
#[allow(missing_docs)]
pub const RTU: u16 = 0x14;
#[allow(missing_docs)]
pub const DREQ: u16 = 0x15;
#[allow(missing_docs)]
pub const DREP: u16 = 0x16;
#[allow(missing_docs)]
pub const SIDR_REQ: u16 = 0x17;
#[allow(missing_docs)]
pub const SIDR_REP: u16 = 0x18;
const LAP: u16 = 0x19;
const APR: u16 = 0x1a;

/// Name of the message.
pub const fn message_name(attribute: u16) -> Option<&'static str> {
    Some(match attribute {
        REQ => "REQ",
        MRA => "MRA",
        REJ => "REJ",
        REP => "REP",
        RTU => "RTU",
        DREQ => "DREQ",
        DREP => "DREP",
        SIDR_REQ => "SIDR_REQ",
        SIDR_REP => "SIDR_REP",
        LAP => "LAP",
        APR => "APR",
        _ => return None,
    })
}

/// What a message says. Local means the sender of the message.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cm {
    /// Communication id of the sender; of SIDR the request id.
    pub local_id: Option<u32>,
    /// Communication id of the receiver.
    pub remote_id: Option<u32>,
    /// What the requester wants to reach.
    pub service_id: Option<u64>,
    /// Queue pair of the sender.
    pub qpn: Option<u32>,
    /// Queue pair of the receiver, of DREQ.
    pub remote_qpn: Option<u32>,
    /// First PSN that the receiver of the message shall send (IBTA vol. 1, 12.7.31), and so is seen on Linux.
    pub starting_psn: Option<u32>,
    /// RC, UC, RD or XRC.
    pub transport: Option<&'static str>,
    /// Bytes.
    pub path_mtu: Option<u16>,
    /// Resends before an error: 0 to 7.
    pub retry_count: Option<u8>,
    /// Waits for a receive buffer before an error: 0 to 6, 7 means for ever.
    pub rnr_retry: Option<u8>,
    /// Code of the local ACK timeout.
    pub ack_timeout: Option<u8>,
    /// Code of the longest time that the responder takes to acknowledge.
    pub target_ack_delay: Option<u8>,
    /// Code of the time in which the receiver shall answer this message.
    pub response_timeout: Option<u8>,
    /// Times that the message is sent again.
    pub max_cm_retries: Option<u8>,
    /// READs and atomics that the sender can answer at once.
    pub responder_resources: Option<u8>,
    /// READs and atomics that the sender wants to have under way.
    pub initiator_depth: Option<u8>,
    /// The queue pair takes its receive buffers from a shared receive queue.
    pub srq: Option<bool>,
    /// GID of the sender's port; an address where it maps one.
    pub local_gid: Option<Address>,
    /// GID of the receiver's port, likewise.
    pub remote_gid: Option<Address>,
    /// LID of the sender's port; none on Ethernet.
    pub local_lid: Option<u16>,
    /// LID of the receiver's port.
    pub remote_lid: Option<u16>,
    /// Partition key.
    pub p_key: Option<u16>,
    /// Traffic class that the data shall have.
    pub traffic_class: Option<u8>,
    /// Which message is refused or delayed, of REJ and MRA.
    pub about: Option<&'static str>,
    /// Why, of REJ; the status of `SIDR_REP` and APR.
    pub reason: Option<u16>,
    /// IP addresses and port of the sender, and IP address of the receiver, that librdmacm puts before the private data.
    pub ip: Option<(Address, Address, u16)>,
}

impl Cm {
    /// The message of this attribute; `data` are the bytes after the MAD header.
    pub fn read(attribute: u16, data: &[u8]) -> Option<Self> {
        message_name(attribute)?;
        let fields = Fields(data);
        let ids = Self { local_id: fields.u32(0), remote_id: fields.u32(4), ..Self::default() };
        Some(match attribute {
            REQ => fields.request(),
            REP => Self {
                qpn: fields.u24(12),
                starting_psn: fields.u24(20),
                responder_resources: fields.u8(24),
                initiator_depth: fields.u8(25),
                target_ack_delay: fields.bits(26, 3, 5),
                rnr_retry: fields.bits(27, 5, 3),
                srq: fields.bits(27, 4, 1).map(|bit| bit == 1),
                ..ids
            },
            REJ => Self { about: fields.about(8), reason: fields.u16(10), ..ids },
            MRA => Self { about: fields.about(8), response_timeout: fields.bits(9, 3, 5), ..ids },
            DREQ => Self { remote_qpn: fields.u24(8), ..ids },
            SIDR_REQ => Self {
                remote_id: None,
                p_key: fields.u16(4),
                service_id: fields.u64(8),
                ip: fields.ip(fields.u64(8), 16),
                ..ids
            },
            SIDR_REP => Self {
                remote_id: None,
                reason: fields.u8(4).map(u16::from),
                qpn: fields.u24(8),
                service_id: fields.u64(12),
                ..ids
            },
            APR => Self { reason: fields.u8(9).map(u16::from), ..ids },
            _ => ids,
        })
    }

    /// Port space and port of librdmacm (`rdma_cma.h`: the port space above the port).
    pub const fn port(&self) -> Option<(&'static str, u16)> {
        let Some(id) = self.service_id else { return None };
        let space = match id >> 16 {
            0x0106 => "tcp",
            0x0111 => "udp",
            0x0002 => "ipoib",
            0x013f => "ib",
            _ => return None,
        };
        Some((space, id as u16)) // the low 16 bits
    }
}

/// Why a REJ refuses (IBTA vol. 1, table 108), and what that means at three in the morning.
pub const fn refusal(reason: u16) -> Option<&'static str> {
    Some(match reason {
        1 => "no queue pair left",
        2 => "no end-to-end context left",
        3 => "no resources left",
        4 => "timeout: an earlier message was not answered",
        5 => "unsupported request",
        6 => "invalid communication id",
        7 => "invalid communication instance",
        8 => "invalid service id: nobody listens on this port",
        9 => "invalid transport type",
        10 => "stale connection: the queue pair is still in use from an earlier one",
        11 => "no such RD channel",
        12 => "invalid primary GID",
        13 => "invalid primary LID",
        14 => "invalid primary service level",
        15 => "invalid primary traffic class",
        16 => "invalid primary hop limit",
        17 => "invalid primary packet rate",
        18 => "invalid alternate GID",
        19 => "invalid alternate LID",
        20 => "invalid alternate service level",
        21 => "invalid alternate traffic class",
        22 => "invalid alternate hop limit",
        23 => "invalid alternate packet rate",
        24 => "redirected to another port and connection manager",
        25 => "redirected to another port",
        26 => "path MTU not accepted",
        27 => "not enough responder resources",
        28 => "refused by the application",
        29 => "RNR retry count not accepted",
        30 => "duplicate communication id",
        31 => "class version not supported",
        32 => "invalid primary flow label",
        33 => "invalid alternate flow label",
        35 => "vendor option not supported",
        _ => return None,
    })
}

/// What a `SIDR_REP` says (IBTA vol. 1, table 119).
pub const fn datagram_status(status: u16) -> Option<&'static str> {
    Some(match status {
        0 => "valid",
        1 => "service id not supported: nobody listens on this port",
        2 => "refused by the application",
        3 => "no queue pair left",
        4 => "redirected",
        5 => "version not supported",
        _ => return None,
    })
}

/// The bytes of a message.
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn chunk<const N: usize>(&self, at: usize) -> Option<[u8; N]> {
        self.0.get(at..)?.first_chunk().copied()
    }

    fn u8(&self, at: usize) -> Option<u8> {
        self.0.get(at).copied()
    }

    fn u16(&self, at: usize) -> Option<u16> {
        self.chunk(at).map(u16::from_be_bytes)
    }

    fn u24(&self, at: usize) -> Option<u32> {
        self.chunk(at).map(|[a, b, c]: [u8; 3]| u32::from_be_bytes([0, a, b, c]))
    }

    fn u32(&self, at: usize) -> Option<u32> {
        self.chunk(at).map(u32::from_be_bytes)
    }

    fn u64(&self, at: usize) -> Option<u64> {
        self.chunk(at).map(u64::from_be_bytes)
    }

    fn bits(&self, at: usize, shift: u8, count: u8) -> Option<u8> {
        self.u8(at).map(|byte| byte >> shift & ((1 << count) - 1))
    }

    /// IBTA vol. 1, 12.6.5.
    fn request(&self) -> Cm {
        let transport = self.bits(43, 1, 2).and_then(|kind| match kind {
            0 => Some("RC"),
            1 => Some("UC"),
            2 => Some("RD"),
            _ => self.bits(51, 0, 3).filter(|extended| *extended == 1).map(|_| "XRC"),
        });
        Cm {
            local_id: self.u32(0),
            remote_id: None,
            service_id: self.u64(8),
            qpn: self.u24(32),
            responder_resources: self.u8(35),
            initiator_depth: self.u8(39),
            response_timeout: self.bits(43, 3, 5),
            transport,
            starting_psn: self.u24(44),
            retry_count: self.bits(47, 0, 3),
            p_key: self.u16(48),
            // IBTA vol. 1, 14.2.5.6: 1 is 256 bytes, each next is twice the one before.
            path_mtu: self.bits(50, 4, 4).filter(|code| (1..=5).contains(code)).map(|code| 128 << code),
            rnr_retry: self.bits(50, 0, 3),
            max_cm_retries: self.bits(51, 4, 4),
            srq: self.bits(51, 3, 1).map(|bit| bit == 1),
            local_lid: self.u16(52),
            remote_lid: self.u16(54),
            local_gid: self.chunk(56).map(of_gid),
            remote_gid: self.chunk(72).map(of_gid),
            traffic_class: self.u8(92),
            ack_timeout: self.bits(95, 3, 5),
            ip: self.ip(self.u64(8), 140),
            ..Cm::default()
        }
    }

    /// The message that a REJ or MRA is about: its code is in the two high bits.
    fn about(&self, at: usize) -> Option<&'static str> {
        Some(match self.bits(at, 6, 2)? {
            0 => "REQ",
            1 => "REP",
            2 => "other",
            _ => return None,
        })
    }

    /// The header of librdmacm (`struct cma_hdr` in the kernel's `cma.c`): version 0, IP version, port, both addresses.
    fn ip(&self, service_id: Option<u64>, at: usize) -> Option<(Address, Address, u16)> {
        // Service ids of librdmacm (IBTA annex A11): only there does the private data begin with this header.
        service_id.filter(|id| id >> 24 == 0x01)?;
        let [version, ip_version, p0, p1] = self.chunk(at)?;
        let (src, dst): ([u8; 16], [u8; 16]) = (self.chunk(at + 4)?, self.chunk(at + 20)?);
        let address = match (version, ip_version >> 4) {
            (0, 4) => |[.., a, b, c, d]: [u8; 16]| Address::V4([a, b, c, d]),
            (0, 6) => Address::V6,
            _ => return None,
        };
        Some((address(src), address(dst), u16::from_be_bytes([p0, p1])))
    }
}

/// A GID, as the packets of its port carry it in `RoCEv2`: the IPv4 address where it maps one (annex A17.4.5).
fn of_gid(gid: [u8; 16]) -> Address {
    match gid {
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, a, b, c, d] => Address::V4([a, b, c, d]),
        _ => Address::V6(gid),
    }
}
