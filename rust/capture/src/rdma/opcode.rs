//! BTH opcodes: the high three bits name the transport, the low five the operation, and with it the headers that
//! follow (IBTA vol. 1, 9.2 and table 38; CNP after annex A17.9.3).

/// Congestion notification packet, as `ConnectX` sends it. Some texts give 0x80; both are accepted.
pub const CNP: u8 = 0x81;

/// The transport service, from the high three bits of the opcode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Transport {
    /// Reliable connection.
    Rc,
    /// Unreliable connection.
    Uc,
    /// Reliable datagram; NVIDIA's dynamically connected transport reuses this range.
    Rd,
    /// Unreliable datagram.
    Ud,
    /// Congestion notification.
    Cnp,
    /// Extended reliable connection.
    Xrc,
    /// Reserved or manufacturer specific: never judged.
    Unknown,
}

impl Transport {
    /// The transport of a raw opcode byte.
    pub const fn of(opcode: u8) -> Self {
        match opcode >> 5 {
            0 => Self::Rc,
            1 => Self::Uc,
            2 => Self::Rd,
            3 => Self::Ud,
            4 if opcode == 0x80 || opcode == CNP => Self::Cnp,
            5 => Self::Xrc,
            _ => Self::Unknown,
        }
    }

    /// The word in the `transport` column.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rc => "RC",
            Self::Uc => "UC",
            Self::Rd => "RD",
            Self::Ud => "UD",
            Self::Cnp => "CNP",
            Self::Xrc => "XRC",
            Self::Unknown => "unknown",
        }
    }
}

/// The headers that follow the BTH, in wire order: XRCETH or RDETH/DETH, FETH, then RETH or AtomicETH, then the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(clippy::struct_excessive_bools, missing_docs)]
pub struct Headers {
    pub xrceth: bool,
    pub rdeth: bool,
    pub deth: bool,
    /// Of FLUSH only (IBTA annex A19).
    pub feth: bool,
    pub reth: bool,
    pub atomic_eth: bool,
    pub aeth: bool,
    pub atomic_ack_eth: bool,
    pub imm_dt: bool,
    pub ieth: bool,
    /// The 16 reserved bytes of a CNP.
    pub cnp_reserved: bool,
}

/// One operation: the low five bits of RC, UC, RD and XRC opcodes.
struct Operation {
    code: u8,
    names: [&'static str; 4], // RC, UC, RD, XRC; "" where the transport has no such operation
    headers: &'static [Extension],
}

#[derive(Clone, Copy)]
enum Extension {
    Feth,
    Reth,
    AtomicEth,
    Aeth,
    AtomicAckEth,
    ImmDt,
    Ieth,
}

macro_rules! operation {
    ($code:literal, $name:literal, uc: $uc:literal, [$($header:ident),*]) => {
        Operation {
            code: $code,
            names: [
                concat!("RC ", $name),
                if $uc { concat!("UC ", $name) } else { "" },
                concat!("RD ", $name),
                concat!("XRC ", $name),
            ],
            headers: &[$(Extension::$header),*],
        }
    };
}

const OPERATIONS: [Operation; 25] = [
    operation!(0x00, "SEND_FIRST", uc: true, []),
    operation!(0x01, "SEND_MIDDLE", uc: true, []),
    operation!(0x02, "SEND_LAST", uc: true, []),
    operation!(0x03, "SEND_LAST_IMM", uc: true, [ImmDt]),
    operation!(0x04, "SEND_ONLY", uc: true, []),
    operation!(0x05, "SEND_ONLY_IMM", uc: true, [ImmDt]),
    operation!(0x06, "WRITE_FIRST", uc: true, [Reth]),
    operation!(0x07, "WRITE_MIDDLE", uc: true, []),
    operation!(0x08, "WRITE_LAST", uc: true, []),
    operation!(0x09, "WRITE_LAST_IMM", uc: true, [ImmDt]),
    operation!(0x0a, "WRITE_ONLY", uc: true, [Reth]),
    operation!(0x0b, "WRITE_ONLY_IMM", uc: true, [Reth, ImmDt]),
    operation!(0x0c, "READ_REQUEST", uc: false, [Reth]),
    operation!(0x0d, "READ_RESP_FIRST", uc: false, [Aeth]),
    operation!(0x0e, "READ_RESP_MIDDLE", uc: false, []),
    operation!(0x0f, "READ_RESP_LAST", uc: false, [Aeth]),
    operation!(0x10, "READ_RESP_ONLY", uc: false, [Aeth]),
    operation!(0x11, "ACKNOWLEDGE", uc: false, [Aeth]),
    operation!(0x12, "ATOMIC_ACK", uc: false, [Aeth, AtomicAckEth]),
    operation!(0x13, "COMPARE_SWAP", uc: false, [AtomicEth]),
    operation!(0x14, "FETCH_ADD", uc: false, [AtomicEth]),
    operation!(0x16, "SEND_LAST_INVALIDATE", uc: false, [Ieth]),
    operation!(0x17, "SEND_ONLY_INVALIDATE", uc: false, [Ieth]),
    operation!(0x1c, "FLUSH", uc: false, [Feth, Reth]),
    operation!(0x1d, "ATOMIC_WRITE", uc: false, [Reth]),
];

fn operation(opcode: u8) -> Option<&'static Operation> {
    OPERATIONS.iter().find(|operation| operation.code == opcode & 0x1f)
}

