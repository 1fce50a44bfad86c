#!/usr/bin/env bash
# Reproduces the studies of quinn beside Linux before small buffers, and puts their claims and figures into docs/quic.md.
# Stored runs of an unchanged program are not repeated. Takes some ten minutes of a core in the profile release.
#
#   ./catalogue.sh             all studies
#   ./catalogue.sh ten-flows   one of them; the others' last results stay
set -euo pipefail
cd "$(dirname "$0")"
target=${CARGO_TARGET_DIR:-target}
program=$target/release/${PROGRAM:-pacesim-quinn}
cargo build --locked --release
docs=../../docs/quic
mkdir -p "$docs"

all="ten-flows beside-linux one-flow"
for study in ${*:-$all}; do
  "$program" reproduce "beyond/quic/$study" --out results
  for figure in "results/beyond-quic-$study/figures"/*.svg; do
    cp "$figure" "$docs/$study-$(basename "$figure")"
  done
done

# The claims, between two marks of the page.
page=$docs.md
fresh=$(mktemp)
sed '/<!-- claims of beyond\/quic -->/q' "$page" > "$fresh"
for study in $all; do
  table=results/beyond-quic-$study/table.md
  if [ ! -f "$table" ]; then
    echo "the page lacks the claims of $study, which has no results here: ./catalogue.sh $study" >&2
    continue
  fi
  printf '\n`beyond/quic/%s`:\n\n' "$study" >> "$fresh"
  grep '^|' "$table" >> "$fresh"
done
printf '\n' >> "$fresh"
sed -n '/<!-- end of the claims -->/,$p' "$page" >> "$fresh"
mv "$fresh" "$page"
