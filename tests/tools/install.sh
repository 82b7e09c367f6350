#!/bin/bash
# tools/install into a folder of its own: what is there then, that a second time changes nothing,
# that settings survive, that --uninstall leaves nothing else; and which command the night runs.
set -euo pipefail
root=$(dirname "$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# shellcheck source=tests/support/same.sh
source "$root/tests/support/same.sh"

# Everything below a folder that is no folder: mode, path, number and time of change.
files() {
  (cd "$1" && find . ! -type d -printf '%m %P\n' | sort -k 2)
}
state() {
  (cd "$1" && find . -printf '%m %i %C@ %s %p\n' | sort -k 5)
}
install_into() {
  local to=$1
  shift
  "$root/tools/install" --destdir "$to" --program "$scratch/program" "$@"
}

# A program that tells how it was called, and that has two manual pages and a script for zsh.
cat >"$scratch/program" <<'END_OF_PROGRAM'
#!/bin/sh
if [ "$1" = words ]; then
  mkdir -p "$2/man/man1" "$2/man/man7" "$2/zsh/vendor-completions"
  touch "$2/man/man1/mezzotint.1" "$2/man/man7/mezzotint-methods.7" \
    "$2/zsh/vendor-completions/_mezzotint"
else
  printf "[%s]\n" "$@"
fi
END_OF_PROGRAM
chmod 750 "$scratch/program"
expected='644 etc/default/mezzotint
755 usr/local/bin/mezzotint
755 usr/local/lib/mezzotint/nightly
644 usr/local/lib/systemd/system/mezzotint-.service.d/confined.conf
644 usr/local/lib/systemd/system/mezzotint-nightly.service
644 usr/local/lib/systemd/system/mezzotint-nightly.timer
644 usr/local/lib/systemd/system/mezzotint-watch.service
644 usr/local/lib/sysusers.d/mezzotint.conf
644 usr/local/lib/tmpfiles.d/mezzotint.conf
644 usr/local/share/doc/mezzotint/CHANGELOG.md
644 usr/local/share/doc/mezzotint/LICENSE
644 usr/local/share/doc/mezzotint/README.md
644 usr/local/share/doc/mezzotint/cluster/gres.conf
644 usr/local/share/doc/mezzotint/cluster/kubernetes-job.yaml
755 usr/local/share/doc/mezzotint/cluster/nightly
755 usr/local/share/doc/mezzotint/cluster/parallel.sh
644 usr/local/share/doc/mezzotint/cluster/slurm.conf
644 usr/local/share/doc/mezzotint/cron
644 usr/local/share/doc/mezzotint/kernels/README.md
644 usr/local/share/doc/mezzotint/manifests/README.md
644 usr/local/share/doc/mezzotint/manifests/keys.md
644 usr/local/share/doc/mezzotint/pipeline/cluster/README.md
644 usr/local/share/doc/mezzotint/pipeline/run/README.md
644 usr/local/share/doc/mezzotint/pipeline/watch/README.md
644 usr/local/share/doc/mezzotint/tools/cli/README.md
644 usr/local/share/doc/mezzotint/tools/compare/README.md
644 usr/local/share/doc/mezzotint/examples/demo.yaml
644 usr/local/share/doc/mezzotint/tools/monitoring/README.md
644 usr/local/share/doc/mezzotint/tools/monitoring/alerts.yml
644 usr/local/share/doc/mezzotint/tools/monitoring/dashboard.json
644 usr/local/share/doc/mezzotint/tools/service/README.md
644 usr/local/share/man/man1/mezzotint.1
644 usr/local/share/man/man7/mezzotint-methods.7
644 usr/local/share/zsh/site-functions/_mezzotint'
examples=$(cd "$root/manifests/examples" &&
  find . -type f -printf '644 usr/local/share/doc/mezzotint/examples/%P\n')
schemas=$(cd "$root/manifests/schema" &&
  find . -type f -printf '644 usr/local/share/mezzotint/schema/%P\n')
expected=$(printf '%s\n' "$expected" "$examples" "$schemas" | sort -k 2)
count=$(wc -l <<<"$expected")

one=$scratch/one
mkdir "$one"
install_into "$one" --dry-run >"$scratch/log"
same "a dry run names every file" "$count" "$(grep -c '^installed ' "$scratch/log")"
same "a dry run makes none" "" "$(files "$one")"
install_into "$one" >"$scratch/log"
same "every file is said" "$count" "$(grep -c "^installed  $one/" "$scratch/log")"
same "every file is there" "$expected" "$(files "$one")"
same "nothing is left to fill in" "" "$(grep -rl '@[a-z]*@' "$one" || true)"
same "the unit runs what was installed" "ExecStart=/usr/local/bin/mezzotint watch \$WATCH_FOLDERS \$WATCH_OPTIONS" \
  "$(grep ^ExecStart= "$one/usr/local/lib/systemd/system/mezzotint-watch.service")"
before=$(state "$one")
install_into "$one" >"$scratch/log"
same "a second time changes nothing" "$before" "$(state "$one")"
same "and says so" "Nothing to do: all of it is installed." "$(tail -n 1 "$scratch/log")"

echo 'WATCH_OPTIONS=""' >>"$one/etc/default/mezzotint"
settings=$(<"$one/etc/default/mezzotint")
echo '# newer' >>"$scratch/program"
chmod 600 "$one/usr/local/lib/mezzotint/nightly"
install_into "$one" >"$scratch/log"
same "what is newer or has other rights is updated" \
  "updated    $one/usr/local/bin/mezzotint
updated    $one/usr/local/lib/mezzotint/nightly" "$(grep ^updated "$scratch/log")"
same "the program is the newer one" "$(<"$scratch/program")" "$(<"$one/usr/local/bin/mezzotint")"
same "as before otherwise" "$expected" "$(files "$one")"
same "settings stay" "$settings" "$(<"$one/etc/default/mezzotint")"
install_into "$one" --uninstall --dry-run >"$scratch/log"
same "a dry run removes nothing" "$expected" "$(files "$one")"
install_into "$one" --uninstall >"$scratch/log"
same "changed settings are all that is left" "644 etc/default/mezzotint" "$(files "$one")"
same "and no folder of its own" "" "$(find "$one" -type d -name 'mezzotint*')"

install_into "$scratch/opt" --prefix /opt/mezzotint >"$scratch/log"
same "of another prefix systemd looks into /etc" \
  "644 etc/systemd/system/mezzotint-watch.service" \
  "$(files "$scratch/opt" | grep mezzotint-watch.service)"
for words in "--prefix rel" "--prefix /a|b" "--destdir rel" "--prefix" "--frobnicate"; do
  status=0
  # shellcheck disable=SC2086 # words
  "$root/tools/install" --dry-run --program "$scratch/program" $words >"$scratch/log" 2>&1 || status=$?
  same "tools/install $words" 64 "$status"
done

# A bundle: the program finds its libraries beside itself.
mkdir -p "$scratch/bundle/bin" "$scratch/bundle/lib"
cp "$scratch/program" "$scratch/bundle/bin/mezzotint"
touch "$scratch/bundle/lib/libtiff.so.6"
cp -r "$root/README.md" "$root/CHANGELOG.md" "$root/LICENSE" "$scratch/bundle"
(cd "$root" && cp -r --parents {kernels,manifests,pipeline/*,tools/*}/README.md manifests/keys.md \
  manifests/{examples,schema} tools/demo "$scratch/bundle")
cp -r "$root"/tools/{install,service,cluster,monitoring} "$scratch/bundle/tools"
"$scratch/bundle/tools/install" --destdir "$scratch/two" >"$scratch/log"
same "a bundle's libraries come along" "755 usr/local/bin/mezzotint
755 usr/local/lib/mezzotint/bin/mezzotint
644 usr/local/lib/mezzotint/lib/libtiff.so.6
755 usr/local/lib/mezzotint/nightly" "$(files "$scratch/two" | grep -E 'bin/|lib/mezzotint/')"
"$scratch/bundle/tools/install" --destdir "$scratch/two" --uninstall >"$scratch/log"
same "and go with it" "" "$(files "$scratch/two")"

# The night.
nightly() {
  status=0
  NIGHT_FOLDER=$scratch/night "$@" "$root/tools/service/nightly" "$scratch/program" \
    >"$scratch/log" 2>&1 || status=$?
}
nightly env
same "a folder that is not there" 66 "$status"
mkdir "$scratch/night"
nightly env
same "an empty one is no error" "0 nightly: no manifests in $scratch/night" \
  "$status $(<"$scratch/log")"
touch "$scratch/night/b.yaml" "$scratch/night/-a b.yaml" "$scratch/night/c.yaml.part"
nightly env
same "its manifests are one command" "[run]
[--keep-going]
[--window]
[20:00-06:00]
[--wait-for-space]
[--]
[$scratch/night/-a b.yaml]
[$scratch/night/b.yaml]" "$(<"$scratch/log")"
nightly env NIGHT_OPTIONS=
same "options are settings" "[run] [--]" "$(head -n 2 "$scratch/log" | paste -sd ' ')"

((failures == 0)) && echo "tools/install: good"
exit $((failures > 0))
