//! The comments of a pcapng file: what people, and the tools that captured, wrote beside sections, interfaces, packets and
//! statistics (draft-ietf-opsawg-pcapng, 3.5: `opt_comment`).

use super::text;
use crate::error::Problem;

/// Comments that are kept of one capture. People write a few; a tool that comments every packet would make the table as
/// big as the capture.
const MOST: usize = 10_000;
/// Bytes kept of one comment, and of all together.
const LONGEST: usize = 16 * 1024;
const MOST_BYTES: usize = 16 * 1024 * 1024;

/// What a comment is beside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Commented {
    /// A section: the file as a whole, as far as one tool wrote it.
    Section,
    /// An interface.
    Interface,
    /// A packet.
    Packet,
    /// The counters of an interface.
    Statistics,
}

impl Commented {
    /// The word in the `kind` column.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Section => "section",
            Self::Interface => "interface",
            Self::Packet => "packet",
            Self::Statistics => "statistics",
        }
    }
}

/// One comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    /// What it is beside.
    pub kind: Commented,
    /// The packet; `None` for the other kinds.
    pub frame: Option<u64>,
    /// The interface, counted as those of packets are; `None` for a section.
    pub interface: Option<u32>,
    /// What it says, as it was written.
    pub text: String,
}

/// All comments so far.
#[derive(Debug, Default)]
pub(super) struct Comments {
    all: Vec<Comment>,
    bytes: usize,
    shortened: u64,
    left_out: u64,
}

impl Comments {
    #[cold]
    pub(super) fn add(&mut self, kind: Commented, frame: Option<u64>, interface: Option<u32>, value: &[u8]) {
        let kept = value.len().min(LONGEST);
        if self.all.len() >= MOST || self.bytes + kept > MOST_BYTES {
            self.left_out += 1;
            return;
        }
        self.shortened += u64::from(kept < value.len());
        self.bytes += kept;
        self.all.push(Comment { kind, frame, interface, text: text(value, LONGEST) });
    }

    pub(super) fn all(&self) -> &[Comment] {
        &self.all
    }

    /// What was not kept; `frame` is the last one of the capture.
    pub(super) fn limits(&self, frame: u64) -> impl Iterator<Item = Problem> {
        let problem = |count: u64, what: String| {
            let next = "the packets are all there; Wireshark shows the rest (filter `frame.comment`)".to_owned();
            (count > 0).then_some(Problem { offset: 0, frame, what, next })
        };
        let shortened = format!("{} comments are longer than {} KiB and were cut", self.shortened, LONGEST >> 10);
        let left_out =
            format!("{} more comments than are kept: {MOST}, or {} MiB of them", self.left_out, MOST_BYTES >> 20);
        [problem(self.shortened, shortened), problem(self.left_out, left_out)].into_iter().flatten()
    }
}
