#!/usr/bin/env bash
# Tests of runs on several threads under ThreadSanitizer, which reports unsynchronised access to the same data.
#
#   scripts/tsan.sh [TEST ARGUMENTS]
#
# It takes a nightly toolchain. The standard library is not instrumented, but its locks and atomics
# are: they are compiled with the program.
set -euo pipefail
cd "$(dirname "$0")/.."

host=$(rustc +nightly -vV | sed -n 's/^host: //p')
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-target}/tsan
export RUSTFLAGS="-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer"
# The channel by which the test program collects results is the standard library's.
suppressions=$(mktemp)
trap 'rm -f "$suppressions"' EXIT
echo "race:std::sync::mpmc" > "$suppressions"
export TSAN_OPTIONS="suppressions=$suppressions ${TSAN_OPTIONS:-}"
cargo +nightly test --locked --target "$host" -p pacesim --test all threads -- --test-threads 1 "$@"
cargo +nightly test --locked --target "$host" -p pacesim --lib -- rounds lanes schedule --test-threads 1 "$@"
