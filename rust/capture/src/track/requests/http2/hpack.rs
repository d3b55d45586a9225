//! HPACK (RFC 7541): header blocks back to names and values, as far as this tap has seen what they refer to.
//!
//! Our own and not a crate's: a decoder for captures must go on where the beginning of a connection is missing, keep
//! memory bounded, and give up a value without giving up the block.

use std::collections::VecDeque;

use super::huffman;
use super::static_table::STATIC;

/// Bytes of a name or value that are kept. What is longer keeps its place in the table, by its true size.
const MOST_TEXT: usize = 512;

/// The largest table that is followed; a peer may announce any size.
const MOST_TABLE: usize = 64 << 10;

/// What every entry costs beside its bytes (RFC 7541 section 4.1).
const OVERHEAD: usize = 32;

/// A text, as far as it is known.
type Text = Option<Vec<u8>>;

/// A name and a value, as far as they are known.
type Known<'a> = (Option<&'a [u8]>, Option<&'a [u8]>);

#[derive(Debug)]
struct Entry {
    name: Text,
    value: Text,
    size: usize,
}

/// One direction's table.
#[derive(Debug)]
pub struct Decoder {
    entries: VecDeque<Entry>,
    size: usize,
    limit: usize,
}

impl Default for Decoder {
    fn default() -> Self {
        Self { entries: VecDeque::new(), size: 0, limit: 4096 }
    }
}

/// The block is no HPACK.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Malformed;

impl Decoder {
    /// Every field of a block, in order. A name or value that refers to what was not seen is `None`.
    pub fn block(
        &mut self,
        block: &[u8],
        mut field: impl FnMut(Option<&[u8]>, Option<&[u8]>),
    ) -> Result<(), Malformed> {
        let mut rest = block;
        while let Some(first) = rest.first().copied() {
            if first & 0x80 != 0 {
                let index = integer(&mut rest, 7)?;
                let (name, value) = self.entry(index)?;
                field(name, value);
            } else if first & 0xe0 == 0x20 {
                let limit = integer(&mut rest, 5)?;
                self.limit = usize::try_from(limit).unwrap_or(MOST_TABLE).min(MOST_TABLE);
                self.evict(0);
            } else {
                let indexed = first & 0x40 != 0;
                let index = integer(&mut rest, if indexed { 6 } else { 4 })?;
                let (name, name_len) = if index == 0 {
                    string(&mut rest)?
                } else {
                    let (name, _) = self.entry(index)?;
                    (name.map(<[u8]>::to_vec), name.map_or(0, <[u8]>::len))
                };
                let (value, value_len) = string(&mut rest)?;
                field(name.as_deref(), value.as_deref());
                if indexed {
                    self.insert(Entry { name, value, size: name_len + value_len + OVERHEAD });
                }
            }
        }
        Ok(())
    }

    fn entry(&self, index: u64) -> Result<Known<'_>, Malformed> {
        let index = usize::try_from(index).map_err(|_| Malformed)?.checked_sub(1).ok_or(Malformed)?;
        if let Some((name, value)) = STATIC.get(index) {
            return Ok((Some(name.as_bytes()), Some(value.as_bytes())));
        }
        let entry = self.entries.get(index - STATIC.len());
        Ok((entry.and_then(|entry| entry.name.as_deref()), entry.and_then(|entry| entry.value.as_deref())))
    }

    fn insert(&mut self, entry: Entry) {
        self.evict(entry.size);
        if entry.size <= self.limit {
            self.size += entry.size;
            self.entries.push_front(entry);
        }
    }

    fn evict(&mut self, room: usize) {
        while self.size + room > self.limit {
            let Some(oldest) = self.entries.pop_back() else { return };
            self.size -= oldest.size;
        }
    }
}

/// An integer with a prefix of so many bits (RFC 7541 section 5.1).
fn integer(rest: &mut &[u8], bits: u32) -> Result<u64, Malformed> {
    let mask = (1_u64 << bits) - 1;
    let mut value = u64::from(*take(rest, 1)?.first().ok_or(Malformed)?) & mask;
    if value < mask {
        return Ok(value);
    }
    for shift in (0..35).step_by(7) {
        let byte = u64::from(*take(rest, 1)?.first().ok_or(Malformed)?);
        value += (byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Ok(value);
        }
    }
    Err(Malformed)
}

