#!/usr/bin/env bash
# Fails if the release build of the program takes over 5 % more instructions per packet-hop than
# recorded below: its event loop is compiled with the crates that use it, whose settings once cost a
# sixth. Counts are the same on a busy machine; they follow the compiler, so a new one may need a new
# record.
#
#   cargo build --release -p pacesim-cli && benches/program_cost.sh
set -euo pipefail
cd "$(dirname "$0")/.."

recorded=367.2
scenario=benches/peers/tree.toml

command -v valgrind >/dev/null || { echo "skipped: it takes valgrind"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

count() { # simulated seconds; prints "packet-hops instructions"
  valgrind --tool=callgrind --callgrind-out-file="$work/calls" \
    target/release/pacesim run "$scenario" --set "run.duration=$1s" --json --quiet >"$work/summary" 2>/dev/null
  grep -o '"packet_hops": *[0-9]*' "$work/summary" | head -n 1 | grep -o '[0-9]*' | tr '\n' ' '
  grep -E '^(summary|totals):' "$work/calls" | head -n 1 | grep -o '[0-9]*'
}

{ count 10; count 20; } | awk -v recorded="$recorded" '
  { hops[NR] = $1; instructions[NR] = $2 }
  END {
    each = (instructions[2] - instructions[1]) / (hops[2] - hops[1])
    printf "%.1f instructions per packet-hop, recorded %.1f\n", each, recorded
    exit each > 1.05 * recorded
  }'
