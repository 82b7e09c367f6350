"""The options that pages name: one that neither the program nor a script of the tree has is a mistake."""
import re
import shutil
from functools import cache

from scene import ROOT

OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
# Programs of others that pages name an option of.
OTHERS = re.compile(r"cmake|ctest|systemctl|journalctl|npm|docker|podman|qpdf|--(user|gpus|health-cmd)\b")
SCRIPTS = ["tools/*", "tools/package/*", "tests/**/*.py", "tests/manifests/tool/*.cpp"]
BENCHES = ["diffusion", "pinwheel", "search", "handover", "hybrid", "gpus", "cluster"]


@cache
def known(scene):
    """All options of the helps, and those in the text of scripts."""
    start = scene.must("mezzotint --help")
    commands = [f"mezzotint {name}" for name in re.findall(r"^  ([a-z]+) ", start.partition("\nOptions")[0], re.M)]
    methods = re.findall(r"^  (\S+)  +", scene.must("mezzotint help methods"), re.M)
    commands += [f"mezzotint halftone --method {name}" for name in methods]
    if shutil.which("mezzotint-lab", path=scene.env["PATH"]):  # not in the quick tier
        commands += ["mezzotint-lab", "mezzotint-lab bench", *(f"mezzotint-lab bench {name}" for name in BENCHES)]
    said = [start, scene.must("\n".join(f"{command} --help" for command in commands))]
    for pattern in SCRIPTS:
        said += [path.read_text(encoding="utf-8") for path in ROOT.glob(pattern) if path.is_file()]
    return set(OPTION.findall("\n".join(said)))


def unknown(scene, code):
    """The options in `code` that nothing has."""
    if OTHERS.match(code):
        return []
    return sorted(set(OPTION.findall(code)) - known(scene.first))
