//! Headers, written innermost first: each function puts its header before what it is given.

pub(super) const IPV4: u16 = 0x0800;
pub(super) const IPV6: u16 = 0x86dd;

pub(super) fn ethernet(ethertype: u16, payload: &[u8]) -> Vec<u8> {
    [&[2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1][..], &ethertype.to_be_bytes(), payload].concat()
}

/// A VLAN tag; it goes between the addresses and the type that it announces.
pub(super) fn tag(pcp: u16, id: u16, ethertype: u16, payload: &[u8]) -> Vec<u8> {
    [&(pcp << 13 | id).to_be_bytes()[..], &ethertype.to_be_bytes(), payload].concat()
}

/// IPv4 without options, 10.0.0.1 to 10.0.0.2, TOS 0x6a (DSCP 26, ECT(0)), TTL 64, id 0x1234.
pub(super) fn ipv4(protocol: u8, payload: &[u8]) -> Vec<u8> {
    ipv4_fragment(protocol, 0x4000, (20 + payload.len()) as u16, payload)
}

pub(super) fn ipv4_fragment(protocol: u8, fragment: u16, total: u16, payload: &[u8]) -> Vec<u8> {
    let front =
        [&[0x45, 0x6a][..], &total.to_be_bytes(), &[0x12, 0x34], &fragment.to_be_bytes(), &[64, protocol, 0, 0]];
    [front.concat(), vec![10, 0, 0, 1, 10, 0, 0, 2], payload.to_vec()].concat()
}

/// IPv6, `2001:db8::1` to `2001:db8::2`, traffic class 0x6a, hop limit 64.
pub(super) fn ipv6(next: u8, payload: &[u8]) -> Vec<u8> {
    let mut header = vec![0x66, 0xa0, 0, 0];
    header.extend((payload.len() as u16).to_be_bytes());
    header.extend([next, 64]);
    for last in [1, 2] {
        header.extend([0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, last]);
    }
    [header, payload.to_vec()].concat()
}

pub(super) fn udp(sport: u16, dport: u16, payload: &[u8]) -> Vec<u8> {
    let len = 8 + payload.len() as u16;
    [&sport.to_be_bytes()[..], &dport.to_be_bytes(), &len.to_be_bytes(), &[0xba, 0xad], payload].concat()
}

pub(super) fn tcp(options: &[u8], payload: &[u8]) -> Vec<u8> {
    let offset = (5 + options.len() as u8 / 4) << 4;
    let header = [0x9c, 0x40, 0, 80, 0, 0, 0, 7, 0, 0, 0, 9, offset, 0x18, 1, 0, 0, 0, 0, 0];
    [&header[..], options, payload].concat()
}

/// A BTH of QP 0x1a2b and PSN 0xfffffe that asks for an acknowledgement.
pub(super) fn bth(opcode: u8, pad: u8, payload: &[u8]) -> Vec<u8> {
    let header = [opcode, 0x40 | pad << 4, 0xff, 0xff, 0, 0, 0x1a, 0x2b, 0x80, 0xff, 0xff, 0xfe];
    [&header[..], payload].concat()
}

/// `RoCEv2` over IPv4: what follows the BTH, then an ICRC.
pub(super) fn roce(opcode: u8, pad: u8, rest: &[u8]) -> Vec<u8> {
    let packet = [bth(opcode, pad, rest), vec![0xcc; 4]].concat();
    ethernet(IPV4, &ipv4(17, &udp(49_153, 4791, &packet)))
}

pub(super) fn grh(payload: &[u8]) -> Vec<u8> {
    ipv6(0x1b, payload)
}
