#!/usr/bin/env bash
# Fingerprints of all shipped scenarios, in scenarios/fingerprints.csv.
#
#   scripts/fingerprints.sh --check   compares, with a release build
#   scripts/fingerprints.sh --bless   writes them again
#
# "short" is a run of the given length without warm-up, which the tests repeat in a debug
# build; "full" is the scenario as written. Digests of each link, from which a test names the
# first link that differs, are in scenarios/fingerprints_by_link.csv.
set -euo pipefail
cd "$(dirname "$0")/.."

mode=${1:---check}
table=scenarios/fingerprints.csv

fingerprint() { # of a run with these arguments
  target/release/pacesim run "$@" --json --quiet | grep -o '"fingerprint": *"[0-9a-f]*"' | grep -o '[0-9a-f]\{16\}'
}

length_of() { # a short length for a scenario: known, or one second
  local known
  known=$(grep "^$1," "$table" 2>/dev/null | cut -d, -f2) || true
  echo "${known:-1s}"
}

row() { # of a file
  local name=${1#scenarios/} length short
  length=$(length_of "$name")
  short=$(fingerprint "$1" --set "run.duration=$length" --set run.warmup=0s)
  echo "$name,$length,$short,$(fingerprint "$1")"
}

rows() { # as many at a time as there are cores
  echo "scenario,short_duration,short,full"
  find scenarios -name '*.toml' ! -name '*.study.toml' ! -name mutations.toml -print0 |
    xargs -0 -n 1 -P "$(getconf _NPROCESSORS_ONLN)" scripts/fingerprints.sh --row | LC_ALL=C sort
}

build() { cargo build --release --quiet --locked --bin pacesim; }

case $mode in
  --row) row "$2" ;; # for this script itself
  --bless)
    build && rows >"$table.new" && mv "$table.new" "$table" && cat "$table"
    UPDATE_DOCS=1 cargo test --quiet --locked -p pacesim --test all shipped ;;
  --check) build && rows | diff "$table" - && echo "all fingerprints are as stored" ;;
  *) echo "usage: scripts/fingerprints.sh --check | --bless" >&2; exit 2 ;;
esac
