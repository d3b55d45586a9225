//! What a person knows of the place of a capture and the capture does not tell.

use std::collections::HashMap;
use std::num::NonZeroU64;

use crate::address::Mac;

/// What to take as known while a capture is read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settings {
    /// Speed of the links in bit/s, where [`Settings::link_speeds`] does not know better: a pause is counted in bit times.
    pub link_speed: Option<NonZeroU64>,
    /// Speed of the link of each port in bit/s, by the MAC that it sends pause frames with.
    pub link_speeds: HashMap<Mac, NonZeroU64>,
}

impl Settings {
    /// Speed of the link of a port in bit/s.
    #[must_use]
    pub fn speed_of(&self, port: Option<Mac>) -> Option<NonZeroU64> {
        port.and_then(|mac| self.link_speeds.get(&mac).copied()).or(self.link_speed)
    }
}
