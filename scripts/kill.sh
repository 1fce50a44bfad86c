#!/usr/bin/env bash
# Kills the program at random moments while it replaces results with --force, and checks each
# time that old results or new ones are there and nothing of the user's is gone.
#
#   scripts/kill.sh [TIMES]
set -euo pipefail
cd "$(dirname "$0")/.."

PACESIM_KILLS=${1:-1000} cargo test --quiet --locked -p pacesim-cli --test program -- \
  --nocapture killed_at_any_moment
