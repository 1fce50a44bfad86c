#!/usr/bin/env bash
# A study in shards on a real Slurm: two nodes on this machine, started and stopped here. Tasks are
# killed and a node is drained; then the same command submits the missing shards, and the merged
# tables must be identical to those of one machine.
#
#   scripts/slurm.sh [SHARDS [RUNS [KILLS]]]        200 shards of 2000 runs, 10 killed
#
# Installs nothing. It needs slurmctld, slurmd, sbatch, squeue, scontrol, munged and mungekey (on Debian:
# apt-get install slurm-wlm munge) and root, as which the daemons run, and prints "skipped" if they
# are missing or do not start. All output is in one folder of TMPDIR, which is removed. PACESIM
# names the program, if it is not target/release/pacesim.
set -euo pipefail

shards=${1:-200} runs=${2:-2000} kills=${3:-10}
repository=$(cd "$(dirname "$0")/.." && pwd)
pacesim=${PACESIM:-$repository/target/release/pacesim}

PATH=$PATH:/usr/sbin:/sbin
for program in slurmctld slurmd sbatch squeue scontrol munged mungekey; do
  command -v "$program" > /dev/null || { echo "skipped: there is no $program (Debian: slurm-wlm and munge)"; exit 0; }
done
[ "$(id -u)" = 0 ] || { echo "skipped: the daemons of Slurm need root here"; exit 0; }
[ -x "$pacesim" ] || { echo "there is no $pacesim: cargo build --release, or set PACESIM" >&2; exit 2; }

say() { printf '\n== %s\n' "$*"; }
work=$(mktemp -d)
daemons=()

