//! Capture files: which format a file has, and its packets one after another.

mod beside;
mod chain;
mod comments;
mod interface;
mod interfaces;
mod mapped;
mod options;
mod pcap;
mod pcapng;
mod problems;
mod recognise;
mod secrets;
mod section;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::Arc;

use crate::error::{CaptureError, Problem};
use crate::map::Map;
use crate::window::{Follow, Window};

use beside::Beside;
use chain::Chain;
pub use comments::{Comment, Commented};
pub use interfaces::Described;
use interfaces::Interfaces;
pub(crate) use interfaces::MOST as MOST_DESCRIBED;
pub(crate) use mapped::Walk;
use pcap::Pcap;
use pcapng::PcapNg;
pub use recognise::{begins_a_capture, unpacked};

/// Longest packet that is believed where the file does not allow more: the largest snap length that tcpdump and
/// Wireshark take.
const LONGEST: u32 = 256 * 1024;
/// Longest packet that is ever believed, whatever the file allows. It bounds the memory of a hostile file.
const LONGEST_EVER: u32 = 16 * 1024 * 1024;

/// One packet as it lies in the file.
#[derive(Debug, Clone, Copy)]
pub struct Record<'a> {
    /// Number in the capture, from 1 and through all its files, as Wireshark counts: pcapng blocks that are no packets and that it shows all the
    /// same (custom blocks, journal entries, system calls) have one too.
    pub frame: u64,
    /// Nanoseconds since 1970, UTC; `None` where the file gives no time, or one after the year 2262.
    pub ts: Option<i64>,
    /// Interface, from 0, counted on through the sections of a pcapng file; 0 in a pcap file. In the files of one rotation
    /// those that are described alike are one.
    pub interface: u32,
    /// Link type of the interface.
    pub link_type: u16,
    /// Bytes on the wire, without FCS where the file says that it has one.
    pub wire_len: u32,
    /// Bytes captured, likewise without FCS.
    pub data: &'a [u8],
    /// Where the record or block begins, in bytes from the start of the (uncompressed) capture.
    pub offset: u64,
}

/// A packet that a format found at the window: everything but the bytes themselves.
#[derive(Clone, Copy, Default)]
struct Found {
    ts: Option<i64>,
    interface: u32,
    link_type: u16,
    wire_len: u32,
    /// Where the captured bytes lie, from the window on.
    start: usize,
    end: usize,
    /// Where the next record begins, from the window on.
    next: u64,
}

enum Format {
    Pcap(Pcap),
    PcapNg(PcapNg),
}

/// One file, open and recognised.
struct Opened {
    window: Window,
    format: Format,
    /// `gzip`; where one compression lies in another the inner first, `gzip+zstd`.
    compression: Option<String>,
}

impl Opened {
    fn at(path: &Path, follow: Option<Follow>) -> Result<Self, CaptureError> {
        if path.is_dir() {
            return Err(recognise::directory(path));
        }
        let window = match follow {
            Some(follow) => Window::follow(path, follow),
            None => Window::open(path),
        };
        Self::from_window(window.map_err(|source| CaptureError::Io { path: path.to_owned(), source })?, path)
    }

    fn from_window(window: Window, path: &Path) -> Result<Self, CaptureError> {
        let (mut window, layers) = unpacked(window);
        let format = recognise::format(&mut window, path, &layers)?;
        let compression = (!layers.is_empty()).then(|| layers.join("+"));
        Ok(Self { window, format, compression })
    }

    /// The interface of a pcap file; those of pcapng are described in blocks of their own.
    fn describe_into(&mut self, all: &mut Interfaces) {
        if let Format::Pcap(pcap) = &mut self.format {
            pcap.interface = all.number(pcap.described());
        }
    }

    /// Adds what the interfaces have counted, as far as they were not added yet.
    fn count_into(&self, all: &mut Interfaces) {
        if let Format::PcapNg(pcapng) = &self.format {
            pcapng.section().count_into(all);
        }
    }
}

/// An open capture: one file, or several of one rotation.
pub struct Capture {
    opened: Opened,
    chain: Chain,
    beside: Beside,
    /// Compressed files are unpacked ahead.
    ahead: bool,
    /// Bytes of the packet that was handed out last.
    pass: u64,
    ended: bool,
}

