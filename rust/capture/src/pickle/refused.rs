//! Why a pickle is not read, and at which byte.

use super::opcode;

/// A pickle that is not read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}, at byte {offset}")]
pub struct Refused {
    /// Byte of the file.
    pub offset: usize,
    /// What stands there.
    pub what: String,
}

impl Refused {
    /// Something that plain data never has.
    pub fn new(offset: usize, what: String) -> Self {
        Self { offset, what }
    }

    /// An opcode that is not of plain data.
    pub fn opcode(offset: usize, code: u8) -> Self {
        let (name, runs) = opcode::refused(code);
        let why = if runs { ", which can run code" } else { "" };
        Self { offset, what: format!("opcode {name} (0x{code:02x}){why}") }
    }
}
