#!/usr/bin/env bash
# Instructions per packet-hop under callgrind, as the slope between two run lengths, so
# that start-up does not count.
#
#   benches/instructions.sh                          the engine: 1000 Poisson flows in a tree
#   benches/instructions.sh FLOWS                    the same with so many flows
#   benches/instructions.sh SCENARIO [SHORT LONG]    the whole program on a scenario
#
# The engine counts packets and bytes, mean and variance of delay for each flow, and
# packets, bytes, mean and maximum queue for each link; the program also keeps percentiles of
# delay for each flow. Needs valgrind. Counts are the same on a busy machine.
set -euo pipefail
cd "$(dirname "$0")/.."

command -v valgrind >/dev/null || { echo "valgrind is not installed" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
what=${1:-1000}

# Runs the rest of the line under callgrind as run $1; what it prints goes to $work/$1.
count() {
  local name=$1
  shift
  valgrind --tool=callgrind --callgrind-out-file="$work/$name.calls" "$@" >"$work/$name" 2>"$work/log"
}

instructions() { grep -E '^(summary|totals):' "$work/$1.calls" | head -n 1 | grep -o '[0-9]*'; }

if [ -f "$what" ]; then
  cargo build --release --quiet --bin pacesim
  for run in short long; do
    length=${2:-8s}
    [ $run = short ] || length=${3:-16s}
    count $run target/release/pacesim run "$what" --set "run.duration=$length" --json --quiet
  done
  hops() { grep -o '"packet_hops": *[0-9]*' "$work/$1" | head -n 1 | grep -o '[0-9]*$'; }
else
  cargo build --release --quiet --bin tree
  count short target/release/tree 2 "$what"
  count long target/release/tree 6 "$what"
  hops() { cut -d' ' -f1 "$work/$1"; }
fi

echo "packet-hops                  $(hops short) and $(hops long)"
awk -v a="$(instructions short)" -v b="$(instructions long)" -v h="$(hops short)" -v k="$(hops long)" \
  'BEGIN { printf "instructions per packet-hop  %.1f\n", (b - a) / (k - h) }'
if [ -n "${KEEP:-}" ]; then cp "$work/long.calls" "$KEEP" && echo "profile                      $KEEP"; fi
