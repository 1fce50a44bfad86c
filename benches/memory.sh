#!/usr/bin/env bash
# Memory of a packet in flight, and memory growth in a long run.
#
#   benches/memory.sh [--long]
#
# --long drives the tree of Poisson flows over 10^9 packet-hops (some minutes).
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --profile ship --quiet --bin pacesim

number() { grep -o "\"$1\": *[0-9]*" | head -n 1 | grep -o '[0-9]*$'; }
run() { target/ship/pacesim run "$@" --json --quiet; }

pipe=scenarios/bench/million_in_flight.toml
empty=$(run $pipe --set flow.stream.traffic.rate=8kbps | number peak_rss_bytes)
full=$(run $pipe | number peak_rss_bytes)
awk -v a="$empty" -v b="$full" 'BEGIN {
  printf "peak memory with 1 and with 1 000 000 packets in flight  %.1f and %.1f MB\n", a / 1e6, b / 1e6
  printf "bytes a packet in flight                                 %.1f\n", (b - a) / 1e6 }'

# The tree makes 56 000 packet-hops per second.
tree=scenarios/bench/poisson_tree.toml
lengths="20s 200s"
if [ "${1:-}" = --long ]; then lengths="200s 18000s"; fi
for length in $lengths; do
  json=$(run $tree --set "run.duration=$length")
  awk -v l="$length" -v h="$(echo "$json" | number packet_hops)" -v m="$(echo "$json" | number peak_rss_bytes)" \
    'BEGIN { printf "peak memory after %11d packet-hops (%6s)            %.1f MB\n", h, l, m / 1e6 }'
done
