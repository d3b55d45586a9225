//! What the blocks of a pcapng file say: sections, their interfaces, packets and statistics.

use super::beside::Beside;
use super::comments::Commented;
use super::interface::Interface;
use super::interfaces::Interfaces;
use super::options::{OPT_COMMENT, Options};
use super::{Found, LONGEST, LONGEST_EVER, Order, without_fcs};

/// A section header block; a palindrome, so that it reads the same in both byte orders.
pub(super) const SECTION_HEADER: u32 = 0x0a0d_0d0a;
/// Bytes of block type and total length; and of the total length again at the end.
pub(super) const FRONT: usize = 8;
pub(super) const BACK: usize = 4;

/// Block types that are read.
const INTERFACE_DESCRIPTION: u32 = 1;
const PACKET: u32 = 2; // obsolete since 2004, still written by some
const SIMPLE_PACKET: u32 = 3;
const INTERFACE_STATISTICS: u32 = 5;
const ENHANCED_PACKET: u32 = 6;
const DECRYPTION_SECRETS: u32 = 10;

/// Options.
const EPB_FLAGS: u16 = 2;
const EPB_DROPCOUNT: u16 = 4;
const ISB_IFRECV: u16 = 4;
const ISB_IFDROP: u16 = 5;
const ISB_OSDROP: u16 = 7;

/// Where the bytes of a packet begin in the body of a packet block with time.
const DATA: usize = 20;

/// Interfaces that one section may have. Real files have a handful; a hostile one could fill the memory.
const MOST_INTERFACES: usize = 65_536;

/// The section in which the walk stands, and what the sections before it add up to.
pub(super) struct Section {
    pub(super) order: Order,
    interfaces: Vec<Interface>,
    earlier_drops: Option<u64>,
    finest: Option<i64>,
    longest_snap: u32,
    /// An interface sets no limit to the length of packets, or there is none.
    no_limit: bool,
    /// The packet of the last packet block. It stays in this place until it is handed out: copying it from hand to hand
    /// took longer than reading the block.
    packet: Found,
    late: bool,
}

/// The meaning of one block.
pub(super) enum Block {
    /// [`Section::packet`] holds it.
    Packet,
    /// Read, or of no interest.
    Passed,
    /// Too short for what its type must hold.
    Short,
    /// Wrong in itself; the walk can go on behind it.
    Wrong(String),
    /// The head of a section that cannot be read.
    UnknownSection(String),
}

impl Section {
    /// The section before any block was read.
    pub(super) fn first(order: Order) -> Self {
        Self {
            order,
            interfaces: Vec::new(),
            earlier_drops: None,
            finest: None,
            longest_snap: 0,
            no_limit: false,
            packet: Found::default(),
            late: false,
        }
    }

    /// The packet of the last packet block.
    #[inline]
    pub(super) fn packet(&self) -> &Found {
        &self.packet
    }

    /// Whether that packet has a time that an `i64` of nanoseconds cannot hold.
    #[inline]
    pub(super) fn late(&self) -> bool {
        self.late
    }

    /// Whether [`Section::block`] reads this type.
    #[inline]
    pub(super) fn knows(kind: u32) -> bool {
        matches!(
            kind,
            ENHANCED_PACKET
                | SIMPLE_PACKET
                | PACKET
                | INTERFACE_DESCRIPTION
                | INTERFACE_STATISTICS
                | SECTION_HEADER
                | DECRYPTION_SECRETS
        )
    }

    /// Takes in a block at byte `at`: its type, and what stands between its two lengths.
    #[inline]
    pub(super) fn block(&mut self, kind: u32, body: &[u8], at: u64, beside: &mut Beside) -> Block {
        match kind {
            ENHANCED_PACKET => self.enhanced_packet(body, beside),
            SIMPLE_PACKET => self.simple_packet(body),
            PACKET => self.obsolete_packet(body, beside),
            INTERFACE_DESCRIPTION => self.interface(body, beside),
            INTERFACE_STATISTICS => self.statistics(body, beside),
            SECTION_HEADER => self.section(body, beside),
            DECRYPTION_SECRETS => self.secrets(body, at, beside),
            _ => Block::Passed,
        }
    }

