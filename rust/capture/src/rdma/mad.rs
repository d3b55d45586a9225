//! Management datagrams: what subnet manager, connection manager and counters say to each other over queue pairs 0 and 1
//! (IBTA vol. 1, chapter 13; layout of the header 13.4.3).

use super::Roce;
use super::opcode::Transport;

/// Bytes of the header that all classes share.
pub const HEADER: usize = 24;

/// Queue key of the general service interface (IBTA vol. 1, 13.5.3).
const GENERAL_SERVICES: u32 = 0x8001_0000;

/// Class of the connection manager.
pub const CM: u8 = 0x07;
const SUBNET: u8 = 0x01;
const SUBNET_DIRECTED: u8 = 0x81;
const SUBNET_ADMINISTRATION: u8 = 0x03;
const PERFORMANCE: u8 = 0x04;
const CONGESTION: u8 = 0x21;

/// The common header, and the bytes after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mad<'a> {
    /// Management class.
    pub class: u8,
    /// What is asked of the attribute; bit 7 is set in responses.
    pub method: u8,
    /// 0 is success. A directed-route SMP keeps its direction in bit 15.
    pub status: u16,
    /// Joins a request and its response.
    pub transaction: u64,
    /// What it is about, within the class.
    pub attribute: u16,
    /// What further selects it.
    pub modifier: u32,
    /// The captured bytes after the header.
    pub data: &'a [u8],
}

/// The MAD in a packet. `None` when the packet is none, or was cut inside the header.
pub fn of<'a>(roce: &Roce<'_>, payload: &'a [u8]) -> Option<Mad<'a>> {
    let deth = roce.deth.filter(|_| Transport::of(roce.bth.opcode) == Transport::Ud)?;
    if roce.bth.dest_qp != 0 && deth.q_key != GENERAL_SERVICES {
        return None;
    }
    let (header, data) = payload.split_first_chunk::<HEADER>()?;
    let [version, class, _, method, s0, s1, _, _, t0, t1, t2, t3, t4, t5, t6, t7, a0, a1, _, _, m0, m1, m2, m3] =
        *header;
    (version == 1).then_some(Mad {
        class,
        method,
        status: u16::from_be_bytes([s0, s1]),
        transaction: u64::from_be_bytes([t0, t1, t2, t3, t4, t5, t6, t7]),
        attribute: u16::from_be_bytes([a0, a1]),
        modifier: u32::from_be_bytes([m0, m1, m2, m3]),
        data,
    })
}

/// Name of a management class (IBTA vol. 1, table 111).
pub const fn class_name(class: u8) -> &'static str {
    match class {
        SUBNET => "SMP",
        SUBNET_DIRECTED => "SMP directed",
        SUBNET_ADMINISTRATION => "SA",
        PERFORMANCE => "PerfMgt",
        0x05 => "BM",
        0x06 => "DevMgt",
        CM => "CM",
        0x08 => "SNMP",
        CONGESTION => "CC",
        0x09..=0x0f | 0x30..=0x4f => "vendor",
        0x10..=0x1f => "application",
        _ => "reserved",
    }
}

/// Name of a method; `None` for one that a class defines for itself (IBTA vol. 1, 13.4.5 and 15.2.2).
pub const fn method_name(method: u8) -> Option<&'static str> {
    Some(match method {
        0x01 => "Get",
        0x02 => "Set",
        0x03 => "Send",
        0x05 => "Trap",
        0x06 => "Report",
        0x07 => "TrapRepress",
        0x12 => "GetTable",
        0x13 => "GetTraceTable",
        0x14 => "GetMulti",
        0x15 => "Delete",
        0x81 => "GetResp",
        0x86 => "ReportResp",
        0x92 => "GetTableResp",
        0x94 => "GetMultiResp",
        0x95 => "DeleteResp",
        _ => return None,
    })
}

/// Name of an attribute in its class; `None` when it is not known. Of CM, the message.
pub const fn attribute_name(class: u8, attribute: u16) -> Option<&'static str> {
    match (class, attribute) {
        (CM, _) => super::cm::message_name(attribute),
        (_, 0x01) if class != SUBNET && class != SUBNET_DIRECTED => Some("ClassPortInfo"),
        (_, 0x02) => Some("Notice"),
        (_, 0x03) => Some("InformInfo"),
        (SUBNET | SUBNET_DIRECTED, _) => subnet_attribute(attribute),
        (SUBNET_ADMINISTRATION, _) => administration_attribute(attribute),
        (PERFORMANCE, _) => performance_attribute(attribute),
        (CONGESTION, _) => congestion_attribute(attribute),
        _ => None,
    }
}

/// IBTA vol. 1, table 132.
const fn subnet_attribute(attribute: u16) -> Option<&'static str> {
    Some(match attribute {
        0x10 => "NodeDescription",
        0x11 => "NodeInfo",
        0x12 => "SwitchInfo",
        0x14 => "GUIDInfo",
        0x15 => "PortInfo",
        0x16 => "P_KeyTable",
        0x17 => "SLtoVLMappingTable",
        0x18 => "VLArbitrationTable",
        0x19 => "LinearForwardingTable",
        0x1a => "RandomForwardingTable",
        0x1b => "MulticastForwardingTable",
        0x20 => "SMInfo",
        0x30 => "VendorDiag",
        0x31 => "LedInfo",
        _ => return None,
    })
}

/// IBTA vol. 1, table 185.
const fn administration_attribute(attribute: u16) -> Option<&'static str> {
    Some(match attribute {
        0x11 => "NodeRecord",
        0x12 => "PortInfoRecord",
        0x13 => "SLtoVLMappingTableRecord",
        0x14 => "SwitchInfoRecord",
        0x15 => "LinearForwardingTableRecord",
        0x17 => "MulticastForwardingTableRecord",
        0x18 => "SMInfoRecord",
        0x20 => "LinkRecord",
        0x30 => "GuidInfoRecord",
        0x31 => "ServiceRecord",
        0x33 => "P_KeyTableRecord",
        0x35 => "PathRecord",
        0x36 => "VLArbitrationTableRecord",
        0x38 => "MCMemberRecord",
        0x39 => "TraceRecord",
        0x3a => "MultiPathRecord",
        0xf3 => "InformInfoRecord",
        _ => return None,
    })
}

/// IBTA vol. 1, 16.1.3 and A10.
const fn performance_attribute(attribute: u16) -> Option<&'static str> {
    Some(match attribute {
        0x10 => "PortSamplesControl",
        0x11 => "PortSamplesResult",
        0x12 => "PortCounters",
        0x15 => "PortRcvErrorDetails",
        0x16 => "PortXmitDiscardDetails",
        0x17 => "PortOpRcvCounters",
        0x18 => "PortFlowCtlCounters",
        0x1d => "PortCountersExtended",
        _ => return None,
    })
}

/// IBTA vol. 1, annex A10.4.
const fn congestion_attribute(attribute: u16) -> Option<&'static str> {
    Some(match attribute {
        0x11 => "CongestionInfo",
        0x12 => "CongestionKeyInfo",
        0x13 => "CongestionLog",
        0x14 => "SwitchCongestionSetting",
        0x15 => "SwitchPortCongestionSetting",
        0x16 => "CACongestionSetting",
        0x17 => "CongestionControlTable",
        0x18 => "TimeStamp",
        _ => return None,
    })
}
