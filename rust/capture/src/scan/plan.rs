//! What a scan was asked for, in the form that makes rows of records.

use super::{Request, ScanError};
use crate::container::Record;
use crate::decode::decoded;
use crate::packet::Packet;
use crate::tables::captured::Captured;
use crate::tables::columns::{Builder, UnknownColumn};
use crate::tables::packets::PACKETS;
use crate::tables::{Table, pauses, roce};

/// Columns of `packets` that the container knows: a scan of these alone decodes no packet.
const WITHOUT_DECODING: &[&str] = &["source", "frame", "ts", "interface", "captured_len", "wire_len", "link_type"];

/// Rows that are decoded before the columns are filled from them: as many as stay in the first-level cache (48 KiB here,
/// 32 KiB elsewhere).
const ROWS: usize = 48;

/// A table of packets, and which packets are its rows.
type Scanned = (&'static Table<Captured<'static>>, fn(&Packet<'_>) -> bool);

fn scanned(name: &str) -> Result<Scanned, ScanError> {
    let all: [Scanned; 3] =
        [(&PACKETS, |_| true), (&roce::ROCE, |p| p.roce.is_some()), (&pauses::PAUSES, |p| p.pause.is_some())];
    let found = all.into_iter().find(|(table, _)| table.name == name);
    found.ok_or_else(|| ScanError::UnknownTable(name.to_owned()))
}

/// What was asked for.
pub(super) struct Plan {
    table: &'static Table<Captured<'static>>,
    keep: fn(&Packet<'_>) -> bool,
    columns: Option<Vec<String>>,
    decodes: bool,
    /// What the column of that name says.
    pub(super) source: String,
    /// Rows in a batch, at least one.
    pub(super) batch_rows: usize,
}

impl Plan {
    pub(super) fn of(request: &Request<'_>) -> Result<Self, ScanError> {
        let (table, keep) = scanned(request.table)?;
        let known = |names: &[&str]| names.iter().all(|name| WITHOUT_DECODING.contains(name));
        Ok(Self {
            table,
            keep,
            columns: request.columns.map(|names| names.iter().map(|&name| name.to_owned()).collect()),
            decodes: table.name != PACKETS.name || !request.columns.is_some_and(known),
            source: request.source.to_owned(),
            batch_rows: request.batch_rows.max(1),
        })
    }

    /// An empty builder of the columns.
    pub(super) fn builder(&self) -> Result<Builder<Captured<'static>>, UnknownColumn> {
        let names: Option<Vec<&str>> = self.columns.as_ref().map(|names| names.iter().map(String::as_str).collect());
        Builder::new(self.table, names.as_deref())
    }

    /// Makes a record the row in this place; false when it is no row of the table. `complete` gives a fragment what the
    /// packets before it tell of it.
    #[inline]
    pub(super) fn fill<'a>(
        &self,
        row: &mut Captured<'a>,
        record: &Record<'a>,
        complete: &mut impl FnMut(&Record<'a>, &mut Packet<'a>),
    ) -> bool {
        row.record(record);
        if self.decodes {
            decoded(record.link_type, record.data, record.wire_len, |packet| row.packet = packet);
            complete(record, &mut row.packet);
        }
        (self.keep)(&row.packet)
    }

    /// Puts the rows that these records are into the builder.
    pub(super) fn build<'m>(
        &'m self,
        builder: &mut Builder<Captured<'static>>,
        records: &[Record<'m>],
        mut complete: impl FnMut(&Record<'m>, &mut Packet<'m>),
    ) {
        let mut rows = vec![Captured::place(&self.source); ROWS];
        for records in records.chunks(ROWS) {
            let mut filled = 0;
            for record in records {
                let Some(row) = rows.get_mut(filled) else { break }; // never: there are not more records than rows
                filled += usize::from(self.fill(row, record, &mut complete));
            }
            builder.push_all(rows.get(..filled).unwrap_or_default());
        }
    }
}
