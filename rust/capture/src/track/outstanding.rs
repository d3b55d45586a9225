//! What a tap has seen of one request stream lately: a ring of PSNs, from a little behind the last acknowledgement to
//! the newest.

use std::collections::VecDeque;

use super::psn;

/// PSNs kept behind the last acknowledgement: a sender that lost an acknowledgement goes back behind it.
const BEHIND: u32 = 512;
/// Longest jump that is a gap and not another life of the queue pair; also the most that one ring holds.
pub const LONGEST_GAP: u32 = 1 << 16;

/// What was seen of one PSN.
#[derive(Debug, Clone, Copy, Default)]
#[allow(clippy::struct_excessive_bools)]
pub struct Slot {
    /// Frame of its first sighting; 0 before that.
    pub first_frame: u64,
    /// Time of its first sighting.
    pub first_ts: i64,
    /// Frame of its last sighting.
    pub frame: u64,
    /// Time of its last sighting.
    pub ts: i64,
    /// The run (see [`super::request_stream`]) of its last sighting; 0 before the first.
    pub run: u32,
    /// When the tap first noticed that it was skipped, in the current run; 0 when it was not.
    pub gap_ts: i64,
    /// Frame of a copy that passed with a wrong ICRC; 0 when none did.
    pub bad_frame: u64,
    /// Frame of the first READ response with this PSN in `response_run`; 0 before any.
    pub response_frame: u64,
    /// The run in which a READ response with this PSN was last seen.
    pub response_run: u32,
    /// IP identification of its last sighting.
    pub ip_id: Option<u16>,
    /// Message bytes of its last sighting.
    pub len: u16,
    /// Time to live of its last sighting.
    pub ttl: Option<u8>,
    /// Its last sighting asked for an acknowledgement.
    pub ack_req: bool,
    /// It is a READ request, or one of the PSNs that a READ's responses use: no request packet is due here.
    pub read: bool,
    /// A NAK or a timeout concerns it: its absence is explained.
    pub explained: bool,
    /// It came after its successor: reordered on the way to this tap.
    pub late: bool,
}

impl Slot {
    /// The tap saw it, in any run.
    pub const fn seen(&self) -> bool {
        self.first_frame != 0
    }
}

/// The ring.
#[derive(Debug, Default)]
pub struct Outstanding {
    base: u32,
    slots: VecDeque<Slot>,
    /// PSNs that left the ring acknowledged and never seen; of a READ, those whose response was never seen.
    pub unseen: u64,
}

impl Outstanding {
    /// Forget everything and start at `psn`.
    pub fn restart(&mut self, psn: u32) {
        self.slots.clear();
        self.base = psn;
    }

    /// The oldest PSN held.
    pub fn base(&self) -> u32 {
        self.base
    }

    /// Makes room for `psn` in front of what is held. False when it lies too far behind.
    ///
    /// What lies between was acknowledged and dropped, or never came by before the first that did: its absence proves
    /// nothing.
    pub fn reach_back(&mut self, psn: u32) -> bool {
        let missing = psn::ahead(psn, self.base);
        if missing > BEHIND {
            return false;
        }
        for _ in 0..missing {
            self.slots.push_front(Slot { explained: true, ..Slot::default() });
        }
        self.base = psn;
        true
    }

    /// The slot of `psn`, if the ring holds it.
    pub fn get(&self, psn: u32) -> Option<&Slot> {
        self.slots.get(psn::ahead(self.base, psn) as usize)
    }

    /// The same, to change.
    pub fn get_mut(&mut self, psn: u32) -> Option<&mut Slot> {
        self.slots.get_mut(psn::ahead(self.base, psn) as usize)
    }

    /// The slot of `psn`, with the ring grown up to it. `None` when it lies behind the ring or too far ahead.
    pub fn reach(&mut self, psn: u32) -> Option<&mut Slot> {
        let index = psn::ahead(self.base, psn);
        if index as usize >= self.slots.len() {
            if index - self.slots.len() as u32 >= LONGEST_GAP {
                return None;
            }
            if index as usize == self.slots.len() {
                self.slots.push_back(Slot::default()); // nearly always the next one
            } else {
                self.slots.resize(index as usize + 1, Slot::default());
            }
            if self.slots.len() > 2 * LONGEST_GAP as usize {
                self.drop_front(LONGEST_GAP);
            }
        }
        self.get_mut(psn)
    }

