//! What a file says beside its packets: damage, comments, interfaces, and that there are secrets. It goes on from file to
//! file of one capture.

use super::comments::Comments;
use super::interfaces::Interfaces;
use super::problems::Problems;
use super::secrets::Secrets;
use crate::error::Problem;

/// All of it.
#[derive(Default)]
pub(super) struct Beside {
    pub(super) problems: Problems,
    pub(super) comments: Comments,
    pub(super) interfaces: Interfaces,
    pub(super) secrets: Secrets,
}

impl Beside {
    /// What a reader should know although nothing is damaged.
    pub(super) fn notes(&self) -> Vec<Problem> {
        let frame = self.problems.frame;
        self.secrets.notes().chain(self.comments.limits(frame)).chain(self.interfaces.limits(frame)).collect()
    }
}
