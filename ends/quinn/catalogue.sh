#!/usr/bin/env bash
# Runs the studies of quinn beside Linux before small buffers, and puts their figures and verdicts into docs/quic.
# Stored runs of an unchanged program are not repeated. Takes some ten minutes of a core in the profile release.
#
#   ./catalogue.sh             all studies
#   ./catalogue.sh ten-flows   one of them
set -euo pipefail
cd "$(dirname "$0")"
target=${CARGO_TARGET_DIR:-target}
program=$target/release/${PROGRAM:-pacesim-quinn}
cargo build --locked --release
docs=../../docs/quic
mkdir -p "$docs"

for study in ${*:-ten-flows one-flow beside-linux}; do
  "$program" sweep "studies/$study.study.toml" --out "results/$study" --markdown "results/$study.md"
  for figure in "results/$study/figures"/*.svg; do
    cp "$figure" "$docs/$study-$(basename "$figure")"
  done
done
