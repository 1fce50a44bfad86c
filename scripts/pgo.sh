#!/usr/bin/env bash
# Builds target/pgo/pacesim with profile-guided optimisation: an instrumented build runs scenarios of several kinds, and
# the program is built again with the profile. Results are the same to the bit.
#
#   scripts/pgo.sh [RUSTFLAG ...]        for this machine: scripts/pgo.sh -Ctarget-cpu=native
#
# Needs llvm-profdata of the same LLVM as rustc (see rustc -vV):
#   rustup component add llvm-tools      or a package of the system's, such as llvm-22
set -euo pipefail
cd "$(dirname "$0")/.."

version=$(rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
profdata=$(find "$(rustc --print sysroot)/lib" -name llvm-profdata 2>/dev/null | head -n 1)
profdata=${profdata:-$(command -v "llvm-profdata-$version" || true)}
[ -n "$profdata" ] || { echo "llvm-profdata of LLVM $version is not here: rustup component add llvm-tools" >&2; exit 1; }

counted=target/pgo/counted
rm -rf "$counted"
mkdir -p "$counted"

build() {
  CARGO_INCREMENTAL=0 RUSTFLAGS="$*" cargo build --profile ship --locked -p pacesim-cli --target-dir "$PWD/target/pgo/build"
}

build "-Cprofile-generate=$PWD/$counted" "$@"
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
run() { target/pgo/build/ship/pacesim run "$@" --quiet --out "$results/run" --force >/dev/null; }
run benches/peers/tree.toml --set run.duration=40s
run scenarios/bench/w1.toml --set run.duration=20s --set 'topology.edge.pacer={kind="hull",delay="10ms"}'
run scenarios/bench/poisson_tree.toml --set run.duration=20s
run scenarios/dumbbell.toml --set 'output.packets={}'
run scenarios/nsfnet_fec.toml --set run.duration=1s --set run.warmup=0s
"$profdata" merge -o "$counted/all.profdata" "$counted"/*.profraw

build "-Cprofile-use=$PWD/$counted/all.profdata" "$@"
cp target/pgo/build/ship/pacesim target/pgo/pacesim
echo "target/pgo/pacesim"
