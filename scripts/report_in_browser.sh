#!/usr/bin/env bash
# Draw a report in headless Chromium, zoom and click in it, and fail on any error of the page.
#
#   scripts/report_in_browser.sh report.html [picture.png]
#
# Debian's Chromium is installed if there is none (as root). Needs Python 3 besides.
set -euo pipefail
report=$(realpath "$1")
picture=$(realpath -m "${2:-report.png}")
folder=$(mktemp -d)
# Processes of a browser that was killed may still be writing there.
trap 'rm -rf "$folder" 2>/dev/null || { sleep 1; rm -rf "$folder"; }' EXIT

if ! command -v chromium >/dev/null; then
    apt-get update -q
    DEBIAN_FRONTEND=noninteractive apt-get install -y -q chromium
fi
python3 "$(dirname "$0")/report_in_browser.py" "$(command -v chromium)" "$folder" "$report" "$picture"
