#!/bin/bash
# Packs what is built into Debian packages, twice, and looks into them: contents, dependencies, rights,
# the scripts that dpkg runs, and that both times gave the same bytes. tools/package/try-packages
# installs them. Skipped, 77, where cpack or dpkg's tools are not there.
# usage: packages.sh BUILD CPACK paths|no_paths    whether paths of the build may be in the programs
set -euo pipefail
build=$1
cpack=$2
paths=$3
root=$(dirname "$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")")
for tool in "$cpack" file dpkg-deb dpkg-shlibdeps readelf; do
  command -v "$tool" >/dev/null || { echo "SKIPPED: there is no $tool here" && exit 77; }
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# shellcheck source=tests/support/same.sh
source "$root/tests/support/same.sh"

pack() {
  "$cpack" --config "$build/CPackConfig.cmake" -B "$1" -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip \
    >"$scratch/log" 2>&1 || { cat "$scratch/log" && exit 1; }
}
field() { dpkg-deb -f "$scratch/one/$1"_*.deb "$2"; }
# Files of a package that match a pattern, under the names of a prefix /usr.
contents() { dpkg-deb --fsys-tarfile "$scratch/one/$1"_*.deb | tar -t | grep -E "$2" || true; }

pack "$scratch/one" &
pack "$scratch/two"
wait $!
same "packed twice: the same bytes" \
  "$(cd "$scratch/one" && sha256sum ./*.deb)" "$(cd "$scratch/two" && sha256sum ./*.deb)"

for deb in "$scratch"/one/*.deb; do
  name=$(basename "$deb")
  name=${name%%_*}
  same "$name: where its files are" "" \
    "$(contents "$name" . | grep -vE '^\./(etc/(default/(mezzotint)?)?|usr/.*)?$' || true)"
  same "$name: owners and rights" "" \
    "$(dpkg-deb -c "$deb" | grep -vE '^(-rw-r--r--|-rwxr-xr-x|drwxr-xr-x|lrwxrwxrwx) root/root ' || true)"
  same "$name: its papers" "2" "$(contents "$name" "^./usr/share/doc/$name/(copyright|changelog.gz)$" | wc -l)"
  mkdir -p "$scratch/control"
  dpkg-deb -e "$deb" "$scratch/control/$name"
  for script in "$scratch/control/$name"/p*; do
    [[ ! -e $script ]] || sh -n "$script" || same "$name: $(basename "$script")" 0 $?
  done
  dpkg-deb -x "$deb" "$scratch/tree"
done

same "the files of the program" 13 "$(contents mezzotint \
  '/(bin/mezzotint|nightly|(watch|nightly)\.(service|timer)|mezzotint-(watch|nightly)\.(service|timer)|confined\.conf|(sysusers|tmpfiles)\.d/mezzotint\.conf|default/mezzotint|doc/mezzotint/README\.md|examples/demo\.yaml|mezzotint-1\.schema\.json)$' |
  wc -l)"
same "no licence a second time" "" "$(contents mezzotint 'LICENSE')"
same "settings are the user's" /etc/default/mezzotint "$(<"$scratch/control/mezzotint/conffiles")"
[[ $(field mezzotint Depends) == *"libtiff6"*"libyaml-cpp"* ]] || same "its libraries" "libtiff6, libyaml-cpp" "$(field mezzotint Depends)"
version=$(field mezzotint Version)
if [[ -e $(echo "$scratch"/one/libmezzotint0_*.deb) ]]; then
  same "the library" 1 "$(contents libmezzotint0 '/libmezzotint\.so\.0$' | wc -l)"
  same "what links to it depends on it" "libmezzotint 0 libmezzotint0 (>= $version)" \
    "$(<"$scratch/control/libmezzotint0/shlibs")"
  same "the loader learns of it" "activate-noawait ldconfig" "$(<"$scratch/control/libmezzotint0/triggers")"
  same "headers and what finds them" 5 "$(contents libmezzotint-dev \
    '/(mezzotint\.h|mezzotint\.hpp|libmezzotint\.so|mezzotint\.pc|mezzotint-config\.cmake)$' | wc -l)"
  same "no search path for what links to it" "" "$(find "$scratch/tree" -name '*.pc' -exec grep rpath {} +)"
  same "of the same version" "libmezzotint0 (= $version)" "$(field libmezzotint-dev Depends)"
fi
if [[ -e $(echo "$scratch"/one/python3-mezzotint_*.deb) ]]; then
  same "the module" 2 "$(contents python3-mezzotint '^./usr/lib/python3/dist-packages/mezzotint/(__init__\.py|_native.*\.so)$' | wc -l)"
  [[ $(field python3-mezzotint Depends) == *"python3 (>= 3.11)"*"python3-numpy"*"libmezzotint0 (= $version)"* ]] ||
    same "what the module depends on" "python3, python3-numpy, libmezzotint0" "$(field python3-mezzotint Depends)"
fi

# What is run looks for libraries nowhere by itself, and names no folder of the build.
while read -r file; do
  same "$file: no search path" "" "$(readelf -d "$file" | grep -E 'R(UN)?PATH' || true)"
  [[ $paths == paths ]] || same "$file: no path of the build" 0 "$(grep -cF "$root/" "$file" || true)"
done < <(find "$scratch/tree" -type f \( -path '*/bin/*' -o -name '*.so*' \))

((failures == 0)) && echo "packages: good"
exit $((failures > 0))
