#!/usr/bin/env bash
# Instructions per packet-hop under callgrind, as the slope between two run lengths,
# so that start-up and reading the scenario do not count.
#
#   benches/instructions.sh [SCENARIO [SHORT LONG]]
#
# Needs valgrind. Counts are the same on a busy machine; only the binary matters.
set -euo pipefail
cd "$(dirname "$0")/.."

scenario=${1:-scenarios/bench/poisson_tree.toml}
short=${2:-4s}
long=${3:-12s}
command -v valgrind >/dev/null || { echo "valgrind is not installed" >&2; exit 1; }
cargo build --release --quiet --bin pacesim
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Prints "packet-hops instructions" of a run of length $1.
count() {
  valgrind --tool=callgrind --callgrind-out-file="$work/$1.out" \
    target/release/pacesim run "$scenario" --set "run.duration=$1" --json --quiet \
    >"$work/$1.json" 2>"$work/$1.log"
  local hops instructions
  hops=$(grep -o '"packet_hops": *[0-9]*' "$work/$1.json" | head -n 1 | grep -o '[0-9]*$')
  instructions=$(grep -E '^(summary|totals):' "$work/$1.out" | head -n 1 | grep -o '[0-9]*')
  echo "$hops $instructions"
}

read -r hops_short instructions_short < <(count "$short")
read -r hops_long instructions_long < <(count "$long")
echo "scenario                     $scenario"
echo "packet-hops                  $hops_short in $short, $hops_long in $long"
awk -v a="$instructions_short" -v b="$instructions_long" -v h="$hops_short" -v k="$hops_long" \
  'BEGIN { printf "instructions per packet-hop  %.1f\n", (b - a) / (k - h) }'
target/release/pacesim run "$scenario" --set "run.duration=$long" --json --quiet |
  grep -o '"peak_rss_bytes": *[0-9]*' | awk '{ printf "peak memory                  %.1f MB\n", $2 / 1e6 }'
if [ -n "${KEEP:-}" ]; then cp "$work/$long.out" "$KEEP" && echo "profile                      $KEEP"; fi
