#!/usr/bin/env bash
# The tests again and again, with other random cases each time, until one fails.
#
#   scripts/soak.sh [ROUNDS] [FIRST_SEED] [-- CARGO TEST ARGUMENTS]
#   scripts/soak.sh 100 2 -- -p pacesim-tcp --test laws
set -euo pipefail
cd "$(dirname "$0")/.."

rounds=10
first=2
[ $# -gt 0 ] && [ "$1" != -- ] && { rounds=$1; shift; }
[ $# -gt 0 ] && [ "$1" != -- ] && { first=$1; shift; }
[ "${1:-}" = -- ] && shift
[ $# -gt 0 ] || set -- --workspace

for seed in $(seq "$first" $((first + rounds - 1))); do
  echo "seed $seed"
  PROPTEST_RNG_SEED=$seed cargo test --quiet --locked "$@"
done
