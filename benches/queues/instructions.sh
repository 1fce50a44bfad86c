#!/usr/bin/env bash
# Instructions that queue disciplines take in a network, by callgrind: for each packet that comes before the line, in excess of
# drop-tail as a stage, as the slope between two run lengths.
#
#   benches/queues/instructions.sh [LOAD...]     loads in percent of the line (96 112)
#   KEEP=DIR benches/queues/instructions.sh ...  keeps the profiles
#
# Ten Poisson flows, five of them ECT(1), before a line of 100 Mbps (poisson.toml beside this). Needs valgrind.
set -euo pipefail
cd "$(dirname "$0")/../.."

command -v valgrind >/dev/null || { echo "valgrind is not installed" >&2; exit 1; }
[ $# -gt 0 ] || set -- 96 112
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
disciplines=(
  'drop_tail'
  'codel'
  'codel", profile = "linux'
  'fq_codel'
  'fq_codel", profile = "linux'
  'dualpi2'
  'dualpi2", profile = "linux'
)
short=4
long=12
line_bps=100000000
packet_bits=12000

# Instructions of a run of $1 seconds at a load of $2 percent behind the discipline $3.
count() {
  local rate="= $2 / 1000 * rate(core)"
  local file=${KEEP:-$work}/$(echo "$2 $3" | tr -dc 'a-z0-9_').$1.calls
  valgrind --tool=callgrind --callgrind-out-file="$file" target/ship/tree "$1" benches/queues/poisson.toml \
    "link.core.discipline={ kind = \"$3\" }" "flow.classic.traffic.rate=$rate" "flow.l4s.traffic.rate=$rate" >"$work/said" 2>&1 ||
    { cat "$work/said" >&2; exit 1; }
  grep -E '^(summary|totals):' "$file" | head -n 1 | grep -o '[0-9]*'
}

# Instructions for each packet that comes before the line.
slope() {
  local a b
  a=$(count "$short" "$1" "$2")
  b=$(count "$long" "$1" "$2")
  awk -v a="$a" -v b="$b" -v s="$((long - short))" -v load="$1" -v line=$line_bps -v size=$packet_bits \
    'BEGIN { printf "%.1f\n", (b - a) / (s * load / 100 * line / size) }'
}

cargo build --profile ship --quiet -p pacesim-benches --bin tree
for load in "$@"; do
  plain=$(slope "$load" "${disciplines[0]}")
  printf '%s %%: drop-tail as a stage takes %s\n' "$load" "$plain"
  for discipline in "${disciplines[@]:1}"; do
    taken=$(slope "$load" "$discipline")
    printf '  %-28s %+7.1f\n' "${discipline//\"/}" "$(echo "$taken - $plain" | bc -l)"
  done
done
