//! The IP identification that one host counts for another: which of its packets did not come by?

/// What one host sends to another, as far as it was captured.
#[derive(Debug, Default, Clone, Copy)]
pub struct IpIds {
    last: Option<u16>,
    skipped: u64,
    lost_count: u32,
}

/// Longest step that is a gap. The Linux counter also jumps by the time it stood still, and other counters by anything.
const LONGEST_STEP: u16 = 64;

/// How many identifications were skipped so far. Two readings can be compared while `lost_count` stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Skipped {
    /// Identifications skipped since the first packet.
    pub skipped: u64,
    /// Times that the count was lost: a jump that is no gap.
    pub lost_count: u32,
}

impl IpIds {
    /// A packet passed; returns the reading after it, `None` when it has no identification.
    pub fn on_packet(&mut self, id: Option<u16>) -> Option<Skipped> {
        let id = id?;
        match self.last.map(|last| id.wrapping_sub(last)) {
            Some(step @ 1..=LONGEST_STEP) => self.skipped += u64::from(step - 1),
            Some(_) => self.lost_count += 1,
            None => {}
        }
        self.last = Some(id);
        Some(Skipped { skipped: self.skipped, lost_count: self.lost_count })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_counted_over_the_wrap_and_jumps_lose_the_count() {
        let mut ids = IpIds::default();
        assert_eq!(ids.on_packet(None), None);
        ids.on_packet(Some(65_534));
        assert_eq!(ids.on_packet(Some(1)), Some(Skipped { skipped: 2, lost_count: 0 }));
        assert_eq!(ids.on_packet(Some(1)), Some(Skipped { skipped: 2, lost_count: 1 }));
        assert_eq!(ids.on_packet(Some(500)), Some(Skipped { skipped: 2, lost_count: 2 }));
    }
}