    /// The packet of an enhanced packet block at the start of these bytes, when it is whole, has no options and there is
    /// nothing to say about it; everything else is left over.
    #[inline]
    pub(super) fn plain(&self, ahead: &[u8]) -> Option<Found> {
        let [kind, total, id, high, low, captured, wire] = self.order.words(ahead)?;
        let interface = self.interfaces.get(id as usize)?;
        let (len, start) = (total as usize, FRONT + DATA);
        let without_options = (captured as usize).checked_next_multiple_of(4)?.checked_add(start + BACK)?;
        let longest = interface.snap_len.clamp(LONGEST, LONGEST_EVER);
        if kind != ENHANCED_PACKET || len != without_options || captured > longest {
            return None;
        }
        let [again] = self.order.words(ahead.get(..len)?.last_chunk::<BACK>()?)?;
        let ts = interface.time(high, low).filter(|_| again == total)?;
        let (stored, wire_len) = without_fcs(captured as usize, wire, interface.fcs);
        Some(Found {
            ts: Some(ts),
            interface: interface.number,
            link_type: interface.link_type,
            wire_len,
            start,
            end: start + stored,
            next: len as u64,
        })
    }

    #[inline]
    fn enhanced_packet(&mut self, body: &[u8], beside: &mut Beside) -> Block {
        let Some([id, high, low, captured, wire]) = self.order.words(body) else { return Block::Short };
        let block = self.stored(id, Some((high, low)), captured, wire, DATA, body.len());
        let options = body.get(DATA + (captured as usize).next_multiple_of(4)..).unwrap_or_default();
        if let (Block::Packet, false) = (&block, options.is_empty()) {
            self.packet_options(id, options, beside);
        }
        block
    }

    /// Flags may give the FCS of this packet; another option the drops before it; and there may be comments.
    fn packet_options(&mut self, id: u32, options: &[u8], beside: &mut Beside) {
        let (order, packet) = (self.order, &mut self.packet);
        let Some(interface) = self.interfaces.get_mut(id as usize) else { return };
        for (code, value) in Options::of(order, options) {
            match code {
                OPT_COMMENT => {
                    let frame = beside.problems.frame + 1; // it gets its number when it is handed out
                    beside.comments.add(Commented::Packet, Some(frame), Some(packet.interface), value);
                }
                EPB_FLAGS if interface.fcs == 0 => {
                    let fcs = order.words(value).map_or(0, |[flags]| flags >> 5 & 0xf);
                    let (stored, wire) = without_fcs(packet.end - packet.start, packet.wire_len, fcs);
                    (packet.end, packet.wire_len) = (packet.start + stored, wire);
                }
                EPB_DROPCOUNT => {
                    if let Ok(count) = value.try_into() {
                        interface.dropped_before_packet(order.u64(count));
                    }
                }
                _ => {}
            }
        }
    }

    /// A packet without time, of interface 0, cut at that interface's snap length.
    fn simple_packet(&mut self, body: &[u8]) -> Block {
        let Some([wire]) = self.order.words(body) else { return Block::Short };
        let limit = self.interfaces.first().map_or(0, |first| first.snap_len);
        let captured = if limit == 0 { wire } else { wire.min(limit) };
        self.stored(0, None, captured, wire, 4, body.len())
    }

    fn obsolete_packet(&mut self, body: &[u8], beside: &mut Beside) -> Block {
        let (Some([_, high, low, captured, wire]), Some(&[i0, i1, d0, d1])) =
            (self.order.words(body), body.first_chunk())
        else {
            return Block::Short;
        };
        let (id, drops) = (self.order.u16([i0, i1]), self.order.u16([d0, d1]));
        if let Some(interface) = self.interfaces.get_mut(usize::from(id)).filter(|_| drops != u16::MAX) {
            interface.dropped_before_packet(drops.into()); // all ones: not known
        }
        let block = self.stored(id.into(), Some((high, low)), captured, wire, DATA, body.len());
        let options = body.get(DATA + (captured as usize).next_multiple_of(4)..).unwrap_or_default();
        if let (Block::Packet, false) = (&block, options.is_empty()) {
            self.packet_options(id.into(), options, beside);
        }
        block
    }

    /// Checks the interface and the lengths of a packet whose bytes begin at `data` in a body of `len` bytes.
    #[inline]
    fn stored(
        &mut self,
        id: u32,
        time: Option<(u32, u32)>,
        captured: u32,
        wire: u32,
        data: usize,
        len: usize,
    ) -> Block {
        let Some(interface) = self.interfaces.get(id as usize) else {
            let known = self.interfaces.len();
            return Block::Wrong(format!("a packet of interface {id}, in a section that describes {known}"));
        };
        let (room, longest) = (len - data, interface.snap_len.clamp(LONGEST, LONGEST_EVER));
        if captured as usize > room || captured > longest {
            let what = format!("a packet claims {captured} stored bytes; its block has room for {room}");
            return Block::Wrong(format!("{what}, and {longest} are possible"));
        }
        let ts = time.map(|(high, low)| interface.time(high, low));
        let (stored, wire_len) = without_fcs(captured as usize, wire, interface.fcs);
        let start = FRONT + data;
        self.packet = Found {
            ts: ts.flatten(),
            interface: interface.number,
            link_type: interface.link_type,
            wire_len,
            start,
            end: start + stored,
            next: (FRONT + len + BACK).next_multiple_of(4) as u64,
        };
        self.late = ts == Some(None);
        Block::Packet
    }

