#!/usr/bin/env bash
# Wheel and source distribution of the Python module; the wheel installs the program as a console script.
#
#   scripts/wheel.sh [OUT]          for releases, in the profile ship, into OUT (dist)
#   scripts/wheel.sh --dev [OUT]    in the dev profile, without the sdist (CI)
#
# Needs Python 3.11 or newer and maturin (pip install maturin).
set -euo pipefail
cd "$(dirname "$0")/.."

profile=ship
if [ "${1:-}" = --dev ]; then
    profile=dev
    shift
fi
out=$(realpath -m "${1:-dist}")
maturin=${MATURIN:-maturin}
module=crates/python/Cargo.toml

if [ "$profile" = ship ]; then
    "$maturin" sdist --manifest-path "$module" --out "$out"
fi
# Line numbers for backtraces would make the wheel five times as large.
"$maturin" build --manifest-path "$module" --profile "$profile" --locked --strip --out "$out"
