//! The events of a capture: what was said again is counted, so that a flood costs one row.

use std::collections::HashMap;

use super::text;
use crate::tables::captured::Captured;
use crate::tables::control_events::{ControlEvent, Fact, LONGEST_TEXT};

/// Different events kept. An incident has hundreds; a scan of a whole network through a firewall has one for each port.
const MOST_EVENTS: usize = 1 << 16;

/// When an event was seen.
#[derive(Debug, Clone)]
struct Seen {
    count: u64,
    ts: Option<i64>,
    last_ts: Option<i64>,
    frame: u64,
    last_frame: u64,
    detail: String,
}

/// Where in the capture something began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Moment {
    pub(super) ts: Option<i64>,
    pub(super) frame: u64,
}

impl Moment {
    pub(super) fn of(row: &Captured<'_>) -> Self {
        Self { ts: row.ts, frame: row.frame }
    }

    /// Nanoseconds from an earlier moment to this one; `None` when one has no time.
    pub(super) fn since(self, earlier: Self) -> Option<i64> {
        Some(self.ts?.saturating_sub(earlier.ts?))
    }
}

/// Counts events.
#[derive(Debug, Default)]
pub(super) struct Events {
    seen: HashMap<Fact, Seen>,
    /// Events beyond the limit.
    pub(super) untracked: u64,
}

impl Events {
    /// Something happened in this packet. `detail` writes the sentence when it is the first time.
    pub(super) fn add(&mut self, row: &Captured<'_>, fact: Fact, detail: impl FnOnce() -> String) {
        let now = Moment::of(row);
        self.add_run(now, now, 1, fact, detail);
    }

    /// Something happened `count` times from `first` to `last`.
    pub(super) fn add_run(
        &mut self,
        first: Moment,
        last: Moment,
        count: u64,
        fact: Fact,
        detail: impl FnOnce() -> String,
    ) {
        if let Some(seen) = self.seen.get_mut(&fact) {
            seen.count = seen.count.saturating_add(count);
            if first.frame < seen.frame {
                (seen.frame, seen.ts) = (first.frame, first.ts);
            }
            if last.frame >= seen.last_frame {
                (seen.last_frame, seen.last_ts) = (last.frame, last.ts);
            }
            return;
        }
        if self.seen.len() >= MOST_EVENTS {
            self.untracked = self.untracked.saturating_add(count);
            return;
        }
        let detail = text::shortened(detail(), LONGEST_TEXT);
        let seen = Seen { count, ts: first.ts, last_ts: last.ts, frame: first.frame, last_frame: last.frame, detail };
        self.seen.insert(fact, seen);
    }

    /// The rows, in the order in which they first happened.
    pub(super) fn finish(self, source: &str) -> Vec<ControlEvent> {
        let row = |(fact, seen): (Fact, Seen)| ControlEvent {
            source: source.to_owned(),
            fact,
            count: seen.count,
            ts: seen.ts,
            last_ts: seen.last_ts,
            frame: seen.frame,
            last_frame: seen.last_frame,
            detail: seen.detail,
        };
        let mut rows: Vec<ControlEvent> = self.seen.into_iter().map(row).collect();
        // One frame can hold several events; their sentences make the order the same in every run.
        rows.sort_by(|a, b| {
            let key = |r: &ControlEvent| (r.frame, r.last_frame, r.fact.protocol, r.fact.kind, r.fact.vlan);
            key(a).cmp(&key(b)).then_with(|| a.fact.subject.cmp(&b.fact.subject)).then_with(|| a.detail.cmp(&b.detail))
        });
        rows
    }
}
