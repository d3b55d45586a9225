//! One direction of HTTP/2 cut into frames (RFC 9113 section 4.1), whatever segments they come in.

/// Frame types that are looked at (RFC 9113 section 6).
pub const DATA: u8 = 0;
pub const HEADERS: u8 = 1;
pub const RST_STREAM: u8 = 3;
pub const SETTINGS: u8 = 4;
pub const PUSH_PROMISE: u8 = 5;
pub const WINDOW_UPDATE: u8 = 8;
pub const CONTINUATION: u8 = 9;

/// Flags.
pub const END_STREAM: u8 = 0x1;
pub const END_HEADERS: u8 = 0x4;
pub const PADDED: u8 = 0x8;
pub const PRIORITY: u8 = 0x20;

const HEADER: usize = 9;

/// The largest frame that is believed after the way was lost: the default of `SETTINGS_MAX_FRAME_SIZE`.
const LARGEST: u32 = 16384;

/// Bytes of one frame that are collected, when its payload is looked at as a whole.
pub const MOST_COLLECTED: usize = 64 << 10;

/// A frame header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame {
    pub len: u32,
    pub kind: u8,
    pub flags: u8,
    pub stream: u32,
}

impl Frame {
    /// Of these nine bytes.
    pub fn of([a, b, c, kind, flags, s0, s1, s2, s3]: [u8; HEADER]) -> Self {
        let stream = u32::from_be_bytes([s0, s1, s2, s3]) & 0x7fff_ffff;
        Self { len: u32::from_be_bytes([0, a, b, c]), kind, flags, stream }
    }

    /// It has this flag.
    pub fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    fn is_plausible(&self) -> bool {
        self.len <= LARGEST && self.kind <= CONTINUATION && (self.stream == 0) == matches!(self.kind, SETTINGS | 6 | 7)
    }
}

/// What comes next.
#[derive(Debug, PartialEq, Eq)]
pub enum Part<'a> {
    /// A frame begins.
    Begin(Frame),
    /// Payload of that frame; `true` when it ends with it.
    Payload(Frame, &'a [u8], bool),
    /// More bytes are needed.
    More,
    /// The way is lost.
    Lost,
}

/// Where in the frames one direction is.
#[derive(Debug, Default)]
pub struct Frames {
    header: Vec<u8>,
    frame: Option<(Frame, u32)>,
    lost: bool,
}

impl Frames {
    /// The next part; takes its bytes from the front of `input`.
    pub fn part<'a>(&mut self, input: &mut &'a [u8]) -> Part<'a> {
        if self.lost {
            let found = input.first_chunk::<HEADER>().map(|header| Frame::of(*header));
            if !found.is_some_and(|frame| frame.is_plausible() && frame.kind != CONTINUATION) {
                *input = &[];
                return Part::Lost;
            }
            self.lost = false;
        }
        if let Some((frame, left)) = &mut self.frame {
            let len = input.len().min(*left as usize);
            let (payload, rest) = input.split_at(len);
            *input = rest;
            *left -= len as u32;
            let (frame, ends) = (*frame, *left == 0);
            if ends {
                self.frame = None;
            } else if payload.is_empty() {
                return Part::More;
            }
            return Part::Payload(frame, payload, ends);
        }
        let need = HEADER - self.header.len().min(HEADER);
        let (part, rest) = input.split_at(need.min(input.len()));
        self.header.extend_from_slice(part);
        *input = rest;
        match self.header.first_chunk::<HEADER>() {
            Some(header) => {
                let frame = Frame::of(*header);
                self.header.clear();
                self.frame = Some((frame, frame.len));
                Part::Begin(frame)
            }
            None => Part::More,
        }
    }

    /// Bytes that were not captured: the frame they belong to, and whether it ends with them. `None` when they go beyond
    /// it: the next frame must be found again.
    pub fn skip(&mut self, bytes: u64) -> Option<(Frame, bool)> {
        if let Some((frame, left)) = &mut self.frame
            && let Some(after) = u64::from(*left).checked_sub(bytes)
        {
            *left = after as u32; // not above what it was
            let (frame, ends) = (*frame, after == 0);
            if ends {
                self.frame = None;
            }
            return Some((frame, ends));
        }
        self.frame = None;
        self.header.clear();
        self.lost = true;
        None
    }
}

/// The block without padding and priority (RFC 9113 section 6.2); of `PUSH_PROMISE` without the promised stream.
pub fn unpadded(frame: Frame, block: &[u8]) -> Option<&[u8]> {
    let mut block = block;
    let mut padding = 0;
    if frame.has(PADDED) {
        let (first, rest) = block.split_first()?;
        (padding, block) = (usize::from(*first), rest);
    }
    if frame.kind == PUSH_PROMISE {
        block = block.get(4..)?;
    } else if frame.has(PRIORITY) {
        block = block.get(5..)?;
    }
    // With CONTINUATION the padding stands at the end of the first frame; no sender is known to do both.
    block.get(..block.len().checked_sub(padding)?)
}
