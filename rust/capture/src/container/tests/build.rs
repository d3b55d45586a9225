//! Writes pcap and pcapng in either byte order.

/// Little or big endian.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Endian {
    Little,
    Big,
}

pub(super) const BOTH: [Endian; 2] = [Endian::Little, Endian::Big];

impl Endian {
    pub(super) fn u16(self, value: u16) -> [u8; 2] {
        if self == Self::Little { value.to_le_bytes() } else { value.to_be_bytes() }
    }

    pub(super) fn u32(self, value: u32) -> [u8; 4] {
        if self == Self::Little { value.to_le_bytes() } else { value.to_be_bytes() }
    }

    pub(super) fn u64(self, value: u64) -> [u8; 8] {
        if self == Self::Little { value.to_le_bytes() } else { value.to_be_bytes() }
    }

    pub(super) fn words(self, values: &[u32]) -> Vec<u8> {
        values.iter().flat_map(|&value| self.u32(value)).collect()
    }
}

pub(super) const MICROSECONDS: u32 = 0xa1b2_c3d4;
pub(super) const NANOSECONDS: u32 = 0xa1b2_3c4d;
pub(super) const MODIFIED: u32 = 0xa1b2_cd34;
pub(super) const IXIA: u32 = 0x1c00_01ac;

/// A pcap file header.
pub(super) fn pcap_header(endian: Endian, magic: u32, minor: u16, snap_len: u32, link: u32) -> Vec<u8> {
    let version = [endian.u16(2), endian.u16(minor)].concat();
    let mut header = [endian.words(&[magic]), version, endian.words(&[0, 0, snap_len, link])].concat();
    if magic == IXIA {
        header.extend([0; 4]);
    }
    header
}

/// A pcap record; `extra` is what a variant adds to its header.
pub(super) fn record(endian: Endian, time: (u32, u32), data: &[u8], wire_len: u32, extra: usize) -> Vec<u8> {
    let header = endian.words(&[time.0, time.1, data.len() as u32, wire_len]);
    [header, vec![0; extra], data.to_vec()].concat()
}

/// A pcapng block.
pub(super) fn block(endian: Endian, kind: u32, body: &[u8]) -> Vec<u8> {
    let padding = vec![0; body.len().next_multiple_of(4) - body.len()];
    let total = (body.len() + padding.len() + 12) as u32;
    [endian.words(&[kind, total]), body.to_vec(), padding, endian.words(&[total])].concat()
}

/// An option, padded.
pub(super) fn option(endian: Endian, code: u16, value: &[u8]) -> Vec<u8> {
    let padding = vec![0; value.len().next_multiple_of(4) - value.len()];
    [endian.u16(code).to_vec(), endian.u16(value.len() as u16).to_vec(), value.to_vec(), padding].concat()
}

pub(super) fn section(endian: Endian) -> Vec<u8> {
    let version = [endian.u16(1), endian.u16(0)].concat();
    block(endian, 0x0a0d_0d0a, &[endian.words(&[0x1a2b_3c4d]), version, vec![0xff; 8]].concat())
}

pub(super) fn interface(endian: Endian, link_type: u16, snap_len: u32, options: &[Vec<u8>]) -> Vec<u8> {
    let link = [endian.u16(link_type), [0; 2]].concat();
    block(endian, 1, &[link, endian.words(&[snap_len]), options.concat()].concat())
}

/// An enhanced packet block.
pub(super) fn packet(
    endian: Endian,
    interface: u32,
    time: u64,
    data: &[u8],
    wire: u32,
    options: &[Vec<u8>],
) -> Vec<u8> {
    let header = endian.words(&[interface, (time >> 32) as u32, time as u32, data.len() as u32, wire]);
    let padding = vec![0; data.len().next_multiple_of(4) - data.len()];
    block(endian, 6, &[header, data.to_vec(), padding, options.concat()].concat())
}
