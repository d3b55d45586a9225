//! Which format a file has, by its first bytes; and for anything that is not a capture, what it seems to be instead.
//! Never by its name, and never by showing the bytes.

use std::io;
use std::path::Path;

use super::Format;
use super::pcap::{self, Pcap};
use super::pcapng::{self, PcapNg};
use crate::error::CaptureError;
use crate::window::{Compression, Window};

/// Bytes that are looked at.
pub(super) const LOOK: usize = 512;
/// Compressions around each other that are looked through: one of the capture tool, one of whoever sent the file. Each
/// can cost as much memory as [`Window`] lets it.
pub(super) const LAYERS: usize = 2;

/// How a file begins, what it is then called, and what to do with it.
type Signature = (&'static [u8], &'static str, &'static str);

const UNPACK: &str = "unpack it first, and give the capture that is inside";
const UNPACK_OR_COPY: &str = "copy the file again, or unpack it with its own tool and give what comes out";
const CONVERT: &str = "convert it with `editcap -F pcapng OLD NEW`, which comes with Wireshark";
const NO_CAPTURE: &str = "give a pcap or pcapng file, plain or compressed";

/// Captures in formats that are known and not read.
const UNREAD: [Signature; 10] = [
    (b"\x02\x21\x4c\x18", "an lz4 file in the old format of the Linux kernel", UNPACK),
    (b"snoop\0\0\0", "a snoop capture of Solaris", CONVERT),
    (b"GMBU", "a capture of Microsoft Network Monitor", CONVERT),
    (b"RTSS", "a capture of Microsoft Network Monitor 1", CONVERT),
    (b"TRSNIFF data", "a capture of Network General Sniffer", CONVERT),
    (b"XCP\0", "a capture of Sniffer for Windows", CONVERT),
    (b"btsnoop\0", "a Bluetooth capture", CONVERT),
    (b"\xa1\xb2\x34\xcd", "a capture in an old variant of pcap", CONVERT),
    (b"\xcd\x34\xb2\xa1", "a capture in an old variant of pcap", CONVERT),
    (b"\xa1\x2b\x3c\x4d", "a capture in an old variant of pcap", CONVERT),
];

/// Files that people give by mistake.
const MISTAKEN: [(&[u8], &str); 14] = [
    (b"PK\x03\x04", "a zip archive"),
    (b"\x7fELF", "a program (ELF)"),
    (b"MZ", "a Windows program"),
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"%PDF", "a PDF document"),
    (b"PAR1", "a Parquet table"),
    (b"ARROW1", "an Arrow table"),
    (b"SQLite format 3", "an SQLite database"),
    (b"\x80\x04\x95", "a Python pickle, which is never opened"),
    (b"\xcb\xc3\xb2\xa1", "a compiled filter of libpcap"),
    (b"\xa1\xb2\xc3\xcb", "a compiled filter of libpcap"),
    (b"#!", "a script"),
    (b"<", "XML or HTML text"),
];

