//! A pcapng file: the input are its blocks after the first section header, each given its right length at the end, so that
//! the fuzzer need not guess it. The first byte chooses the byte order, and whether lengths are corrected.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let Some((&choice, mut rest)) = input.split_first() else { return };
    let big = choice & 1 == 1;
    let word = |value: u32| if big { value.to_be_bytes() } else { value.to_le_bytes() };
    let mut file = [word(0x0a0d_0d0a), word(28), word(0x1a2b_3c4d)].concat();
    file.extend(if big { [0, 1, 0, 0] } else { [1, 0, 0, 0] });
    file.extend([0xff; 8]);
    file.extend(word(28));
    if choice & 2 == 0 {
        file.extend(rest);
        return badhop_capture_fuzz::walk(file);
    }
    while let Some((&[kind, units], body)) = rest.split_first_chunk() {
        let body = body.get(..usize::from(units) * 4).unwrap_or(body);
        let padded = body.len().next_multiple_of(4);
        let total = (padded + 12) as u32;
        file.extend([word(kind.into()), word(total)].concat());
        file.extend(body);
        file.resize(file.len() + padded - body.len(), 0);
        file.extend(word(total));
        rest = &rest[2 + body.len()..];
    }
    badhop_capture_fuzz::walk(file);
});
