#!/usr/bin/env bash
# Fails unless runs over quinn have the same fingerprints, which cover all packets and their bytes, in the
# builds of both profiles and in two processes of each.
set -euo pipefail
cd "$(dirname "$0")"
target=${CARGO_TARGET_DIR:-target}
program=${PROGRAM:-pacesim-quinn}
cargo build --locked "$@"
cargo build --locked --release "$@"

fingerprint() { # build, control, option
  "$target/$1/$program" run examples/beside-linux.toml --json --quiet --set run.duration=15s \
    --set "flow.own.traffic.control=$2" --set "flow.own.traffic.$3" |
    grep -o '"fingerprint": *"[^"]*"' | head -n 1
}

for control in cubic newreno; do
  for option in packet_size=1500B mtu_discovery=true transfers.size=200KB; do
    first=$(fingerprint debug "$control" "$option")
    [ -n "$first" ] || { echo "no fingerprint: $control $option" >&2; exit 1; }
    for build in debug release release; do
      other=$(fingerprint "$build" "$control" "$option")
      [ "$other" = "$first" ] || { echo "$control $option: $build has $other, not $first" >&2; exit 1; }
    done
    echo "$control $option: $first"
  done
done
