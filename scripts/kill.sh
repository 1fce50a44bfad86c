#!/usr/bin/env bash
# Kills the program at random moments while it replaces results with --force, and checks each
# time that old results or new ones are there and nothing of the user's is gone. Then kills a sweep twenty times, and
# checks that it loses nothing that is finished and comes to the tables of an undisturbed one.
#
#   scripts/kill.sh [TIMES]
set -euo pipefail
cd "$(dirname "$0")/.."

PACESIM_KILLS=${1:-1000} PACESIM_SWEEP_KILLS=20 cargo test --quiet --locked -p pacesim-cli --test program -- \
  --nocapture killed_at_any_moment
