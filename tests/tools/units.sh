#!/bin/bash
# The systemd units, as installed, in the eyes of systemd itself: without mistakes, confined to an
# exposure of 2.0 at most, and with the user and the folders that they need. Skipped, 77, where
# systemd's tools are not there.
set -euo pipefail
root=$(dirname "$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")")
for tool in systemd-analyze systemd-sysusers systemd-tmpfiles; do
  command -v "$tool" >/dev/null || { echo "SKIPPED: there is no $tool here" && exit 77; }
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

# check WHAT COMMAND...: it must succeed, and say nothing.
check() {
  local what=$1 said status=0
  shift
  said=$("$@" 2>&1) || status=$?
  if ((status == 0)) && [[ -z $said ]]; then return; fi
  failures=$((failures + 1))
  printf 'FAILED (status %d): %s\n%s\n' "$status" "$what" "$said"
}

# shellcheck disable=SC2016
printf '#!/bin/sh\n[ "$1" != words ] || mkdir -p "$2"\n' >"$scratch/program"
chmod 755 "$scratch/program"
"$root/tools/install" --destdir "$scratch" --program "$scratch/program" >"$scratch/log"
lib=$scratch/usr/local/lib
units=$lib/systemd/system
# systemd-analyze looks for the programs of units: they are below the scratch folder here.
sed -i "s|\([= ]\)/usr/local/|\1$scratch/usr/local/|g" "$units"/*.service
for unit in "$units"/*.service "$units"/*.timer; do
  check "verify $(basename "$unit")" systemd-analyze verify --man=no --recursive-errors=no "$unit"
done
# systemd blocks openat2() with it, and without openat2() no hot folder's job begins.
# shellcheck disable=SC2016
check "no RestrictSUIDSGID" sh -c '! grep -r "^RestrictSUIDSGID=yes" "$1"' sh "$units"
for unit in "$units"/*.service; do
  status=0
  systemd-analyze security --no-pager --offline=true --threshold=20 "$unit" >"$scratch/log" 2>&1 ||
    status=$?
  grep Overall "$scratch/log" || status=1
  ((status == 0)) && continue
  failures=$((failures + 1))
  echo "FAILED: $(basename "$unit") may do too much"
  cat "$scratch/log"
done

if ((EUID == 0)); then
  systemd-sysusers --root="$scratch" "$lib/sysusers.d/mezzotint.conf" >"$scratch/log" 2>&1 ||
    cat "$scratch/log"
  check "the user" test ":mezzotint halftoning:/var/lib/mezzotint:/usr/sbin/nologin" = \
    "$(sed -n 's/^mezzotint:x:[0-9]*:[0-9]*//p' "$scratch/etc/passwd")"
  check "the groups" grep -qx 'video:x:[0-9]*:mezzotint' "$scratch/etc/group"
  check "the folders" systemd-tmpfiles --root="$scratch" --create "$lib/tmpfiles.d/mezzotint.conf"
  user=$(awk -F: '$1 == "mezzotint" { print $3 ":" $4 }' "$scratch/etc/passwd")
  for folder in hot night; do
    check "who may do what in $folder" test "2770 $user" = \
      "$(stat -c '%a %u:%g' "$scratch/var/spool/mezzotint/$folder")"
  done
else
  echo "the user and the folders: not tried, only root can make them"
fi

((failures == 0)) && echo "the units: good"
exit $((failures > 0))
