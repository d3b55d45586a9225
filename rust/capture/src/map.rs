//! A file seen as a slice, by mmap: the one `unsafe` block of the project, and the argument for it.

use std::fs::File;
use std::io;

use memmap2::{Advice, Mmap};

/// A read-only, private map of a whole file.
pub(crate) struct Map(Mmap);

impl Map {
    /// Maps the file as long as it is now.
    ///
    /// # Errors
    ///
    /// What the system says: the file is a pipe, or lies on a file system that cannot map.
    pub(crate) fn of(file: &File) -> io::Result<Self> {
        // SAFETY: the map is read-only and private, and lives as long as every slice of it: they borrow from `Map`. What
        // Rust cannot check is that nobody changes the file meanwhile. Bytes that change under us are hostile input like
        // any other: every length is checked against the slice at the place where it is used, and no value is read twice
        // and trusted. A file that *shrinks* is worse: touching a page that is gone ends the process with SIGBUS. The usual way to
        // get there is a capture ring that tcpdump or dumpcap is still writing, so `Window::open` maps only files that
        // nobody has written for a while and reads the others as a stream.
        #[allow(unsafe_code)]
        let map = unsafe { Mmap::map(file)? };
        // Only advice: a kernel that does not take it reads the same bytes, a little slower.
        let _ = map.advise(Advice::Sequential);
        Ok(Self(map))
    }

    /// The whole file.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }
}
