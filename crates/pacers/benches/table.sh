#!/bin/sh
# Writes the table of costs: instructions (callgrind) and nanoseconds of one
# arrival and one release, the workload's own share included; "fifo" shows that.
# Both are differences between a long and an empty run, so setting up cancels.
#   crates/pacers/benches/table.sh [N...] > COSTS.md
set -eu
cd "$(dirname "$0")/.."
program=$(cargo bench --bench instructions --no-run 2>&1 | sed -n 's/.*(\(.*\))$/\1/p' | tail -1)
case $program in /*) ;; *) program=../../$program ;; esac

count() { # pacer n steps
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" "$@" 2>&1 |
        sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}

nanoseconds() { # pacer n steps
    begin=$(date +%s%N)
    "$program" "$@" > /dev/null
    echo $(($(date +%s%N) - begin))
}

row() { # pacer n
    instructions=$((($(count "$1" "$2" 20000) - $(count "$1" "$2" 0)) / 20000))
    time=$((($(nanoseconds "$1" "$2" 1000000) - $(nanoseconds "$1" "$2" 0)) / 1000000))
    echo "| $1 | $2 | $instructions | $time |"
}

echo "| pacer | waiting | instructions a packet | ns a packet |"
echo "| --- | --- | --- | --- |"
for pacer in fifo token_bucket leaky_bucket qlbp qlbp09; do
    row $pacer 1000
done
[ $# -gt 0 ] || set -- 100 1000 10000
for n in "$@"; do
    row hull "$n"
    row hull_multi "$n"
done
