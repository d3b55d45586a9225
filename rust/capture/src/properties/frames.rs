//! Packets as bytes, written innermost first, with the lengths that belong to them.

pub(super) const IPV4: u16 = 0x0800;
pub(super) const IPV6: u16 = 0x86dd;
pub(super) const TCP: u8 = 6;
pub(super) const UDP: u8 = 17;

/// Who sends to whom: numbers of hosts, and what of the IP header a test may want to choose.
#[derive(Debug, Clone, Copy)]
pub(super) struct Way {
    pub from: u8,
    pub to: u8,
    pub six: bool,
    /// IPv4 identification.
    pub id: u16,
    /// DSCP and ECN.
    pub class: u8,
}

impl Way {
    /// Between two hosts.
    pub(super) fn of(from: u8, to: u8, six: bool) -> Self {
        Self { from, to, six, id: 0, class: 0 }
    }
}

pub(super) fn mac(host: u8) -> [u8; 6] {
    [2, 0, 0, 0, 0, host]
}

/// A frame from one MAC to another.
pub(super) fn framed(to: [u8; 6], from: [u8; 6], ethertype: u16, payload: &[u8]) -> Vec<u8> {
    [&to[..], &from, &ethertype.to_be_bytes(), payload].concat()
}

/// A frame with an IP packet. `more` bytes of the payload were on the wire and are not there.
pub(super) fn ip(way: Way, protocol: u8, payload: &[u8], more: usize) -> Vec<u8> {
    let ethertype = if way.six { IPV6 } else { IPV4 };
    framed(mac(way.to), mac(way.from), ethertype, &bare_ip(way, protocol, payload, more))
}

/// The IP packet alone.
pub(super) fn bare_ip(way: Way, protocol: u8, payload: &[u8], more: usize) -> Vec<u8> {
    let len = payload.len() + more;
    if way.six {
        let class = 6 << 28 | u32::from(way.class) << 20;
        let mut header = class.to_be_bytes().to_vec();
        header.extend((len.min(0xffff) as u16).to_be_bytes());
        header.extend([protocol, 64]);
        for host in [way.from, way.to] {
            header.extend([0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, host]);
        }
        [&header, payload].concat()
    } else {
        ipv4_part(way, protocol, 0x4000, payload, more)
    }
}

/// An IPv4 packet with the fragment field chosen.
pub(super) fn ipv4_part(way: Way, protocol: u8, fragment: u16, payload: &[u8], more: usize) -> Vec<u8> {
    let total = (20 + payload.len() + more).min(0xffff) as u16;
    let mut header = vec![0x45, way.class];
    for word in [total, way.id, fragment] {
        header.extend(word.to_be_bytes());
    }
    header.extend([64, protocol, 0, 0, 10, 0, 0, way.from, 10, 0, 0, way.to]);
    [&header, payload].concat()
}

/// `more` bytes of the payload are not there.
pub(super) fn udp(ports: (u16, u16), payload: &[u8], more: usize) -> Vec<u8> {
    let len = (8 + payload.len() + more).min(0xffff) as u16;
    let mut header: Vec<u8> = [ports.0, ports.1, len, 0].iter().flat_map(|word| word.to_be_bytes()).collect();
    header.extend(payload);
    header
}

/// What a TCP header says.
#[derive(Debug, Clone, Copy)]
pub(super) struct Segment<'a> {
    pub ports: (u16, u16),
    pub seq: u32,
    pub ack: u32,
    pub flags: u8,
    pub window: u16,
    /// At most 40 bytes are taken.
    pub options: &'a [u8],
}

pub(super) fn tcp(segment: &Segment<'_>, payload: &[u8]) -> Vec<u8> {
    let mut options = segment.options.get(..40).unwrap_or(segment.options).to_vec();
    options.resize(options.len().next_multiple_of(4), 0);
    let mut header = [segment.ports.0.to_be_bytes(), segment.ports.1.to_be_bytes()].concat();
    header.extend(segment.seq.to_be_bytes());
    header.extend(segment.ack.to_be_bytes());
    header.extend([(5 + options.len() as u8 / 4) << 4, segment.flags]);
    header.extend(segment.window.to_be_bytes());
    header.extend([0; 4]);
    [&header, &options, payload].concat()
}
