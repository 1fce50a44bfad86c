#!/usr/bin/env bash
# Writes docs/pacer-costs.md: the cost of one arrival and one release for each pacer, in
# instructions (callgrind) and processor time, with the fitted growth.
#   benches/pacers/table.sh
# Needs valgrind and Linux. About ten minutes on a busy machine.
set -euo pipefail
cd "$(dirname "$0")/../.."

command -v valgrind >/dev/null || { echo "valgrind is not installed" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
program=$(cargo bench -p pacesim-benches --bench pacer_instructions --no-run 2>&1 |
    sed -n 's/.*(\(.*\))$/\1/p' | tail -n 1)

instructions() { # pacer n steps
    valgrind --tool=callgrind --toggle-collect='*::measured' \
        --callgrind-out-file=/dev/null "$program" "$@" 2>&1 |
        awk -v steps="$3" '/Collected/ { printf "%.1f", $NF / steps }'
}

row() { # pacer n steps-to-count steps-to-time
    local counted waiting time
    counted=$(instructions "$1" "$2" "$3")
    read -r waiting time < <("$program" "$1" "$2" "$4")
    echo "$1 $2 $waiting $counted $time" | tee -a "$work/rows" >&2
}

larger() { echo $(($1 > $2 ? $1 : $2)); }

for pacer in null fifo token_bucket leaky_bucket qlbp qlbp09; do
    row $pacer 1000 20000 10000000
done
for n in 100 1000 10000 100000 1000000; do
    row hull $n "$(larger $n 20000)" 10000000
    row hull_multi $n "$(larger $n 20000)" 1000000
    [ $n -gt 10000 ] || row rebuild $n 1000 $((20000000 / n))
done

awk -f benches/pacers/table.awk "$work/rows" >"$work/page"
mv "$work/page" docs/pacer-costs.md
