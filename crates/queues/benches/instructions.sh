#!/usr/bin/env bash
# Instructions per packet of each discipline (an arrival, the turns, a departure), counted by Valgrind, at a load of 95 % in
# bursts of four and at 110 %.
#
#   crates/queues/benches/instructions.sh
set -euo pipefail
cd "$(dirname "$0")/../../.."

packets=200000
cargo build --profile bench --quiet --locked -p pacesim-queues --bench instructions
program=$(ls -t target/release/deps/instructions-* | grep -v '\.d$' | head -1)
printf '%-16s %10s %10s\n' discipline 95% 110%
for name in drop_tail codel codel_linux fq_codel fq_codel_linux red pie dualpi2 dualpi2_linux fq drr strict_priority pfabric; do
  printf '%-16s' "$name"
  for load in 95 110; do
    log=$(mktemp)
    valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect='*measured*' "$program" "$name" "$load" "$packets" 2>"$log" >/dev/null
    count=$(grep -o 'Collected : [0-9]*' "$log" | grep -o '[0-9]*')
    rm -f "$log"
    printf ' %10.1f' "$(echo "$count / $packets" | bc -l)"
  done
  echo
done