impl Capture {
    /// Opens a file, a named pipe or `/dev/stdin`, and recognises its format by content.
    ///
    /// # Errors
    ///
    /// [`CaptureError::Io`] when the system refuses, [`CaptureError::NotACapture`] and [`CaptureError::Unsupported`]
    /// for what cannot be read as packets.
    pub fn open(path: &Path) -> Result<Self, CaptureError> {
        Self::open_all(&[path])
    }

    /// The same for a window that is already open; `path` is the name that errors give it.
    ///
    /// # Errors
    ///
    /// As [`Capture::open`].
    pub fn from_window(window: Window, path: &Path) -> Result<Self, CaptureError> {
        Ok(Self::of(Opened::from_window(window, path)?, Chain::of(Vec::new(), None)))
    }

    fn of(mut opened: Opened, chain: Chain) -> Self {
        let mut beside = Beside::default();
        opened.describe_into(&mut beside.interfaces);
        Self { opened, chain, beside, ahead: false, pass: 0, ended: false }
    }

    /// The same capture from its start, for a second reader; `None` for a stream, which can be read only once, and for
    /// several files. `path` is the name that errors give it.
    #[must_use]
    pub fn twin(&self, path: &Path) -> Option<Self> {
        let alone = self.chain.is_at_its_end();
        alone.then(|| Self::from_window(self.opened.window.twin()?, path).ok()).flatten()
    }

    /// The next packet; `None` at the end of the last file, or where damage makes the rest of it unreadable
    /// ([`Capture::problems`]).
    #[inline]
    #[allow(clippy::should_implement_trait)] // the record borrows from the window, so it cannot be an `Iterator`
    pub fn next(&mut self) -> Option<Record<'_>> {
        loop {
            self.opened.window.skip(self.pass);
            self.pass = 0;
            if self.ended && !self.next_file() {
                return None;
            }
            self.ended = true;
            // One arm each, so that what was found stays in registers or in one place: this is the innermost loop of all.
            match &mut self.opened.format {
                Format::Pcap(pcap) => {
                    if let Some(found) = pcap.next(&mut self.opened.window, &mut self.beside.problems) {
                        self.ended = false;
                        let frame = &mut self.beside.problems.frame;
                        return Some(hand_out(&found, &mut self.opened.window, &mut self.pass, frame));
                    }
                }
                Format::PcapNg(pcapng) => {
                    if let Some(found) = pcapng.next(&mut self.opened.window, &mut self.beside) {
                        self.ended = false;
                        let frame = &mut self.beside.problems.frame;
                        return Some(hand_out(found, &mut self.opened.window, &mut self.pass, frame));
                    }
                }
            }
        }
    }

    /// What is compressed is unpacked by a thread of its own from now on: for who reads to the end.
    pub fn read_ahead(&mut self) {
        self.ahead = true;
        self.opened.window.read_ahead();
    }

    /// The map of a plain file, for [`Walk`]; `None` for a stream, and where other files follow.
    pub(crate) fn map(&self) -> Option<Arc<Map>> {
        self.opened.window.map().filter(|_| self.chain.is_at_its_end()).map(Arc::clone)
    }

    /// `pcap` or `pcapng`.
    #[must_use]
    pub fn container(&self) -> &'static str {
        match self.opened.format {
            Format::Pcap(_) => "pcap",
            Format::PcapNg(_) => "pcapng",
        }
    }

    /// `gzip`, `zstd`, `lz4`, `xz` or `bzip2`; the inner one first where one lies in another, as in `gzip+zstd`; `None`
    /// for a plain file.
    #[must_use]
    pub fn compression(&self) -> Option<&str> {
        self.opened.compression.as_deref()
    }

    /// What was damaged so far.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        self.beside.problems.all()
    }

    /// What a reader should know although nothing is damaged: that secrets are in the file, or that there was more beside
    /// the packets than is kept.
    #[must_use]
    pub fn notes(&self) -> Vec<Problem> {
        self.beside.notes()
    }

    /// The comments so far, in file order.
    #[must_use]
    pub fn comments(&self) -> &[Comment] {
        self.beside.comments.all()
    }

    /// The interfaces so far, by the number that [`Record::interface`] gives, with what they counted.
    #[must_use]
    pub fn interfaces(&self) -> Vec<Described> {
        self.beside.interfaces.counted(|all| self.opened.count_into(all))
    }

    /// Longest stored packet that the files so far allow, in bytes; `None` when one of them, or one of its interfaces,
    /// does not say.
    #[must_use]
    pub fn snap_len(&self) -> Option<u32> {
        self.chain.snap_len(match &self.opened.format {
            Format::Pcap(pcap) => pcap.snap_len(),
            Format::PcapNg(pcapng) => pcapng.section().snap_len(),
        })
    }

    /// Nanoseconds of the finest time stamp step of any interface so far; 1 for everything finer.
    #[must_use]
    pub fn resolution(&self) -> i64 {
        let open = match &self.opened.format {
            Format::Pcap(pcap) => pcap.resolution(),
            Format::PcapNg(pcapng) => pcapng.section().resolution(),
        };
        self.chain.before.finest.map_or(open, |finest| finest.min(open))
    }

    /// Packets that the files themselves report as dropped so far; `None` when none of them tells, as pcap never does.
    #[must_use]
    pub fn reported_drops(&self) -> Option<u64> {
        let open = match &self.opened.format {
            Format::Pcap(_) => None,
            Format::PcapNg(pcapng) => pcapng.section().reported_drops(),
        };
        self.chain.before.drops.into_iter().chain(open).reduce(u64::saturating_add)
    }

    /// Bytes of the files that were used up, compressed if they are.
    #[must_use]
    pub fn consumed(&self) -> u64 {
        self.chain.before.bytes.saturating_add(self.opened.window.consumed())
    }

    /// Bytes of all files; `None` where one is a pipe.
    #[must_use]
    pub fn size(&self) -> Option<u64> {
        self.chain.size(self.opened.window.size())
    }
}

