//! A pickle of a flight recorder, whole or cut, with opcodes that no writer puts there.

use crate::pickle;

pub(super) fn pickle(input: &[u8]) {
    match pickle::read(input) {
        Ok(reading) => assert!(reading.cut.is_none_or(|at| at <= input.len()), "a cut is a place in the file"),
        Err(refused) => assert!(!refused.to_string().is_empty()),
    }
}
