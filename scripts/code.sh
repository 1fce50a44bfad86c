#!/usr/bin/env bash
# Lines of Rust by crate, without tests, comments and blank lines.
#
#   scripts/code.sh             every crate, and the sum
#   scripts/code.sh FOLDER...   these folders, each with its sum
#
# Excluded: folders `tests`, files `tests.rs`, and code in `mod tests { }`.
set -euo pipefail
cd "$(dirname "$0")/.."

count() {
    find "$1" -name '*.rs' -not -path '*/tests/*' -not -name tests.rs -print0 | sort -z |
        xargs -0 -r awk '
            FNR == 1 { in_tests = 0 }
            /^mod tests \{/ { in_tests = 1 }
            in_tests && /^}/ { in_tests = 0; next }
            in_tests || /^[[:space:]]*$/ || /^[[:space:]]*\/\// || /^#\[cfg\(test\)\]$/ { next }
            { lines++ }
            END { print lines + 0 }' | awk '{ sum += $1 } END { print sum + 0 }'
}

if [ $# -eq 0 ]; then
    set -- crates/* soak
fi
sum=0
for folder in "$@"; do
    lines=$(count "$folder")
    sum=$((sum + lines))
    printf '%7d  %s\n' "$lines" "$folder"
done
printf '%7d  all\n' "$sum"
