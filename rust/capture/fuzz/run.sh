#!/bin/sh
# Builds one fuzz target with the compiler at hand (no nightly, no cargo-fuzz) and runs it at low priority.
# Usage: run.sh TARGET SECONDS [options of libFuzzer]
set -eu
cd "$(dirname "$0")"
target=$1 seconds=$2
shift 2
# What cargo-fuzz gives the compiler: edge coverage for libFuzzer; and AddressSanitizer where C code is reached, which is only
# by decompressing. The rest is safe Rust, and runs three times as often without.
flags="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters"
flags="$flags -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares"
flags="$flags -Ccodegen-units=1 --cfg fuzzing"
case $target in
    unpack | track) flags="$flags -Zsanitizer=address" CARGO_TARGET_DIR=target/address ;;
    *) CARGO_TARGET_DIR=target/plain ;;
esac
export CARGO_TARGET_DIR
export RUSTC_BOOTSTRAP=1 RUSTFLAGS="$flags"
triple=$(rustc -vV | sed -n 's/^host: //p')
cargo build -q --release --target "$triple" --bin "$target"
mkdir -p "corpus/$target" "artifacts/$target"
exec nice -n 19 "$CARGO_TARGET_DIR/$triple/release/$target" "corpus/$target" -max_total_time="$seconds" -rss_limit_mb=2048 \
    -timeout=20 -artifact_prefix="artifacts/$target/" -print_final_stats=1 "$@"
