#!/usr/bin/env bash
# Builds the crates that `pacesim new part` writes, outside the workspace, and runs the laws, a scenario and a
# sweep of each. For the control, also kills a sweep, resumes it, and changes the part.
#
#   scripts/own_parts.sh                      all kinds
#   scripts/own_parts.sh loss                 some
#   PACESIM=target/release/pacesim scripts/own_parts.sh      the same with a built program
#   OWN_PARTS_TARGET=FOLDER scripts/own_parts.sh             keep the built dependencies there
set -euo pipefail
cd "$(dirname "$0")/.."
source=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ -n "${PACESIM:-}" ]; then
    program=$(realpath "$PACESIM")
else
    cargo build --quiet -p pacesim-cli
    program=${CARGO_TARGET_DIR:-$source/target}/debug/pacesim
fi
# Some scenarios have a longer warm-up.
short=(--set run.duration=3s --set run.warmup=1s)
# One folder for all, so that the dependencies are built once.
export CARGO_TARGET_DIR=${OWN_PARTS_TARGET:-$work/target}

fail() {
    echo "own_parts: $*" >&2
    exit 1
}

# Sweeps with further options, and prints the number of runs made and of all runs.
swept() {
    "$own" sweep study.toml "${long[@]}" "$@" --json >swept.json
    local made all
    made=$(grep -m 1 -o '"made": *[0-9]*' swept.json | grep -o '[0-9]*')
    all=$(grep -m 1 -o '"runs": *[0-9]*' swept.json | grep -o '[0-9]*')
    echo "$made $all"
}

# Expects a number of runs made, and of all.
expect() {
    [ "$1" = "$2" ] || fail "$3: runs made, and all: $1 instead of $2"
    echo "$3: $1"
}

# Kills a sweep in the middle, resumes it, and compares its results with those of a whole one.
killed_and_resumed() {
    expect "$(swept --out whole)" "240 240" "an uninterrupted sweep"
    # The time of half of the sweep depends on the machine.
    local after=0.4 made all
    for _ in $(seq 12); do
        rm -rf killed
        "$own" sweep study.toml "${long[@]}" --out killed --quiet >/dev/null 2>&1 &
        sleep "$after"
        kill -KILL $! 2>/dev/null || true
        wait $! 2>/dev/null || true
        read -r made all < <(swept --out killed)
        [ "$made" = 0 ] || [ "$made" = "$all" ] || break
        after=$(awk -v s="$after" -v done="$((made == 0))" 'BEGIN { print done ? s / 2 : s * 1.5 }')
    done
    [ "$made" -gt 0 ] && [ "$made" -lt "$all" ] || fail "no kill came in the middle of a sweep"
    echo "a sweep killed after $after s, resumed: $made of $all runs were missing"
    local file
    for file in runs.parquet summary.parquet wide.parquet figures/goodput.svg; do
        cmp "whole/$file" "killed/$file" || fail "$file of the resumed sweep differs"
    done
}

# Changes the part, after which the runs of it are made again, and no others.
changed() {
    local old=$work/old.svg
    cp whole/figures/goodput.svg "$old"
    sed -i 's/self.window \* self.decrease/0.5 * self.window * self.decrease/' src/main.rs
    cargo build --quiet --offline
    expect "$(swept --out whole)" "120 240" "a sweep after a change of the part"
    ! cmp -s "$old" whole/figures/goodput.svg || fail "the change has no effect on the figure"
    expect "$(swept --out whole)" "0 240" "the same again"
}

for kind in "${@:-control pacer discipline source middlebox loss measure}"; do
    for one in $kind; do
        cd "$work"
        "$program" new part "mine_$one" --kind "$one" --source "$source"
        cd "mine_$one"
        cp "$source/Cargo.lock" .
        cargo test --quiet --offline
        cargo run --quiet --offline -- run scenario.toml "${short[@]}" --out run
        cargo run --quiet --offline -- sweep study.toml "${short[@]}"
        if [ "$one" = control ]; then
            own=$CARGO_TARGET_DIR/debug/mine_control
            long=(--replications 40 --set run.duration=6s --set run.warmup=1s --jobs 1)
            killed_and_resumed
            changed
        fi
    done
done
