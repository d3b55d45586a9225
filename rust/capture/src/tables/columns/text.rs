//! Text columns as Arrow views: a text that repeats is stored once and its 16-byte view copied.

use std::fmt::{Display, Write};
use std::sync::Arc;

use arrow_array::builder::make_view;
use arrow_array::{ArrayRef, StringViewArray, new_null_array};
use arrow_buffer::{Buffer, NullBufferBuilder, ScalarBuffer};
use arrow_schema::{ArrowError, DataType};

use super::refill;
use crate::address::{Address, Mac};

/// Room for one block of text. A view holds a 32-bit offset into its block, so a block must stay far below 4 GiB.
const BLOCK: usize = 16 << 20;

/// Slots of the interning table, a power of two. A capture has few addresses in use at a time; one that loses its slot
/// is only written again.
const SLOTS: usize = 256;

/// A column of text of which only the last value is remembered: names of sources, reasons.
pub(super) struct Texts {
    /// Nulls before the first text.
    absent: usize,
    views: Vec<u128>,
    nulls: NullBufferBuilder,
    full: Vec<Buffer>,
    block: Vec<u8>,
    last: String,
    last_view: Option<u128>,
}

impl Default for Texts {
    fn default() -> Self {
        Self {
            absent: 0,
            views: Vec::new(),
            nulls: NullBufferBuilder::new(0),
            full: Vec::new(),
            block: Vec::new(),
            last: String::new(),
            last_view: None,
        }
    }
}

impl Texts {
    pub(super) fn push(&mut self, text: Option<&str>) {
        let Some(text) = text else { return self.push_null() };
        let view = match self.last_view {
            Some(view) if self.last == text => view,
            _ => {
                text.clone_into(&mut self.last);
                self.store()
            }
        };
        self.push_view(view);
    }

    fn push_null(&mut self) {
        if self.views.is_empty() {
            self.absent += 1;
            return;
        }
        self.views.push(0);
        self.nulls.append_null();
    }

    fn push_view(&mut self, view: u128) {
        if self.absent > 0 {
            let absent = std::mem::take(&mut self.absent);
            self.views.resize(absent, 0);
            self.nulls.append_n_nulls(absent);
        }
        self.views.push(view);
        self.nulls.append_non_null();
    }

    /// Stores what is in `last` and gives its view.
    fn store(&mut self) -> u128 {
        let text = self.last.as_bytes();
        if text.len() > BLOCK.saturating_sub(self.block.len()) && !self.block.is_empty() {
            self.full.push(Buffer::from_vec(std::mem::take(&mut self.block)));
        }
        let view = make_view(text, self.full.len() as u32, self.block.len() as u32);
        if text.len() > INLINE {
            self.block.extend_from_slice(text);
        }
        self.last_view = Some(view);
        view
    }

    pub(super) fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        if self.absent > 0 {
            return Ok(new_null_array(&DataType::Utf8View, std::mem::take(&mut self.absent)));
        }
        self.last_view = None;
        self.full.push(Buffer::from_vec(std::mem::take(&mut self.block)));
        let views = ScalarBuffer::from(refill(&mut self.views));
        let blocks = std::mem::take(&mut self.full);
        Ok(Arc::new(StringViewArray::try_new(views, blocks, self.nulls.finish())?))
    }
}

/// Texts up to this length stand in the view itself (Arrow columnar format, variable-size binary view layout).
const INLINE: usize = 12;

/// A column of things that are written the same way each time: words, addresses. Each is written once, then copied.
pub(super) struct Written<K> {
    texts: Texts,
    seen: Vec<Option<(K, u128)>>,
}

impl<K> Default for Written<K> {
    fn default() -> Self {
        Self { texts: Texts::default(), seen: Vec::new() }
    }
}

impl<K: Key> Written<K> {
    pub(super) fn push(&mut self, key: Option<K>) {
        let Some(key) = key else { return self.texts.push_null() };
        if self.seen.is_empty() {
            self.seen.resize(SLOTS, None);
        }
        let slot = slot(key.bits());
        let view = match self.seen[slot] {
            Some((known, view)) if known.same(key) => view,
            _ => {
                let view = self.write(key);
                self.seen[slot] = Some((key, view));
                view
            }
        };
        self.texts.push_view(view);
    }

