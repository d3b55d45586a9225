//! MAU types: the speed and duplex that the number in an LLDP announcement stands for (IANA-MAU-MIB, dot3MauType).

/// Mbit/s; `None` for numbers that stand for no single speed, or that we do not know.
pub(super) const fn speed(mau_type: u16) -> Option<u32> {
    match mau_type {
        2 | 4..=13 => Some(10),
        14..=20 | 44..=46 => Some(100),
        21..=30 | 47..=53 | 56 => Some(1_000),
        31..=41 | 54..=55 | 57..=58 => Some(10_000),
        70..=74 => Some(40_000),
        75..=78 => Some(100_000),
        _ => None,
    }
}

/// Where the name of the type says it.
pub(super) const fn duplex(mau_type: u16) -> Option<&'static str> {
    match mau_type {
        10 | 12 | 15 | 17 | 19 | 21 | 23 | 25 | 27 | 29 => Some("half"),
        11 | 13 | 16 | 18 | 20 | 22 | 24 | 26 | 28 | 30 => Some("full"),
        _ => None,
    }
}