# Stops the processes started here, each by its id.
end() {
  local status=$?
  [ ! -s "$work/slurmctld.pid" ] || SLURM_CONF=$work/slurm.conf scancel --quiet --user=root 2> "$work/scancel.log" || true
  for daemon in "${daemons[@]}"; do
    [ ! -s "$work/$daemon.pid" ] || kill "$(cat "$work/$daemon.pid")" 2> "$work/kill.log" || true
  done
  sleep 0.5
  [ "$status" = 0 ] || tail -n 20 "$work"/*.log >&2 || true
  rm -rf "$work"
}
trap end EXIT

# Three free ports on loopback.
ports=()
port=$((20000 + RANDOM % 20000))
while [ "${#ports[@]}" -lt 3 ]; do
  (exec 3<> "/dev/tcp/127.0.0.1/$port") 2> "$work/port.log" || ports+=("$port")
  port=$((port + 1))
done

say "two nodes of Slurm on this machine"
chmod 755 "$work"
mungekey --create --keyfile="$work/munge.key"
host=$(hostname -s)
cat > "$work/slurm.conf" << END
ClusterName=pacesim
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=${ports[0]}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket
CryptoType=crypto/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
MailProg=/bin/true
MpiDefault=none
MaxArraySize=100001
MaxJobCount=200000
ReturnToService=2
KillWait=1
SchedulerParameters=sched_interval=1,sched_min_interval=0,batch_sched_delay=0
StateSaveLocation=$work/state
SlurmctldPidFile=$work/slurmctld.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdSpoolDir=$work/spool.%n
SlurmdPidFile=$work/slurmd-%n.pid
SlurmdLogFile=$work/slurmd-%n.log
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=${ports[1]} CPUs=1
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=${ports[2]} CPUs=1
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
END
mkdir "$work/state" "$work/spool.n1" "$work/spool.n2"
export SLURM_CONF=$work/slurm.conf
daemons=(munged slurmctld slurmd-n1 slurmd-n2)
start_daemons() {
  munged --key-file="$work/munge.key" --socket="$work/munge.socket" --pid-file="$work/munged.pid" \
    --log-file="$work/munged.log" --seed-file="$work/munged.seed" --force &&
    slurmctld -f "$work/slurm.conf" &&
    slurmd -N n1 -f "$work/slurm.conf" &&
    slurmd -N n2 -f "$work/slurm.conf"
}

# Waits until a command succeeds.
wait_for() {
  local patience=$1
  shift
  for _ in $(seq "$((patience * 5))"); do
    if "$@"; then return; fi
    sleep 0.2
  done
  echo "this did not happen within $patience s: $*" >&2
  return 1
}
nodes_are_idle() { [ "$(sinfo --noheader --format=%D --states=idle 2> "$work/sinfo.log")" = 2 ]; }
if ! { start_daemons && wait_for 30 nodes_are_idle; } 2> "$work/start.log"; then
  echo "skipped: Slurm does not start here: $(tail --quiet --lines=1 "$work"/*.log | tr '\n' ' ')"
  exit 0
fi
sinfo

say "the study: $runs runs, on one machine first"
cd "$work"
points=20
cat > study.toml << END
name = "queues"
run = { duration = "${PACESIM_DURATION:-100s}", warmup = "1s" }
node = [{ name = "a" }, { name = "b" }]
link = [{ name = "core", from = "a", to = "b", rate = "10Mbps", delay = "5ms", buffer = "5pkts" }]
flow = [{ name = "poisson", from = "a", to = "b", count = 2, traffic = { kind = "poisson", rate = "4.5Mbps", size = "1KB" } }]
[sweep]
replications = $((runs / points))
[[sweep.axis]]
name = "buffer"
key = "link.core.buffer"
values = [$(seq --separator=", " --format='"%gpkts"' "$points")]
[[plot]]
name = "loss"
x = "buffer"
y = "link.core.loss_ratio"
END
"$pacesim" sweep study.toml --quiet --out one > one.txt
tail -n 3 one.txt

submit() { "$pacesim" sweep study.toml --on slurm --shards "$shards" --out results -- --no-requeue; }
status() { "$pacesim" sweep study.toml --status --out results; }
how_many() { status | awk -v state="$1" '$1 == state { print $2 }'; }

say "submitted in $shards shards"
submit
running() { squeue --noheader --array --states=RUNNING --format='%F_%K' | grep -v N/A; }
done_are() { [ "$(how_many done)" -ge "$1" ]; }

say "$kills tasks are killed, and a node is drained"
is_gone() { ! squeue --noheader --array --format=%F_%K | grep -qx "$1"; }
killed=0
while [ "$killed" -lt "$kills" ]; do
  wait_for 120 done_are "$((killed * shards / (2 * kills)))"
  # Only running tasks are killed, by SIGKILL; one that had just ended does not count.
  task=$(running | head -n 1 || true)
  if [ -n "$task" ] && scancel --signal=KILL --full "$task" 2> "$work/scancel.log"; then
    wait_for 30 is_gone "$task"
    [ "$(how_many failed)" = "$killed" ] || { killed=$((killed + 1)); echo "killed $task"; }
  fi
  if [ "$((2 * killed))" -ge "$kills" ] && [ ! -e drained ]; then
    scontrol update NodeName=n2 State=DRAIN Reason="to see what happens"
    touch drained
    sinfo --noheader --Node --format='%N is %T'
    status
  fi
done

merge_is_over() { ! squeue --noheader | grep -q .; }
wait_for 600 merge_is_over
say "what --status says when all have ended"
status
[ "$(how_many failed)" = "$kills" ] || { echo "not just the killed tasks failed" >&2; exit 1; }
[ "$(how_many done)" = "$((shards - kills))" ] || { echo "a killed task took others with it" >&2; exit 1; }
say "what the merge said"
cat results.shards/logs/merge.log
[ ! -e results/runs.parquet ] || { echo "there are tables of a part" >&2; exit 1; }

say "the node is back, and the same command again"
scontrol update NodeName=n2 State=RESUME
submit | tee again.txt
grep -q "submitted $kills shards* of $shards" again.txt
wait_for 600 merge_is_over
status
cat results.shards/logs/merge.log | tail -n 4

say "the tables of $shards shards and of one machine"
for table in runs.parquet summary.parquet wide.parquet figures/loss.svg; do
  cmp "one/$table" "results/$table"
  echo "$table: the same $(stat --format=%s "one/$table") bytes"
done
submit | grep "all is done and merged"
echo "passed"
