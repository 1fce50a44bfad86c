#!/usr/bin/env bash
# Instructions per packet-hop under callgrind, as the slope between two run lengths, which
# excludes start-up.
#
#   benches/instructions.sh                          1000 Poisson flows in a tree
#   benches/instructions.sh FLOWS [SHORT LONG]       the same with this many flows
#   benches/instructions.sh SCENARIO [SHORT LONG]    a scenario; lengths in seconds
#   PROGRAM=1 benches/instructions.sh SCENARIO ...   the same through the whole program
#
# The library records packets, bytes, mean and variance of delay for each flow, and
# packets, bytes, mean and maximum queue for each link; the program also records percentiles of
# delay for each flow. Needs valgrind. Counts are the same on a busy machine.
set -euo pipefail
cd "$(dirname "$0")/.."

command -v valgrind >/dev/null || { echo "valgrind is not installed" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
what=${1:-1000}
short=${2:-8}
long=${3:-16}

# Runs for $1 seconds under callgrind; prints "packet-hops instructions".
count() {
  local run=(target/ship/tree "$1" "$what") hops
  if [ -n "${PROGRAM:-}" ]; then
    run=(target/ship/pacesim run "$what" --set "run.duration=$1s" --json --quiet)
  fi
  valgrind --tool=callgrind --callgrind-out-file="$work/$1.calls" "${run[@]}" >"$work/$1" 2>/dev/null
  hops=$(grep -o '"packet_hops": *[0-9]*\|^[0-9]* packet-hops' "$work/$1" | head -n 1 | grep -o '[0-9]\+')
  echo "$hops $(grep -E '^(summary|totals):' "$work/$1.calls" | head -n 1 | grep -o '[0-9]*')"
}

cargo build --profile ship --quiet -p pacesim-benches -p pacesim-cli --bin tree --bin pacesim
read -r hops_short instructions_short < <(count "$short")
read -r hops_long instructions_long < <(count "$long")
echo "packet-hops                  $hops_short and $hops_long"
awk -v a="$instructions_short" -v b="$instructions_long" -v h="$hops_short" -v k="$hops_long" \
  'BEGIN { printf "instructions per packet-hop  %.1f\n", (b - a) / (k - h) }'
if [ -n "${KEEP:-}" ]; then cp "$work/$long.calls" "$KEEP" && echo "profile                      $KEEP"; fi