/// The format at the start of the window, with its file header read. `layers` are the compressions that it lies in, the
/// inner first.
pub(super) fn format(window: &mut Window, path: &Path, layers: &[&str]) -> Result<Format, CaptureError> {
    let start = window.peek(LOOK);
    let format = match (pcap::fits(start), pcapng::fits(start)) {
        (true, _) => Pcap::open(window, path).map(|opened| opened.map(Format::Pcap)),
        (_, true) => PcapNg::open(window, path).map(|opened| opened.map(Format::PcapNg)),
        _ => None,
    };
    if let Some(format) = format {
        return format;
    }
    let broken = window.failure().map(str::to_owned);
    let start = window.peek(LOOK);
    let outer: String = layers.iter().flat_map(|layer| [" inside ", layer]).collect();
    match (&broken, start.is_empty(), layers) {
        (Some(broken), true, []) => {
            return Err(CaptureError::Io { path: path.to_owned(), source: io::Error::other(broken.clone()) });
        }
        (Some(broken), true, [inner, ..]) => {
            let found = format!("{inner} of which nothing can be unpacked ({broken})");
            return Err(CaptureError::NotACapture { path: path.to_owned(), found, next: UNPACK_OR_COPY });
        }
        _ => {}
    }
    let unread = UNREAD.iter().find(|(magic, ..)| start.starts_with(magic)).map(|&(_, name, next)| (name, next));
    let unread = unread.or_else(|| Compression::of(start).map(|layer| (layer.name(), UNPACK)));
    if let Some((name, next)) = unread {
        return Err(CaptureError::Unsupported {
            path: path.to_owned(),
            offset: 0,
            what: format!("{name}{outer}"),
            next,
        });
    }
    let (mut found, next) = describe(start);
    if !outer.is_empty() {
        found = format!("{found},{outer}");
    }
    if let Some(broken) = broken {
        found = format!("{found} ({broken})");
    }
    Err(CaptureError::NotACapture { path: path.to_owned(), found, next })
}

/// Whether a file that begins so is a capture: the same test as [`format`] makes.
#[must_use]
pub fn begins_a_capture(start: &[u8]) -> bool {
    pcap::fits(start) || pcapng::fits(start)
}

/// The same bytes without the compressions around them, at most [`LAYERS`], and their names, the inner first.
#[must_use]
pub fn unpacked(mut window: Window) -> (Window, Vec<&'static str>) {
    let mut layers = Vec::new();
    while layers.len() < LAYERS
        && let Some(layer) = Compression::of(window.peek(LOOK))
    {
        window = window.unpack(layer);
        layers.insert(0, layer.name());
    }
    (window, layers)
}

/// A directory was given where a file was wanted.
pub(super) fn directory(path: &Path) -> CaptureError {
    CaptureError::NotACapture {
        path: path.to_owned(),
        found: "a directory".to_owned(),
        next: "give the capture files inside it",
    }
}

/// What the first bytes look like, and what to do.
fn describe(start: &[u8]) -> (String, &'static str) {
    if start.is_empty() {
        return (
            "nothing: the file is empty".to_owned(),
            "capture again; the tool may have had no rights or no traffic",
        );
    }
    if pcap::fits(start) || pcapng::fits(start) {
        let what = if pcap::fits(start) { "a pcap" } else { "a pcapng" };
        let found = format!("{what} file header that is cut or broken, {} bytes in all", start.len());
        let found = if start.len() < LOOK { found } else { format!("{what} file header that is broken") };
        return (found, "copy the file again, or capture anew");
    }
    if let Some((_, name)) = MISTAKEN.iter().find(|(magic, _)| start.starts_with(magic)) {
        return ((*name).to_owned(), NO_CAPTURE);
    }
    if start.get(257..262) == Some(b"ustar") {
        return ("a tar archive".to_owned(), UNPACK);
    }
    match text(start) {
        Some(text) if text.trim_start().starts_with(['{', '[']) => ("JSON text".to_owned(), NO_CAPTURE),
        Some(_) => {
            let next = "give the file that `tcpdump -w FILE` writes; printed packets cannot be read";
            ("text".to_owned(), next)
        }
        None if start.len() < 24 => (format!("{} bytes, fewer than any capture has", start.len()), NO_CAPTURE),
        None => ("binary data of an unknown kind".to_owned(), NO_CAPTURE),
    }
}

/// The bytes as text, if they are: UTF-8 (the last character may be cut) and no control characters but white space.
fn text(start: &[u8]) -> Option<&str> {
    let valid = match std::str::from_utf8(start) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() => std::str::from_utf8(&start[..error.valid_up_to()]).ok()?,
        Err(_) => return None,
    };
    let printable = |c: char| !c.is_control() || matches!(c, '\t' | '\n' | '\r' | '\u{1b}');
    (!valid.is_empty() && valid.chars().all(printable)).then_some(valid)
}
