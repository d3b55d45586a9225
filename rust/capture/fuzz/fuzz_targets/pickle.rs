//! See `TARGETS` in `capture::properties`.
#![no_main]
libfuzzer_sys::fuzz_target!(|input: &[u8]| capture::properties::run("pickle", input));
