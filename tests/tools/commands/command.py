"""What the tests of the commands share: the program, run in an empty folder, with its status, messages and files.

Each NAME_test.py beside this file is a program: NAME_test.py PROGRAM [unittest options]
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import effort  # noqa: E402  (it lies there)
from effort import choose  # noqa: E402,F401  (the tests take it from here)
from events import wait_for  # noqa: E402,F401

print(effort.form())

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()

# The state of all jobs here. It is kept apart from that of the user.
STATE_FOLDER = tempfile.TemporaryDirectory(prefix="mezzotint-commands-")
STATE = {"XDG_STATE_HOME": STATE_FOLDER.name, "STATE_DIRECTORY": ""}


class Command(unittest.TestCase):
    """Each test has an empty folder of its own, and runs the program in it."""

    # A job of two pages.
    JOB = """\
mezzotint: 1
job: demo
defaults:
  output: {path: "plates/{stem}.tif"}
pages:
  - one.tif
  - two.tif
"""

    def setUp(self):
        self._scratch = tempfile.TemporaryDirectory(prefix="mezzotint-command-")
        self.folder = pathlib.Path(self._scratch.name)
        self.addCleanup(self._scratch.cleanup)

    def run_program(self, *words, status=0, environment=None):
        result = subprocess.run(
            [PROGRAM, *words], cwd=self.folder, capture_output=True, text=True, timeout=600,
            env={**os.environ, **STATE, **(environment or {})}, check=False)
        self.assertEqual(result.returncode, status, f"{words}\n{result.stdout}\n{result.stderr}")
        return result

    def synth(self, name="page.tif", width=300, height=200, *more):
        self.run_program("synth", name, "--width", str(width), "--height", str(height), *more)

    def manifest(self, text, name="job.yaml"):
        (self.folder / name).write_text(text, encoding="utf-8")
        return name

    def leftovers(self):
        return [str(path) for path in self.folder.rglob("*.part")]
