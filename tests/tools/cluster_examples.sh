#!/bin/bash
# The examples of tools/cluster: what a controller of Slurm makes of slurm.conf and a node of
# gres.conf, that the Job of Kubernetes is YAML and says what it is to say, and which commands the two
# scripts run. What needs a program that is not here is left out, and said; when nothing else is wrong
# the status is 77 then.
set -euo pipefail
root=$(dirname "$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")")
examples=$root/tools/cluster
export PATH=$PATH:/usr/sbin:/sbin
scratch=$(mktemp -d)
controller=
finish() {
  if [[ -n $controller ]]; then
    kill "$controller" 2>/dev/null || true
    wait "$controller" || true
  fi
  rm -rf "$scratch"
}
trap finish EXIT
# shellcheck source=tests/support/same.sh
source "$root/tests/support/same.sh"
skipped=0

skip() {
  skipped=$((skipped + 1))
  echo "SKIPPED: $1"
}

# --- slurm.conf and gres.conf, as parts of a configuration with no munge and no second machine
configure_slurm() {
  mkdir -p "$scratch"/{state,spool,dev}
  for gpu in 0 1 2 3; do ln -sf /dev/null "$scratch/dev/nvidia$gpu"; done # it wants devices
  sed "s|=/dev/|=$scratch/dev/|" "$examples/gres.conf" >"$scratch/gres.conf"
  cat >"$SLURM_CONF" <<END
ClusterName=examples
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=$((20000 + RANDOM % 10000))
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/none
CredType=cred/none
StateSaveLocation=$scratch/state
SlurmdSpoolDir=$scratch/spool
SlurmctldPidFile=$scratch/slurmctld.pid
SlurmdPidFile=$scratch/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MailProg=/bin/true
MpiDefault=none
END
  # The nodes have no names that could be looked up.
  sed 's/^NodeName=gpu\[1-4\]/& NodeAddr=127.0.0.[1-4]/' "$examples/slurm.conf" >>"$SLURM_CONF"
}

# Until it answers; a port may be taken.
start_slurmctld() {
  for _ in 1 2 3; do
    configure_slurm
    slurmctld -D -c >"$scratch/slurmctld.log" 2>&1 &
    controller=$!
    for _ in {1..50}; do
      kill -0 "$controller" 2>/dev/null || break
      timeout 600 scontrol show config >"$scratch/config" 2>/dev/null && return
      sleep 0.1
    done
    kill "$controller" 2>/dev/null || true
    wait "$controller" || true
  done
  controller=
  return 1
}

setting() {
  sed -n "s/^$1 *= //p" "$scratch/config"
}

if command -v slurmctld >/dev/null && command -v slurmd >/dev/null && command -v sinfo >/dev/null; then
  export SLURM_CONF=$scratch/slurm.conf
  if start_slurmctld; then
    same "RequeueExit" 75 "$(setting RequeueExit)"
    same "RequeueExitHold" 70 "$(setting RequeueExitHold)"
    same "JobRequeue" 1 "$(setting JobRequeue)"
    same "MaxArraySize" 10001 "$(setting MaxArraySize)"
    same "MaxJobCount" 50000 "$(setting MaxJobCount)"
    same "SlurmdTimeout" "120 sec" "$(setting SlurmdTimeout)"
    same "SelectTypeParameters" CR_CPU_MEMORY "$(setting SelectTypeParameters)"
    same "nodes with GPUs" "print* gpu[1-4] gpu:4 64 480000" \
      "$(sinfo --noheader -o '%P %N %G %c %m')"
    # That pmix and an older state are not there is no fault of the examples.
    same "what slurmctld finds wrong" "" \
      "$(grep -E 'error|fatal|warning' "$scratch/slurmctld.log" | grep -viE 'mpi|state (file|save)' || true)"
  else
    failures=$((failures + 1))
    echo "FAILED: slurmctld does not start"
    cat "$scratch/slurmctld.log"
  fi
  gres=$(slurmd -N gpu2 -G 2>&1) || true
  same "GPUs of a node" "Count=4 File=$scratch/dev/nvidia[0-3]" \
    "$(sed -n 's/.*Name=gpu .*\(Count=[0-9]*\) .*\(File=[^ ]*\).*/\1 \2/p' <<<"$gres")"
else
  skip "there is no slurmctld, slurmd or sinfo here (tools/setup cluster): slurm.conf, gres.conf"
fi