/// `"RC WRITE_FIRST"`, `"UD SEND_ONLY"`, `"CNP"`; `None` for reserved and manufacturer-specific opcodes.
pub fn name(opcode: u8) -> Option<&'static str> {
    let column = match Transport::of(opcode) {
        Transport::Cnp => return Some("CNP"),
        Transport::Unknown => return None,
        Transport::Ud => {
            return match opcode {
                0x64 => Some("UD SEND_ONLY"),
                0x65 => Some("UD SEND_ONLY_IMM"),
                _ => None,
            };
        }
        Transport::Rc => 0,
        Transport::Uc => 1,
        Transport::Rd => 2,
        Transport::Xrc => 3,
    };
    operation(opcode).map(|operation| operation.names[column]).filter(|name| !name.is_empty())
}

/// Which headers follow the BTH. Empty for an opcode that has no name.
pub fn headers(opcode: u8) -> Headers {
    let mut headers = Headers::default();
    if name(opcode).is_none() {
        return headers;
    }
    let transport = Transport::of(opcode);
    match transport {
        Transport::Cnp => {
            headers.cnp_reserved = true;
            return headers;
        }
        Transport::Ud => headers.deth = true,
        Transport::Rd => {
            headers.rdeth = true;
            headers.deth = !is_response(opcode);
        }
        Transport::Xrc => headers.xrceth = !is_response(opcode),
        Transport::Rc | Transport::Uc | Transport::Unknown => {}
    }
    for header in operation(opcode).map_or(&[][..], |operation| operation.headers) {
        match header {
            Extension::Feth => headers.feth = true,
            Extension::Reth => headers.reth = true,
            Extension::AtomicEth => headers.atomic_eth = true,
            Extension::Aeth => headers.aeth = true,
            Extension::AtomicAckEth => headers.atomic_ack_eth = true,
            Extension::ImmDt => headers.imm_dt = true,
            Extension::Ieth => headers.ieth = true,
        }
    }
    headers
}

/// READ responses, ACK and NAK, atomic acknowledgements: sent by the responder.
pub const fn is_response(opcode: u8) -> bool {
    matches!(opcode & 0x1f, 0x0d..=0x12)
        && matches!(Transport::of(opcode), Transport::Rc | Transport::Rd | Transport::Xrc)
}

/// A READ request: takes as many PSNs as it will have response packets.
pub const fn is_read_request(opcode: u8) -> bool {
    opcode & 0x1f == 0x0c && matches!(Transport::of(opcode), Transport::Rc | Transport::Xrc)
}

/// A request that is answered with data, and not with a mere acknowledgement: READ, atomics.
pub const fn wants_data(opcode: u8) -> bool {
    is_read_request(opcode)
        || (matches!(opcode & 0x1f, 0x13 | 0x14) && matches!(Transport::of(opcode), Transport::Rc | Transport::Xrc))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_transport_and_operation() {
        assert_eq!(name(0x06), Some("RC WRITE_FIRST"));
        assert_eq!(name(0x2a), Some("UC WRITE_ONLY"));
        assert_eq!(name(0x2c), None, "UC has no READ");
        assert_eq!(name(0xac), Some("XRC READ_REQUEST"));
        assert_eq!(name(0x64), Some("UD SEND_ONLY"));
        assert_eq!((name(0x80), name(CNP)), (Some("CNP"), Some("CNP")));
        assert_eq!((name(0x15), name(0xc0), name(0xff)), (None, None, None));
    }

    #[test]
    fn every_named_opcode_has_the_headers_of_its_operation() {
        assert!(headers(0x0b).reth && headers(0x0b).imm_dt);
        assert!(headers(0x12).aeth && headers(0x12).atomic_ack_eth);
        assert!(headers(0xa6).xrceth && headers(0xa6).reth && !headers(0xb1).xrceth);
        assert_eq!(headers(0xff), Headers::default());
    }

    #[test]
    fn a_response_is_what_the_responder_sends() {
        for opcode in 0..=255u8 {
            let by_name = name(opcode).is_some_and(|name| {
                name.contains("RESP") || name.contains("ACKNOWLEDGE") || name.contains("ATOMIC_ACK")
            });
            assert_eq!(is_response(opcode), by_name, "{opcode:#04x}");
        }
    }
}
