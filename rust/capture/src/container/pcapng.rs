//! The pcapng format (draft-ietf-opsawg-pcapng): the walk from block to block. What the blocks say is in
//! [`super::section`].

use std::path::Path;

use super::beside::Beside;
use super::problems::Problems;
use super::section::{BACK, Block, FRONT, SECTION_HEADER, Section};
use super::{Found, LONGEST_EVER, Order};
use crate::error::CaptureError;
use crate::window::Window;

/// In every section header; it gives the byte order of the section.
const BYTE_ORDER_MAGIC: u32 = 0x1a2b_3c4d;
/// Smallest block, and smallest section header block.
const SMALLEST: u32 = (FRONT + BACK) as u32;
const SMALLEST_SECTION: u32 = 28;
/// Bytes of a block that is looked into, at most; what is longer is walked over.
const LONGEST_BLOCK: u32 = LONGEST_EVER + 1024 * 1024;
/// Blocks that are no packets and that Wireshark nevertheless shows as frames: custom blocks, systemd journal entries,
/// system calls recorded by sysdig (`wiretap/pcapng.c` of Wireshark 4.0).
const NUMBERED: [u32; 9] = [0x0bad, 0x4000_0bad, 9, 0x204, 0x208, 0x216, 0x217, 0x221, 0x222];

/// What was done with a block that is wrong in itself.
const LEFT_OUT: &str = "this block was left out";

/// Whether a file begins as pcapng does.
pub(super) fn fits(start: &[u8]) -> bool {
    start.starts_with(&SECTION_HEADER.to_be_bytes())
}

/// The byte order of a section, from the magic number in its header.
fn section_order(magic: [u8; 4]) -> Option<Order> {
    [Order::Little, Order::Big].into_iter().find(|order| order.u32(magic) == BYTE_ORDER_MAGIC)
}

/// A pcapng file.
pub(super) struct PcapNg {
    section: Section,
    late_time: bool,
}

/// What the walk found at the window.
enum Step {
    Packet,
    /// Nothing of interest; the window stands behind it.
    Passed,
    End,
}

impl PcapNg {
    /// Starts at the first section header, which is left for [`PcapNg::next`] to read. `None` when it is cut or broken.
    pub(super) fn open(window: &mut Window, path: &Path) -> Option<Result<Self, CaptureError>> {
        let header = window.peek(SMALLEST_SECTION as usize);
        if header.len() < SMALLEST_SECTION as usize {
            return None;
        }
        let order = section_order(*header[FRONT..].first_chunk()?)?;
        let major = order.u16(*header[12..].first_chunk()?);
        if major != 1 {
            let what = format!("pcapng version {major}; only version 1 is known");
            let next = "open it with the tool that wrote it and save it as pcap or pcapng";
            return Some(Err(CaptureError::Unsupported { path: path.to_owned(), offset: 12, what, next }));
        }
        Some(Ok(Self { section: Section::first(order), late_time: false }))
    }

    /// Everything that the blocks so far said.
    pub(super) fn section(&self) -> &Section {
        &self.section
    }

    /// The next packet block.
    pub(super) fn next(&mut self, window: &mut Window, beside: &mut Beside) -> Option<&Found> {
        loop {
            match self.step(window, beside) {
                Step::Packet => return Some(self.section.packet()),
                Step::Passed => {}
                Step::End => return None,
            }
        }
    }

    /// One block.
    #[inline]
    fn step(&mut self, window: &mut Window, beside: &mut Beside) -> Step {
        let problems = &mut beside.problems;
        let front = window.peek(SMALLEST as usize);
        let have = front.len();
        let Some(&[k0, k1, k2, k3, l0, l1, l2, l3, m0, m1, m2, m3]) = front.first_chunk() else {
            problems.ends(window, "a block header", have, SMALLEST.into());
            return Step::End;
        };
        let kind = self.section.order.u32([k0, k1, k2, k3]);
        let mut smallest = SMALLEST;
        if kind == SECTION_HEADER {
            let Some(order) = section_order([m0, m1, m2, m3]) else {
                return resynchronise(window, problems, "a section header without byte order".to_owned());
            };
            self.section.order = order;
            smallest = SMALLEST_SECTION;
        }
        let total = self.section.order.u32([l0, l1, l2, l3]);
        if total < smallest {
            let what = format!("a block of type {kind:#x} claims a length of {total}; the least is {smallest}");
            return resynchronise(window, problems, what);
        }
        if Section::knows(kind) && total <= LONGEST_BLOCK {
            self.read(kind, total, window, beside)
        } else {
            self.pass(kind, total, window, problems)
        }
    }

