#!/usr/bin/env bash
# Installs the program and builds an embedding example from the packaged crates, each in an empty folder outside this
# workspace, as if the crates had been published.
#
#   scripts/packaged.sh
set -euo pipefail
cd "$(dirname "$0")/.."
source=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A source of crates: all dependencies, and the packaged crates with their checksums.
cargo vendor --quiet --locked --versioned-dirs "$work/registry" >/dev/null
cargo package --quiet --workspace --no-verify --allow-dirty --target-dir "$work/package"
for crate in "$work"/package/package/*.crate; do
    name=$(basename "$crate" .crate)
    tar -xzf "$crate" -C "$work/registry"
    printf '{"files":{},"package":"%s"}' "$(sha256sum "$crate" | cut -d ' ' -f 1)" >"$work/registry/$name/.cargo-checksum.json"
done
cat >"$work/config.toml" <<EOF
[source.crates-io]
replace-with = "packaged"
[source.packaged]
directory = "$work/registry"
EOF
cd "$work"
export CARGO_TARGET_DIR=$work/target
# An installation ignores the configuration of the folder that it is called in.
cargo() { command cargo --config "$work/config.toml" "$@"; }

echo "the program, installed"
cargo install --quiet --offline --locked --debug --root "$work/root" pacesim-cli
mkdir "$work/empty"
cd "$work/empty"
"$work/root/bin/pacesim" --version
"$work/root/bin/pacesim" run "$source/scenarios/dumbbell.toml" --set run.duration=3s --set run.warmup=1s --out run

echo "an embedding example"
cargo new --quiet --vcs none "$work/embeds"
cd "$work/embeds"
cargo add --quiet --offline pacesim
cp "$source/crates/sim/examples/embed.rs" src/main.rs
cargo run --quiet --offline
