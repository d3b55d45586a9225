//! What was complete in a pickle that ends early, because the process that wrote it was killed.

use super::stack::{Item, Stack};
use super::{Refused, value::KEPT_LEVELS};

/// Closes what is open at the end of the file: the dump and its lists stay with what they have, an entry of a list that
/// is not complete is left out, for half an entry would look like one of which little is known.
pub fn root(stack: &mut Stack, at: usize) -> Result<Item, Refused> {
    if stack.top_is_new() {
        let _ = stack.pop(at); // what would have filled it is cut off
    }
    loop {
        let (marks, bottom) = stack.open();
        if marks == 0 {
            break;
        }
        let items = stack.pop_marked(at)?;
        // A dump of one key has no mark for itself: its only value is then one level further in.
        let level = marks - 1 + usize::from(bottom > 1);
        if level >= KEPT_LEVELS {
            let _ = stack.pop(at); // the container that it was; a tuple has none yet
        } else if !stack.fill(items) {
            return Err(nothing(at));
        }
    }
    let (_, count) = stack.open();
    let mut rest = Vec::new();
    for _ in 1..count {
        rest.push(stack.pop(at)?);
    }
    rest.reverse();
    if !stack.top_is_container() || !stack.fill(rest) {
        return Err(nothing(at));
    }
    stack.pop(at)
}

fn nothing(at: usize) -> Refused {
    Refused::new(at, "the file ends before anything is complete".to_owned())
}
