#!/usr/bin/env bash
# Long campaigns with figures at the end; docs/robustness.md has those of the last.
#
#   scripts/soak.sh                             both of the next two
#   scripts/soak.sh scenarios [COUNT] [FIRST]   generated scenarios: 100000, from number 1
#   scripts/soak.sh studies [COUNT] [FIRST]     generated studies, planned and swept or searched: 1000, from number 1
#   scripts/soak.sh laws [COUNT] [FIRST]        generated scenarios under laws: stages, windows, tables: 5000, from number 1
#   scripts/soak.sh cuts [COUNT] [FIRST]        flows cut into several, with the same transfers: 1000, from number 1
#   scripts/soak.sh bounds [COUNT] [FIRST]      networks with closed forms: 1000, from number 1
#   scripts/soak.sh formulas [COUNT] [FIRST]    formulas beside their literals: 20000, from scenario 1
#   scripts/soak.sh planted [COUNT] [FIRST]     scenarios with planted mistakes: 1000, from number 1
#   scripts/soak.sh spellings [COUNT] [FIRST]   keys spelt in two ways: 1000, from number 1
#   scripts/soak.sh folders [COUNT] [FIRST]     damaged results folders, read by every command: 500, from number 1
#   scripts/soak.sh wrong                       all of these seven, and a thousand studies
#   scripts/soak.sh files [COUNT] [FIRST]       broken files: 10000 of each kind, from number 1
#   scripts/soak.sh python [COUNT] [FIRST]      broken scenarios and studies read by the Python module: 1000, from number 1
#   scripts/soak.sh damage [COUNT] [FIRST]      damaged stores and shards of a study: 500, from number 1
#   scripts/soak.sh coverage [COUNT] [FIRST]    coverage of intervals, by 1000 small studies for each kind, from the first
#                                               of the five kinds of intervals on
#   scripts/soak.sh tests [ROUNDS] [FIRST_SEED] [-- CARGO TEST ARGUMENTS]
#                                               the tests, with other random cases each time
#
# Its number reproduces a case: scripts/soak.sh scenarios 1 4711
# Results are written to TMPDIR and removed; a file system in memory saves time and disk.
set -euo pipefail
cd "$(dirname "$0")/.."

# In the profile of tests: assertions are on, and a panic is one failed case of many.
campaign() {
  time cargo run --quiet --locked -p pacesim-soak -- "$@"
}

# The mutants as files, read by the wheel's tests.
python() {
  local out
  out=$(mktemp -d)
  trap 'rm -rf "$out"' EXIT
  campaign mutants "$1" "$2" "$out"
  PACESIM_MUTANTS=$out scripts/test_wheel.sh -k of_the_soak
}

tests() {
  local rounds=10 first=2
  [ $# -gt 0 ] && [ "$1" != -- ] && { rounds=$1; shift; }
  [ $# -gt 0 ] && [ "$1" != -- ] && { first=$1; shift; }
  [ "${1:-}" = -- ] && shift
  [ $# -gt 0 ] || set -- --workspace
  for seed in $(seq "$first" $((first + rounds - 1))); do
    echo "seed $seed"
    PROPTEST_RNG_SEED=$seed cargo test --quiet --locked "$@"
  done
}

what=${1:-all}
[ $# -gt 0 ] && shift
case $what in
  all) campaign scenarios 100000 1 && campaign files 10000 1 ;;
  scenarios) campaign scenarios "${1:-100000}" "${2:-1}" ;;
  studies) campaign studies "${1:-1000}" "${2:-1}" ;;
  laws) campaign laws "${1:-5000}" "${2:-1}" ;;
  cuts | bounds | planted | spellings) campaign "$what" "${1:-1000}" "${2:-1}" ;;
  formulas) campaign formulas "${1:-20000}" "${2:-1}" ;;
  folders) campaign folders "${1:-500}" "${2:-1}" ;;
  wrong)
    for each in laws studies cuts bounds formulas planted spellings folders; do "$0" "$each"; done
    ;;
  files) campaign files "${1:-10000}" "${2:-1}" ;;
  python) python "${1:-1000}" "${2:-1}" ;;
  damage) campaign damage "${1:-500}" "${2:-1}" ;;
  coverage) campaign coverage "${1:-1000}" "${2:-1}" ;;
  tests) tests "$@" ;;
  *) sed -n '2,/^set /{/^#/p}' "$0" >&2; exit 2 ;;
esac
