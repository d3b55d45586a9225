//! TLS records by their headers (RFC 8446 section 5.1, RFC 5246 section 6.2), and the hellos that are sent in the clear.

use crate::track::requests::mark::Mark;

/// Content types.
pub const CHANGE_CIPHER_SPEC: u8 = 20;
pub const HANDSHAKE: u8 = 22;
pub const APPLICATION: u8 = 23;
/// RFC 6520.
const HEARTBEAT: u8 = 24;

/// The longest record there may be (TLS 1.2 ciphertext, RFC 5246 section 6.2.3).
const LONGEST: u16 = (1 << 14) + 2048;

/// Bytes of a hello that are kept: one with post-quantum keys has about 2 kB.
const MOST_HELLO: usize = 16 << 10;

/// A record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record {
    pub kind: u8,
    /// Length of its content.
    pub len: u16,
    /// Its first and its last byte.
    pub begin: Mark,
    pub end: Mark,
}

/// One direction.
#[derive(Debug, Default)]
pub struct Records {
    header: Vec<u8>,
    current: Option<(u8, u16, u16, Mark)>,
    /// The handshake messages so far, while they are in the clear and looked at.
    pub hello: Vec<u8>,
    /// The hello was read.
    pub told: bool,
    /// Not at a record any more.
    pub lost: bool,
}

/// These bytes begin a record.
pub fn is_record(bytes: &[u8]) -> bool {
    matches!(*bytes, [CHANGE_CIPHER_SPEC..=HEARTBEAT, 3, 0..=4, a, b, ..] if u16::from_be_bytes([a, b]) <= LONGEST && (a, b) != (0, 0))
}

impl Records {
    /// Takes bytes from the front of the input, up to the end of a record.
    pub fn next(&mut self, input: &mut &[u8], at: Mark) -> Option<Record> {
        if self.lost {
            if !is_record(input) {
                *input = &[];
                return None;
            }
            self.lost = false;
        }
        if self.current.is_none() {
            let need = 5 - self.header.len().min(5);
            let (part, rest) = input.split_at(need.min(input.len()));
            self.header.extend_from_slice(part);
            *input = rest;
            let [kind, _, _, a, b] = *self.header.first_chunk::<5>()?;
            let plausible = is_record(&self.header);
            self.header.clear();
            if !plausible {
                self.lost = true;
                *input = &[];
                return None;
            }
            let len = u16::from_be_bytes([a, b]);
            self.current = Some((kind, len, len, at));
        }
        let (kind, len, left, begin) = self.current.as_mut()?;
        let (part, rest) = input.split_at(input.len().min((*left).into()));
        if *kind == HANDSHAKE && !self.told {
            let room = MOST_HELLO.saturating_sub(self.hello.len());
            self.hello.extend_from_slice(part.get(..room).unwrap_or(part));
        }
        *left -= part.len() as u16;
        *input = rest;
        if *left > 0 {
            return None;
        }
        let record = Record { kind: *kind, len: *len, begin: *begin, end: at };
        self.current = None;
        Some(record)
    }

    /// Bytes that were not captured. A record that ends exactly with them is known by its header; beyond it nothing is.
    pub fn skip(&mut self, bytes: u64, at: Mark) -> Option<Record> {
        if let Some((kind, len, left, begin)) = &mut self.current {
            if *kind == HANDSHAKE {
                self.told = true; // what is missing of a hello is not guessed
            }
            if let Some(after) = u64::from(*left).checked_sub(bytes) {
                *left = after as u16; // not above what it was
                if after > 0 {
                    return None;
                }
                let record = Record { kind: *kind, len: *len, begin: *begin, end: at };
                self.current = None;
                return Some(record);
            }
        }
        self.current = None;
        self.header.clear();
        self.lost = true;
        None
    }
}
