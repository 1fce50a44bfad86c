#!/usr/bin/env bash
# Instructions that a datagram of quinn's takes on its way through three hops, answers included: those of the library with
# its adapter, those of all else. The difference of two lengths leaves out start and end. Needs valgrind; counts are
# the same on a busy machine, and follow the compiler.
set -euo pipefail
cd "$(dirname "$0")"
target=${CARGO_TARGET_DIR:-target}
build=${1:-debug}
program=${PROGRAM:-pacesim-quinn}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

count() { # seconds; prints "datagrams all ends"
  valgrind --tool=callgrind --callgrind-out-file="$work/calls" \
    "$target/$build/$program" run examples/one-flow.toml --json --quiet \
    --set run.warmup=0s --set "run.duration=$1s" >"$work/summary" 2>"$work/log" || { cat "$work/log" >&2; exit 1; }
  grep -o '"sent_pkts": *[0-9]*' "$work/summary" | head -n 1 | grep -o '[0-9]*' | tr '\n' ' '
  grep -E '^(summary|totals):' "$work/calls" | head -n 1 | grep -o '[0-9]*' | tr '\n' ' '
  # A function has a line for each file that is inlined into it; the largest is that of its calls.
  callgrind_annotate --inclusive=yes --threshold=100 --auto=no "$work/calls" |
    sed -n 's/^ *\([0-9,]*\) .*<pacesim_quinn::end::QuicEnd as [a-z_:]*End>::\([a-z_]*\).*/\1 \2/p' | tr -d , |
    awk '{ if ($1 > most[$2]) most[$2] = $1 } END { for (i in most) all += most[i]; if (!all) exit 1; printf "%.0f\n", all }'
}

{ count 10; count 20; } | awk '
  { datagrams[NR] = $1; all[NR] = $2; ends[NR] = $3 }
  END {
    n = datagrams[2] - datagrams[1]
    printf "%d datagrams: %.0f instructions each, %.0f of them in the ends, %.0f elsewhere\n",
      n, (all[2] - all[1]) / n, (ends[2] - ends[1]) / n, (all[2] - all[1] - ends[2] + ends[1]) / n
  }'
