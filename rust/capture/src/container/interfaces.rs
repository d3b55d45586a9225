//! The interfaces that a capture describes: which port of which machine saw a packet, numbered through sections and files.

use super::options::Options;
use super::{Order, text};
use crate::error::Problem;

/// Options of an interface description block that are text or plain numbers (draft-ietf-opsawg-pcapng, 4.2).
const IF_NAME: u16 = 2;
const IF_DESCRIPTION: u16 = 3;
const IF_MAC_ADDR: u16 = 6;
const IF_SPEED: u16 = 8;
const IF_FILTER: u16 = 11;
const IF_OS: u16 = 12;
const IF_HARDWARE: u16 = 15;

/// Interfaces whose description is kept, and whose clocks are followed ([`crate::track`]). A switch has a few hundred
/// ports.
pub(crate) const MOST: usize = 4096;
/// Bytes kept of a name, and of a filter, which may list addresses.
const LONGEST_NAME: usize = 256;
const LONGEST_FILTER: usize = 4096;

/// An interface as the file describes it. What the file does not say is `None`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[allow(missing_docs)]
pub struct Described {
    pub name: Option<String>,
    pub description: Option<String>,
    pub hardware: Option<String>,
    pub os: Option<String>,
    /// As text; a compiled filter is left out.
    pub filter: Option<String>,
    pub mac: Option<[u8; 6]>,
    /// Bits a second.
    pub speed: Option<u64>,
    pub link_type: u16,
    /// Longest stored packet.
    pub snap_len: Option<u32>,
    /// Nanoseconds of one step of its clock; 1 for everything finer.
    pub resolution: i64,
    /// Packets received, as its statistics say.
    pub received: Option<u64>,
    /// Packets dropped, as statistics and packet blocks say.
    pub dropped: Option<u64>,
}

impl Described {
    /// Takes in the options of its block that name it.
    pub(super) fn read(&mut self, order: Order, options: &[u8]) {
        for (code, value) in Options::of(order, options) {
            match code {
                IF_NAME => self.name = Some(text(value, LONGEST_NAME)),
                IF_DESCRIPTION => self.description = Some(text(value, LONGEST_NAME)),
                IF_HARDWARE => self.hardware = Some(text(value, LONGEST_NAME)),
                IF_OS => self.os = Some(text(value, LONGEST_NAME)),
                IF_MAC_ADDR => self.mac = value.try_into().ok(),
                IF_SPEED => self.speed = value.try_into().ok().map(|bits| order.u64(bits)).filter(|&bits| bits != 0),
                IF_FILTER => {
                    // The first byte says whether text or bytecode follows.
                    if let Some((0, filter)) = value.split_first() {
                        self.filter = Some(text(filter, LONGEST_FILTER));
                    }
                }
                _ => {}
            }
        }
    }

    /// Whether the next file of a rotation speaks of the same one.
    fn same(&self, other: &Self) -> bool {
        (self.link_type, &self.name, &self.description, &self.hardware)
            == (other.link_type, &other.name, &other.description, &other.hardware)
    }

    /// Counters of one more section.
    pub(super) fn count(&mut self, received: Option<u64>, dropped: Option<u64>) {
        self.received = self.received.into_iter().chain(received).reduce(u64::saturating_add);
        self.dropped = self.dropped.into_iter().chain(dropped).reduce(u64::saturating_add);
    }
}

/// All interfaces so far, by number.
#[derive(Debug, Default)]
pub(super) struct Interfaces {
    all: Vec<Described>,
    /// Numbers given out, and those that were before this file.
    numbered: u32,
    before: u32,
    /// Interfaces that this file described.
    here: u32,
}

impl Interfaces {
    /// The number of an interface that the file describes now. Sections and files are counted through; but the n-th
    /// interface of a later file is the n-th of the first where the two are described alike: the files of one rotation
    /// have the same interfaces.
    pub(super) fn number(&mut self, described: Described) -> u32 {
        let place = self.here;
        self.here = place.saturating_add(1);
        if place < self.before && self.all.get(place as usize).is_some_and(|known| known.same(&described)) {
            return place;
        }
        let number = self.numbered;
        self.numbered = number.saturating_add(1);
        if self.all.len() < MOST {
            self.all.push(described);
        }
        number
    }

    pub(super) fn get_mut(&mut self, number: u32) -> Option<&mut Described> {
        self.all.get_mut(number as usize)
    }

    pub(super) fn next_file(&mut self) {
        (self.before, self.here) = (self.numbered, 0);
    }

    /// All of them, with what `add` counts now.
    pub(super) fn counted(&self, add: impl FnOnce(&mut Self)) -> Vec<Described> {
        let mut all = Self { all: self.all.clone(), ..*self };
        add(&mut all);
        all.all
    }

    /// What was not kept; `frame` is the last one of the capture.
    pub(super) fn limits(&self, frame: u64) -> Option<Problem> {
        let more = (self.numbered as usize).saturating_sub(MOST);
        (more > 0).then(|| Problem {
            offset: 0,
            frame,
            what: format!("{more} more interfaces than are described: {MOST}"),
            next: "their packets were read; their names were not kept, nor the backward steps of their clocks counted"
                .to_owned(),
        })
    }
}
