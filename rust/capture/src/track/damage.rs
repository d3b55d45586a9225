//! When a wrong ICRC is damage.

/// Does this capture hold the ICRC as it was on the wire?
#[derive(Debug, Default)]
pub struct Icrc {
    right: u64,
    wrong: u64,
}

impl Icrc {
    /// A wrong ICRC is damage only where most are right. Else the capture was taken before the NIC wrote it, or something
    /// rewrites addresses or ports on the way, and it proves nothing.
    pub fn is_damaged(&mut self, ok: Option<bool>) -> bool {
        self.right += u64::from(ok == Some(true));
        self.wrong += u64::from(ok == Some(false));
        ok == Some(false) && self.right > self.wrong
    }
}
