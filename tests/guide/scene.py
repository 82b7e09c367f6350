"""A scratch folder with all that the command lines of the pages name, and the lines run in it."""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/tools/curve"))
import measuring_mistakes as measuring

sys.path.insert(0, str(ROOT / "tests/support"))
from events import wait_for  # noqa: E402  (it lies there)

QUICK = "mezzotint: 1\nstability: {looks: 2, every: 100 ms, age: 0 s}\n"  # a folder.yaml that waits for nothing
JOB = "mezzotint: 1\njob: {}\npages: [{}]\n"

# Jobs whose output the pages show.
ON_PRESS = """mezzotint: 1
job: On a press
press: presses/xl106-board.yaml
pages:
  - input: front.tif
    halftone:
      order: 5
"""
SCREENS = """mezzotint: 1
job: Screens
defaults: {output: {resolution: 2400}, halftone: {method: am, ruling: 175}}
pages: [cover.tif]
"""


class Scene:
    """`folder` is made from `like`, another scene, or anew with the programs of `bin`."""

    def __init__(self, folder, bin, like=None):
        self.folder = Path(folder)
        self.watcher = None
        self.env = {**os.environ, "PATH": f"{bin}:{os.environ['PATH']}", "HOME": str(self.folder),
                    "XDG_RUNTIME_DIR": str(self.folder), "LC_ALL": "C.UTF-8"}
        for name in ("STATE", "CACHE", "CONFIG"):
            self.env[f"XDG_{name}_HOME"] = str(self.folder / name.lower())
        for name in ("STATE_DIRECTORY", "SLURM_JOB_ID"):
            self.env.pop(name, None)
        if like:
            shutil.copytree(like.folder, self.folder, symlinks=True)
        else:
            self.folder.mkdir()
            self.furnish(bin)

    def furnish(self, bin):
        for name in ("kernels", "pipeline", "stages", "tests", "tools", "README.md"):
            (self.folder / name).symlink_to(ROOT / name)
        shutil.copytree(ROOT / "manifests", self.folder / "manifests")  # schemas are written anew there
        for preset in ("dev", "release"):
            (self.folder / "build" / preset).mkdir(parents=True)
            (self.folder / "build" / preset / "bin").symlink_to(bin)
        for name in ("chapters", "night", "presses", "srv/hot", "srv/newspaper", "srv/print", "hot"):
            (self.folder / name).mkdir(parents=True)
        shutil.copy(ROOT / "manifests/examples/presses/xl106-board.yaml", self.folder / "presses")
        for page in ("page", "poster", "front", "back", "chapters/01", "chapters/02", "srv/print/page",
                     "night/page"):
            self.must(f"mezzotint -q synth {page}.tif --width 240 --height 320")
        self.must("mezzotint -q synth cover.tif --width 240 --height 320 --colour cmyk")
        self.must("mezzotint -q halftone cover.tif plates/cover_{ink}.tif")
        for method in ("floyd-steinberg", "bayer"):
            self.must(f"mezzotint -q halftone page.tif {method}.tif --method {method}")
        self.must("mezzotint -q halftone front.tif front_type.tif --method threshold")
        self.must("mezzotint -q screen --inks black --export tiff && cp black.tif house.tif && mv black.tif house-k.tif")
        for name in ("job", "srv/print/job", "night/monday"):
            self.write(f"{name}.yaml", JOB.format(Path(name).name, "page.tif"))
        self.write("on-press/job.yaml", ON_PRESS)
        self.write("screens/job.yaml", SCREENS)
        self.must("cp front.tif on-press && ln -s ../presses on-press && cp cover.tif screens")
        self.furnish_curves()
        for hot in ("hot", "srv/hot"):
            self.write(f"{hot}/folder.yaml", QUICK)

    def furnish_curves(self):
        """A measured wedge, its curve, and a second wedge that was printed with that."""
        self.write("wedge.txt", measuring.wedge_text("none"))
        self.write("measured.txt", measuring.text_of(measuring.readings()))
        self.write("second_wedge.txt", measuring.wedge_text("all"))
        self.write("second.txt", measuring.text_of(
            measuring.readings(lambda step: measuring.gained(step) * 0.99 + step / 1e4), header={"CURVES": "all"}))
        self.must("mezzotint -q linearise measured.txt --wedge wedge.txt --target tvi:16 --folder curves")

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def run(self, line, timeout=600):
        """What bash makes of a line: a CompletedProcess."""
        return subprocess.run(["bash", "-uo", "pipefail", "-c", line], cwd=self.folder, env=self.env,
                              text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=timeout)

    def must(self, line):
        done = self.run(line)
        if done.returncode:
            raise SystemExit(f"the scene: {line}\n{done.stdout}")
        return done.stdout

    def watch(self, line):
        """Starts a watcher, and waits until one page is done and one has failed."""
        self.end()
        self.watcher = subprocess.Popen(["bash", "-c", f"exec {line}"], cwd=self.folder, env=self.env,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        said = []
        while not said or (said[-1] and "watching" not in said[-1]):
            said.append(self.watcher.stderr.readline())
        if not said[-1]:
            self.end()
            return "".join(said)
        hot = re.search(r"(\S*hot)\b", line).group(1)
        shutil.copy(self.folder / "page.tif", Path(self.folder, hot, "dropped.tif"))
        Path(self.folder, hot, "broken.tif").write_text("no TIFF", encoding="utf-8")
        return None if self.job("done") and self.job("failed") else "the watcher does nothing"

    def job(self, state):
        """The ID of a job in this state, once there is one."""
        def found():
            said = self.run("mezzotint --json jobs").stdout
            jobs = json.loads(said)["finished"] if said.startswith("{") else []
            return next((job["id"] for job in jobs if job["state"] == state), None)
        return wait_for(found, process=self.watcher, every=0.1)

    def need_watcher(self):
        if self.watcher is None:
            self.watch("mezzotint watch --http 0 srv/hot")

    def need_plan(self):
        if not (self.folder / "srv/print/job.plan").exists():
            self.must("mezzotint -q submit --engine local --wait srv/print/job.yaml")

    def end(self):
        """Ends the watcher."""
        if self.watcher:
            self.watcher.send_signal(signal.SIGTERM)
            self.watcher.communicate()
            self.watcher = None
