//! A pickle of a flight recorder, whole or cut, with opcodes that no writer puts there.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let _ = capture::pickle::read(input);
});
