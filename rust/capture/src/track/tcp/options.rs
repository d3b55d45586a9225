//! TCP options: what the two ends agreed on, and the SACK blocks and timestamps of a segment.

/// Kinds of options (IANA).
const END: u8 = 0;
const NOP: u8 = 1;
const MSS: u8 = 2;
const WINDOW_SCALE: u8 = 3;
const SACK_PERMITTED: u8 = 4;
const SACK: u8 = 5;
const TIMESTAMPS: u8 = 8;
const MPTCP: u8 = 30;
const FAST_OPEN: u8 = 34;

/// RFC 7323, 2.3: greater shifts are taken for this one.
const MOST_SCALE: u8 = 14;
/// RFC 2018, 3: more do not fit.
const MOST_BLOCKS: usize = 4;

/// A block of a SACK option: from `start` up to and without `end`.
pub type Block = (u32, u32);

/// What the options of any segment say. Options that were cut off or are malformed are as if absent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Options<'a> {
    /// `TSval` and `TSecr` (RFC 7323, 3.2).
    pub timestamps: Option<(u32, u32)>,
    /// RFC 8684; MPTCP repeats ACKs to carry its own signals.
    pub mptcp: bool,
    sack: &'a [u8],
}

/// What those of a SYN offer besides.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Offered {
    /// RFC 9293, 3.7.1.
    pub mss: Option<u16>,
    /// RFC 7323, 2.2.
    pub window_scale: Option<u8>,
    /// RFC 2018.
    pub sack_permitted: bool,
    /// RFC 7413.
    pub fast_open: bool,
}

impl<'a> Options<'a> {
    /// Reads the captured bytes of the options.
    #[inline]
    pub fn read(bytes: &'a [u8]) -> Self {
        match *bytes {
            [] => Self::default(),
            // What almost every segment of almost every stack carries (RFC 7323, appendix A).
            [NOP, NOP, TIMESTAMPS, 10, v0, v1, v2, v3, e0, e1, e2, e3] => {
                Self { timestamps: Some((be32([v0, v1, v2, v3]), be32([e0, e1, e2, e3]))), ..Self::default() }
            }
            _ => Self::read_each(bytes),
        }
    }

    /// The blocks of the SACK option, in the order sent.
    pub fn blocks(&self) -> impl Iterator<Item = Block> + Clone + use<'a> {
        let blocks = self.sack.as_chunks::<8>().0.iter().take(MOST_BLOCKS);
        blocks.map(|&[s0, s1, s2, s3, e0, e1, e2, e3]| (be32([s0, s1, s2, s3]), be32([e0, e1, e2, e3])))
    }

    /// There are any.
    pub const fn has_blocks(&self) -> bool {
        !self.sack.is_empty()
    }

    #[inline(never)]
    fn read_each(bytes: &'a [u8]) -> Self {
        let mut options = Self::default();
        each(bytes, |kind, value| match (kind, value) {
            (TIMESTAMPS, &[v0, v1, v2, v3, e0, e1, e2, e3]) => {
                options.timestamps = Some((be32([v0, v1, v2, v3]), be32([e0, e1, e2, e3])));
            }
            (SACK, blocks) if blocks.len() % 8 == 0 => options.sack = blocks,
            (MPTCP, _) => options.mptcp = true,
            _ => {}
        });
        options
    }
}

impl Offered {
    /// Reads the captured bytes of the options of a SYN.
    pub fn read(bytes: &[u8]) -> Self {
        let mut offered = Self::default();
        each(bytes, |kind, value| match (kind, value) {
            (MSS, &[a, b]) => offered.mss = Some(u16::from_be_bytes([a, b])),
            (WINDOW_SCALE, &[shift]) => offered.window_scale = Some(shift.min(MOST_SCALE)),
            (SACK_PERMITTED, []) => offered.sack_permitted = true,
            (FAST_OPEN, _) => offered.fast_open = true,
            _ => {}
        });
        offered
    }
}

/// Kind and value of each option, as far as they are whole.
fn each<'a>(mut bytes: &'a [u8], mut take: impl FnMut(u8, &'a [u8])) {
    while let [kind, rest @ ..] = bytes {
        match (*kind, rest) {
            (END, _) => break,
            (NOP, _) => bytes = rest,
            (kind, [len, ..]) => {
                let len = usize::from(*len);
                let (Some(value), Some(after)) = (bytes.get(2..len), bytes.get(len..)) else { break };
                take(kind, value);
                bytes = after;
            }
            _ => break,
        }
    }
}

const fn be32(bytes: [u8; 4]) -> u32 {
    u32::from_be_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SYN: &[u8] = &[2, 4, 5, 180, 4, 2, 8, 10, 0, 0, 0, 7, 0, 0, 0, 0, 1, 3, 3, 20];

    #[test]
    fn a_syn_tells_all_that_was_offered() {
        let offered = Offered::read(SYN);
        assert_eq!(offered.mss, Some(1460));
        assert_eq!(offered.window_scale, Some(14), "greater shifts count as 14");
        assert!(offered.sack_permitted && !offered.fast_open);
        assert_eq!(Options::read(SYN).timestamps, Some((7, 0)));
    }

    #[test]
    fn both_ways_of_writing_timestamps_read_the_same() {
        let padded = Options::read(&[1, 1, 8, 10, 1, 2, 3, 4, 5, 6, 7, 8]);
        let bare = Options::read(&[8, 10, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0]);
        assert_eq!(padded.timestamps, Some((0x0102_0304, 0x0506_0708)));
        assert_eq!(padded, bare);
    }

    #[test]
    fn sack_blocks_keep_their_order() {
        let mut bytes = vec![1, 1, 5, 18];
        bytes.extend([9_u32, 10, 1, 2].iter().flat_map(|edge| edge.to_be_bytes()));
        assert_eq!(Options::read(&bytes).blocks().collect::<Vec<_>>(), [(9, 10), (1, 2)]);
    }

    #[test]
    fn options_cut_anywhere_say_no_more_than_what_is_left() {
        for len in 0..SYN.len() {
            let (cut, offered) = (Options::read(&SYN[..len]), Offered::read(&SYN[..len]));
            assert_eq!(offered.mss, (len >= 4).then_some(1460));
            assert_eq!(cut.timestamps, (len >= 16).then_some((7, 0)));
            assert_eq!(offered.window_scale, None);
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_to_their_end(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            prop_assert!(Options::read(&bytes).blocks().count() <= 4);
            prop_assert!(Offered::read(&bytes).window_scale.is_none_or(|shift| shift <= 14));
        }
    }
}
