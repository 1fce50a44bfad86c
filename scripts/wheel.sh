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

data=crates/python/pacesim.data
rm -rf "$data"
mkdir -p "$data/scripts"
trap 'rm -rf "$data"' EXIT

if [ "$profile" = release ]; then
    cargo build --release -p pacesim-cli --locked
fi
program=${PACESIM:-target/release/pacesim}
if [ -x "$program" ]; then
    cp "$program" "$data/scripts/pacesim"
    # Backtraces need no lines in a wheel, which they would make five times as large.
    strip "$data/scripts/pacesim"
elif [ "$profile" = release ]; then
    echo "no program at $program" >&2
    exit 1
fi

maturin=${MATURIN:-maturin}
"$maturin" build --manifest-path crates/python/Cargo.toml --profile "$profile" --locked --strip --out "$out"
if [ "$profile" = release ]; then
    "$maturin" sdist --manifest-path crates/python/Cargo.toml --out "$out"
fi
