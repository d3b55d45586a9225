//! Packets in the order of the tap, and the pcap file that holds them.

/// A packet as it is captured.
#[derive(Debug, Clone)]
pub(super) struct Frame {
    /// ns since 1970.
    pub ts: i64,
    pub bytes: Vec<u8>,
    pub wire_len: u32,
}

/// A capture that grows.
#[derive(Debug, Clone)]
pub(super) struct Reel {
    pub now: i64,
    pub frames: Vec<Frame>,
}

/// What the 32 bits of a pcap file can tell, in ns.
const LATEST: i64 = 0xffff_ffff * SECOND;
const SECOND: i64 = 1_000_000_000;

impl Reel {
    /// Nothing was captured yet.
    pub(super) fn new() -> Self {
        Self { now: 1_700_000_000 * SECOND, frames: Vec::new() }
    }

    /// Time goes on.
    pub(super) fn wait(&mut self, step: i64) {
        self.now = self.now.saturating_add(step).clamp(0, LATEST);
    }

    /// A packet passes; so many of its bytes are kept.
    pub(super) fn take(&mut self, mut bytes: Vec<u8>, keep: usize) {
        let wire_len = bytes.len() as u32;
        bytes.truncate(keep);
        self.push(bytes, wire_len);
    }

    /// The same for one of which only the front was ever made.
    pub(super) fn push(&mut self, bytes: Vec<u8>, wire_len: u32) {
        self.frames.push(Frame { ts: self.now, bytes, wire_len });
    }
}

/// A pcap file with nanoseconds. Ethernet.
pub(super) fn pcap(frames: &[Frame]) -> Vec<u8> {
    let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    let mut file = words(&[0xa1b2_3c4d, 0x0004_0002, 0, 0, 0x0004_0000, 1]);
    for frame in frames {
        let (second, rest) = (frame.ts / SECOND, frame.ts % SECOND);
        file.extend(words(&[second as u32, rest as u32, frame.bytes.len() as u32, frame.wire_len]));
        file.extend(&frame.bytes);
    }
    file
}
