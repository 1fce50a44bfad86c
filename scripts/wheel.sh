#!/usr/bin/env bash
# Wheel and source distribution of the Python module, with the program in the wheel.
#
#   scripts/wheel.sh [OUT]          release build, into OUT (dist)
#   scripts/wheel.sh --dev [OUT]    module in the dev profile, program as it stands; no sdist (CI)
#
# Needs Python 3.11 or newer and maturin (pip install maturin).
set -euo pipefail
cd "$(dirname "$0")/.."

profile=release
if [ "${1:-}" = --dev ]; then
    profile=dev
    shift
fi
out=$(realpath -m "${1:-dist}")
maturin=${MATURIN:-maturin}
module=crates/python/Cargo.toml

if [ "$profile" = release ]; then
    cargo build --release -p pacesim-cli --locked
    "$maturin" sdist --manifest-path "$module" --out "$out"
fi
"$maturin" build --manifest-path "$module" --profile "$profile" --locked --strip --out "$out"

program=${PACESIM:-target/release/pacesim}
if [ ! -x "$program" ]; then
    [ "$profile" = dev ] && exit 0
    echo "no program at $program" >&2
    exit 1
fi
stripped=$(mktemp)
trap 'rm -f "$stripped"' EXIT
# Backtraces need no lines in a wheel, which they would make five times as large.
strip -o "$stripped" "$program"
for wheel in "$out"/pacesim-*.whl; do
    scripts/wheel_program.py "$wheel" "$stripped"
done
