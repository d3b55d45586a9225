//! Type-length-value lists with 7 bits of type and 9 bits of length: LLDP, and CEE inside it (IEEE 802.1AB, 8.4).

/// One of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tlv<'a> {
    pub(super) kind: u8,
    pub(super) value: &'a [u8],
}

/// Walks the list. Each step takes at least the two bytes of a header, so that no length can make it endless.
#[derive(Debug)]
pub(super) struct Tlvs<'a> {
    rest: &'a [u8],
    /// A header or value went on behind the end.
    pub(super) cut: bool,
}

impl<'a> Tlvs<'a> {
    pub(super) const fn new(rest: &'a [u8]) -> Self {
        Self { rest, cut: false }
    }
}

impl<'a> Iterator for Tlvs<'a> {
    type Item = Tlv<'a>;

    fn next(&mut self) -> Option<Tlv<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        let tlv = self.rest.split_first_chunk().and_then(|(header, rest)| {
            let header = u16::from_be_bytes(*header);
            let (value, rest) = rest.split_at_checked(usize::from(header & 0x01ff))?;
            self.rest = rest;
            Some(Tlv { kind: (header >> 9) as u8, value })
        });
        if tlv.is_none() {
            self.cut = true;
            self.rest = &[];
        }
        tlv
    }
}
