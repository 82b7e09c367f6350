"""What is done with the command lines of the pages: all are run as they stand, but those below."""
import json
import re
import shlex
import sys
from itertools import takewhile
from pathlib import Path

from scene import ROOT

# Rewritten, then run: pattern, what stands in, why.
ALL_DAY = "00:00-24:00"
STAND_INS = [
    (r" \| source$", "", "bash is no fish"),
    (r"^bench ", "mezzotint-lab bench ", "the text names the program before"),
    (r"\bsudo (-u mezzotint )?(?=tools/install|mezzotint)", "", "no root here"),
    (r" --socket /run/mezzotint/watch\.sock", "", "the watcher of the scratch folder"),
    (r"\btools/install\b", 'tools/install --destdir "$PWD/root" --program "$(command -v mezzotint)"',
     "below the scratch folder"),
    (r"(?<=\s)job\.plan", "srv/print/job.plan", "beside its manifest"),
    (r"(?<=\s)/srv/hot/\*", 'srv/hot', "below the scratch folder"),
    (r"(?<=\s)/srv/", 'srv/', "below the scratch folder"),
    (r"--window \S+", f"--window {ALL_DAY}", "the test does not wait for the night"),
    (r"--reserve \S+", "--reserve 1MiB", "the disk of a test may be small"),
    (r"--http \S+", "--http 0", "any port that is free"),
    (r"submit (?!.*--engine)", "submit --engine local ", "there is no Slurm"),
    (r"--partition \S+ ", "", "there is no Slurm"),
    (r"--width 100000 --height 50000", "--width 1000 --height 500", "takes a minute"),
    (r"/usr/bin/time -f '\S+ \S+' ", "", "GNU time need not be installed"),
]


def named_in(path, *words):
    text = (ROOT / path).read_text(encoding="utf-8")
    return ", ".join(f"{path} does not name {w}" for w in words if w not in text)


def preset(scene, match):
    presets = json.loads((ROOT / "CMakePresets.json").read_text(encoding="utf-8"))
    name = match["preset"]
    if name not in [p["name"] for p in presets["configurePresets"]]:
        return f"there is no preset {name}"
    options = [o for o in re.findall(r"-D(\w+)", match[0]) if not o.startswith("CMAKE")]
    return named_in("CMakeLists.txt", *options) and named_in("tests/CMakeLists.txt", *options)


def targets(scene, match):
    for target in (match["targets"] or "all").split():
        if scene.run(f"ninja -C {scene.build} -t query {target}").returncode:
            return f"there is no target {target}"
    return None


def some_tests(scene, match):
    said = scene.run(f"ctest --test-dir {scene.build} -N -R {match['tests']}").stdout
    if "Total Tests: 0" not in said:
        return None
    folder = match["tests"].split(".")[0]
    unbuilt = scene.run(f"ctest --test-dir {scene.build} -N -R '^test_{folder}.*NOT_BUILT'").stdout
    return "no test has that name" if "Total Tests: 0" in unbuilt else None


def gtest(scene, match):
    program = Path(scene.build, "bin", match["program"])
    if not program.exists():
        return targets(scene, {"targets": match["program"]})
    listed = scene.run(f"{program} --gtest_list_tests {match['filter'] or ''}").stdout
    return None if "\n  " in listed else "no test has that name"


def script(scene, match):
    """A script of the tree: it exists, and its help, or else its text, names the options."""
    path = ROOT / match["script"]
    if not path.is_file():
        return f"there is no {match['script']}"
    said = scene.run(f"timeout 600 {path} --help").stdout + path.read_text(encoding="utf-8")
    return ", ".join(f"{match['script']} has no {option}"
                     for option in re.findall(r"--[a-z-]+", match[0]) if option not in said)


def sections(scene, match):
    return named_in("tools/packages.txt", *[f"[{word}]" for word in match["sections"].split()])


def unit(scene, match):
    name = match["unit"] if "." in match["unit"] else match["unit"] + ".service"
    if not (ROOT / "tools/service" / name).exists():
        return f"there is no unit {name}"
    return named_in(f"tools/service/{name}", "[Install]") if "enable" in match[0] else None


def usage(scene, match):
    """A line with words to fill in: its command exists, and has its options."""
    words = shlex.split(match[0])
    command = list(takewhile(lambda word: not word.startswith("-") and not word.isupper(), words))
    said = scene.run(shlex.join([*command, "--help"]))
    if said.returncode:
        return said.stdout
    return ", ".join(f"there is no {o}" for o in words if o.startswith("--") and o not in said.stdout)


def named_command(scene, match):
    """A command that is only named: it has a help; a command of `jobs` is in that of `jobs`."""
    words = match[0].split()
    if words[:2] == ["mezzotint", "jobs"] and len(words) == 3:
        said = scene.run("mezzotint jobs --help")
        return None if f"\n  {words[2]} " in said.stdout else f"jobs has no {words[2]}"
    said = scene.run(match[0] + " --help")
    return said.stdout if said.returncode else None


def import_module(scene, match):
    """A line of Python on the module, run on that of the build, where there is one."""
    folder = scene.build / "python"
    if not list(folder.glob("mezzotint/_native*")) or scene.sanitized:
        return None
    done = scene.run(f"PYTHONPATH={folder} {sys.executable} -c {match['code']}")
    return done.stdout if done.returncode else None


