//! Rows into Arrow columns, by a table's declaration: only the columns asked for, in the order asked for.

mod text;

use std::sync::Arc;

use arrow_array::types::{
    ArrowPrimitiveType, DurationNanosecondType, Float64Type, TimestampNanosecondType, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{ArrayRef, BooleanArray, PrimitiveArray, RecordBatch, RecordBatchOptions, new_null_array};
use arrow_buffer::{BooleanBufferBuilder, NullBufferBuilder, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef, TimeUnit};

use self::text::{Texts, Written};
use super::{Column, ColumnType, Get, Row, Table};
use crate::address::{Address, Mac};

/// A column that the table does not declare.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("table {table} has no column {column}")]
pub struct UnknownColumn {
    /// The table.
    pub table: &'static str,
    /// What was asked for.
    pub column: String,
}

/// Collects rows of one table and gives them out as record batches.
pub struct Builder<R: Row> {
    schema: SchemaRef,
    cells: Vec<Cells<R>>,
    rows: usize,
}

impl<R: Row> Builder<R> {
    /// For the named columns in that order, or for all as declared.
    ///
    /// # Errors
    /// When a name is not declared.
    pub fn new(table: &'static Table<R>, columns: Option<&[&str]>) -> Result<Self, UnknownColumn> {
        let chosen: Vec<&'static Column<R>> = match columns {
            None => table.columns.iter().collect(),
            Some(names) => names.iter().map(|name| find(table, name)).collect::<Result<_, _>>()?,
        };
        Ok(Self::of(&chosen))
    }

    /// For all columns as declared.
    #[must_use]
    pub fn all(table: &'static Table<R>) -> Self {
        Self::of(&table.columns.iter().collect::<Vec<_>>())
    }

    fn of(chosen: &[&'static Column<R>]) -> Self {
        let fields: Vec<Field> =
            chosen.iter().map(|c| Field::new(c.name, data_type(c.get.column_type()), true)).collect();
        Self {
            schema: Arc::new(Schema::new(fields)),
            cells: chosen.iter().map(|c| Cells::new(&c.get)).collect(),
            rows: 0,
        }
    }

    /// Names and types of what [`Self::finish`] gives.
    #[must_use]
    pub fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    /// Rows since the last [`Self::finish`].
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// Adds one row.
    pub fn push(&mut self, row: &R::Of<'_>) {
        self.push_all(std::slice::from_ref(row));
    }

    /// Adds rows, column by column: what a column needs is then at hand for many cells. Best for as many rows as stay in
    /// the first-level cache.
    pub fn push_all(&mut self, rows: &[R::Of<'_>]) {
        for cells in &mut self.cells {
            cells.push_all(rows);
        }
        self.rows += rows.len();
    }

    /// The rows so far; the builder is empty again afterwards.
    ///
    /// # Errors
    /// Only if the columns disagree with the schema made from the same declaration: a defect here.
    pub fn finish(&mut self) -> Result<RecordBatch, ArrowError> {
        let columns = self.cells.iter_mut().map(Cells::finish).collect::<Result<_, _>>()?;
        // The count is said in words, for a batch without columns has none to count.
        let options = RecordBatchOptions::new().with_row_count(Some(std::mem::take(&mut self.rows)));
        RecordBatch::try_new_with_options(self.schema(), columns, &options)
    }
}

/// All columns of these rows, with the name of their table.
///
/// # Errors
/// See [`Builder::finish`].
pub fn batch<R>(table: &'static Table<R>, rows: &[R]) -> Result<(&'static str, RecordBatch), ArrowError>
where
    R: for<'a> Row<Of<'a> = R>,
{
    let mut builder = Builder::all(table);
    for row in rows {
        builder.push(row);
    }
    Ok((table.name, builder.finish()?))
}

fn find<R: Row>(table: &'static Table<R>, name: &str) -> Result<&'static Column<R>, UnknownColumn> {
    let found = table.columns.iter().find(|c| c.name == name);
    found.ok_or_else(|| UnknownColumn { table: table.name, column: name.to_owned() })
}

/// The Arrow type of a column. Times carry no zone, for polars SQL cannot compare `TIMESTAMP '…'` with one that has it;
/// text is a view array, which polars reads in place.
fn data_type(column: ColumnType) -> DataType {
    match column {
        ColumnType::Bool => DataType::Boolean,
        ColumnType::U8 => DataType::UInt8,
        ColumnType::U16 => DataType::UInt16,
        ColumnType::U32 => DataType::UInt32,
        ColumnType::U64 => DataType::UInt64,
        ColumnType::F64 => DataType::Float64,
        ColumnType::Time => DataType::Timestamp(TimeUnit::Nanosecond, None),
        ColumnType::Duration => DataType::Duration(TimeUnit::Nanosecond),
        ColumnType::Text => DataType::Utf8View,
    }
}

/// One column under construction, with the function that fills it.
enum Cells<R: Row> {
    Bool(fn(&R::Of<'_>) -> Option<bool>, Flags),
    U8(fn(&R::Of<'_>) -> Option<u8>, Numbers<UInt8Type>),
    U16(fn(&R::Of<'_>) -> Option<u16>, Numbers<UInt16Type>),
    U32(fn(&R::Of<'_>) -> Option<u32>, Numbers<UInt32Type>),
    U64(fn(&R::Of<'_>) -> Option<u64>, Numbers<UInt64Type>),
    F64(fn(&R::Of<'_>) -> Option<f64>, Numbers<Float64Type>),
    Time(fn(&R::Of<'_>) -> Option<i64>, Numbers<TimestampNanosecondType>),
    Duration(fn(&R::Of<'_>) -> Option<i64>, Numbers<DurationNanosecondType>),
    Word(fn(&R::Of<'_>) -> Option<&'static str>, Written<&'static str>),
    Address(fn(&R::Of<'_>) -> Option<Address>, Written<Address>),
    Mac(fn(&R::Of<'_>) -> Option<Mac>, Written<Mac>),
    Text(for<'a> fn(&'a R::Of<'_>) -> Option<std::borrow::Cow<'a, str>>, Texts),
}

impl<R: Row> Cells<R> {
    fn new(get: &Get<R>) -> Self {
        match *get {
            Get::Bool(get) => Self::Bool(get, Flags::default()),
            Get::U8(get) => Self::U8(get, Numbers::default()),
            Get::U16(get) => Self::U16(get, Numbers::default()),
            Get::U32(get) => Self::U32(get, Numbers::default()),
            Get::U64(get) => Self::U64(get, Numbers::default()),
            Get::F64(get) => Self::F64(get, Numbers::default()),
            Get::Time(get) => Self::Time(get, Numbers::default()),
            Get::Duration(get) => Self::Duration(get, Numbers::default()),
            Get::Word(get) => Self::Word(get, Written::default()),
            Get::Address(get) => Self::Address(get, Written::default()),
            Get::Mac(get) => Self::Mac(get, Written::default()),
            Get::Text(get) => Self::Text(get, Texts::default()),
        }
    }

    fn push_all(&mut self, rows: &[R::Of<'_>]) {
        match self {
            Self::Bool(get, cells) => rows.iter().for_each(|row| cells.push(get(row))),
            Self::U8(get, cells) => cells.extend(rows, *get),
            Self::U16(get, cells) => cells.extend(rows, *get),
            Self::U32(get, cells) => cells.extend(rows, *get),
            Self::U64(get, cells) => cells.extend(rows, *get),
            Self::F64(get, cells) => cells.extend(rows, *get),
            Self::Time(get, cells) => cells.extend(rows, *get),
            Self::Duration(get, cells) => cells.extend(rows, *get),
            Self::Word(get, cells) => rows.iter().for_each(|row| cells.push(get(row))),
            Self::Address(get, cells) => rows.iter().for_each(|row| cells.push(get(row))),
            Self::Mac(get, cells) => rows.iter().for_each(|row| cells.push(get(row))),
            Self::Text(get, cells) => rows.iter().for_each(|row| cells.push(get(row).as_deref())),
        }
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        match self {
            Self::Bool(_, cells) => Ok(cells.finish()),
            Self::U8(_, cells) => cells.finish(),
            Self::U16(_, cells) => cells.finish(),
            Self::U32(_, cells) => cells.finish(),
            Self::U64(_, cells) => cells.finish(),
            Self::F64(_, cells) => cells.finish(),
            Self::Time(_, cells) => cells.finish(),
            Self::Duration(_, cells) => cells.finish(),
            Self::Word(_, cells) => cells.finish(),
            Self::Address(_, cells) => cells.finish(),
            Self::Mac(_, cells) => cells.finish(),
            Self::Text(_, cells) => cells.finish(),
        }
    }
}

/// Numbers and times. The null bitmap exists only once there is a null, and values only once there is one: many columns are
/// all null in most captures, and memory that nobody writes to costs nothing.
struct Numbers<T: ArrowPrimitiveType> {
    /// Nulls before the first value.
    absent: usize,
    values: Vec<T::Native>,
    nulls: NullBufferBuilder,
}

impl<T: ArrowPrimitiveType> Default for Numbers<T> {
    fn default() -> Self {
        Self { absent: 0, values: Vec::new(), nulls: NullBufferBuilder::new(0) }
    }
}

impl<T: ArrowPrimitiveType> Numbers<T> {
    /// Nulls are counted for up to 64 cells at a time: mostly there are none, or nothing else.
    fn extend<Row>(&mut self, rows: &[Row], get: impl Fn(&Row) -> Option<T::Native>) {
        for rows in rows.chunks(64) {
            let (mut there, mut bit) = (0_u64, 1_u64);
            self.values.extend(rows.iter().map(|row| {
                let value = get(row);
                there |= if value.is_some() { bit } else { 0 };
                bit = bit.rotate_left(1);
                value.unwrap_or_default()
            }));
            if there == 0 && self.values.len() == rows.len() {
                self.values.clear();
                self.absent += rows.len();
                continue;
            }
            if self.absent > 0 {
                let absent = std::mem::take(&mut self.absent);
                self.values.splice(..0, std::iter::repeat_n(T::Native::default(), absent));
                self.nulls.append_n_nulls(absent);
            }
            match there.count_ones() as usize {
                0 => self.nulls.append_n_nulls(rows.len()),
                all if all == rows.len() => self.nulls.append_n_non_nulls(all),
                _ => (0..rows.len()).for_each(|at| self.nulls.append(there >> at & 1 == 1)),
            }
        }
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        if self.absent > 0 {
            return Ok(new_null_array(&T::DATA_TYPE, std::mem::take(&mut self.absent)));
        }
        let values = ScalarBuffer::from(refill(&mut self.values));
        Ok(Arc::new(PrimitiveArray::<T>::try_new(values, self.nulls.finish())?))
    }
}

/// Booleans.
struct Flags {
    values: BooleanBufferBuilder,
    nulls: NullBufferBuilder,
}

impl Default for Flags {
    fn default() -> Self {
        Self { values: BooleanBufferBuilder::new(0), nulls: NullBufferBuilder::new(0) }
    }
}

impl Flags {
    fn push(&mut self, value: Option<bool>) {
        self.values.append(value.unwrap_or_default());
        self.nulls.append(value.is_some());
    }

    fn finish(&mut self) -> ArrayRef {
        Arc::new(BooleanArray::new(self.values.finish(), self.nulls.finish()))
    }
}

/// Takes the values and leaves room for as many again: batches of one scan are alike.
fn refill<T>(values: &mut Vec<T>) -> Vec<T> {
    let room = values.len();
    std::mem::replace(values, Vec::with_capacity(room))
}

#[cfg(test)]
mod tests;
