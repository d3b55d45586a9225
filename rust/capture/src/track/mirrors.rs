//! Mirror sessions (ERSPAN): a switch numbers the copies that it sends, so what of them never came is known exactly.

use std::collections::HashMap;

use crate::address::Address;
use crate::tables::captured::Captured;
use crate::tables::mirrors::MirrorRow;
use crate::tables::problems::ProblemRow;

/// Sessions that are followed. A collector has a few for each switch.
const MOST: usize = 4096;
/// A step of the count that is longer, in either direction, is a switch that began anew or another counter: no loss is
/// claimed for it.
const LONGEST_STEP: u32 = 1 << 16;
/// Numbers behind the highest for which is known whether they came, so that a late packet is told from a copy.
const REMEMBERED: u32 = 1024;

/// Who mirrors whereto, and the session.
type Key = (Option<Address>, Option<Address>, Option<u16>);

/// All sessions of a capture.
#[derive(Debug, Default)]
pub struct Mirrors {
    place: HashMap<Key, usize>,
    sessions: Vec<Session>,
    /// The session of the last packet: they come in bursts.
    last: usize,
    untracked: u64,
}

#[derive(Debug)]
struct Session {
    key: Key,
    packets: u64,
    first_frame: u64,
    last_frame: u64,
    /// Highest number so far, and which of those before it came: bit `n` of the ring stands for numbers that are `n`
    /// modulo its length.
    highest: Option<u32>,
    /// Numbers up to the highest of which it is known whether they came: those since the count began.
    known: u32,
    came: [u64; REMEMBERED as usize / 64],
    /// The count went on at least once: there are devices that always send the same number.
    counts: bool,
    missing: u64,
    gap_frame: Option<u64>,
    late: u64,
    copies: u64,
    restarts: u64,
}

impl Mirrors {
    /// A packet passed the tap; costs one look at those that no switch mirrored.
    #[inline]
    pub fn on_packet(&mut self, row: &Captured<'_>) {
        if row.packet.outer.is_some() {
            self.on_tunnel(row);
        }
    }

    #[inline(never)] // most packets are in no tunnel
    fn on_tunnel(&mut self, row: &Captured<'_>) {
        let Some(outer) = &row.packet.outer else { return };
        let Some(mirror) = outer.mirror else { return };
        let key = (outer.src, outer.dst, mirror.session);
        if self.sessions.get(self.last).is_none_or(|session| session.key != key) {
            let next = self.sessions.len();
            match self.place.get(&key) {
                Some(&place) => self.last = place,
                None if next < MOST => {
                    self.place.insert(key, next);
                    self.sessions.push(Session::new(key, row.frame));
                    self.last = next;
                }
                None => {
                    self.untracked += 1;
                    return;
                }
            }
        }
        if let Some(session) = self.sessions.get_mut(self.last) {
            session.packets += 1;
            session.last_frame = row.frame;
            if let Some(seq) = mirror.seq {
                session.number(seq, row.frame);
            }
        }
    }

    /// Copies that never came, over all sessions; `None` when no switch numbers them.
    pub fn missing(&self) -> Option<u64> {
        self.sessions.iter().filter_map(Session::missing).reduce(u64::saturating_add)
    }

    /// Packets that a switch mirrored.
    pub fn packets(&self) -> u64 {
        self.sessions.iter().map(|session| session.packets).fold(self.untracked, u64::saturating_add)
    }

    /// The rows of `mirrors`; limits that were hit go to `problems`.
    pub fn finish(self, source: &str, problems: &mut Vec<ProblemRow>) -> Vec<MirrorRow> {
        if self.untracked > 0 {
            problems.push(ProblemRow {
                source: source.to_owned(),
                offset: 0,
                frame: self.sessions.iter().map(|session| session.last_frame).max().unwrap_or(0),
                what: format!("{} mirrored packets belong to more sessions than are tracked", self.untracked),
                next: "filter the capture by switch and read it again".to_owned(),
            });
        }
        let row = |session: Session| MirrorRow {
            source: source.to_owned(),
            switch: session.key.0,
            collector: session.key.1,
            session: session.key.2,
            packets: session.packets,
            first_frame: session.first_frame,
            last_frame: session.last_frame,
            missing: session.missing(),
            gap_frame: session.gap_frame,
            late: session.late,
            copies: session.counts.then_some(session.copies),
            restarts: session.restarts,
        };
        self.sessions.into_iter().map(row).collect()
    }
}

impl Session {
    fn new(key: Key, frame: u64) -> Self {
        Self {
            key,
            packets: 0,
            first_frame: frame,
            last_frame: frame,
            highest: None,
            known: 0,
            came: [0; REMEMBERED as usize / 64],
            counts: false,
            missing: 0,
            gap_frame: None,
            late: 0,
            copies: 0,
            restarts: 0,
        }
    }

    fn missing(&self) -> Option<u64> {
        self.counts.then_some(self.missing)
    }

    fn number(&mut self, seq: u32, frame: u64) {
        let Some(highest) = self.highest else {
            self.begin(seq);
            return;
        };
        let (ahead, behind) = (seq.wrapping_sub(highest), highest.wrapping_sub(seq));
        if (1..=LONGEST_STEP).contains(&ahead) {
            self.counts = true;
            if ahead > 1 {
                self.missing += u64::from(ahead - 1);
                self.gap_frame = self.gap_frame.or(Some(frame));
            }
            for number in 1..ahead.min(REMEMBERED) {
                self.mark(seq.wrapping_sub(number), false);
            }
            self.mark(seq, true);
            self.highest = Some(seq);
            self.known = self.known.saturating_add(ahead).min(REMEMBERED);
        } else if behind < self.known {
            if self.mark(seq, true) {
                self.copies += 1;
            } else {
                self.late += 1;
                self.missing = self.missing.saturating_sub(1);
            }
        } else if behind <= LONGEST_STEP {
            self.late += 1; // from before the count began, or too late to tell it from a copy: what is missing stays so
        } else {
            self.restarts += 1;
            self.begin(seq);
        }
    }

    fn begin(&mut self, seq: u32) {
        (self.highest, self.known) = (Some(seq), 1);
        self.mark(seq, true);
    }

    /// Notes whether a number came. Returns what was noted before.
    fn mark(&mut self, seq: u32, came: bool) -> bool {
        let (place, bit) = ((seq % REMEMBERED) as usize, 1 << (seq % 64));
        let Some(word) = self.came.get_mut(place / 64) else { return false };
        let before = *word & bit != 0;
        *word = if came { *word | bit } else { *word & !bit };
        before
    }
}

#[cfg(test)]
mod tests;