    /// A block that is looked into.
    #[inline]
    fn read(&mut self, kind: u32, total: u32, window: &mut Window, beside: &mut Beside) -> Step {
        let (span, at) = (span(total), window.offset());
        let block = window.peek(span as usize);
        let have = block.len();
        if (have as u64) < span {
            beside.problems.ends(window, "a block", have, span);
            return Step::End;
        }
        let (front, again) = block.split_at(have - BACK);
        let again = self.section.order.words(again).map_or(0, |[again]| again);
        if again != total {
            return resynchronise(window, &mut beside.problems, mismatch(kind, total, again));
        }
        match self.section.block(kind, &front[FRONT..], at, beside) {
            Block::Packet => {
                if self.section.late() {
                    self.late_time(window, &mut beside.problems);
                }
                return Step::Packet;
            }
            Block::Passed => {}
            Block::Short => {
                let what = format!("a block of type {kind:#x} is too short with a length of {total}");
                beside.problems.add(window.offset(), what, LEFT_OUT);
            }
            Block::Wrong(what) => beside.problems.add(window.offset(), what, LEFT_OUT),
            Block::UnknownSection(what) => return resynchronise(window, &mut beside.problems, what),
        }
        window.skip(span);
        Step::Passed
    }

    /// A block that is not read.
    #[cold]
    fn pass(&self, kind: u32, total: u32, window: &mut Window, problems: &mut Problems) -> Step {
        let span = span(total);
        let moved = window.skip(span - BACK as u64);
        let again = window.peek(BACK);
        if again.len() < BACK {
            let have = moved as usize + again.len();
            problems.ends(window, "a block", have, span);
            return Step::End;
        }
        let again = self.section.order.words(again).map_or(0, |[again]| again);
        if again != total {
            return resynchronise(window, problems, mismatch(kind, total, again));
        }
        window.skip(BACK as u64);
        problems.frame += u64::from(NUMBERED.contains(&kind));
        Step::Passed
    }

    #[cold]
    fn late_time(&mut self, window: &Window, problems: &mut Problems) {
        if !self.late_time {
            self.late_time = true;
            let what = format!("the time of packet {} lies after the year 2262", problems.frame + 1);
            problems.add(window.offset(), what, "such packets were read without their time");
        }
    }
}

/// Every block is padded to four bytes; some old writers left the padding out of the length.
fn span(total: u32) -> u64 {
    u64::from(total).next_multiple_of(4)
}

#[cold]
fn mismatch(kind: u32, total: u32, again: u32) -> String {
    format!("a block of type {kind:#x} begins with length {total} and ends with length {again}")
}

/// Damage after which the length of the block cannot be believed: goes on at the next section header, if there is one.
#[cold]
fn resynchronise(window: &mut Window, problems: &mut Problems, what: String) -> Step {
    const BEFORE: &str = "everything before it was read";
    let damage = window.offset();
    window.skip(1);
    loop {
        let ahead = window.peek(64 * 1024);
        let whole = ahead.len() >= SMALLEST as usize;
        let section = ahead
            .windows(SMALLEST as usize)
            .position(|bytes| fits(bytes) && bytes.last_chunk().is_some_and(|magic| section_order(*magic).is_some()));
        match section {
            Some(at) => {
                window.skip(at as u64);
                let next = format!("{BEFORE}; reading went on at the next section, byte {}", window.offset());
                problems.add(damage, what, next);
                return Step::Passed;
            }
            None if whole => {
                let searched = ahead.len() - (SMALLEST as usize - 1);
                window.skip(searched as u64);
            }
            None => {
                problems.add(damage, what, format!("{BEFORE}, nothing after it: no other section follows"));
                return Step::End;
            }
        }
    }
}
