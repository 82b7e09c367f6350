# For scripts of tests: counts what differs in `failures`.
# shellcheck shell=bash
failures=0

# same WHAT EXPECTED FOUND
same() {
  [[ $2 == "$3" ]] && return
  failures=$((failures + 1))
  printf '%s\n' "FAILED: $1" "expected:" "$2" "found:" "$3"
}
