#!/usr/bin/env bash
# Fresh random flows in ns-2, repeated packet by packet by both TCP tests.
#
#   scripts/ns2_random_cases.sh [N] [SEED]         100 cases of seed 1
#   scripts/ns2_random_cases.sh N SEED uneven      the same off round rates and delays
#   scripts/ns2_random_cases.sh N SEED thin        small windows, few duplicates, short time-outs
#   KEEP=FOLDER scripts/ns2_random_cases.sh ...    leaves traces and test outputs there
#
# Prints a table per variant, and of each miss the first difference and its cause; a miss
# does not make it fail. Needs ns-2 2.35 and python3; without ns-2 it does nothing.
set -euo pipefail
cd "$(dirname "$0")/.."

n=${1:-100}
seed=${2:-1}
command -v ns >/dev/null || { echo "skipped: ns-2 is not installed (Debian: apt-get install ns2 tcl)"; exit 0; }

if [ -n "${KEEP:-}" ]; then
  mkdir -p "$KEEP"
  [ -z "$(ls -A "$KEEP")" ] || { echo "$KEEP is not empty" >&2; exit 2; }
  work=$(cd "$KEEP" && pwd)
else
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
fi
python3 scripts/ns2/random_cases.py "$work" "$n" "$seed" ${3:+"$3"}

# The test fails if a trace differs; the tally checks that it ran all of them.
replay() { # by the test of package $1; what it prints goes to $work/$1.out
  PACESIM_NS2_TRACES="$work" cargo test --quiet -p "$1" --test ns2_traces -- \
    folder_in_the_environment >"$work/$1.out" 2>"$work/$1.err" || true
}
replay pacesim-tcp
replay pacesim
python3 scripts/ns2/tally.py "$work" "$work/pacesim-tcp.out" "$work/pacesim.out"
