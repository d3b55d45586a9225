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

/// A block of a SACK option: from `start` up to and without `end`.
pub type Block = (u32, u32);

/// What the options of one segment say. Options that were cut off or are malformed are as if absent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Options {
    /// RFC 9293, 3.7.1.
    pub mss: Option<u16>,
    /// RFC 7323, 2.2.
    pub window_scale: Option<u8>,
    /// RFC 2018.
    pub sack_permitted: bool,
    /// `TSval` and `TSecr` (RFC 7323, 3.2).
    pub timestamps: Option<(u32, u32)>,
    /// RFC 7413.
    pub fast_open: bool,
    /// RFC 8684; MPTCP repeats ACKs to carry its own signals.
    pub mptcp: bool,
    blocks: [Block; 4],
    block_count: u8,
}

impl Options {
    /// Reads the captured bytes of the options.
    #[inline]
    pub fn read(bytes: &[u8]) -> Self {
        match *bytes {
            [] => Self::default(),
            // What almost every segment of almost every stack carries (RFC 7323, appendix A).
            [NOP, NOP, TIMESTAMPS, 10, v0, v1, v2, v3, e0, e1, e2, e3] => Self {
                timestamps: Some((u32::from_be_bytes([v0, v1, v2, v3]), u32::from_be_bytes([e0, e1, e2, e3]))),
                ..Self::default()
            },
            _ => Self::read_each(bytes),
        }
    }

    /// The blocks of the SACK option, in the order sent.
    pub fn blocks(&self) -> &[Block] {
        self.blocks.get(..usize::from(self.block_count)).unwrap_or_default()
    }

    fn read_each(mut bytes: &[u8]) -> Self {
        let mut options = Self::default();
        while let [kind, rest @ ..] = bytes {
            match (*kind, rest) {
                (END, _) => break,
                (NOP, _) => bytes = rest,
                (kind, [len, ..]) => {
                    let len = usize::from(*len);
                    let (Some(value), Some(after)) = (bytes.get(2..len), bytes.get(len..)) else { break };
                    options.take(kind, value);
                    bytes = after;
                }
                _ => break,
            }
        }
        options
    }

    fn take(&mut self, kind: u8, value: &[u8]) {
        match (kind, value) {
            (MSS, &[a, b]) => self.mss = Some(u16::from_be_bytes([a, b])),
            (WINDOW_SCALE, &[shift]) => self.window_scale = Some(shift.min(MOST_SCALE)),
            (SACK_PERMITTED, []) => self.sack_permitted = true,
            (TIMESTAMPS, &[v0, v1, v2, v3, e0, e1, e2, e3]) => {
                self.timestamps = Some((u32::from_be_bytes([v0, v1, v2, v3]), u32::from_be_bytes([e0, e1, e2, e3])));
            }
            (SACK, blocks) if blocks.len() % 8 == 0 => {
                for (block, &[s0, s1, s2, s3, e0, e1, e2, e3]) in self.blocks.iter_mut().zip(blocks.as_chunks().0) {
                    *block = (u32::from_be_bytes([s0, s1, s2, s3]), u32::from_be_bytes([e0, e1, e2, e3]));
                    self.block_count += 1;
                }
            }
            (MPTCP, _) => self.mptcp = true,
            (FAST_OPEN, _) => self.fast_open = true,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SYN: &[u8] = &[2, 4, 5, 180, 4, 2, 8, 10, 0, 0, 0, 7, 0, 0, 0, 0, 1, 3, 3, 20];

    #[test]
    fn a_syn_tells_all_that_was_offered() {
        let options = Options::read(SYN);
        assert_eq!(options.mss, Some(1460));
        assert_eq!(options.window_scale, Some(14), "greater shifts count as 14");
        assert!(options.sack_permitted);
        assert_eq!(options.timestamps, Some((7, 0)));
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
        assert_eq!(Options::read(&bytes).blocks(), [(9, 10), (1, 2)]);
    }

    #[test]
    fn options_cut_anywhere_say_no_more_than_what_is_left() {
        let whole = Options::read(SYN);
        for len in 0..SYN.len() {
            let cut = Options::read(&SYN[..len]);
            assert!(cut.mss.is_none() || cut.mss == whole.mss);
            assert!(cut.timestamps.is_none() || cut.timestamps == whole.timestamps);
            assert_eq!(cut.window_scale, None);
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_to_their_end(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            prop_assert!(Options::read(&bytes).blocks().len() <= 4);
        }
    }
}
