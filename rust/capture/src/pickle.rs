//! Reads pickles of plain data without running anything: what the flight recorder of `PyTorch` dumps.
//!
//! Python's own `pickle.load` calls whatever a file names. Here nothing is imported, looked up or called: there is no code
//! for it. Only the opcodes of plain data of protocols 2 to 5 are known ([`opcode`]); every other one ends the reading
//! with its name and byte. Depth, items and text are limited, and a file that ends early keeps what was complete.

mod opcode;
mod refused;
mod salvage;
mod stack;
#[cfg(test)]
mod tests;
mod value;

pub use refused::Refused;
pub use value::Value;

use stack::{Item, Stack};

/// Levels of containers inside each other. The recorder has five (dump, entries, entry, frames, frame).
pub const MAX_DEPTH: usize = 32;

/// Items put on the stack, and items of the result: a recorder of 15,000 entries (2,000 is usual) with 40 frames each has
/// about as many.
pub const MAX_ITEMS: usize = 5_000_000;

/// Bytes of text in the result, where a text that is used again counts again.
pub const MAX_TEXT: usize = 256 << 20;

/// A pickle that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The data; of a file that ends early what was complete.
    pub value: Value,
    /// Byte at which the file ended before the pickle did; `None` for a whole one.
    pub cut: Option<usize>,
}

/// Reads a pickle.
///
/// # Errors
/// [`Refused`] for what is no pickle, for an opcode that could run code or is unknown, and at the limits.
pub fn read(bytes: &[u8]) -> Result<Reading, Refused> {
    if !matches!(bytes, [opcode::PROTO, 2..=5, ..]) {
        return Err(Refused::new(0, "no pickle of protocol 2 to 5".to_owned()));
    }
    let mut reader = Reader { bytes, at: 0 };
    let mut stack = Stack::default();
    loop {
        let at = reader.at;
        match step(&mut reader, &mut stack) {
            Ok(Step::More) => {}
            Ok(Step::Stop) => {
                let top = stack.finish(at)?;
                return Ok(Reading { value: value::expand(&stack, &top)?, cut: None });
            }
            Err(Ended::Cut) => {
                let top = salvage::root(&mut stack, at)?;
                return Ok(Reading { value: value::expand(&stack, &top)?, cut: Some(bytes.len()) });
            }
            Err(Ended::Refused(refused)) => return Err(refused),
        }
    }
}

enum Step {
    More,
    Stop,
}

enum Ended {
    Cut,
    Refused(Refused),
}

impl From<Refused> for Ended {
    fn from(refused: Refused) -> Self {
        Self::Refused(refused)
    }
}

/// The bytes of the file from where reading stands.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], Ended> {
        let end = self.at.checked_add(count).ok_or(Ended::Cut)?;
        let taken = self.bytes.get(self.at..end).ok_or(Ended::Cut)?;
        self.at = end;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, Ended> {
        self.array::<1>().map(|[byte]| byte)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Ended> {
        self.take(N)?.try_into().map_err(|_| Ended::Cut)
    }

    /// A length of four bytes, and as many bytes.
    fn counted(&mut self) -> Result<&'a [u8], Ended> {
        let count = u32::from_le_bytes(self.array()?);
        self.take(count as usize)
    }

    fn counted_by_byte(&mut self) -> Result<&'a [u8], Ended> {
        let count = self.byte()?;
        self.take(usize::from(count))
    }

    fn counted_by_eight(&mut self) -> Result<&'a [u8], Ended> {
        let count = u64::from_le_bytes(self.array()?);
        self.take(usize::try_from(count).map_err(|_| Ended::Cut)?)
    }
}

/// One opcode. It is taken whole or not at all: the stack changes only when its argument is there.
fn step(reader: &mut Reader, stack: &mut Stack) -> Result<Step, Ended> {
    let at = reader.at;
    let code = reader.byte()?;
    match code {
        opcode::STOP => return Ok(Step::Stop),
        opcode::PROTO => match reader.byte()? {
            2..=5 => {}
            other => return Err(Refused::new(at, format!("protocol {other}")).into()),
        },
        opcode::FRAME => drop(reader.array::<8>()?),
        opcode::NONE => stack.push(Item::None, at)?,
        opcode::NEWTRUE => stack.push(Item::Bool(true), at)?,
        opcode::NEWFALSE => stack.push(Item::Bool(false), at)?,
        opcode::BININT => stack.push(Item::Int(i32::from_le_bytes(reader.array()?).into()), at)?,
        opcode::BININT1 => stack.push(Item::Int(reader.byte()?.into()), at)?,
        opcode::BININT2 => stack.push(Item::Int(u16::from_le_bytes(reader.array()?).into()), at)?,
        opcode::LONG1 => stack.push(Item::Int(long(reader.counted_by_byte()?, at)?), at)?,
        opcode::LONG4 => stack.push(Item::Int(long(reader.counted()?, at)?), at)?,
        opcode::BINFLOAT => stack.push(Item::Float(f64::from_be_bytes(reader.array()?)), at)?,
        opcode::SHORT_BINUNICODE => stack.push_text(reader.counted_by_byte()?, at)?,
        opcode::BINUNICODE => stack.push_text(reader.counted()?, at)?,
        opcode::BINUNICODE8 => stack.push_text(reader.counted_by_eight()?, at)?,
        opcode::SHORT_BINBYTES => stack.push_bytes(reader.counted_by_byte()?, at)?,
        opcode::BINBYTES => stack.push_bytes(reader.counted()?, at)?,
        opcode::BINBYTES8 => stack.push_bytes(reader.counted_by_eight()?, at)?,
        opcode::EMPTY_LIST | opcode::EMPTY_TUPLE => stack.push_list(0, at)?,
        opcode::TUPLE1 => stack.push_list(1, at)?,
        opcode::TUPLE2 => stack.push_list(2, at)?,
        opcode::TUPLE3 => stack.push_list(3, at)?,
        opcode::TUPLE => stack.push_marked_list(at)?,
        opcode::EMPTY_DICT => stack.push_dict(at)?,
        opcode::MARK => stack.mark(at)?,
        opcode::APPEND => stack.append(at)?,
        opcode::APPENDS => stack.append_marked(at)?,
        opcode::SETITEM => stack.set(at)?,
        opcode::SETITEMS => stack.set_marked(at)?,
        opcode::BINPUT => stack.remember(u32::from(reader.byte()?), at)?,
        opcode::LONG_BINPUT => stack.remember(u32::from_le_bytes(reader.array()?), at)?,
        opcode::MEMOIZE => stack.remember_next(at)?,
        opcode::BINGET => stack.recall(u32::from(reader.byte()?), at)?,
        opcode::LONG_BINGET => stack.recall(u32::from_le_bytes(reader.array()?), at)?,
        other => return Err(Refused::opcode(at, other).into()),
    }
    Ok(Step::More)
}

/// A number in two's complement, least byte first. Sixteen bytes hold every time, size and thread of a dump.
fn long(bytes: &[u8], at: usize) -> Result<i128, Refused> {
    let Some(last) = bytes.last() else { return Ok(0) };
    if bytes.len() > 16 {
        return Err(Refused::new(at, format!("a number of {} bytes", bytes.len())));
    }
    let filling = if last & 0x80 == 0 { 0 } else { 0xff };
    let mut whole = [filling; 16];
    for (place, byte) in whole.iter_mut().zip(bytes) {
        *place = *byte;
    }
    Ok(i128::from_le_bytes(whole))
}