# Only checked: pattern of the whole line, check, why it is not run.
CHECKED = [
    (r"(sudo )?(?P<script>tools/(quickstart|check|regenerate))( --\w+)*", script, "builds everything"),
    (r"(?P<script>tools/bench-peers)", script, "takes minutes"),
    (r"PYTHONPATH=build/release/python /usr/bin/python3 -c (?P<code>.*)", import_module, "run where the module is built"),
    (r"cmake --install build/release --prefix ~/.local", lambda scene, match: None, "the tests install.* do it"),
    (r"tools/setup (?P<sections>[a-z ]+)", sections, "installs packages"),
    (r"(?P<script>tools/fuzz) \d+( \w+)*", script, "takes minutes"),
    (r"(FUZZ_SHOW=1 )?build/\w+/bin/(?P<target>\w+)_fuzz [^|;]*FILE",
     lambda scene, match: named_in("tests/fuzz/CMakeLists.txt", f"mezzotint_fuzz({match['target']} "),
     "FILE stands for any"),
    (r"ctest --preset \w+ -L (?P<label>\w+)",
     lambda scene, match: named_in(f"tests/{match['label']}/CMakeLists.txt", f"({match['label']}."), "runs tests"),
    (r"cmake --preset (?P<preset>\w+)( -D\S+)*", preset, "configures a build"),
    (r"cmake --build --preset (?P<preset>\w+)( --target (?P<targets>.+))?", targets, "builds"),
    (r"cmake -S \. -B build/kernels .*-D(?P<option>MEZZOTINT_COMPONENTS)=kernels .*",
     lambda scene, match: named_in("CMakeLists.txt", match["option"]), "the tests install.* do it"),
    (r"cmake --build build/kernels .*", lambda scene, match: None, "the tests install.* do it"),
    (r"cmake --preset (?P<preset>\w+) && cmake --build --preset \w+ --target \w+", preset, "builds"),
    (r"(sudo )?apt(-get)? install .*", lambda scene, match: None, "installs packages"),
    (r"sha256sum -c SHA256SUMS", lambda scene, match: None, "of a release"),
    (r"(docker|podman) .*", lambda scene, match: None, "needs an engine for containers"),
    (r"(?P<script>tools/recipes/[\w-]+) .*", script, "the tests recipes.* do it"),
    (r"(sudo )?(?P<script>tools/package/[\w-]+)( .*)?", script, "makes packages"),
    (r"ctest --preset \w+ (-[VN] )?-R (?P<tests>\S+)", some_tests, "runs tests"),
    (r"build/\w+/bin/(?P<program>test_\w+)(?P<filter> --gtest_filter=\S+)?", gtest, "runs tests"),
    (r"(?P<tool>clang-format|clang-tidy-16) .*FILE.*",
     lambda scene, match: named_in("tools/packages.txt", match["tool"]), "FILE stands for any"),
    (r"(?P<script>tests/(ordeals|pipeline/cluster/slurm|tools)/[\w/]+\.py) .*", script, "takes minutes"),
    (r"python3 (?P<script>tests/\S+\.py) .*", script, "writes into the tree"),
    (r"git diff( (?P<path>\S+))?", lambda scene, match: "" if (ROOT / (match["path"] or "")).exists() else "no such path",
     "needs git"),
    (r"(?P<command>mezzotint cancel) job\.plan", lambda scene, match: named_command(scene, re.match(".*", match["command"])),
     "a job of this machine is cancelled otherwise"),
    (r"mezzotint colour show \S+\.icc", lambda scene, match: named_command(scene, re.match(".*", "mezzotint colour")),
     "a profile that the reader has"),
    (r"c\+\+ .*program\.cpp .*pkg-config.* mezzotint\)", lambda scene, match: None,
     "the tests install.* do it"),
    (r"mezzotint-lab bench (diffusion|pinwheel|search)", named_command, "takes minutes"),
    (r"(sudo )?systemctl (enable --now|edit|status) (?P<unit>[\w.-]+)", unit, "needs systemd"),
    (r"journalctl -u (?P<unit>[\w.-]+)", unit, "needs systemd"),
    (r"sudo adduser USER (?P<group>\w+)",
     lambda scene, match: named_in("tools/service/sysusers.conf", f"u {match['group']} "), "makes users"),
    (r"mezzotint(-lab)?( [a-z]+)?( --?[a-z-]+| [A-Z]+)* ([A-Z]{2,}|COMMAND --help)( .*)?", usage,
     "has words to fill in"),
    (r"mezzotint(-lab)?( [a-z]+){1,2}", named_command, "only named"),
    (r"mezzotint( [a-z]+)* --[a-z-]+", usage, "only named"),
    (r"bench [a-z]+", lambda scene, match: named_command(scene, re.match(".*", "mezzotint-lab " + match[0])),
     "takes minutes"),
]
# Words at which code within a sentence begins that is a command line.
INLINE = re.compile(r"(mezzotint(-lab)?|sudo (?!ch|deluser)|tools/\S+|tests/\S+\.py|cmake|ctest|python3|journalctl|systemctl (?!-)|bench) ")
# Commands that are run as they stand where they are named within a sentence, too.
RUN_INLINE = re.compile(r"mezzotint (help|info|schema|jobs page)\b|.* \S+\.(tif|yaml|plan)\b|mezzotint screen .*")


def check(line, inline):
    """The rule for a line that is only checked: (check, match, why), or None."""
    runs = not inline or RUN_INLINE.fullmatch(line)
    for pattern, judge, why in CHECKED:
        if why == "only named" and runs:
            continue
        match = re.fullmatch(pattern, line)
        if match:
            return judge, match, why
    return None


def stand_in(line):
    """The line as it is run, and why it differs from that of the page."""
    reasons = []
    for pattern, instead, why in STAND_INS:
        changed = re.sub(pattern, lambda _: instead, line)
        if changed != line:
            reasons.append(why)
            line = changed
    return line, ", ".join(dict.fromkeys(reasons))
