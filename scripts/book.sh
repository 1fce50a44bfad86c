#!/usr/bin/env bash
# Builds the book of docs/ with mdBook (cargo install mdbook) into target/book, with its search index.
#
#   scripts/book.sh          builds it, or reports that mdBook is missing
#   scripts/book.sh --open   and opens it in a browser
#
# The book is built from a copy, in which ARCHITECTURE.md, CONTRIBUTING.md and CHANGELOG.md are pages, and links to other files of the
# repository lead to its published place.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v mdbook >/dev/null; then
  echo "skipped: it takes mdBook (cargo install mdbook)"
  exit 0
fi

source=https://github.com/pacesim/pacesim/blob/main
copy=target/book-source/docs
rm -rf target/book-source
mkdir -p "$copy"
cp -r docs/. "$copy"
for page in ARCHITECTURE CONTRIBUTING CHANGELOG; do
  name=$(echo "$page" | tr '[:upper:]' '[:lower:]')
  # Links of a page at the root, seen from docs/inside.
  sed -E "s#\]\(docs/#](../#g; s#\]\((benches|crates|scripts|scenarios|soak)/#]($source/\1/#g
    s#\]\(ARCHITECTURE\.md#](architecture.md#g; s#\]\(CONTRIBUTING\.md#](contributing.md#g
    s#\]\(CHANGELOG\.md#](changelog.md#g; s#\]\(README\.md#]($source/README.md#g" "$page.md" >"$copy/inside/$name.md"
done
find "$copy" -name '*.md' -not -path "$copy/inside/*" -exec sed -i -E "
  s#\]\(\.\./((\.\./)*)(ARCHITECTURE|CONTRIBUTING|CHANGELOG)\.md#](\1inside/\L\3\E.md#g
  s#\]\((\.\./)+(README\.md|CITATION\.cff|LICENSE[A-Z-]*|benches|crates|scripts|scenarios|soak|\.ci)#]($source/\2#g" {} +
mdbook build "$copy" --dest-dir "$PWD/target/book" "$@"
echo "the book is in target/book/index.html"