    /// Drops what lies well behind `acked`, and counts what of it was never seen.
    pub fn acknowledged(&mut self, acked: u32) {
        let held = psn::ahead(self.base, acked);
        if held < psn::CIRCLE / 2 && held > 2 * BEHIND {
            self.drop_front(held - BEHIND);
        }
    }

    /// Counts, at the end of the capture, what is still held up to `acked` and was never seen.
    pub fn settle(&mut self, acked: u32) {
        let held = psn::ahead(self.base, acked);
        if held < psn::CIRCLE / 2 {
            self.drop_front((held + 1).min(self.slots.len() as u32));
        }
    }

    fn drop_front(&mut self, count: u32) {
        for slot in self.slots.drain(..(count as usize).min(self.slots.len())) {
            let missing = if slot.read { slot.response_frame == 0 } else { !slot.seen() };
            self.unseen += u64::from(missing && !slot.explained && slot.bad_frame == 0);
            self.base = psn::add(self.base, 1);
        }
    }

    /// PSNs held, oldest first, from `from` up to and without `to`.
    pub fn range(&self, from: u32, to: u32) -> impl Iterator<Item = (u32, &Slot)> {
        let start = psn::ahead(self.base, from);
        let count = psn::ahead(from, to);
        let inside = start < psn::CIRCLE / 2 && count < psn::CIRCLE / 2;
        (0..if inside { count } else { 0 }).map_while(move |step| {
            let psn = psn::add(from, step);
            self.get(psn).map(|slot| (psn, slot))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(ring: &mut Outstanding, psn: u32, frame: u64) {
        let slot = ring.reach(psn).expect("near");
        slot.first_frame = frame;
    }

    #[test]
    fn what_is_acknowledged_and_was_never_seen_is_counted_once() {
        let mut ring = Outstanding::default();
        ring.restart(0x00ff_ff00);
        for step in 0..4000 {
            if step % 1000 != 7 {
                seen(&mut ring, psn::add(0x00ff_ff00, step), u64::from(step) + 1);
            }
            ring.acknowledged(psn::add(0x00ff_ff00, step));
        }
        ring.settle(psn::add(0x00ff_ff00, 3999));
        assert_eq!(ring.unseen, 4);
    }

    #[test]
    fn a_far_jump_is_refused_and_the_ring_stays_small() {
        let mut ring = Outstanding::default();
        ring.restart(5);
        assert!(ring.reach(5 + LONGEST_GAP + 1).is_none());
        assert!(ring.reach(4).is_none(), "behind the ring");
        for step in 0..20 {
            assert!(ring.reach(psn::add(5, step * 60_000)).is_some());
        }
        assert!(ring.slots.len() <= 2 * LONGEST_GAP as usize);
    }

    #[test]
    fn a_sender_that_goes_back_behind_the_ring_finds_room_and_nothing_is_called_unseen() {
        let mut ring = Outstanding::default();
        ring.restart(2);
        seen(&mut ring, 2, 1);
        assert!(ring.reach_back(0x00ff_fffe));
        assert_eq!((ring.base(), ring.get(2).map(Slot::seen)), (0x00ff_fffe, Some(true)));
        ring.settle(2);
        assert_eq!(ring.unseen, 0);
        assert!(!ring.reach_back(psn::add(ring.base(), psn::CIRCLE - BEHIND - 1)));
    }

    #[test]
    fn a_range_outside_the_ring_is_empty() {
        let mut ring = Outstanding::default();
        ring.restart(100);
        seen(&mut ring, 102, 1);
        assert_eq!(ring.range(100, 103).count(), 3);
        assert_eq!(ring.range(90, 95).count(), 0);
        assert_eq!(ring.range(103, 110).count(), 0);
        assert_eq!(ring.range(102, 101).count(), 0);
    }
}
