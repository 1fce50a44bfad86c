#!/usr/bin/env bash
# Kills the program at random moments while it replaces results with --force, and checks each
# time that either old or new results exist and no file of the user is lost. Then kills a sweep twenty times, and
# checks that it loses no finished run and ends with the tables of an uninterrupted one.
#
#   scripts/kill.sh [TIMES]
set -euo pipefail
cd "$(dirname "$0")/.."

PACESIM_KILLS=${1:-1000} PACESIM_SWEEP_KILLS=20 cargo test --quiet --locked -p pacesim-cli --test program -- \
  --nocapture killed_at_any_moment
