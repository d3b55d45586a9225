//! A file seen as a slice, by mmap, and the hints that make walking over it fast: the `unsafe` blocks of the project, and
//! the argument for each.

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

    /// Bytes that are in memory anyway, as a map of a file would show them; `None` for no bytes at all.
    #[cfg(test)]
    pub(crate) fn holding(bytes: &[u8]) -> Option<Self> {
        let mut map = memmap2::MmapMut::map_anon(bytes.len()).ok()?;
        map.copy_from_slice(bytes);
        map.make_read_only().ok().map(Self)
    }

    /// The whole file.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Asks the processor for the cache line at this place, to be there when it is read. Only a hint: a place beyond the
    /// end asks for nothing.
    #[inline]
    fn ask_for(&self, place: usize) {
        #[cfg(target_arch = "x86_64")]
        if let Some(byte) = self.0.get(place) {
            // SAFETY: a prefetch reads nothing and cannot fault, whatever the address is (Intel SDM vol. 2, PREFETCHh: it
            // is "treated as a NOP" where no line can be brought in). The address is that of a byte of the map all the
            // same. SSE is part of every x86-64 processor.
            #[allow(unsafe_code)]
            unsafe {
                use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
                _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(byte).cast());
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = place;
    }
}

/// Bytes ahead of a walk that are asked for. About what one core can have under way at a time (48 lines).
const AHEAD: usize = 3072;
/// Records longer than this are asked for one by one, at the places where they will begin if they are alike.
const LONG: usize = 2048;
const RECORDS_AHEAD: usize = 6;
/// Bytes of a cache line.
const LINE: usize = 64;

/// How far ahead of a walk the map was asked for. A chain of records can only be followed one by one, each at the
/// latency of memory; asking early makes that 5 to 20 times faster.
#[derive(Default, Clone, Copy)]
pub(crate) struct Asked(usize);

impl Asked {
    /// The walk stands at a record of `len` bytes.
    #[inline]
    pub(crate) fn ahead_of(&mut self, map: &Map, place: usize, len: usize) {
        if len >= LONG {
            let guess = place.saturating_add(len.saturating_mul(RECORDS_AHEAD));
            map.ask_for(guess);
            map.ask_for(guess.saturating_add(LINE));
            return;
        }
        let until = place.saturating_add(AHEAD);
        let mut next = self.0.max(place);
        while next < until {
            map.ask_for(next);
            next += LINE;
        }
        self.0 = next;
    }
}
