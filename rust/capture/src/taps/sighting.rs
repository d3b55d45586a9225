//! The packets of one tap, each as a key made of what no switch on the way changes.

use std::collections::HashMap;

use crate::address::Address;
use crate::container::{Capture, Record};
use crate::decode::decode;
use crate::packet::{Layer, Packet, Stopped};
use crate::rdma::{self, Roce, opcode};

/// Sightings kept, over all captures: 1.3 GB of memory. Beyond that the same part is kept of each capture.
pub const MOST: usize = 1 << 25;
/// Flows told apart; packets of further ones are not compared.
const MOST_FLOWS: usize = 1 << 20;
/// Packets between two progress reports.
const REPORT_EVERY: u64 = 1 << 16;

/// What a packet belongs to, as far as segments tell it apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// RDMA.
    Rdma,
    /// TCP.
    Tcp,
    /// Any other IP packet.
    Other,
}

impl Kind {
    /// The word in the `traffic` column.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rdma => "rdma",
            Self::Tcp => "tcp",
            Self::Other => "other",
        }
    }
}

/// Packets of one kind from one address to another; for RDMA to one queue pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Flow {
    pub src: Address,
    pub dst: Address,
    pub kind: Kind,
    /// Destination queue pair of RDMA; else 0.
    pub dest_qp: u32,
    /// UDP or TCP source port of its first packet, which for RDMA both directions of a connection share on Linux.
    pub sport: u16,
}

/// All flows of all captures, numbered.
#[derive(Debug, Default)]
pub struct Flows {
    numbers: HashMap<(Address, Address, Kind, u32), u32>,
    pub all: Vec<Flow>,
    last: Option<((Address, Address, Kind, u32), u32)>,
}

impl Flows {
    fn number(&mut self, flow: Flow) -> Option<u32> {
        let key = (flow.src, flow.dst, flow.kind, flow.dest_qp);
        if let Some((_, number)) = self.last.filter(|(last, _)| *last == key) {
            return Some(number);
        }
        let number = match self.numbers.get(&key) {
            Some(number) => *number,
            None if self.all.len() >= MOST_FLOWS => return None,
            None => {
                let number = self.all.len() as u32;
                self.numbers.insert(key, number);
                self.all.push(flow);
                number
            }
        };
        self.last = Some((key, number));
        Some(number)
    }
}

/// One packet at one tap.
#[derive(Debug, Clone, Copy)]
pub struct Sighting {
    pub key: u64,
    /// ns since 1970 by the clock of this tap.
    pub ts: i64,
    pub frame: u64,
    pub flow: u32,
    pub psn: u32,
    pub opcode: u8,
    /// What switches may change: see [`Marks`].
    pub marks: Marks,
}

/// What of a packet may change on its way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Marks {
    /// CE (RFC 3168).
    pub ce: bool,
    /// The ICRC: wrong, right, or not to be checked.
    pub icrc: Option<bool>,
    /// Time to live, 0 where there is none.
    pub ttl: u8,
    /// An answer that accepts what it answers: an ACK, not a NAK.
    pub accepts: bool,
    /// Its IP identification is counted into the key, so that a resend has a key of its own.
    pub told_apart: bool,
}

/// The sightings of one capture, in the order of their keys, equal keys in the order of capture.
#[derive(Debug)]
pub struct Tap {
    pub name: String,
    pub sightings: Vec<Sighting>,
    /// Of so many packets one is kept.
    pub one_of: u64,
    /// Packets of which too little was stored: what is missing of them elsewhere says nothing.
    pub too_short: u64,
    /// Time of the first and the last packet of any kind.
    pub first_ts: i64,
    pub last_ts: i64,
}

impl Tap {
    /// Reads a capture; `None` when `on_progress` said to stop.
    pub fn read(
        capture: &mut Capture,
        name: &str,
        flows: &mut Flows,
        on_progress: &mut dyn FnMut(u64, Option<u64>) -> bool,
    ) -> Option<Self> {
        let mut tap = Self::empty(name);
        let mut until_report = REPORT_EVERY;
        while let Some(record) = capture.next() {
            tap.on_record(&record, flows);
            until_report -= 1;
            if until_report == 0 {
                until_report = REPORT_EVERY;
                if !on_progress(capture.consumed(), capture.size()) {
                    return None;
                }
            }
        }
        on_progress(capture.consumed(), capture.size()).then(|| tap.sorted())
    }

