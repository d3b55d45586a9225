//! A capture that lies in memory as a whole: its records borrow from the map and not from the walk, so that many of them
//! can be held at a time.

use super::{Capture, Format, Found, Record};
use crate::map::{Asked, Map};

/// Records that room is made for before they are found.
const MOST_AT_ONCE: usize = 1 << 17;

/// A walk over the records of one mapped file. It says what [`Capture::next`] says; records about which there is nothing
/// to say are found by a shorter way.
pub(crate) struct Walk<'m> {
    capture: Capture,
    map: &'m Map,
    /// Where the next record begins; beyond the map at the end.
    at: usize,
    asked: Asked,
}

impl<'m> Walk<'m> {
    /// Goes on where the capture stands. `map` is that of [`Capture::map`].
    pub(crate) fn over(mut capture: Capture, map: &'m Map) -> Self {
        let window = &mut capture.opened.window;
        window.skip(std::mem::take(&mut capture.pass));
        Self { at: window.offset() as usize, capture, map, asked: Asked::default() }
    }

    /// The next `most` packets; fewer at the end, or where damage makes the rest unreadable. Each is made in the list:
    /// copying one there took longer than finding it.
    pub(crate) fn list(&mut self, most: usize, records: &mut Vec<Record<'m>>) {
        records.clear();
        records.reserve(most.min(MOST_AT_ONCE));
        while records.len() < most
            && let Some(found) = self.find()
        {
            records.push(self.hand_out(&found));
        }
    }

    /// The next packet, likewise.
    #[cfg(test)]
    pub(crate) fn next(&mut self) -> Option<Record<'m>> {
        self.find().map(|found| self.hand_out(&found))
    }

    /// Finds the next packet; `at` is then where it begins.
    #[allow(clippy::inline_always)] // measured: what was found is not carried through memory
    #[inline(always)]
    fn find(&mut self) -> Option<Found> {
        let ahead = self.map.bytes().get(self.at..).unwrap_or_default();
        let found = match &self.capture.opened.format {
            Format::Pcap(pcap) => pcap.plain(ahead),
            Format::PcapNg(pcapng) => pcapng.section().plain(ahead),
        };
        match found {
            Some(found) => Some(found),
            None => self.find_with_care(),
        }
    }

    #[cold]
    #[inline(never)]
    fn find_with_care(&mut self) -> Option<Found> {
        let (opened, beside) = (&mut self.capture.opened, &mut self.capture.beside);
        if self.capture.ended {
            return None;
        }
        opened.window.go_to(self.at);
        let found = match &mut opened.format {
            Format::Pcap(pcap) => pcap.next(&mut opened.window, &mut beside.problems),
            Format::PcapNg(pcapng) => pcapng.next(&mut opened.window, beside).copied(),
        };
        let Some(found) = found else {
            self.capture.ended = true;
            self.at = usize::MAX; // what was left out here might be plain to what was read behind it
            return None;
        };
        self.at = opened.window.offset() as usize; // blocks that are no packets were passed over
        Some(found)
    }

    #[allow(clippy::inline_always)] // likewise
    #[inline(always)]
    fn hand_out(&mut self, found: &Found) -> Record<'m> {
        let (at, len) = (self.at, found.next as usize);
        self.asked.ahead_of(self.map, at, len);
        let frame = &mut self.capture.beside.problems.frame;
        *frame += 1;
        self.at = at.saturating_add(len);
        Record {
            frame: *frame,
            ts: found.ts,
            interface: found.interface,
            link_type: found.link_type,
            wire_len: found.wire_len,
            data: self.map.bytes().get(at + found.start..at + found.end).unwrap_or_default(),
            offset: at as u64,
        }
    }

    /// The capture, standing where the walk stands.
    pub(crate) fn into_capture(mut self) -> Capture {
        self.capture.opened.window.go_to(self.at);
        self.capture
    }
}
