#!/usr/bin/env bash
# Live runs from outside the program: without root, and killed at random times. Afterwards devices, routes, settings, mounts and
# processes of the machine must be as before. Skips what the machine forbids, and says so.
#
#   scripts/live.sh [PROGRAM] [KILLS]      a program with the feature live; by default target/release/pacesim, and 50
set -euo pipefail
cd "$(dirname "$0")/.."

program=$(realpath "${1:-target/release/pacesim}")
kills=${2:-50}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"

if [ "$(uname)" != Linux ]; then
  echo "skipped: live runs need Linux"
  exit 0
fi

cat >"$folder/live.toml" <<'TOML'
[run]
duration = "4s"
warmup = "1s"

[topology]
shape = "dumbbell"
pairs = 2
access = { rate = "1Gbps", delay = "0ms", buffer = "unlimited" }
bottleneck = { rate = "10Mbps", delay = "10ms", buffer = "33pkts", back = { rate = "1Gbps", buffer = "unlimited" } }

[[flow]]
name = "udp"
from = "left[1]"
to = "right[1]"
live = true
traffic = { kind = "cbr", rate = "1Mbps", size = "1000B" }

[live]
hosts = { client = "left[0]", server = "right[0]" }
commands = { server = "sleep 86461 & sleep 86462", client = "setsid sleep 86463 & setsid -f sleep 86464; sleep 86465" }
TOML

state() {
  ip -o link | sed 's/ state .*//' || cat /proc/net/dev | cut -d: -f1
  ip -o addr | sed 's/valid_lft.*//' || true
  ip route || true
  cat /proc/self/mounts
  sysctl -a 2>/dev/null | grep '^net\.' | grep -vE 'nf_conntrack_count|netdev_budget|random' | sort
}

left_over() {
  pgrep -f '^sleep 8646[1-5]$' || true
}

state >"$folder/before"

echo "== killed $kills times"
for ((n = 0; n < kills; n++)); do
  "$program" live "$folder/live.toml" >/dev/null 2>&1 &
  pid=$!
  sleep "$(awk -v seed="$n" 'BEGIN { srand(seed); print rand() * 2.5 }')"
  case $((n % 3)) in
    # The program, a command, or the first process of a command's namespace.
    0) victim=$pid ;;
    1) victim=$(pgrep -f '^sleep 8646[25]$' | head -n 1 || true) ;;
    2) victim=$(pgrep -P "$pid" | head -n 1 || true) ;;
  esac
  kill -KILL "${victim:-$pid}" 2>/dev/null || true
  if [ "${victim:-$pid}" != "$pid" ]; then
    sleep 0.3
    kill -KILL "$pid" 2>/dev/null || true
  fi
  wait "$pid" 2>/dev/null || true
done
sleep 1
if [ -n "$(left_over)" ]; then
  echo "processes are left: $(left_over)"
  exit 1
fi
state >"$folder/after"
diff "$folder/before" "$folder/after"
echo "nothing is left, and the machine is as before"

echo "== without root"
if [ "$(id -u)" != 0 ] || ! command -v setpriv >/dev/null; then
  echo "skipped: it takes root, to become another user"
elif ! setpriv --reuid 65534 --regid 65534 --clear-groups true 2>/dev/null; then
  echo "skipped: the machine does not let root become another user"
else
  sed -i '/^\[live\]/,$d' "$folder/live.toml"
  mkdir -m 777 "$folder/out"
  setpriv --reuid 65534 --regid 65534 --clear-groups "$program" live "$folder/live.toml" --out "$folder/out/lived" || {
    echo "skipped: the machine forbids it"
    exit 0
  }
  "$program" live --replay "$folder/out/lived"
fi
