//! The options at the end of a pcapng block: code, length, value padded to four bytes (draft-ietf-opsawg-pcapng, 3.5).

use super::Order;

/// A comment, which any block may have, and several times.
pub(super) const OPT_COMMENT: u16 = 1;

/// The options of one block, up to `opt_endofopt`, the end of the block, or the first that does not fit into it.
pub(super) struct Options<'a> {
    order: Order,
    rest: &'a [u8],
}

impl<'a> Options<'a> {
    pub(super) fn of(order: Order, bytes: &'a [u8]) -> Self {
        Self { order, rest: bytes }
    }
}

impl<'a> Iterator for Options<'a> {
    type Item = (u16, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let (&[c0, c1, l0, l1], rest) = self.rest.split_first_chunk()?;
        let (code, len) = (self.order.u16([c0, c1]), usize::from(self.order.u16([l0, l1])));
        let value = rest.get(..len)?;
        self.rest = rest.get(len.next_multiple_of(4)..).unwrap_or_default();
        (code != 0).then_some((code, value))
    }
}