/// Numbers a packet and lends its bytes.
#[inline]
fn hand_out<'w>(found: &Found, window: &'w mut Window, pass: &mut u64, frame: &mut u64) -> Record<'w> {
    *frame += 1;
    *pass = found.next;
    let offset = window.offset();
    Record {
        frame: *frame,
        ts: found.ts,
        interface: found.interface,
        link_type: found.link_type,
        wire_len: found.wire_len,
        data: window.peek(found.end).get(found.start..).unwrap_or_default(),
        offset,
    }
}

/// Byte order of the headers of a file or section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    Little,
    Big,
}

impl Order {
    #[inline]
    fn u16(self, bytes: [u8; 2]) -> u16 {
        match self {
            Self::Little => u16::from_le_bytes(bytes),
            Self::Big => u16::from_be_bytes(bytes),
        }
    }

    #[inline]
    fn u32(self, bytes: [u8; 4]) -> u32 {
        match self {
            Self::Little => u32::from_le_bytes(bytes),
            Self::Big => u32::from_be_bytes(bytes),
        }
    }

    #[inline]
    fn u64(self, bytes: [u8; 8]) -> u64 {
        match self {
            Self::Little => u64::from_le_bytes(bytes),
            Self::Big => u64::from_be_bytes(bytes),
        }
    }

    /// The 32-bit fields of a header, one after another.
    #[inline]
    fn words<const N: usize>(self, header: &[u8]) -> Option<[u32; N]> {
        let mut words = [0; N];
        let (fields, _) = header.get(..4 * N)?.as_chunks();
        for (word, field) in words.iter_mut().zip(fields) {
            *word = self.u32(*field);
        }
        Some(words)
    }
}

/// Text as a person wrote it, at most so many bytes of it; what is no UTF-8 is replaced.
fn text(value: &[u8], most: usize) -> String {
    let whole = String::from_utf8_lossy(value.get(..most).unwrap_or(value));
    let cut = if value.len() > most { whole.trim_end_matches('\u{fffd}') } else { &whole };
    cut.trim_end_matches('\0').to_owned()
}

/// Captured and wire length without an FCS of so many bytes at the end.
#[inline]
fn without_fcs(captured: usize, wire: u32, fcs: u32) -> (usize, u32) {
    let wire = if wire >= fcs { wire - fcs } else { wire };
    (if fcs == 0 { captured } else { captured.min(wire as usize) }, wire)
}
