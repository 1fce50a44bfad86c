#!/usr/bin/env bash
# Builds the wheel in the dev profile, installs it in a clean environment, and runs the Python tests.
#
#   scripts/test_wheel.sh              a message and success if Python or the index is missing
#   scripts/test_wheel.sh ARG...       with arguments for pytest
set -euo pipefail
cd "$(dirname "$0")/.."

python=${PYTHON:-python3}
if ! "$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    echo "skipped: it takes Python 3.11 or newer with venv"
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$python" -m venv "$work/build"
"$python" -m venv "$work/clean"
if ! "$work/build/bin/pip" install --quiet --disable-pip-version-check 'maturin>=1.9,<2'; then
    echo "skipped: pip's index cannot be reached"
    exit 0
fi
MATURIN="$work/build/bin/maturin" scripts/wheel.sh --dev "$work/wheels"
"$work/clean/bin/pip" install --quiet --disable-pip-version-check \
    "$work"/wheels/*.whl pytest numpy pyarrow polars pandas duckdb gymnasium pettingzoo mypy
tests=$PWD/crates/python/tests
# From another folder, so that the installed module is tested and not the sources.
cd "$work"
PATH="$work/clean/bin:$PATH" "$work/clean/bin/python" -m pytest "$tests" "$@"
