//! A DNS message (RFC 1035 section 4): its question, and the addresses in its answer.

use crate::address::Address;

/// Addresses that are kept of one answer.
const MOST_ADDRESSES: usize = 16;

/// Pointers that are followed in one name (RFC 1035 section 4.1.4); a loop ends there.
const MOST_POINTERS: usize = 16;

/// The longest name (RFC 1035 section 2.3.4).
const LONGEST: usize = 255;

const A: u16 = 1;
const AAAA: u16 = 28;
const IN: u16 = 1;

/// What is read of a message.
#[derive(Debug, PartialEq, Eq)]
pub struct Message {
    pub id: u16,
    pub is_answer: bool,
    pub code: u8,
    /// Name (in lower case), type, class.
    pub name: Vec<u8>,
    pub kind: u16,
    pub class: u16,
    pub addresses: Vec<Address>,
}

impl Message {
    /// Reads one. `None` when it is no query or answer with one question. Where the answer is cut, its first addresses are
    /// there.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let header: &[u8; 12] = bytes.first_chunk()?;
        let [i0, i1, f0, f1, q0, q1, a0, a1, ..] = *header;
        let standard = f0 & 0x78 == 0;
        if !standard || (q0, q1) != (0, 1) {
            return None;
        }
        let (name, at) = name(bytes, 12)?;
        let kind = number(bytes, at)?;
        let class = number(bytes, at + 2)?;
        let mut message = Self {
            id: u16::from_be_bytes([i0, i1]),
            is_answer: f0 & 0x80 != 0,
            code: f1 & 0x0f,
            name,
            kind,
            class,
            addresses: Vec::new(),
        };
        if message.is_answer {
            message.read_addresses(bytes, at + 4, u16::from_be_bytes([a0, a1]));
        }
        Some(message)
    }

    fn read_addresses(&mut self, bytes: &[u8], at: usize, records: u16) -> Option<()> {
        let mut at = at;
        for _ in 0..records.min(64) {
            at = skip_name(bytes, at)?;
            let (kind, class) = (number(bytes, at)?, number(bytes, at + 2)?);
            let len = usize::from(number(bytes, at + 8)?);
            let data = bytes.get(at + 10..at + 10 + len)?;
            at += 10 + len;
            if class == IN && self.addresses.len() < MOST_ADDRESSES {
                match kind {
                    A => self.addresses.extend(data.try_into().ok().map(Address::V4)),
                    AAAA => self.addresses.extend(data.try_into().ok().map(Address::V6)),
                    _ => {}
                }
            }
        }
        Some(())
    }

    /// The type of the question, as people write it.
    pub fn kind_name(&self) -> String {
        let known = match self.kind {
            A => "A",
            2 => "NS",
            5 => "CNAME",
            6 => "SOA",
            12 => "PTR",
            15 => "MX",
            16 => "TXT",
            AAAA => "AAAA",
            33 => "SRV",
            64 => "SVCB",
            65 => "HTTPS",
            255 => "ANY",
            other => return format!("TYPE{other}"),
        };
        known.to_owned()
    }
}

fn number(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// The name at this place, with dots between its labels, and where it ends.
fn name(bytes: &[u8], at: usize) -> Option<(Vec<u8>, usize)> {
    let (mut text, mut at, mut end, mut pointers) = (Vec::new(), at, None, 0);
    loop {
        let len = *bytes.get(at)?;
        match len >> 6 {
            0 if len == 0 => return Some((text, end.unwrap_or(at + 1))),
            0 => {
                if !text.is_empty() {
                    text.push(b'.');
                }
                text.extend(bytes.get(at + 1..at + 1 + usize::from(len))?.iter().map(u8::to_ascii_lowercase));
                at += 1 + usize::from(len);
                if text.len() > LONGEST {
                    return None;
                }
            }
            3 => {
                pointers += 1;
                if pointers > MOST_POINTERS {
                    return None;
                }
                end.get_or_insert(at + 2);
                at = usize::from(number(bytes, at)? & 0x3fff);
            }
            _ => return None,
        }
    }
}

/// Where the name at this place ends.
fn skip_name(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        let len = *bytes.get(at)?;
        match len >> 6 {
            0 if len == 0 => return Some(at + 1),
            0 => at += 1 + usize::from(len),
            3 => return Some(at + 2),
            _ => return None,
        }
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A query for the A record of `gpu.lan`, or its answer.
    pub fn message(id: u16, answers: &[[u8; 4]]) -> Vec<u8> {
        let mut bytes = id.to_be_bytes().to_vec();
        bytes.extend_from_slice(if answers.is_empty() { &[1, 0] } else { &[0x81, 0x80] });
        bytes.extend_from_slice(&[0, 1, 0, answers.len() as u8, 0, 0, 0, 0]);
        bytes.extend_from_slice(b"\x03gpu\x03LAN\0\0\x01\0\x01");
        for address in answers {
            bytes.extend_from_slice(&[0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4]);
            bytes.extend_from_slice(address);
        }
        bytes
    }

    #[test]
    fn question_and_addresses_are_read_and_nothing_more_at_any_cut() {
        let bytes = message(7, &[[10, 0, 0, 1], [10, 0, 0, 2]]);
        let whole = Message::read(&bytes).unwrap();
        assert_eq!(
            (whole.id, whole.is_answer, whole.name.as_slice(), whole.kind_name().as_str()),
            (7, true, b"gpu.lan".as_slice(), "A")
        );
        assert_eq!(whole.addresses, [Address::V4([10, 0, 0, 1]), Address::V4([10, 0, 0, 2])]);
        for len in 0..bytes.len() {
            if let Some(cut) = Message::read(&bytes[..len]) {
                assert!(cut.addresses.len() < 2);
                assert_eq!(cut.name, whole.name);
            }
        }
    }

    #[test]
    fn a_name_that_points_at_itself_ends() {
        let mut bytes = message(7, &[]);
        bytes.splice(12.., [0xc0, 12, 0, 1, 0, 1]);
        assert_eq!(Message::read(&bytes), None);
    }
}
