//! Control protocols on the wire: neighbours, and events of links, routes and addresses.

use crate::tables::captured::Captured;
use crate::tables::control_events::ControlEvent;
use crate::tables::neighbours::Neighbour;
use crate::tables::problems::ProblemRow;

/// What control protocols said.
#[derive(Debug, Default)]
pub struct Control {}

impl Control {
    /// A packet passed the tap that is neither RDMA, a pause, TCP nor UDP; or TCP and UDP of a routing protocol.
    pub fn on_packet(&mut self, _row: &Captured<'_>) {}

    /// The rows of `neighbours` and `control_events`; limits that were hit go to `problems`.
    pub fn finish(self, _source: &str, _problems: &mut Vec<ProblemRow>) -> (Vec<Neighbour>, Vec<ControlEvent>) {
        (Vec::new(), Vec::new())
    }
}
