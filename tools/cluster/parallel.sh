#!/bin/bash
# Without Slurm: runs a job on machines that ssh reaches, by GNU parallel (Debian: parallel). All of
# them see the job, its pages and mezzotint under the same paths. Nothing is scheduled but the number
# of tasks a machine.
#
# usage: parallel.sh MACHINES JOB.yaml
#   MACHINES  a file as parallel --sshloginfile has it: a line "4/node1" is four tasks at once on
#             node1; ":" is this machine
#   PROGRAM   (environment) path of mezzotint on all machines; mezzotint
#
# Exit status: that of `mezzotint collect`.
set -euo pipefail

if (($# != 2)); then
  echo "usage: parallel.sh MACHINES JOB.yaml" >&2
  exit 64
fi
machines=$1
manifest=$(realpath "$2")
plan=${manifest%.yaml}.plan
program=${PROGRAM:-mezzotint}

said=$("$program" submit --engine none --json --plan "$plan" -- "$manifest")
units=$(sed -n 's/.*"type":"submitted".*"units":\([0-9]*\).*/\1/p' <<<"$said")
if [[ -z $units ]]; then
  echo "parallel.sh: $program submit told of no units: $said" >&2
  exit 70
fi
# Units are tried again as whole rounds, and what is there is left alone. Statuses of tasks prove
# nothing; collect looks at the plates. 75: something is still missing.
for round in 1 2 3; do
  seq 0 $((units - 1)) |
    parallel --quote --sshloginfile "$machines" --joblog "$plan/parallel-$round.log" \
      "$program" worker "$plan" '{}' || true
  status=0
  "$program" collect "$plan" || status=$?
  ((status == 75)) || break
done
exit "$status"