    fn interface(&mut self, body: &[u8], beside: &mut Beside) -> Block {
        let Some(mut interface) = Interface::of(self.order, body) else { return Block::Short };
        if self.interfaces.len() >= MOST_INTERFACES {
            return Block::Wrong(format!("a section describes more than {MOST_INTERFACES} interfaces"));
        }
        let resolution = interface.resolution();
        self.finest = Some(self.finest.map_or(resolution, |finest| finest.min(resolution)));
        self.no_limit |= interface.snap_len == 0;
        self.longest_snap = self.longest_snap.max(interface.snap_len);
        let options = body.get(8..).unwrap_or_default();
        interface.number = beside.interfaces.number(interface.described(self.order, options));
        self.comments(Commented::Interface, Some(interface.number), options, beside);
        self.interfaces.push(interface);
        Block::Passed
    }

    fn statistics(&mut self, body: &[u8], beside: &mut Beside) -> Block {
        let order = self.order;
        let Some([id, _, _]) = order.words(body) else { return Block::Short };
        let known = self.interfaces.len();
        let Some(interface) = self.interfaces.get_mut(id as usize) else {
            return Block::Wrong(format!("statistics of interface {id}, in a section that describes {known}"));
        };
        let options = body.get(12..).unwrap_or_default();
        let mut total: Option<u64> = None;
        for (code, value) in Options::of(order, options) {
            // All ones is how writers say that they do not know.
            let count = value.try_into().ok().map(|count| order.u64(count)).filter(|&count| count != u64::MAX);
            match code {
                ISB_IFRECV => interface.received = count.or(interface.received),
                ISB_IFDROP | ISB_OSDROP => total = total.into_iter().chain(count).reduce(u64::saturating_add),
                _ => {}
            }
        }
        interface.dropped_in_total = total.or(interface.dropped_in_total);
        let number = interface.number;
        self.comments(Commented::Statistics, Some(number), options, beside);
        Block::Passed
    }

    fn comments(&self, kind: Commented, interface: Option<u32>, options: &[u8], beside: &mut Beside) {
        for (_, value) in Options::of(self.order, options).filter(|&(code, _)| code == OPT_COMMENT) {
            beside.comments.add(kind, None, interface, value);
        }
    }

    /// Secrets are counted and left where they are.
    #[cold]
    fn secrets(&self, body: &[u8], at: u64, beside: &mut Beside) -> Block {
        let Some([kind, len]) = self.order.words(body) else { return Block::Short };
        beside.secrets.add(kind, len.min(body.len() as u32 - 8), at, beside.problems.frame);
        Block::Passed
    }

    /// A new section: its interfaces are numbered from 0 again.
    fn section(&mut self, body: &[u8], beside: &mut Beside) -> Block {
        self.earlier_drops = self.reported_drops();
        self.count_into(&mut beside.interfaces);
        self.interfaces.clear();
        let Some(&[_, _, _, _, m0, m1]) = body.first_chunk() else { return Block::Short };
        let major = self.order.u16([m0, m1]);
        if major != 1 {
            return Block::UnknownSection(format!("a section of pcapng version {major}; only version 1 is known"));
        }
        self.comments(Commented::Section, None, body.get(16..).unwrap_or_default(), beside);
        Block::Passed
    }

    /// Adds what the interfaces of this section have counted so far.
    pub(super) fn count_into(&self, all: &mut Interfaces) {
        for interface in &self.interfaces {
            if let Some(described) = all.get_mut(interface.number) {
                described.count(interface.received, interface.dropped());
            }
        }
    }

    pub(super) fn snap_len(&self) -> Option<u32> {
        (self.longest_snap != 0 && !self.no_limit).then_some(self.longest_snap)
    }

    /// Of the finest interface; microseconds, the default of the format, before any was described.
    pub(super) fn resolution(&self) -> i64 {
        self.finest.unwrap_or(1000)
    }

    pub(super) fn reported_drops(&self) -> Option<u64> {
        let now = self.interfaces.iter().filter_map(Interface::dropped);
        self.earlier_drops.into_iter().chain(now).reduce(u64::saturating_add)
    }
}
