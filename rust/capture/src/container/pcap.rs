//! The classic pcap format: a file header, then records (draft-ietf-opsawg-pcap, and the variants that libpcap names).

use std::path::Path;

use super::interfaces::Described;
use super::problems::Problems;
use super::{Found, LONGEST, LONGEST_EVER, Order, without_fcs};
use crate::error::CaptureError;
use crate::window::Window;

/// Bytes of the file header.
const FILE_HEADER: usize = 24;
/// Bytes of a record header; the variants add to it.
const RECORD_HEADER: usize = 16;

/// A variant of the format, by its magic number as a big-endian reader sees it.
#[derive(Clone, Copy)]
struct Variant {
    magic: u32,
    /// Nanoseconds of one unit of the fraction of a second.
    unit: u32,
    file_header: usize,
    record_header: usize,
}

const VARIANTS: [Variant; 5] = [
    Variant { magic: 0xa1b2_c3d4, unit: 1000, file_header: FILE_HEADER, record_header: RECORD_HEADER },
    Variant { magic: 0xa1b2_3c4d, unit: 1, file_header: FILE_HEADER, record_header: RECORD_HEADER },
    // Kuznetsov's patch to libpcap: interface, protocol and packet type after each record header.
    Variant { magic: 0xa1b2_cd34, unit: 1000, file_header: FILE_HEADER, record_header: RECORD_HEADER + 8 },
    // IXIA: the size of all records after the file header. Hardware and software time stamps.
    Variant { magic: 0x1c00_01ac, unit: 1000, file_header: FILE_HEADER + 4, record_header: RECORD_HEADER },
    Variant { magic: 0x1c00_01ab, unit: 1000, file_header: FILE_HEADER + 4, record_header: RECORD_HEADER },
];

/// The variant and byte order that a file begins with, if it is pcap.
fn variant(start: &[u8]) -> Option<(Variant, Order)> {
    let magic = *start.first_chunk()?;
    let is = |order: Order| VARIANTS.into_iter().find(|v| v.magic == order.u32(magic)).map(|v| (v, order));
    is(Order::Little).or_else(|| is(Order::Big))
}

/// Whether a file begins as pcap does.
pub(super) fn fits(start: &[u8]) -> bool {
    variant(start).is_some()
}

/// A pcap file whose header was read.
pub(super) struct Pcap {
    order: Order,
    /// Its number in the capture.
    pub(super) interface: u32,
    unit: u32,
    /// A fraction of a second is less than this.
    second: u32,
    record_header: usize,
    /// Versions before 2.4 wrote the two lengths in either order.
    swapped: bool,
    snap_len: u32,
    longest: u32,
    link_type: u16,
    fcs: u32,
    odd_fraction: bool,
    /// Up to this byte of the file somebody has looked for the end of what was written.
    written: u64,
}

impl Pcap {
    /// Reads the file header, if the window is at one that is whole.
    pub(super) fn open(window: &mut Window, path: &Path) -> Option<Result<Self, CaptureError>> {
        let (variant, order) = variant(window.peek(4))?;
        let header = window.peek(variant.file_header);
        if header.len() < variant.file_header {
            return None;
        }
        let [_, version, _, _, snap_len, link] = order.words(header)?;
        // Two fields of 16 bits: which of them comes first in a word depends on the byte order.
        let (major, minor) = match order {
            Order::Little => (version & 0xffff, version >> 16),
            Order::Big => (version >> 16, version & 0xffff),
        };
        if major != 2 {
            let what = format!("pcap version {major}.{minor}; only version 2 is known");
            let next = "open it with the tool that wrote it and save it as pcap or pcapng";
            return Some(Err(CaptureError::Unsupported { path: path.to_owned(), offset: 4, what, next }));
        }
        window.skip(variant.file_header as u64);
        Some(Ok(Self {
            order,
            interface: 0,
            unit: variant.unit,
            second: 1_000_000_000 / variant.unit,
            record_header: variant.record_header,
            swapped: minor < 4,
            snap_len,
            longest: snap_len.clamp(LONGEST, LONGEST_EVER),
            link_type: link as u16,
            // Bit 26 says that bits 28 to 31 hold the length of the FCS in units of two bytes.
            fcs: if link & 0x0400_0000 != 0 { (link >> 28) * 2 } else { 0 },
            odd_fraction: false,
            written: 0,
        }))
    }

