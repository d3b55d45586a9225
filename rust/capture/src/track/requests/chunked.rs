//! The chunked transfer coding of HTTP/1.1 (RFC 9112 section 7.1), step by step and without a copy.

/// Where in the coding a body is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chunked {
    /// In the line with the size: what its digits say so far, how many there were, and whether they are over.
    Size { value: u64, digits: u8, over: bool },
    /// In the data, with so much to come.
    Data(u64),
    /// In the line end after the data.
    DataEnd,
    /// In a line of the trailer, with so many bytes so far.
    Trailer(u32),
}

/// What comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step<'a> {
    /// Data; `true` when the chunk ends with it.
    Data(&'a [u8], bool),
    /// The whole body is over.
    End,
    /// More bytes are needed.
    More,
    /// That is no chunked coding.
    Bad,
}

/// More digits than a 64-bit size has.
const MOST_DIGITS: u8 = 16;

impl Default for Chunked {
    fn default() -> Self {
        Self::Size { value: 0, digits: 0, over: false }
    }
}

impl Chunked {
    /// The next step; takes its bytes from the front of `input`.
    pub fn step<'a>(&mut self, input: &mut &'a [u8]) -> Step<'a> {
        loop {
            if let Self::Data(left) = *self {
                let len = usize::try_from(left).map_or(input.len(), |left| left.min(input.len()));
                let (data, rest) = input.split_at(len);
                *input = rest;
                let left = left - len as u64;
                *self = if left == 0 { Self::DataEnd } else { Self::Data(left) };
                return if data.is_empty() { Step::More } else { Step::Data(data, left == 0) };
            }
            let Some((byte, rest)) = input.split_first() else { return Step::More };
            *input = rest;
            match (*self, *byte) {
                (Self::Size { digits: 0, .. }, b'\n')
                | (Self::DataEnd, 0..=9 | 11 | 12 | 14..)
                | (Self::Data(_), _) => {
                    return Step::Bad; // data was handled above
                }
                (Self::Size { value: 0, .. }, b'\n') => *self = Self::Trailer(0),
                (Self::Size { value, .. }, b'\n') => *self = Self::Data(value),
                (Self::Size { over: true, .. } | Self::DataEnd, _) if *byte != b'\n' => {}
                (Self::Size { value, digits, .. }, byte) => match (byte as char).to_digit(16) {
                    Some(digit) if digits < MOST_DIGITS => {
                        *self = Self::Size { value: value << 4 | u64::from(digit), digits: digits + 1, over: false };
                    }
                    // An extension, or white space.
                    None if digits > 0 && matches!(byte, b';' | b'\r' | b' ' | b'\t') => {
                        *self = Self::Size { value, digits, over: true };
                    }
                    _ => return Step::Bad,
                },
                (Self::DataEnd, _) => *self = Self::default(),
                (Self::Trailer(0), b'\n') => {
                    *self = Self::default();
                    return Step::End;
                }
                (Self::Trailer(_), b'\n') => *self = Self::Trailer(0),
                (Self::Trailer(len), b'\r') => *self = Self::Trailer(len),
                (Self::Trailer(len), _) => *self = Self::Trailer(len.saturating_add(1)),
            }
        }
    }

    /// Bytes that were not captured: `Some(true)` when they end the chunk, `None` when they go beyond it.
    pub fn skip(&mut self, bytes: u64) -> Option<bool> {
        let Self::Data(left) = self else { return None };
        *left = left.checked_sub(bytes)?;
        let ends = *left == 0;
        if ends {
            *self = Self::DataEnd;
        }
        Some(ends)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unchunk(pieces: &[&[u8]]) -> Option<(Vec<u8>, usize)> {
        let (mut chunked, mut body, mut chunks) = (Chunked::default(), Vec::new(), 0);
        for piece in pieces {
            let mut input = *piece;
            loop {
                match chunked.step(&mut input) {
                    Step::Data(data, ends) => {
                        body.extend_from_slice(data);
                        chunks += usize::from(ends);
                    }
                    Step::End => return Some((body, chunks)),
                    Step::More => break,
                    Step::Bad => return None,
                }
            }
        }
        None
    }

    #[test]
    fn chunks_extensions_and_trailers_are_read_wherever_they_are_cut() {
        let coded = b"5\r\nhello\r\n1;name=\"x\"\r\n \r\n5 \r\nworld\r\n0\r\nX-Trailer: 1\r\n\r\n";
        for cut in 0..coded.len() {
            let (a, b) = coded.split_at(cut);
            assert_eq!(unchunk(&[a, b]), Some((b"hello world".to_vec(), 3)), "cut at {cut}");
        }
        assert_eq!(unchunk(&[&coded[..coded.len() - 1]]), None);
    }

    #[test]
    fn a_size_that_is_none_or_too_large_is_no_coding() {
        for coded in [b"\r\nx".as_slice(), b"xyz\r\n", b"11111111111111111\r\n", b"2\r\nabc\r\n"] {
            assert_eq!(unchunk(&[coded]), None);
        }
    }
}
