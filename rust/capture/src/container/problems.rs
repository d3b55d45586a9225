//! The damage that was found in one file, as many lines of it as a person will read.

use std::path::Path;

use crate::error::Problem;
use crate::window::Window;

/// A hostile file can be damaged at every byte; after so many the rest is only counted.
const MOST: usize = 100;

/// The list.
#[derive(Default)]
pub(super) struct Problems {
    all: Vec<Problem>,
    unlisted: u64,
    /// Name of the file, where the capture has several.
    file: Option<String>,
    /// Number of the last frame that was read.
    pub(super) frame: u64,
}

impl Problems {
    pub(super) fn all(&self) -> &[Problem] {
        &self.all
    }

    /// From here on the problems are those of this file among several.
    pub(super) fn in_file(&mut self, path: &Path) {
        self.file = Some(path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned());
    }

    #[cold]
    pub(super) fn add(&mut self, offset: u64, what: String, next: impl Into<String>) {
        let frame = self.frame;
        if self.all.len() < MOST {
            let what = match &self.file {
                Some(file) => format!("{file}: {what}"),
                None => what,
            };
            self.all.push(Problem { offset, frame, what, next: next.into() });
            return;
        }
        self.unlisted += 1;
        if let Some(last) = self.all.last_mut() {
            let of = self.file.as_ref().map_or_else(String::new, |file| format!(" of {file}"));
            last.what = format!("{} more problems, the last at byte {offset}{of}", self.unlisted + 1);
            "ask for a better copy: this file is damaged throughout".clone_into(&mut last.next);
        }
    }

    /// The file ends inside a record or block of which `have` of `need` bytes are there; or, with `have` 0, between two
    /// of them, which is a problem only if the stream broke.
    #[cold]
    pub(super) fn ends(&mut self, window: &Window, part: &str, have: usize, need: u64) {
        const NEXT: &str = "everything before it was read; copy the file again, or capture anew if it was written so";
        if window.unfinished() {
            return; // the rest will be written
        }
        let broken = window.failure().map(str::to_owned);
        let what = match (broken, have) {
            (None, 0) => return,
            (Some(broken), 0) => broken,
            (None, _) => format!("the file ends inside {part}: {have} of {need} bytes are there"),
            (Some(broken), _) => format!("{broken}, inside {part}: {have} of {need} bytes are there"),
        };
        self.add(window.offset(), what, NEXT);
    }
}
