//! 32-bit sequence numbers (RFC 9293, 3.4): they wrap, and "before" means less than half a circle behind.

/// `a` comes before `b`.
pub const fn before(a: u32, b: u32) -> bool {
    (a.wrapping_sub(b) as i32) < 0
}

/// `a` is `b` or comes before it.
pub const fn not_after(a: u32, b: u32) -> bool {
    (a.wrapping_sub(b) as i32) <= 0
}

/// The later of two.
pub const fn later(a: u32, b: u32) -> u32 {
    if before(a, b) { b } else { a }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn of_two_numbers_less_than_half_a_circle_apart_exactly_one_is_before(a: u32, step in 1_u32..1 << 31) {
            let b = a.wrapping_add(step);
            prop_assume!(step < 1 << 31);
            prop_assert!(before(a, b) && !before(b, a) && not_after(a, b) && not_after(a, a));
            prop_assert_eq!(later(a, b), b);
        }
    }
}
