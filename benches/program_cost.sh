#!/usr/bin/env bash
# Fails if the program takes over 2 % more instructions per packet-hop than recorded below for its
# profile: its event loop is compiled with the crates that use it, whose settings once cost a sixth.
# Counts are the same on a busy machine; they follow the compiler, so with another one than recorded
# they are only printed.
#
#   cargo build --release -p pacesim-cli && benches/program_cost.sh
#   cargo build --profile ship -p pacesim-cli && benches/program_cost.sh ship
set -euo pipefail
cd "$(dirname "$0")/.."

profile=${1:-release}
case $profile in
  release) recorded=380.8 ;;
  ship) recorded=369.8 ;;
  *) echo "usage: benches/program_cost.sh [release | ship]" >&2; exit 2 ;;
esac
compiler="rustc 1.95.0"
scenario=benches/peers/tree.toml

valgrind --tool=callgrind --callgrind-out-file=/dev/null "target/$profile/pacesim" version >/dev/null 2>&1 ||
  { echo "skipped: it takes a valgrind that runs the program"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

count() { # simulated seconds; prints "packet-hops instructions"
  valgrind --tool=callgrind --callgrind-out-file="$work/calls" \
    "target/$profile/pacesim" run "$scenario" --set "run.duration=$1s" --json --quiet >"$work/summary" 2>/dev/null
  grep -o '"packet_hops": *[0-9]*' "$work/summary" | head -n 1 | grep -o '[0-9]*' | tr '\n' ' '
  grep -E '^(summary|totals):' "$work/calls" | head -n 1 | grep -o '[0-9]*'
}

[[ $(rustc --version) == "$compiler "* ]] && most=1.02 || most=1000
{ count 10; count 20; } | awk -v recorded="$recorded" -v most="$most" '
  { hops[NR] = $1; instructions[NR] = $2 }
  END {
    each = (instructions[2] - instructions[1]) / (hops[2] - hops[1])
    printf "%.1f instructions per packet-hop, recorded %.1f\n", each, recorded
    exit each > most * recorded
  }'
