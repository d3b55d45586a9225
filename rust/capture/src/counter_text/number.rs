//! Decimal numbers, eight digits at a time, exactly as `str::parse` would read them.

/// Bytes that a number must have before it is read the fast way: the longest `u64`, a fraction, an exponent, a line end.
pub(super) const WINDOW: usize = 32;

/// Powers of ten that a double holds exactly.
const TEN: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];
const WHOLE_TEN: [u64; 17] = [
    1,
    10,
    100,
    1000,
    10_000,
    100_000,
    1_000_000,
    10_000_000,
    100_000_000,
    1_000_000_000,
    10_000_000_000,
    100_000_000_000,
    1_000_000_000_000,
    10_000_000_000_000,
    100_000_000_000_000,
    1_000_000_000_000_000,
    10_000_000_000_000_000,
];
/// Digits that always fit 64 bits.
const MOST_DIGITS: usize = 19;
/// Whole numbers up to here are exact in a double; times or by an exact power of ten, the result is rounded once only.
const EXACT: u64 = 1 << 53;

/// A number that begins the window and the bytes it takes; `None` for what is rare (signs, NaN, many digits) or wrong.
#[inline]
pub(super) fn float(window: &[u8; WINDOW]) -> Option<(f64, usize)> {
    let (whole, mut at) = digits(window, 0)?;
    if at == 0 {
        return None;
    }
    let (mut mantissa, mut exponent) = (whole, 0_i32);
    if *window.get(at)? == b'.' {
        let (fraction, end) = digits(window, at + 1)?;
        let places = end - at - 1;
        // More digits than a double holds are rare, and left to the exact way.
        mantissa = whole.checked_mul(*WHOLE_TEN.get(places)?)?.checked_add(fraction)?;
        exponent = -(places as i32); // at most 16
        at = end;
    }
    if matches!(window.get(at)?, b'e' | b'E') {
        let sign = *window.get(at + 1)?;
        let (power, end) = digits(window, at + 1 + usize::from(matches!(sign, b'+' | b'-')))?;
        if end <= at + 2 || power > 300 {
            return None; // `e` without digits, or a power for the exact way
        }
        exponent += if sign == b'-' { -(power as i32) } else { power as i32 };
        at = end;
    }
    if exponent == 0 {
        return Some((mantissa as f64, at));
    }
    let scale = *TEN.get(exponent.unsigned_abs() as usize)?;
    let exact = mantissa as f64;
    (mantissa <= EXACT).then_some((if exponent < 0 { exact / scale } else { exact * scale }, at))
}

/// A whole number that begins the window, and the bytes it takes (at least one).
#[inline]
pub(super) fn whole(window: &[u8; WINDOW]) -> Option<(u64, usize)> {
    digits(window, 0).filter(|&(_, length)| length > 0)
}

/// The digits from `start` on: their value and where they end. `None` when they do not end in the window or are too many.
#[inline]
fn digits(window: &[u8; WINDOW], start: usize) -> Option<(u64, usize)> {
    let (mut value, mut at) = (0_u64, start);
    loop {
        let word = u64::from_le_bytes(*window.get(at..)?.first_chunk::<8>()?);
        let count = leading_digits(word);
        if count == 8 {
            value = value.wrapping_mul(100_000_000).wrapping_add(eight(word)); // checked below, by the number of digits
            at += 8;
            continue;
        }
        if count > 0 {
            let power = *WHOLE_TEN.get(count)?;
            value = value.wrapping_mul(power).wrapping_add(eight(word << (64 - 8 * count)));
            at += count;
        }
        return (at - start <= MOST_DIGITS).then_some((value, at));
    }
}

/// How many of the eight bytes, the lowest first, are digits before the first that is none.
#[inline]
const fn leading_digits(word: u64) -> usize {
    let zeroed = word ^ 0x3030_3030_3030_3030;
    // Adding 0x76 to a byte below 10 leaves its highest bit clear; a carry only reaches bytes after one that is no digit.
    let others = (zeroed | zeroed.wrapping_add(0x7676_7676_7676_7676)) & 0x8080_8080_8080_8080;
    (others.trailing_zeros() >> 3) as usize
}

/// The value of eight digits, the first in the lowest byte; NUL counts as 0. Two, then four, then eight at a time.
#[inline]
const fn eight(word: u64) -> u64 {
    let ones = word & 0x0F0F_0F0F_0F0F_0F0F;
    let pairs = ones.wrapping_mul(10).wrapping_add(ones >> 8);
    let high = (pairs & 0x0000_00FF_0000_00FF).wrapping_mul(0x000F_4240_0000_0064);
    let low = ((pairs >> 16) & 0x0000_00FF_0000_00FF).wrapping_mul(0x0000_2710_0000_0001);
    high.wrapping_add(low) >> 32
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{WINDOW, float};

    fn window(text: &str) -> [u8; WINDOW] {
        let mut window = [b'\n'; WINDOW];
        window[..text.len()].copy_from_slice(text.as_bytes());
        window
    }

    #[test]
    fn a_number_ends_where_its_digits_end() {
        assert_eq!(float(&window("1764547200000000 eth0")), Some((1_764_547_200_000_000.0, 16)));
        assert_eq!(float(&window("1.5e+3")), Some((1500.0, 6)));
        assert_eq!(float(&window("18446744073709551615")), None); // 20 digits: the exact way
        assert_eq!(float(&window("-1")), None);
        assert_eq!(float(&window("1e")), None);
        assert_eq!(float(&window("x")), None);
    }

    proptest! {
        #[test]
        fn a_float_is_what_the_standard_library_reads(whole in 0_u64.., places in 0_usize..17, power in -40_i32..40) {
            for text in [format!("{whole}"), format!("{}.{:0places$}e{power}", whole % 100_000, whole % 10_u64.pow(places as u32))] {
                if text.len() < WINDOW - 8
                    && let Some((value, length)) = float(&window(&text)) {
                    let read = &text[..length];
                    prop_assert_eq!(value.to_bits(), read.parse::<f64>().unwrap().to_bits(), "{}", read);
                }
            }
        }

        #[test]
        fn arbitrary_bytes_are_a_number_or_none(bytes in any::<[u8; WINDOW]>()) {
            if let Some((value, length)) = float(&bytes) {
                let read = std::str::from_utf8(&bytes[..length]).unwrap();
                prop_assert_eq!(value.to_bits(), read.parse::<f64>().unwrap().to_bits());
            }
        }
    }
}
