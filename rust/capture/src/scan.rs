//! One capture as one big table, batch by batch: only the columns asked for, and no further than asked.

mod plan;
mod relay;
mod together;

use std::num::NonZero;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, SchemaRef};

use crate::container::Capture;
use crate::error::CaptureError;
use crate::fragments::Fragments;
use crate::tables::captured::Captured;
use crate::tables::columns::{Builder, UnknownColumn};
use plan::Plan;
use together::Together;

/// Bytes of a file that is worth the start of threads: reading that much takes one alone about a millisecond.
const LEAST_TOGETHER: u64 = 4 << 20;
/// Rows of a batch that is worth handing from thread to thread.
const LEAST_ROWS: usize = 1024;
/// Threads at most. One after another they look for the place where the next chunk begins, which takes about a fifth of
/// the time of decoding it: more would wait for each other.
const MOST_THREADS: usize = 4;

/// Why a scan could not start.
#[derive(Debug, thiserror::Error)]
pub enum ScanError {
    /// The file.
    #[error(transparent)]
    Capture(#[from] CaptureError),
    /// The column.
    #[error(transparent)]
    UnknownColumn(#[from] UnknownColumn),
    /// The table.
    #[error("{0} is no table that is scanned; these are: packets, roce, pauses")]
    UnknownTable(String),
}

/// What to scan.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// `packets`, `roce` or `pauses`.
    pub table: &'a str,
    /// What the column `source` says.
    pub source: &'a str,
    /// The columns, in the order wanted; `None` for all.
    pub columns: Option<&'a [&'a str]>,
    /// Rows in a batch; at least one is taken.
    pub batch_rows: usize,
    /// Rows in all; the file is read no further.
    pub limit: Option<u64>,
    /// Threads that read a plain file ahead of the caller, 0 for none; `None` for what the machine has and the file is
    /// worth. The rows are the same whatever it is.
    pub threads: Option<usize>,
}

/// A scan under way. What the file holds of damage, [`crate::track`] tells.
pub struct Scan {
    schema: SchemaRef,
    reader: Reader,
    left: u64,
}

/// Who reads.
enum Reader {
    /// The caller, record by record: pipes, compressed captures, several files, small files.
    Alone(Box<Alone>),
    /// Threads, chunk by chunk, ahead of the caller.
    Together(Together),
}

impl Scan {
    /// Opens the file.
    ///
    /// # Errors
    /// When the file is no capture, or the table or a column is not known.
    pub fn open(path: &Path, request: &Request<'_>) -> Result<Self, ScanError> {
        Self::of(Capture::open(path)?, request)
    }

    /// The same for a capture that is open: several files, or one that still grows.
    ///
    /// # Errors
    /// When the table or a column is not known.
    pub fn of(mut capture: Capture, request: &Request<'_>) -> Result<Self, ScanError> {
        let plan = Plan::of(request)?;
        let builder = plan.builder()?;
        let schema = builder.schema();
        let left = request.limit.unwrap_or(u64::MAX);
        let threads = request.threads.unwrap_or_else(|| {
            let small = capture.size().is_none_or(|size| size < LEAST_TOGETHER);
            let short = left <= plan.batch_rows as u64 || plan.batch_rows < LEAST_ROWS;
            if small || short { 0 } else { thread::available_parallelism().map_or(1, NonZero::get).min(MOST_THREADS) }
        });
        if left > plan.batch_rows as u64 {
            capture.read_ahead();
        }
        let reader = match capture.map() {
            Some(map) if threads > 0 => Reader::Together(Together::start(capture, map, plan, threads)),
            _ => Reader::Alone(Box::new(Alone { capture, plan, builder, fragments: Fragments::default() })),
        };
        Ok(Self { schema, reader, left })
    }

    /// Names and types of the columns.
    #[must_use]
    pub fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    /// The next rows; `None` when there are no more. At most as many as were asked for in a batch, and maybe fewer before
    /// the end too.
    ///
    /// # Errors
    /// See [`Builder::finish`].
    pub fn next_batch(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        if self.left == 0 {
            return Ok(None);
        }
        let batch = match &mut self.reader {
            Reader::Alone(alone) => alone.next_batch(self.left)?,
            Reader::Together(together) => together.next_batch()?,
        };
        Ok(batch.map(|batch| {
            let most = usize::try_from(self.left).unwrap_or(usize::MAX);
            let batch = if batch.num_rows() > most { batch.slice(0, most) } else { batch };
            self.left -= batch.num_rows() as u64; // at most `most`
            batch
        }))
    }
}

/// The caller reads.
struct Alone {
    capture: Capture,
    plan: Plan,
    builder: Builder<Captured<'static>>,
    fragments: Fragments,
}

impl Alone {
    fn next_batch(&mut self, most: u64) -> Result<Option<RecordBatch>, ArrowError> {
        let wanted = usize::try_from(most).map_or(self.plan.batch_rows, |most| most.min(self.plan.batch_rows));
        let fragments = &mut self.fragments;
        while self.builder.rows() < wanted {
            let Some(record) = self.capture.next() else { break };
            let mut row = Captured::place(&self.plan.source);
            let is_row = self.plan.fill(&mut row, &record, &mut |record, packet| {
                fragments.complete(record.frame, record.ts, packet);
            });
            if is_row {
                self.builder.push(&row);
            }
        }
        if self.builder.rows() == 0 { Ok(None) } else { self.builder.finish().map(Some) }
    }
}

/// A thread that died left nothing half done behind a lock: each is held for moves and counts only.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod round_trip;
#[cfg(test)]
mod tests;
