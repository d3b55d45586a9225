//! 24-bit packet sequence numbers (IBTA vol. 1, 9.7.2): they wrap, and "newer" means less than half a circle ahead.

/// Number of PSNs before they wrap.
pub const CIRCLE: u32 = 1 << 24;
const MASK: u32 = CIRCLE - 1;
const HALF: u32 = CIRCLE / 2;

/// `psn` moved forward by `step`.
pub const fn add(psn: u32, step: u32) -> u32 {
    psn.wrapping_add(step) & MASK
}

/// How far `to` lies ahead of `from`, 0 to 2^24 - 1.
pub const fn ahead(from: u32, to: u32) -> u32 {
    to.wrapping_sub(from) & MASK
}

/// `a` is newer than `b`.
pub const fn newer(a: u32, b: u32) -> bool {
    let distance = ahead(b, a);
    distance != 0 && distance < HALF
}

/// `a` is `b` or newer.
pub const fn at_or_after(a: u32, b: u32) -> bool {
    ahead(b, a) < HALF
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn order_survives_the_wrap() {
        assert!(newer(0, 0x00ff_ffff));
        assert!(!newer(0x00ff_ffff, 0));
        assert_eq!(add(0x00ff_fffe, 3), 1);
        assert_eq!(ahead(0x00ff_fff0, 0x10), 0x20);
    }

    proptest! {
        #[test]
        fn of_two_psns_less_than_half_a_circle_apart_exactly_one_is_newer(a in 0..CIRCLE, step in 1..HALF) {
            let b = add(a, step);
            prop_assert!(newer(b, a) && !newer(a, b));
            prop_assert!(at_or_after(b, a) && at_or_after(a, a));
            prop_assert_eq!(ahead(a, b), step);
        }
    }
}
