//! Who asked whom to pause: PFC (802.1Qbb) and 802.3x frames, summed per sender and priority.

use std::collections::BTreeMap;

use crate::address::Mac;
use crate::packet::{Kind, Pause};
use crate::tables::captured::Captured;
use crate::tables::pause_time::PauseTime;

/// Pause frames so far.
#[derive(Debug, Default)]
pub struct Pauses {
    senders: BTreeMap<(Option<Mac>, Option<u8>), PauseTime>,
    /// Frames seen.
    pub frames: u64,
}

/// Different senders kept; a capture with more is hostile or broken.
const MOST_SENDERS: usize = 1 << 16;

impl Pauses {
    /// A pause frame passed the tap.
    pub fn on_frame(&mut self, row: &Captured<'_>, pause: &Pause) {
        self.frames += 1;
        if row.packet.kind == Kind::Pfc {
            for priority in (0..8).filter(|priority| pause.enabled >> priority & 1 == 1) {
                self.add(row, Some(priority as u8), pause.quanta[priority]);
            }
        } else {
            self.add(row, None, pause.quanta[0]);
        }
    }

    fn add(&mut self, row: &Captured<'_>, priority: Option<u8>, quanta: u16) {
        let key = (row.packet.src_mac, priority);
        if self.senders.len() >= MOST_SENDERS && !self.senders.contains_key(&key) {
            return;
        }
        let sender = self.senders.entry(key).or_insert_with(|| PauseTime {
            source: row.source.to_owned(),
            sender: row.packet.src_mac,
            priority,
            xoff_frames: 0,
            xon_frames: 0,
            quanta: 0,
            first_ts: row.ts,
            last_ts: row.ts,
            first_frame: row.frame,
            last_frame: row.frame,
            capture_span: None,
        });
        if quanta == 0 {
            sender.xon_frames += 1;
        } else {
            sender.xoff_frames += 1;
        }
        sender.quanta += u64::from(quanta);
        (sender.last_ts, sender.last_frame) = (row.ts, row.frame);
    }

    /// The rows of `pause_time`.
    pub fn finish(self, capture_span: Option<i64>) -> Vec<PauseTime> {
        self.senders.into_values().map(|sender| PauseTime { capture_span, ..sender }).collect()
    }
}
