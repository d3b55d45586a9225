//! Every table that Rust makes, each declared once: its columns carry name, unit, meaning and the function that fills
//! them. Arrow schemas, `badhop tables`, completion, type checks and tests all read these declarations.
//!
//! To add a column, add one line to its table's file. To add a table, add a file and one line to [`all`].

pub mod ack_timeouts;
pub mod capture_health;
pub mod captured;
pub mod cm_events;
pub mod cnp_rates;
pub mod columns;
pub mod comments;
pub mod control_events;
pub mod credits;
pub mod ecn_marks;
pub mod interfaces;
pub mod loss_episodes;
pub mod mirrors;
pub mod neighbours;
pub mod packets;
pub mod pause_time;
pub mod pauses;
pub mod problems;
pub mod requests;
pub mod rnr_waits;
pub mod roce;
pub mod roce_qps;
pub mod segment_losses;
pub mod segments;
pub mod tap_clocks;
pub mod tcp_connections;
pub mod tcp_events;
pub mod tokens;

use crate::address::{Address, Mac};

/// How a column gets its value from a row. The variant fixes the column's type.
///
/// `R` is a higher-ranked row type (see [`Row`]): the row of a packet table borrows the captured bytes.
pub enum Get<R: Row> {
    /// Boolean.
    Bool(fn(&R::Of<'_>) -> Option<bool>),
    /// Unsigned 8 bits.
    U8(fn(&R::Of<'_>) -> Option<u8>),
    /// Unsigned 16 bits.
    U16(fn(&R::Of<'_>) -> Option<u16>),
    /// Unsigned 32 bits.
    U32(fn(&R::Of<'_>) -> Option<u32>),
    /// Unsigned 64 bits.
    U64(fn(&R::Of<'_>) -> Option<u64>),
    /// 64-bit float.
    F64(fn(&R::Of<'_>) -> Option<f64>),
    /// Nanoseconds since 1970, UTC; a timestamp without zone.
    Time(fn(&R::Of<'_>) -> Option<i64>),
    /// Nanoseconds; a duration.
    Duration(fn(&R::Of<'_>) -> Option<i64>),
    /// One of a fixed set of words.
    Word(fn(&R::Of<'_>) -> Option<&'static str>),
    /// An address, written as text.
    Address(fn(&R::Of<'_>) -> Option<Address>),
    /// An Ethernet address, written as text.
    Mac(fn(&R::Of<'_>) -> Option<Mac>),
    /// Other text.
    Text(for<'a> fn(&'a R::Of<'_>) -> Option<std::borrow::Cow<'a, str>>),
}

/// The type of a table's rows, for any lifetime of the bytes they borrow.
pub trait Row: 'static {
    /// The row.
    type Of<'a>;
}

/// One column: its name, unit (empty when it has none), meaning, and where its value comes from.
pub struct Column<R: Row> {
    /// The name in SQL.
    pub name: &'static str,
    /// The unit, in words or as an SI symbol; empty for names, flags and identifiers.
    pub unit: &'static str,
    /// One sentence.
    pub doc: &'static str,
    /// Its value.
    pub get: Get<R>,
}

/// One table: what a row of it is, and its columns.
pub struct Table<R: Row> {
    /// The name in SQL.
    pub name: &'static str,
    /// One sentence.
    pub doc: &'static str,
    /// The columns, in the order in which they are shown.
    pub columns: &'static [Column<R>],
}

/// The type of a column, as the declaration names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ColumnType {
    Bool,
    U8,
    U16,
    U32,
    U64,
    F64,
    Time,
    Duration,
    Text,
}

impl ColumnType {
    /// The word that Python and the reference page use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::U8 => "u8",
            Self::U16 => "u16",
            Self::U32 => "u32",
            Self::U64 => "u64",
            Self::F64 => "f64",
            Self::Time => "time",
            Self::Duration => "duration",
            Self::Text => "text",
        }
    }
}

impl<R: Row> Get<R> {
    /// The type of the column.
    pub const fn column_type(&self) -> ColumnType {
        match self {
            Self::Bool(_) => ColumnType::Bool,
            Self::U8(_) => ColumnType::U8,
            Self::U16(_) => ColumnType::U16,
            Self::U32(_) => ColumnType::U32,
            Self::U64(_) => ColumnType::U64,
            Self::F64(_) => ColumnType::F64,
            Self::Time(_) => ColumnType::Time,
            Self::Duration(_) => ColumnType::Duration,
            Self::Word(_) | Self::Address(_) | Self::Mac(_) | Self::Text(_) => ColumnType::Text,
        }
    }
}

/// A table without its row type: what the outside needs to know of it.
#[derive(Debug, Clone)]
pub struct Declaration {
    /// The name in SQL.
    pub name: &'static str,
    /// One sentence.
    pub doc: &'static str,
    /// True for tables with a row for each packet or so, which are scanned and not kept.
    pub scanned: bool,
    /// Name, type, unit, sentence.
    pub columns: Vec<(&'static str, ColumnType, &'static str, &'static str)>,
}

impl<R: Row> Table<R> {
    fn declaration(&self, scanned: bool) -> Declaration {
        let columns = self.columns.iter().map(|c| (c.name, c.get.column_type(), c.unit, c.doc)).collect();
        Declaration { name: self.name, doc: self.doc, scanned, columns }
    }
}

/// Every table, in the order in which they are shown.
pub fn all() -> Vec<Declaration> {
    vec![
        capture_health::CAPTURE_HEALTH.declaration(false),
        roce_qps::ROCE_QPS.declaration(false),
        loss_episodes::LOSS_EPISODES.declaration(false),
        rnr_waits::RNR_WAITS.declaration(false),
        ack_timeouts::ACK_TIMEOUTS.declaration(false),
        cnp_rates::CNP_RATES.declaration(false),
        ecn_marks::ECN_MARKS.declaration(false),
        credits::CREDITS.declaration(false),
        cm_events::CM_EVENTS.declaration(false),
        pause_time::PAUSE_TIME.declaration(false),
        tcp_connections::TCP_CONNECTIONS.declaration(false),
        tcp_events::TCP_EVENTS.declaration(false),
        requests::REQUESTS.declaration(false),
        tokens::TOKENS.declaration(false),
        neighbours::NEIGHBOURS.declaration(false),
        control_events::CONTROL_EVENTS.declaration(false),
        mirrors::MIRRORS.declaration(false),
        interfaces::INTERFACES.declaration(false),
        comments::COMMENTS.declaration(false),
        problems::PROBLEMS.declaration(false),
        segments::SEGMENTS.declaration(false),
        segment_losses::SEGMENT_LOSSES.declaration(false),
        tap_clocks::TAP_CLOCKS.declaration(false),
        packets::PACKETS.declaration(true),
        roce::ROCE.declaration(true),
        pauses::PAUSES.declaration(true),
    ]
}
