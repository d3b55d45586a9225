//! One capture as one big table, batch by batch: only the columns asked for, and no further than asked.

use std::path::Path;

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, SchemaRef};

use crate::container::Capture;
use crate::decode::decode;
use crate::error::CaptureError;
use crate::fragments::Fragments;
use crate::packet::Packet;
use crate::tables::Table;
use crate::tables::captured::Captured;
use crate::tables::columns::{Builder, UnknownColumn};
use crate::tables::packets::PACKETS;
use crate::tables::{pauses, roce};

/// Columns of `packets` that the container knows: a scan of these alone decodes no packet.
const WITHOUT_DECODING: &[&str] = &["source", "frame", "ts", "interface", "captured_len", "wire_len", "link_type"];

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
}

/// A scan under way. What the file holds of damage, [`crate::track`] tells.
pub struct Scan {
    capture: Capture,
    source: String,
    builder: Builder<Captured<'static>>,
    keep: fn(&Packet<'_>) -> bool,
    decode: Decode,
    fragments: Fragments,
    batch_rows: usize,
    left: u64,
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
    pub fn of(capture: Capture, request: &Request<'_>) -> Result<Self, ScanError> {
        let (table, keep) = scanned(request.table)?;
        Ok(Self {
            builder: Builder::new(table, request.columns)?,
            keep,
            decode: if table.name == PACKETS.name { decoder(request.columns) } else { decode },
            capture,
            fragments: Fragments::default(),
            source: request.source.to_owned(),
            batch_rows: request.batch_rows.max(1),
            left: request.limit.unwrap_or(u64::MAX),
        })
    }

    /// Names and types of the columns.
    #[must_use]
    pub fn schema(&self) -> SchemaRef {
        self.builder.schema()
    }

    /// The next rows; `None` when there are no more.
    ///
    /// # Errors
    /// See [`Builder::finish`].
    pub fn next_batch(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        let wanted = usize::try_from(self.left).map_or(self.batch_rows, |left| left.min(self.batch_rows));
        while self.builder.rows() < wanted {
            let Some(record) = self.capture.next() else { break };
            let mut packet = (self.decode)(record.link_type, record.data, record.wire_len);
            self.fragments.complete(record.frame, record.ts, &mut packet);
            let row = Captured {
                source: &self.source,
                frame: record.frame,
                ts: record.ts,
                interface: record.interface,
                captured_len: record.data.len() as u32, // a record's length field has 32 bits
                wire_len: record.wire_len,
                link_type: record.link_type,
                packet,
            };
            if (self.keep)(&row.packet) {
                self.builder.push(&row);
            }
        }
        let rows = self.builder.rows();
        self.left -= rows as u64; // `wanted` is at most `left`
        if rows == 0 { Ok(None) } else { self.builder.finish().map(Some) }
    }
}

/// A table of packets, and which packets are its rows.
type Scanned = (&'static Table<Captured<'static>>, fn(&Packet<'_>) -> bool);

fn scanned(name: &str) -> Result<Scanned, ScanError> {
    let all: [Scanned; 3] =
        [(&PACKETS, |_| true), (&roce::ROCE, |p| p.roce.is_some()), (&pauses::PAUSES, |p| p.pause.is_some())];
    let found = all.into_iter().find(|(table, _)| table.name == name);
    found.ok_or_else(|| ScanError::UnknownTable(name.to_owned()))
}

/// [`decode`], or what stands for it where no column needs it.
type Decode = for<'a> fn(u16, &'a [u8], u32) -> Packet<'a>;

fn decoder(columns: Option<&[&str]>) -> Decode {
    let all_without = columns.is_some_and(|names| names.iter().all(|name| WITHOUT_DECODING.contains(name)));
    if all_without { |_, _, _| Packet::default() } else { decode }
}

#[cfg(test)]
mod round_trip;
#[cfg(test)]
mod tests;
