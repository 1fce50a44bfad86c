#!/usr/bin/env bash
# pacesim and ns-2 on the same work, in turn: 1000 Reno flows through the tree of the
# edge-pacing paper's Fig. 3 with 10 KB at the core, 150 s.
#
#   benches/peers/ns2.sh [ROUNDS]
#
# Prints packet-hops per CPU second of each round, and the ratios. A packet-hop is one
# packet leaving one link, data and acknowledgements, on both sides. Needs ns-2 (on Debian:
# apt-get install ns2); without it says so and does nothing.
set -euo pipefail
cd "$(dirname "$0")/../.."

rounds=${1:-3}
command -v ns >/dev/null || { echo "skipped: ns-2 is not installed"; exit 0; }
cargo build --release --quiet --bin pacesim
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Runs a command; prints its user and system seconds. Its output goes to $work/out.
cpu_seconds() {
  local TIMEFORMAT='%U %S'
  { time "$@" >"$work/out" 2>/dev/null; } 2>"$work/time"
  awk '{ print $1 + $2 }' "$work/time"
}

printf '%5s %28s %28s %8s\n' round 'pacesim, packet-hops/CPU s' 'ns-2, packet-hops/CPU s' ratio
for round in $(seq "$rounds"); do
  ours_s=$(cpu_seconds target/release/pacesim run scenarios/bench/w1.toml --quiet --json \
    --set run.duration=150s --set "run.seed=$round")
  ours_hops=$(grep -o '"packet_hops": *[0-9]*' "$work/out" | head -n 1 | grep -o '[0-9]*$')
  theirs_s=$(cpu_seconds ns benches/peers/ns2_dumbbell.tcl exp B buf 10000 seed "$round" dur 150 t0 50)
  theirs_hops=$(grep -o 'pkt_hops=[0-9.e+]*' "$work/out" | cut -d= -f2)
  awk -v r="$round" -v a="$ours_hops" -v s="$ours_s" -v b="$theirs_hops" -v t="$theirs_s" \
    'BEGIN { printf "%5d %28.0f %28.0f %8.1f\n", r, a / s, b / t, (a / s) / (b / t) }'
done
