#!/bin/bash
# tools/package/image and try-image, with a program and what it needs of this system in place of a
# bundle: tests/tools/image.sh MEZZOTINT. The digest is the same twice. Exit status 77 (skipped) where
# there are no time zones, or try-image cannot run it.
set -euo pipefail
root=$(dirname "$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")")
program=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export PYTHONDONTWRITEBYTECODE=1

[[ -d /usr/share/zoneinfo ]] || {
  echo "skipped: there is no tzdata"
  exit 77
}
bundle=$scratch/mezzotint-1.2.3-$(uname -m)
mkdir -p "$bundle"/{bin,lib,licences,manifests}
cp "$program" "$bundle/bin/mezzotint"
cp "$root/LICENSE" "$bundle"
cp -r "$root/manifests/schema" "$bundle/manifests"
first=$("$root/tools/package/image" --out "$scratch/one.tar" "$bundle" | tail -n 1)
find "$bundle" -exec touch -d 2001-02-03 {} +
second=$("$root/tools/package/image" --out "$scratch/two.tar" "$bundle" | tail -n 1)
if [[ $first != "$second" ]] || ! cmp "$scratch/one.tar" "$scratch/two.tar"; then
  echo "FAILED: the digest is $first, then $second"
  exit 1
fi
"$root/tools/package/try-image" "$scratch/one.tar" "$program"
