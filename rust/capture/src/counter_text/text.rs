//! The bytes of a text file: mapped where nobody writes to it any more, else read.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::map::Map;
use crate::window::is_settled;

/// A file as one slice.
pub struct Text(Bytes);

enum Bytes {
    Mapped(Map),
    Read(Vec<u8>),
}

impl Text {
    /// At most the first `most` bytes of a file.
    ///
    /// # Errors
    ///
    /// What the system says when the file cannot be opened or read.
    pub fn open(path: &Path, most: usize) -> io::Result<Self> {
        let file = File::open(path)?;
        let meta = file.metadata()?;
        if meta.is_file()
            && meta.len() > 0
            && is_settled(&meta)
            && let Ok(map) = Map::of(&file)
        {
            return Ok(Self(Bytes::Mapped(map)));
        }
        let mut read = Vec::new();
        file.take(most as u64).read_to_end(&mut read)?;
        Ok(Self(Bytes::Read(read)))
    }

    /// All of it, however much was asked for: a map costs no memory of ours.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        match &self.0 {
            Bytes::Mapped(map) => map.bytes(),
            Bytes::Read(read) => read,
        }
    }
}
