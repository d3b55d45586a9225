//! What must hold whatever the bytes: one function for each fuzz target, and the same functions under proptest.
//!
//! A target must not panic, and what it asserts stands here and not in `fuzz/`, so that the tests of every day compile and
//! run it. A target for a tracker takes a *script* ([`script`]): pieces that become packets with right lengths, so that a
//! fuzzer need not guess containers and checksums on its way to the tracker.
//!
//! | file | holds |
//! |---|---|
//! | [`container`], [`packet`] | targets on bytes as they are: pcap, pcapng, compressed streams, one packet, the whole pass |
//! | [`pickle`] | a target on a dump of a flight recorder |
//! | [`tcp`], [`requests`], [`control`], [`rdma`], [`pauses`], [`fragments`], [`tunnels`], [`taps`] | targets on scripts |
//! | [`script`], [`frames`], [`streams`], [`reel`] | from a script to a capture in memory |
//! | [`whole`], [`rows`] | what holds for the tables of any capture |

// A broken promise ends the run: that is how fuzzer and test learn of it.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, clippy::missing_panics_doc)]

mod container;
mod control;
mod fragments;
mod frames;
mod packet;
mod pauses;
mod pickle;
mod rdma;
mod reel;
mod requests;
mod rows;
mod script;
mod streams;
mod taps;
mod tcp;
#[cfg(test)]
mod tests;
mod tunnels;
mod whole;

/// A target: its name, which is that of its file in `fuzz/fuzz_targets/`, and what it does with an input.
pub type Target = (&'static str, fn(&[u8]));

/// Every target.
pub const TARGETS: [Target; 14] = [
    ("pcap", container::pcap),
    ("pcapng", container::pcapng),
    ("unpack", container::unpack),
    ("packet", packet::packet),
    ("pickle", pickle::pickle),
    ("track", container::track),
    ("tcp", tcp::tcp),
    ("requests", requests::requests),
    ("control", control::control),
    ("rdma", rdma::rdma),
    ("pauses", pauses::pauses),
    ("fragments", fragments::fragments),
    ("tunnels", tunnels::tunnels),
    ("taps", taps::taps),
];

/// Runs the target of that name.
pub fn run(name: &str, input: &[u8]) {
    let (_, target) = TARGETS.iter().find(|(known, _)| *known == name).expect("a target of that name");
    target(input);
}