    /// One without packets.
    pub fn empty(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            sightings: Vec::new(),
            one_of: 1,
            too_short: 0,
            first_ts: i64::MAX,
            last_ts: i64::MIN,
        }
    }

    fn on_record(&mut self, record: &Record<'_>, flows: &mut Flows) {
        let Some(ts) = record.ts else { return };
        self.first_ts = self.first_ts.min(ts);
        self.last_ts = self.last_ts.max(ts);
        let packet = decode(record.link_type, record.data, record.wire_len);
        self.too_short += u64::from(is_too_short(&packet, record));
        let Some((flow, key)) = identity(&packet) else { return };
        if !key.is_multiple_of(self.one_of) {
            return;
        }
        let Some(flow) = flows.number(flow) else { return };
        let bth = packet.roce.as_ref().map(|roce| roce.bth);
        self.push(Sighting {
            key,
            ts,
            frame: record.frame,
            flow,
            psn: bth.map_or(0, |bth| bth.psn),
            opcode: bth.map_or(0, |bth| bth.opcode),
            marks: Marks {
                ce: packet.ip.is_some_and(|ip| ip.ecn == 3),
                icrc: packet.roce.as_ref().and_then(rdma::icrc_ok),
                ttl: packet.ip.map_or(0, |ip| ip.ttl),
                accepts: packet
                    .roce
                    .as_ref()
                    .and_then(|roce| roce.aeth)
                    .is_some_and(|aeth| matches!(aeth.syndrome >> 5 & 3, 0)),
                told_apart: packet.ip.and_then(|ip| ip.id).is_some_and(|id| id != 0),
            },
        });
    }

    /// Keeps one; when there are too many, every second key goes, here and at the other taps alike.
    pub fn push(&mut self, sighting: Sighting) {
        self.sightings.push(sighting);
        if self.sightings.len() > MOST / 2 {
            self.thin_out(self.one_of * 2);
        }
    }

    fn thin_out(&mut self, one_of: u64) {
        if one_of > self.one_of {
            self.one_of = one_of;
            self.sightings.retain(|sighting| sighting.key.is_multiple_of(one_of));
        }
    }

    /// Ready to be put beside others.
    pub fn sorted(mut self) -> Self {
        self.sightings.sort_by_key(|sighting| sighting.key);
        self
    }
}

/// All taps keep the same part of the keys, and together no more than [`MOST`].
pub fn sample_alike(taps: &mut [Tap]) {
    let mut one_of = taps.iter().map(|tap| tap.one_of).max().unwrap_or(1);
    loop {
        for tap in taps.iter_mut() {
            tap.thin_out(one_of);
        }
        if taps.iter().map(|tap| tap.sightings.len()).sum::<usize>() <= MOST || one_of >= 1 << 40 {
            return;
        }
        one_of *= 2;
    }
}

/// The capture stored so little of a packet that its key is not known. What comes after the BTH and AETH is not asked for, so
/// taps of different snap lengths give a packet the same key.
fn is_too_short(packet: &Packet<'_>, record: &Record<'_>) -> bool {
    use Layer::{AtomicAckEth, AtomicEth, Deth, Feth, Ieth, ImmDt, Rdeth, Reth, Xrceth};
    let cut = (record.data.len() as u64) < record.wire_len.into();
    let not_asked_for =
        |layer| matches!(layer, Reth | AtomicEth | AtomicAckEth | ImmDt | Ieth | Feth | Deth | Xrceth | Rdeth);
    cut && matches!(packet.stopped, Some(Stopped::Truncated { layer, .. }) if !not_asked_for(layer))
}

/// The flow of an IP packet and its key; `None` for anything that has no address.
fn identity(packet: &Packet<'_>) -> Option<(Flow, u64)> {
    let (src, dst) = (packet.src?, packet.dst?);
    let mut key = Key::default();
    key.address(&src);
    key.address(&dst);
    let id = packet.ip.and_then(|ip| ip.id).unwrap_or_default();
    key.add(u64::from(id) << 32 | u64::from(packet.payload_len.unwrap_or_default()));
    let sport = packet.sport.unwrap_or_default();
    let ports = u64::from(sport) << 16 | u64::from(packet.dport.unwrap_or_default());
    let (kind, dest_qp) = if let Some(roce) = &packet.roce {
        key.add(rdma_numbers(roce));
        (Kind::Rdma, roce.bth.dest_qp)
    } else if let Some(tcp) = &packet.tcp {
        key.add(ports << 8 | u64::from(tcp.flags));
        key.add(u64::from(tcp.seq) << 32 | u64::from(tcp.ack));
        (Kind::Tcp, 0)
    } else {
        let protocol = packet.ip?.protocol;
        key.add(ports << 8 | u64::from(protocol));
        (Kind::Other, 0)
    };
    Some((Flow { src, dst, kind, dest_qp, sport }, key.finish()))
}

/// Queue pair, PSN, opcode, and of an answer its AETH.
fn rdma_numbers(roce: &Roce<'_>) -> u64 {
    let bth = &roce.bth;
    let aeth = roce.aeth.map_or(0, |aeth| u64::from(aeth.syndrome) << 24 | u64::from(aeth.msn));
    (u64::from(bth.dest_qp) << 32 | u64::from(bth.psn) << 8 | u64::from(bth.opcode)) ^ aeth.rotate_left(40)
}

/// True for a packet that its receiver answers, and that is sent again when it is lost.
pub fn is_reliable_request(sighting: &Sighting) -> bool {
    use opcode::Transport::{Rc, Xrc};
    matches!(opcode::Transport::of(sighting.opcode), Rc | Xrc) && !opcode::is_response(sighting.opcode)
}

/// Numbers mixed into one: not against an attacker, who could only make his own capture unreadable.
#[derive(Debug, Default)]
struct Key(u64);

impl Key {
    fn add(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(23) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn address(&mut self, address: &Address) {
        match *address {
            Address::V4(octets) => self.add(u32::from_be_bytes(octets).into()),
            Address::V6(octets) => {
                let words = u128::from_be_bytes(octets);
                self.add((words >> 64) as u64);
                self.add(words as u64);
            }
            Address::Lid(lid) => self.add(lid.into()),
        }
    }

    fn finish(self) -> u64 {
        let mixed = (self.0 ^ self.0 >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        mixed ^ mixed >> 29
    }
}