# --- kubernetes-job.yaml
if python3 -c 'import yaml' 2>/dev/null; then
  said=$(python3 - "$examples/kubernetes-job.yaml" <<'END'
import sys
import yaml

with open(sys.argv[1], encoding="utf-8") as file:
    job = yaml.safe_load(file)
spec = job["spec"]
pod = spec["template"]["spec"]
(worker,) = pod["containers"]
ignore, fail = spec["podFailurePolicy"]["rules"]
print(job["apiVersion"], job["kind"], spec["completionMode"], spec["completions"],
      spec["backoffLimitPerIndex"], spec["maxFailedIndexes"], pod["restartPolicy"])
print(ignore["action"], ignore["onPodConditions"])
print(fail["action"], fail["onExitCodes"]["containerName"] == worker["name"],
      fail["onExitCodes"]["operator"], fail["onExitCodes"]["values"])
print(worker["args"], worker["resources"]["limits"]["nvidia.com/gpu"])
print({mount["name"] for mount in worker["volumeMounts"]}
      == {volume["name"] for volume in pod["volumes"]})
END
  ) || true
  same "the Job of Kubernetes" "batch/v1 Job Indexed 15 5 15 Never
Ignore [{'type': 'DisruptionTarget', 'status': 'True'}]
FailIndex True In [65]
['worker', '/print/job.plan', '\$(JOB_COMPLETION_INDEX)'] 1
True" "$said"
else
  skip "there is no yaml for python3 here (tools/setup test): kubernetes-job.yaml"
fi

# --- The scripts, with a program that tells how it was called.
program="$scratch/a program"
cat >"$program" <<'END'
#!/bin/bash
here=$(dirname "$0")
printf '[%s]' "$@" >>"$here/calls"
echo >>"$here/calls"
case $1 in
  submit) echo '{"v":1,"type":"submitted","plan":"x","units":3,"sheets":9}' ;;
  worker) exit 75 ;;
  collect) [[ -e $here/once ]] || { touch "$here/once" && exit 75; } ;;
esac
END
chmod 755 "$program"
calls() {
  [[ ! -e $scratch/calls ]] || sort "$scratch/calls"
  rm -f "$scratch/calls"
}
run() {
  status=0
  "$@" >"$scratch/log" 2>&1 || status=$?
}

run env NIGHT_FOLDER="$scratch/night" "$examples/nightly" "$program"
same "a folder that is not there" 66 "$status"
mkdir "$scratch/night"
run env NIGHT_FOLDER="$scratch/night" "$examples/nightly" "$program"
same "no manifests" "0 nightly: no manifests in $scratch/night" "$status $(<"$scratch/log")"
touch "$scratch/night/a b.yaml" "$scratch/night/c.yaml" "$scratch/night/d.yaml.part"
run env NIGHT_FOLDER="$scratch/night" "$examples/nightly" "$program"
same "the night is one plan" "[submit][--keep-going][--plan][$scratch/night/night.plan][--begin][22:00][--][$scratch/night/a b.yaml][$scratch/night/c.yaml]" "$(calls)"
run env NIGHT_FOLDER="$scratch/night" NIGHT_BEGIN=now+1hour NIGHT_OPTIONS="--gpus-per-task 1" \
  "$examples/nightly" "$program"
same "its settings" "[submit][--keep-going][--plan][$scratch/night/night.plan][--begin][now+1hour][--gpus-per-task][1][--]" \
  "$(calls | cut -d ] -f 1-9)]"

if [[ $(parallel --version 2>/dev/null) == GNU\ parallel* ]]; then  # moreutils has another one
  plan="$scratch/jobs/a b.plan"
  mkdir -p "$plan"
  touch "$scratch/jobs/a b.yaml"
  echo "2/:" >"$scratch/machines"
  run env HOME="$scratch" PROGRAM="$program" "$examples/parallel.sh" "$scratch/machines" \
    "$scratch/jobs/a b.yaml"
  same "two rounds, as something was missing after the first" "0
[collect][$plan]
[collect][$plan]
[submit][--engine][none][--json][--plan][$plan][--][$scratch/jobs/a b.yaml]
[worker][$plan][0]
[worker][$plan][0]
[worker][$plan][1]
[worker][$plan][1]
[worker][$plan][2]
[worker][$plan][2]" "$status
$(calls)"
  ((failures == 0)) || cat "$scratch/log"
else
  skip "there is no GNU parallel here (tools/setup cluster): parallel.sh"
fi

((failures == 0)) && echo "tools/cluster: good"
((failures == 0)) || exit 1
((skipped == 0)) || exit 77
