#!/usr/bin/env bash
# Instructions of a protected packet at each of its two edges, under callgrind: the same lossless flows
# without protection and in blocks of 1000, each as the slope between two run lengths, which excludes start-up.
# Blocks of 3 give the cost of a repair packet, with its three links and both edges, separately.
#
#   benches/fec/instructions.sh [SHORT LONG]     lengths in seconds
#
# Needs valgrind. Counts are the same on a busy machine.
set -euo pipefail
cd "$(dirname "$0")/../.."

command -v valgrind >/dev/null || { echo "valgrind is not installed" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
scenario=benches/fec/edges.toml
short=${1:-4}
long=${2:-8}

# Runs for $1 seconds with the option $2; prints "packet-hops instructions".
count() {
  local hops
  valgrind --tool=callgrind --callgrind-out-file="$work/calls" target/ship/tree "$1" "$scenario" "$2" >"$work/out" 2>/dev/null
  hops=$(grep -o '^[0-9]* packet-hops' "$work/out" | grep -o '^[0-9]*')
  echo "$hops $(grep -E '^(summary|totals):' "$work/calls" | head -n 1 | grep -o '[0-9]*')"
}

# The slope: packet-hops and instructions between the two lengths.
slope() {
  local hops_short hops_long instructions_short instructions_long
  read -r hops_short instructions_short < <(count "$short" "$1")
  read -r hops_long instructions_long < <(count "$long" "$1")
  echo "$((hops_long - hops_short)) $((instructions_long - instructions_short))"
}

[ -n "${BUILT:-}" ] || cargo build --profile ship --quiet -p pacesim-benches --bin tree
read -r hops plain < <(slope 'fec=[]')
read -r hops_rare rare < <(slope 'fec[0].block=1000')
read -r hops_often often < <(slope 'fec[0].block=3')
awk -v hops="$hops" -v plain="$plain" -v hops_rare="$hops_rare" -v rare="$rare" -v hops_often="$hops_often" -v often="$often" 'BEGIN {
  packets = hops / 5
  # A repair packet crosses three links: from edge to edge.
  repairs = (hops_often - hops_rare) / 3
  of_repair = (often - rare) / repairs
  at_edges = (rare - plain - of_repair * (hops_rare - hops) / 3) / packets
  printf "instructions per packet-hop, unprotected   %.1f\n", plain / hops
  printf "more per protected packet, at each edge    %.1f\n", at_edges / 2
  printf "per repair packet, its three hops included %.1f\n", of_repair
}'
