//! A decompressor on a thread of its own, a few blocks ahead of its reader: unpacking and following packets take about as
//! long as each other, so side by side they take half.

use std::io;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use super::Input;

/// Bytes of a block, and blocks under way: enough that neither side waits for the other at every packet, and little
/// enough to stay in the cache that both share.
const BLOCK: usize = 256 * 1024;
const BLOCKS: usize = 8;

/// What the thread hands over.
struct Block {
    bytes: Vec<u8>,
    /// Bytes of the packed file used up so far.
    consumed: u64,
    /// Why nothing follows, if it is not the end.
    failure: Option<io::Error>,
}

/// The reader's side.
pub(super) struct Ahead {
    blocks: Receiver<Block>,
    /// Blocks that were read go back to be filled again.
    used: SyncSender<Vec<u8>>,
    current: Vec<u8>,
    at: usize,
    pub(super) consumed: u64,
    failure: Option<io::Error>,
    ended: bool,
}

impl Ahead {
    /// Starts the thread. `received` bytes came out of the input before. The thread ends with its input, or at the next
    /// block after its reader is gone.
    pub(super) fn of(input: Input, received: u64) -> Self {
        let (sender, blocks) = sync_channel(BLOCKS);
        let (used, spare) = sync_channel(BLOCKS);
        let consumed = input.consumed().unwrap_or(0);
        thread::spawn(move || run(input, received, &sender, &spare));
        Self { blocks, used, current: Vec::new(), at: 0, consumed, failure: None, ended: false }
    }

    pub(super) fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.at == self.current.len() {
            if let Some(failure) = self.failure.take() {
                return Err(failure);
            }
            if self.ended {
                return Ok(0);
            }
            let block = self.blocks.recv().unwrap_or_else(|_| Block {
                bytes: Vec::new(),
                consumed: self.consumed,
                failure: Some(io::Error::other("the thread that unpacked the stream died")),
            });
            self.ended = block.bytes.is_empty() || block.failure.is_some();
            (self.consumed, self.failure, self.at) = (block.consumed, block.failure, 0);
            let _ = self.used.try_send(std::mem::replace(&mut self.current, block.bytes)); // the thread may be gone
        }
        let rest = self.current.get(self.at..).unwrap_or_default();
        let count = rest.len().min(into.len());
        into[..count].copy_from_slice(&rest[..count]);
        self.at += count;
        Ok(count)
    }
}

fn run(mut input: Input, mut received: u64, blocks: &SyncSender<Block>, spare: &Receiver<Vec<u8>>) {
    loop {
        let mut bytes = spare.try_recv().unwrap_or_default();
        bytes.resize(BLOCK, 0);
        let mut filled = 0;
        let mut failure = None;
        let mut ended = false;
        while filled < BLOCK && failure.is_none() && !ended {
            match input.read(&mut bytes[filled..]) {
                Ok(0) => ended = true,
                Ok(count) => {
                    filled += count;
                    received += count as u64;
                    failure = input.bomb(received).map(io::Error::other);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => failure = Some(io::Error::new(error.kind(), input.explain(&error))),
            }
        }
        bytes.truncate(filled);
        let last = failure.is_some() || filled == 0;
        let consumed = input.consumed().unwrap_or(0);
        if blocks.send(Block { bytes, consumed, failure }).is_err() || last {
            return;
        }
    }
}
