#!/bin/sh
# Runs a command again and again under strace, failing its k-th system call of each kind, for k = 1,
# 2, ... until there is no k-th, and checks what it left in its output folder each time.
#
# usage: OUT=folder [SETTINGS] inject.sh PROGRAM ARGS...
#
#   OUT        the folder that the command writes to, and nothing else does; it is emptied (!) before
#              each run, and must exist
#   SYSCALLS   pwrite64 write fsync fdatasync rename renameat renameat2
#   ERRORS     ENOSPC EIO EDQUOT; ENOSPC alone unless MEZZOTINT_TESTS is `full`
#   INTERRUPTS pwrite64 fsync: failed with EINTR, which must do no harm. Set it empty to skip.
#   PLATES     *.tif: files that must equal those of an unbroken run, byte for byte
#   MAX_K      1000: give up beyond this k
#   SETUP      a shell command to run before each trial, e.g. to put older plates there
#
# A run passes when it was not killed, left no *.part behind, every plate that is there equals the
# unbroken run's (or, when the run failed, what SETUP had put there), and it either failed with a
# message on standard error or made every plate. strace counts k for each thread separately.
#
# Exit status: 0 all passed, 1 some did not, 2 usage, 77 strace is missing or not permitted.
set -u

if [ $# -eq 0 ] || [ -z "${OUT:-}" ] || [ ! -d "${OUT:-}" ]; then
  sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0" >&2
  exit 2
fi
if ! command -v strace >/dev/null 2>&1; then
  echo "inject.sh: SKIPPED: strace is not installed" >&2
  exit 77
fi
if ! strace -f -o /dev/null -e trace=none true >/dev/null 2>&1; then
  echo "inject.sh: SKIPPED: strace is not permitted to trace here" >&2
  exit 77
fi

SYSCALLS=${SYSCALLS-pwrite64 write fsync fdatasync rename renameat renameat2}
if [ "${MEZZOTINT_TESTS:-}" = full ]; then form=long all_errors='ENOSPC EIO EDQUOT'; else form=short all_errors=ENOSPC; fi
ERRORS=${ERRORS-$all_errors}
INTERRUPTS=${INTERRUPTS-pwrite64 fsync}
PLATES=${PLATES-*.tif}
MAX_K=${MAX_K-1000}
SETUP=${SETUP-:}

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 2' HUP INT TERM
mkdir "$work/older" "$work/whole"

plates() { (cd "$1" && find . -name "$PLATES" ! -type d | sort); }

prepare() {
  find "$OUT" -mindepth 1 -delete
  sh -c "$SETUP"
}

complain() {
  failures=$((failures + 1))
  echo "inject.sh: FAILED: $1: $2" >&2
  sed 's/^/    /' "$work/stderr" >&2
}

# check TRIAL STATUS: looks at the output folder after a run.
check() {
  if [ "$2" -ge 128 ]; then complain "$1" "killed by signal $(($2 - 128))"; fi
  if [ -n "$(find "$OUT" -name '*.part')" ]; then complain "$1" "left a temporary file"; fi
  for plate in $(plates "$OUT"); do
    if cmp -s "$OUT/$plate" "$work/whole/$plate"; then continue; fi
    if [ "$2" -ne 0 ] && cmp -s "$OUT/$plate" "$work/older/$plate"; then continue; fi
    complain "$1" "$plate differs"
  done
  if [ "$2" -eq 0 ]; then
    if [ "$(plates "$OUT")" != "$(plates "$work/whole")" ]; then
      complain "$1" "succeeded without making every plate"
    fi
  elif [ ! -s "$work/stderr" ]; then
    # A message that could not be written is excused.
    case $1 in write*) ;; *) complain "$1" "failed without a message" ;; esac
  fi
}

# trials SYSCALL ERROR COMMAND...: fails each call of this kind in turn.
trials() {
  call=$1
  error=$2
  shift 2
  k=1
  while [ "$k" -le "$MAX_K" ]; do
    prepare
    strace -f -qq -o "$work/trace" -e trace="$call" -e signal=none \
      -e inject="$call:error=$error:when=$k" "$@" >"$work/stdout" 2>"$work/stderr"
    status=$?
    if ! grep -q INJECTED "$work/trace"; then break; fi
    runs=$((runs + 1))
    check "$call $k $error" "$status"
    if [ "$error" = EINTR ] && [ "$status" -ne 0 ]; then
      complain "$call $k EINTR" "an interruption made it fail"
    fi
    k=$((k + 1))
  done
  echo "inject.sh: $call $error: $((k - 1)) failed in turn"
}

failures=0
runs=0
prepare
cp -a "$OUT/." "$work/older/"
"$@" >"$work/stdout" 2>"$work/stderr"
status=$?
if [ "$status" -ne 0 ] || [ -z "$(plates "$OUT")" ]; then
  echo "inject.sh: the command fails (status $status) or makes no $PLATES when nothing is wrong" >&2
  cat "$work/stderr" >&2
  exit 2
fi
cp -a "$OUT/." "$work/whole/"

for name in $SYSCALLS; do
  for number in $ERRORS; do trials "$name" "$number" "$@"; done
done
for name in $INTERRUPTS; do trials "$name" EINTR "$@"; done

if [ "$runs" -eq 0 ]; then
  echo "inject.sh: nothing was injected: the command makes none of these calls" >&2
  exit 1
fi
echo "inject.sh: $runs runs, $failures failures; $form form"
[ "$failures" -eq 0 ]