    /// The record at the start of these bytes, when it is whole and there is nothing to say about it; what is left over,
    /// [`Pcap::next`] judges.
    #[inline]
    pub(super) fn plain(&self, ahead: &[u8]) -> Option<Found> {
        let [seconds, fraction, captured, wire] = self.order.words(ahead)?;
        let end = self.record_header + captured as usize;
        let odd = self.swapped || captured == 0 || captured > self.longest || fraction >= self.second;
        if odd || end > ahead.len() {
            return None;
        }
        let (captured, wire_len) = without_fcs(captured as usize, wire, self.fcs);
        Some(Found {
            ts: Some(self.time(seconds, fraction)),
            interface: self.interface,
            link_type: self.link_type,
            wire_len,
            start: self.record_header,
            end: self.record_header + captured,
            next: end as u64,
        })
    }

    #[inline]
    fn time(&self, seconds: u32, fraction: u32) -> i64 {
        i64::from(seconds) * 1_000_000_000 + i64::from(fraction) * i64::from(self.unit)
    }

    /// The next record.
    #[inline]
    pub(super) fn next(&mut self, window: &mut Window, problems: &mut Problems) -> Option<Found> {
        let header = window.peek(self.record_header);
        let (have, words) = (header.len(), self.order.words(header));
        let Some([seconds, fraction, mut captured, mut wire]) = words.filter(|_| have == self.record_header) else {
            let part = format!("the record header of packet {}", problems.frame + 1);
            problems.ends(window, &part, have, self.record_header as u64);
            return None;
        };
        if self.swapped && captured > wire {
            (captured, wire) = (wire, captured);
        }
        if captured > self.longest {
            self.insane(window, problems, captured);
            return None;
        }
        if [seconds, fraction, captured, wire] == [0; 4] && self.only_zeros(window, problems) {
            return None;
        }
        let end = self.record_header + captured as usize;
        let have = window.peek(end).len();
        if have < end {
            problems.ends(window, &format!("packet {}", problems.frame + 1), have, end as u64);
            return None;
        }
        if fraction >= self.second && !self.odd_fraction {
            self.odd_fraction = true;
            let what =
                format!("the time of packet {} has a fraction of {fraction}, a second or more", problems.frame + 1);
            problems.add(window.offset() + 4, what, "do not trust the times of this file; they were taken as they are");
        }
        let (captured, wire_len) = without_fcs(captured as usize, wire, self.fcs);
        Some(Found {
            ts: Some(self.time(seconds, fraction)),
            interface: self.interface,
            link_type: self.link_type,
            wire_len,
            start: self.record_header,
            end: self.record_header + captured,
            next: end as u64,
        })
    }

    /// A file whose space was allocated and never written ends in zeros, which would read as packets of no length from
    /// 1970. No byte is looked at twice: a hostile file may have such a packet every 16 bytes.
    #[cold]
    fn only_zeros(&mut self, window: &mut Window, problems: &mut Problems) -> bool {
        let at = window.offset();
        if at < self.written {
            return false;
        }
        let ahead = window.peek(4096);
        if let Some(last) = ahead.iter().rposition(|&byte| byte != 0) {
            self.written = at.saturating_add(last as u64);
            return false;
        }
        if ahead.len() <= RECORD_HEADER {
            return false;
        }
        let what = "from here on the file holds only zeros: it was not written to its end".to_owned();
        problems.add(at, what, "everything before it was read; the disk was full or the machine stopped");
        true
    }

    #[cold]
    fn insane(&self, window: &Window, problems: &mut Problems, captured: u32) {
        let frame = problems.frame + 1;
        let what = format!("packet {frame} claims {captured} stored bytes; {} are possible", self.longest);
        let next = "everything before it was read, nothing after it: where the next packet begins is not known";
        problems.add(window.offset() + 8, what, next);
    }

    /// The one interface of the file, of which it tells next to nothing.
    pub(super) fn described(&self) -> Described {
        Described {
            link_type: self.link_type,
            snap_len: self.snap_len(),
            resolution: self.resolution(),
            ..Described::default()
        }
    }

    pub(super) fn snap_len(&self) -> Option<u32> {
        (self.snap_len != 0).then_some(self.snap_len)
    }

    pub(super) fn resolution(&self) -> i64 {
        self.unit.into()
    }
}
