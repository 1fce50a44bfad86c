#!/usr/bin/env bash
# Time and memory of merging a study, compared with writing the tables of one store with the same
# runs.
#
#   scripts/merge.sh [SHARDS [RUNS]]        200 shards with 100000 runs in total
#
# PACESIM names the program, if it is not target/release/pacesim. All output is in one folder of TMPDIR,
# which is removed.
set -euo pipefail

shards=${1:-200} runs=${2:-100000} replications=10
pacesim=${PACESIM:-$(cd "$(dirname "$0")/.." && pwd)/target/release/pacesim}
[ -x "$pacesim" ] || { echo "there is no $pacesim: cargo build --release, or set PACESIM" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat > study.toml << END
name = "queues"
run = { duration = "20ms" }
node = [{ name = "a" }, { name = "b" }]
link = [{ name = "core", from = "a", to = "b", rate = "10Mbps", buffer = "5pkts" }]
flow = [{ name = "poisson", from = "a", to = "b", traffic = { kind = "poisson", rate = "8Mbps", size = "1KB" } }]
[sweep]
replications = $replications
[[sweep.axis]]
name = "buffer"
key = "link.core.buffer"
values = [$(seq --separator=', ' --format='"%gpkts"' $((runs / replications / 10)))]
[[sweep.axis]]
name = "rate"
key = "flow.poisson.traffic.rate"
values = [$(seq --separator=', ' --format='"%gMbps"' 10)]
END

# Runs a command and reports its time and memory.
measured() {
  local what=$1
  shift
  python3 - "$what" "$@" << 'END'
import resource, subprocess, sys, time
began = time.monotonic()
subprocess.run(sys.argv[2:], check=True, stdout=subprocess.DEVNULL)
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print(f"{sys.argv[1]}: {time.monotonic() - began:.1f} s, of which {usage.ru_utime + usage.ru_stime:.1f} s of a processor; "
      f"at most {usage.ru_maxrss / 1024:.0f} MB")
END
}

echo "$runs runs in one store, and in $shards shards..."
"$pacesim" sweep study.toml --quiet --out one > /dev/null
for shard in $(seq "$shards"); do
  "$pacesim" sweep study.toml --quiet --shard "$shard/$shards" --out 'parts/{shard}' > /dev/null
done
for _ in 1 2 3; do
  measured "tables of one store" "$pacesim" sweep study.toml --quiet --jobs 1 --out one
  rm -rf merged
  measured "merge of $shards shards" "$pacesim" merge parts --into merged --quiet
done
for table in runs summary wide; do cmp "one/$table.parquet" "merged/$table.parquet"; done
du --human-readable --summarize one/store.sqlite merged/store.sqlite parts