    fn write(&mut self, key: K) -> u128 {
        self.texts.last.clear();
        // Writing to a String cannot fail; were it to, the text would be shorter and still text.
        let _ = write!(self.texts.last, "{key}");
        self.texts.store()
    }

    pub(super) fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        self.seen.clear(); // its views point into the blocks that are given away
        self.texts.finish()
    }
}

/// Fibonacci hashing: the high bits of the product are well mixed.
const fn slot(bits: u64) -> usize {
    (bits.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - SLOTS.trailing_zeros())) as usize
}

/// What can be interned.
pub(super) trait Key: Copy + Display {
    /// 64 bits that differ for most different keys.
    fn bits(self) -> u64;
    /// Whether both are written the same. May be false for equals: they are then written twice.
    fn same(self, other: Self) -> bool;
}

impl Key for &'static str {
    fn bits(self) -> u64 {
        self.as_ptr() as u64
    }

    fn same(self, other: Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Key for Mac {
    fn bits(self) -> u64 {
        let mut bytes = [0; 8];
        bytes[..6].copy_from_slice(&self.0);
        u64::from_le_bytes(bytes)
    }

    fn same(self, other: Self) -> bool {
        self == other
    }
}

impl Key for Address {
    fn bits(self) -> u64 {
        match self {
            Self::V4(octets) => u32::from_le_bytes(octets).into(),
            Self::V6(octets) => {
                let both = u128::from_le_bytes(octets);
                both as u64 ^ (both >> 64) as u64
            }
            Self::Lid(lid) => lid.into(),
        }
    }

    fn same(self, other: Self) -> bool {
        self == other
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::cast::AsArray;

    use super::*;

    fn read(array: &ArrayRef) -> Vec<Option<String>> {
        array.as_string_view().iter().map(|text| text.map(str::to_owned)).collect()
    }

    #[test]
    fn a_text_that_repeats_is_stored_once() {
        let mut column = Texts::default();
        for text in
            [Some("a name longer than twelve"), None, Some("a name longer than twelve"), Some(""), Some("short")]
        {
            column.push(text);
        }
        let array = column.finish().unwrap();
        let stored: usize = array.as_string_view().data_buffers().iter().map(Buffer::len).sum();
        assert_eq!(stored, "a name longer than twelve".len());
        let want =
            [Some("a name longer than twelve"), None, Some("a name longer than twelve"), Some(""), Some("short")];
        assert_eq!(read(&array), want.map(|text| text.map(str::to_owned)));
    }

    #[test]
    fn a_second_batch_does_not_point_into_the_first() {
        let mut column = Texts::default();
        let mut written = Written::<Address>::default();
        for _ in 0..2 {
            column.push(Some("a name longer than twelve"));
            written.push(Some(Address::V4([192, 168, 100, 200])));
            assert_eq!(read(&column.finish().unwrap()), [Some("a name longer than twelve".to_owned())]);
            assert_eq!(read(&written.finish().unwrap()), [Some("192.168.100.200".to_owned())]);
        }
    }

    #[test]
    fn keys_that_fight_for_a_slot_are_still_written_right() {
        let mut column = Written::<Mac>::default();
        let keys: Vec<Mac> = (0..=u16::MAX).map(|n| Mac([2, 0, 0, 0, (n >> 8) as u8, n as u8])).collect();
        for key in keys.iter().chain(&keys) {
            column.push(Some(*key));
        }
        let got = read(&column.finish().unwrap());
        let want: Vec<_> = keys.iter().chain(&keys).map(|key| Some(key.to_string())).collect();
        assert!(got == want);
    }

    #[test]
    fn more_text_than_a_block_holds_goes_into_the_next() {
        let mut column = Texts::default();
        let texts: Vec<String> = (0..5).map(|n| n.to_string().repeat(BLOCK / 2 - 1)).collect();
        for text in &texts {
            column.push(Some(text));
        }
        let array = column.finish().unwrap();
        assert!(array.as_string_view().data_buffers().len() >= 2);
        assert!(read(&array).into_iter().eq(texts.into_iter().map(Some)));
    }
}
