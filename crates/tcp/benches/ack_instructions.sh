#!/usr/bin/env bash
# Instructions per ACK under callgrind, as the slope between two run lengths, which excludes
# start-up; and the memory of idle flows.
#
#   crates/tcp/benches/ack_instructions.sh
#
# In a round a packet arrives, its ACK comes back, and the packets that it releases are sent; the
# count includes the loop (a queue of packets in flight, losses). Needs valgrind. Counts are the
# same on a busy machine.
set -euo pipefail
cd "$(dirname "$0")/../../.."

command -v valgrind >/dev/null || { echo "valgrind is not installed" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cargo build --release --quiet -p pacesim-tcp --examples

short=10000
long=60000

instructions() { # of these arguments to ack_rounds
  valgrind --tool=callgrind --callgrind-out-file="$work/calls" target/release/examples/ack_rounds "$@" >/dev/null 2>&1
  grep -E '^(summary|totals):' "$work/calls" | head -n 1 | grep -o '[0-9]*'
}

slope() { # sender, loss per mille or "buffer"
  echo "$(instructions $short "$@") $(instructions $long "$@")" |
    awk -v n=$((long - short)) '{ printf "%.1f", ($2 - $1) / n }'
}

echo "instructions per ACK: sender, no loss, 1 % loss, a buffer that the window fills"
senders="tahoe reno newreno sack fack rfc_sack rfc_cubic linux_reno linux_cubic linux_dctcp linux_prague linux_bbr linux_bbr3"
for sender in $senders; do
  printf '%-12s %8s %8s %8s\n' $sender "$(slope $sender 0)" "$(slope $sender 10)" "$(slope $sender buffer)"
done
target/release/examples/idle_flows