/// A string, and the length that it counts with in the table.
fn string(rest: &mut &[u8]) -> Result<(Text, usize), Malformed> {
    let huffman = rest.first().ok_or(Malformed)? & 0x80 != 0;
    let len = usize::try_from(integer(rest, 7)?).map_err(|_| Malformed)?;
    let coded = take(rest, len)?;
    if !huffman {
        return Ok((Some(coded.get(..MOST_TEXT).unwrap_or(coded).to_vec()), len));
    }
    // The size of an entry counts the decoded bytes, so all of them are decoded; a block bounds them.
    let text = huffman::decode(coded, usize::MAX);
    let len = text.as_ref().map_or(len, Vec::len);
    Ok((
        text.map(|mut text| {
            text.truncate(MOST_TEXT);
            text
        }),
        len,
    ))
}

fn take<'a>(rest: &mut &'a [u8], len: usize) -> Result<&'a [u8], Malformed> {
    let (taken, after) = rest.split_at_checked(len).ok_or(Malformed)?;
    *rest = after;
    Ok(taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(decoder: &mut Decoder, block: &[u8]) -> Vec<String> {
        let mut fields = Vec::new();
        let word = |text: Option<&[u8]>| text.map_or("?".to_owned(), |text| String::from_utf8_lossy(text).into_owned());
        decoder.block(block, |name, value| fields.push(format!("{}={}", word(name), word(value)))).unwrap();
        fields
    }

    #[test]
    fn the_request_examples_of_the_rfc_fill_and_use_the_table() {
        // RFC 7541 appendix C.4: three requests on one connection.
        let mut decoder = Decoder::default();
        let one =
            [0x82, 0x86, 0x84, 0x41, 0x8c, 0xf1, 0xe3, 0xc2, 0xe5, 0xf2, 0x3a, 0x6b, 0xa0, 0xab, 0x90, 0xf4, 0xff];
        assert_eq!(read(&mut decoder, &one), [":method=GET", ":scheme=http", ":path=/", ":authority=www.example.com"]);
        let two = [0x82, 0x86, 0x84, 0xbe, 0x58, 0x86, 0xa8, 0xeb, 0x10, 0x64, 0x9c, 0xbf];
        assert_eq!(read(&mut decoder, &two)[3..], [":authority=www.example.com", "cache-control=no-cache"]);
        assert_eq!(decoder.size, 110);
        // The same in mid-flow: what refers to the part that was not seen is not known.
        assert_eq!(read(&mut Decoder::default(), &two)[3..], ["?=?", "cache-control=no-cache"]);
    }

    #[test]
    fn a_block_cut_at_any_length_is_refused_or_shorter_and_never_invents() {
        let whole =
            [0x82, 0x86, 0x84, 0x41, 0x8c, 0xf1, 0xe3, 0xc2, 0xe5, 0xf2, 0x3a, 0x6b, 0xa0, 0xab, 0x90, 0xf4, 0xff];
        let expected = read(&mut Decoder::default(), &whole);
        for len in 0..whole.len() {
            let mut fields = 0;
            let _ = Decoder::default().block(&whole[..len], |_, _| fields += 1);
            assert!(fields < expected.len());
        }
    }

    #[test]
    fn the_table_never_holds_more_than_its_limit() {
        let mut decoder = Decoder::default();
        for n in 0..1000_u32 {
            let mut block = vec![0x40, 4];
            block.extend_from_slice(&n.to_be_bytes());
            block.extend_from_slice(&[0x7f, 0x80, 0x01]);
            block.extend_from_slice(&[b'x'; 255]);
            decoder.block(&block, |_, _| {}).unwrap();
            assert!(decoder.size <= 4096);
        }
        decoder.block(&[0x20], |_, _| {}).unwrap();
        assert_eq!((decoder.size, decoder.entries.len()), (0, 0));
    }
}
