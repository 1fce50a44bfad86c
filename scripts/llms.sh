#!/usr/bin/env bash
# Writes all pages that llms.txt lists as one Markdown file, for assistants: target/llms-full.txt, or FILE.
#
#   scripts/llms.sh [FILE]
set -euo pipefail
out=$(realpath -m "${1:-$(dirname "$0")/../target/llms-full.txt}")
cd "$(dirname "$0")/.."
mkdir -p "$(dirname "$out")"
{
  sed '/^## /,$d' llms.txt
  sed -nE 's/^- \[[^]]*\]\((.*\.md)\)$/\1/p' llms.txt | while read -r page; do
    printf '\n<!-- %s -->\n\n' "$page"
    cat "$page"
  done
} >"$out"
printf '%s: %s pages, %s words\n' "$out" "$(grep -c '^- \[' llms.txt)" "$(wc -w <"$out")"
