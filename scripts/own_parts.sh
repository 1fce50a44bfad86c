#!/usr/bin/env bash
# Builds the crates that `pacesim new part` writes, outside the workspace, and runs the laws, a scenario and a
# sweep of each.
#
#   scripts/own_parts.sh               all kinds
#   scripts/own_parts.sh loss          some
set -euo pipefail
cd "$(dirname "$0")/.."
source=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cargo build --quiet -p pacesim-cli
program=${CARGO_TARGET_DIR:-$source/target}/debug/pacesim
# Some scenarios have a longer warm-up.
short=(--set run.duration=3s --set run.warmup=1s)
# One folder for all, so that the dependencies are built once.
export CARGO_TARGET_DIR=$work/target
for kind in "${@:-control pacer discipline source middlebox loss measure}"; do
    for one in $kind; do
        cd "$work"
        "$program" new part "mine_$one" --kind "$one" --source "$source"
        cd "mine_$one"
        cp "$source/Cargo.lock" .
        cargo test --quiet --offline
        cargo run --quiet --offline -- run scenario.toml "${short[@]}" --out run
        cargo run --quiet --offline -- sweep study.toml "${short[@]}"
    done
done
