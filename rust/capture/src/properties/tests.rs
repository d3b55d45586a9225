//! The fuzz targets in every run of the tests: on arbitrary bytes, and on scripts that reach the trackers.

use std::collections::BTreeSet;
use std::path::Path;

use proptest::prelude::*;

use super::TARGETS;

/// A script: its first byte, and pieces of control, time and body.
fn script() -> impl Strategy<Value = Vec<u8>> {
    let time = prop_oneof![Just(0u8), 1..96u8, any::<u8>()];
    let byte = prop_oneof![Just(0u8), Just(1), any::<u8>()];
    let body = prop::collection::vec(byte, 0..48);
    let piece = (any::<u8>(), time, body).prop_map(|(control, time, body)| [&[control, time][..], &body].concat());
    let pieces = prop::collection::vec(piece, 0..40);
    (any::<u8>(), pieces).prop_map(|(first, pieces)| [&[first][..], &pieces.join(&[0xa5, 0x5a][..])].concat())
}

/// A test for each target, so that each fails alone.
macro_rules! holds {
    ($($target:ident)*) => {$(
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(64))]

            #[test]
            fn $target(bytes in prop::collection::vec(any::<u8>(), 0..600), script in script()) {
                run(stringify!($target), &bytes);
                run(stringify!($target), &script);
            }
        }
    )*};
}

/// No promise is broken by arbitrary bytes and by scripts of packets.
mod no_promise_is_broken {
    use proptest::prelude::*;

    use super::script;
    use crate::properties::run;

    holds!(pcap pcapng unpack packet track tcp requests control rdma pauses fragments tunnels taps);
}

#[test]
fn every_target_has_a_program_for_the_fuzzer() {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
    let manifest = std::fs::read_to_string(fuzz.join("Cargo.toml")).unwrap();
    let named = |line: &str| line.strip_prefix("path = \"fuzz_targets/")?.strip_suffix(".rs\"").map(str::to_owned);
    let programs: BTreeSet<String> = manifest.lines().filter_map(named).collect();
    assert_eq!(programs, TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect());
    for (name, _) in TARGETS {
        let program = std::fs::read_to_string(fuzz.join(format!("fuzz_targets/{name}.rs"))).unwrap();
        assert!(program.contains(&format!("capture::properties::run(\"{name}\", input)")), "{name}");
    }
}
