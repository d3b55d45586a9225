//! Counters as text at a high rate: repeated `ethtool -S`, Prometheus exposition, Influx line protocol, CSV, JSON lines.
//!
//! Such a text says the same names thousands of times. A name is parsed once: each reading is compared with the name
//! that followed the one before it the last time, and only when that fails is a line taken apart. Large texts are read
//! by two threads, each from a line border on; what they found is the same as with one.
//!
//! | module | turns | into |
//! |---|---|---|
//! | [`text`] | a file | its bytes, mapped where that is safe |
//! | `number` | digits | numbers, eight bytes at a time |
//! | `blocks` | lines `key value` of any [`blocks::Grammar`] | one [`blocks::Stretch`] a thread |
//! | [`readings`] | stretches | [`readings::Readings`]: series, samples and Arrow columns |
//! | [`ethtool`], [`exposition`] | bytes | readings |
//! | [`line_protocol`] | bytes | points of Influx |
//! | [`template`], [`records`] | CSV and JSON lines whose records all look alike | Arrow columns |

pub mod blocks;
pub mod ethtool;
pub mod exposition;
pub mod labels;
pub mod line_protocol;
mod number;
pub mod readings;
pub mod records;
pub mod template;
#[cfg(test)]
mod tests;
pub mod text;
