//! Threads that read one mapped file: chunks are found one after another, decoded side by side, and given out in order.
//!
//! Where a record begins is only known from the one before it. So a thread that is free first walks over the headers of
//! the next chunk, which is quick, leaves the place behind it to the next thread, and then decodes its chunk.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use arrow_array::RecordBatch;
use arrow_schema::ArrowError;

use super::locked;
use super::plan::Plan;
use super::relay::Relay;
use crate::container::{Capture, Record, Walk};
use crate::map::Map;

/// Chunks that are read ahead of the caller, over one for each thread: it bounds the memory.
const AHEAD: u64 = 2;

/// The threads, and what they have ready.
pub(super) struct Together {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

struct Shared {
    map: Arc<Map>,
    plan: Plan,
    threads: u64,
    front: Mutex<Front>,
    relay: Relay,
    state: Mutex<State>,
    changed: Condvar,
}

/// Where the next chunk begins.
struct Front {
    /// `None` at the end of the file.
    capture: Option<Capture>,
    chunk: u64,
}

#[derive(Default)]
struct State {
    ready: BTreeMap<u64, Result<RecordBatch, ArrowError>>,
    /// The chunk that the caller gets next.
    wanted: u64,
    /// Chunks in all, once that is known.
    chunks: Option<u64>,
    /// The caller wants no more, or a thread died.
    stopped: bool,
}

impl Together {
    /// Starts reading at the place where the capture stands.
    pub(super) fn start(capture: Capture, map: Arc<Map>, plan: Plan, threads: usize) -> Self {
        let shared = Arc::new(Shared {
            map,
            plan,
            threads: threads as u64,
            front: Mutex::new(Front { capture: Some(capture), chunk: 0 }),
            relay: Relay::default(),
            state: Mutex::default(),
            changed: Condvar::new(),
        });
        let worker = |_| {
            let shared = Arc::clone(&shared);
            thread::spawn(move || shared.work())
        };
        Self { threads: (0..threads).map(worker).collect(), shared }
    }

    /// What its threads share, for tests of their end.
    #[cfg(test)]
    pub(super) fn shared(&self) -> std::sync::Weak<impl Sized + use<>> {
        Arc::downgrade(&self.shared)
    }

    /// The rows of the next chunk that has any.
    pub(super) fn next_batch(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        let mut state = locked(&self.shared.state);
        loop {
            let wanted = state.wanted;
            if let Some(batch) = state.ready.remove(&wanted) {
                state.wanted += 1;
                self.shared.changed.notify_all();
                match batch {
                    Ok(batch) if batch.num_rows() == 0 => continue,
                    other => return other.map(Some),
                }
            }
            if state.chunks == Some(wanted) {
                return Ok(None);
            }
            if state.stopped {
                return Err(ArrowError::ComputeError("a thread that read the capture died".to_owned()));
            }
            state = self.shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Drop for Together {
    fn drop(&mut self) {
        self.shared.stop();
        for thread in self.threads.drain(..) {
            let _ = thread.join(); // one that panicked has said so
        }
    }
}

impl Shared {
    fn stop(&self) {
        locked(&self.state).stopped = true;
        self.changed.notify_all();
        self.relay.stop();
    }

    /// The life of one thread.
    fn work(&self) {
        let watch = StopsIfUnfinished(self);
        let Ok(mut builder) = self.plan.builder() else { return }; // the caller has built one before
        let mut records = Vec::new();
        while let Some(chunk) = self.take(&mut records) {
            let mut turn = self.relay.turn(chunk);
            self.plan.build(&mut builder, &records, |record, packet| turn.complete(record, packet));
            let batch = builder.finish();
            if turn.end() {
                locked(&self.state).ready.insert(chunk, batch);
                self.changed.notify_all();
            }
        }
        std::mem::forget(watch);
    }

    /// The number of the next chunk, and its records; `None` when there are no more.
    fn take<'m>(&'m self, records: &mut Vec<Record<'m>>) -> Option<u64> {
        let mut front = locked(&self.front);
        let chunk = front.chunk;
        let mut state = locked(&self.state);
        while !state.stopped && chunk >= state.wanted.saturating_add(AHEAD + self.threads) {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.stopped {
            return None;
        }
        drop(state);
        let mut walk = Walk::over(front.capture.take()?, &self.map);
        walk.list(self.plan.batch_rows, records);
        front.chunk += 1;
        if records.len() == self.plan.batch_rows {
            front.capture = Some(walk.into_capture());
        } else {
            locked(&self.state).chunks = Some(front.chunk);
            self.changed.notify_all();
        }
        Some(chunk)
    }
}

/// Ends the scan when its thread dies: nobody must wait for a chunk that never comes.
struct StopsIfUnfinished<'s>(&'s Shared);

impl Drop for StopsIfUnfinished<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}
