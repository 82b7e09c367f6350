#!/usr/bin/env python3
"""Tests wait for events and not for times (tests/support/events.py): a time is too short on a busy machine.

Lists every pause, and every limit of less than a minute, in the tests that are written in Python, shell and
JavaScript, apart from those below, which say why no load can make them fail.

  waits.py ROOT | --self-test
"""

import pathlib
import re
import sys

SUFFIXES = {".py", ".sh", ".mjs"}
PAUSE = re.compile(
    r"\btime\.sleep\(|(^|[;&'\"(]|\bdo)\s*sleep [\d.]|\bwaitForTimeout\(|\bsetTimeout\("
    r"|\b(timeout=|monotonic\(\) \+ |settimeout\()([1-9]|[1-5]\d)(\.\d+)?\b(?! \*)")

FAULT = "the length or the moment of a fault, which is what is tried; no verdict depends on it"
PEOPLE = "the pause of somebody who writes or asks, which is what is tried"
ABSENT = "nothing may happen meanwhile: on a busy machine less is seen, and nothing fails"
ASKED = "no event tells it, so it is asked for again and again; a limit of two minutes ends it"
MEASURED = "a long form that measures times, and has the machine alone"
SLURM = "the times of Slurm itself, which is not to be had in the short form"
FAKE = "stands in for a program that hangs; its caller ends it"
RIGHT = [
    ("browser/", "setTimeout(done, 500)", ABSENT),
    ("browser/", "waitForTimeout(", ABSENT),
    ("golden/old_state.py", "WORKER = ", ASKED),
    ("layout/links.py", "timeout=20", "asks other machines; by hand alone"),
    ("layout/waits.py", "", "names what it looks for"),
    ("ordeals/crowd.py", "step / STEPS", MEASURED),
    ("ordeals/fair_folders.py", "time.sleep(", PEOPLE),
    ("ordeals/flood.py", "time.sleep(", MEASURED),
    ("ordeals/guest.py", "sleep 60", "a guest that has ended is switched off before"),
    ("ordeals/hostile_folder.py", "past `keep`", PEOPLE),
    ("ordeals/hostile_folder.py", "time.sleep(", MEASURED),
    ("ordeals/hung_folder.py", "time.sleep(", FAULT),
    ("ordeals/idle.py", "time.sleep(", MEASURED),
    ("ordeals/interrupt.py", "time.sleep(", FAULT),
    ("ordeals/ordeal.py", "time.sleep(pause)", ASKED),
    ("ordeals/paused_copies.py", "when - time.monotonic()", PEOPLE),
    ("ordeals/paused_copies.py", "time.sleep(5)", ABSENT),
    ("ordeals/poison.py", "time.sleep(0.002)", ASKED),
    ("ordeals/power_scenes.py", "time.sleep(drop", PEOPLE),
    ("ordeals/power_scenes.py", "time.sleep(2)", ABSENT),
    ("ordeals/share_servers.py", "time.sleep(1)", ASKED),
    ("ordeals/share_servers.py", "timeout=1)", ASKED),
    ("ordeals/shares.py", "time.sleep(", PEOPLE),
    ("ordeals/slow_copies.py", "self.draw.uniform", PEOPLE),
    ("ordeals/small_disk.py", "time.sleep(1.5)", ABSENT),
    ("ordeals/soak.py", "time.sleep(", MEASURED),
    ("ordeals/watching.py", "timeout=35", "the promise of the program: it ends its workers within 30 s, by its own clock"),
    ("pipeline/cluster/engine/fake_slurm/fake_slurm.py", "time.sleep(", FAKE),
    ("pipeline/cluster/slurm/cluster_job.py", "sleep 0.1", ASKED),
    ("pipeline/cluster/slurm/cluster_itself.py", "sleep 2", SLURM),
    ("pipeline/cluster/slurm/cancelled.py", "time.sleep(LONG)", ABSENT),
    ("pipeline/cluster/slurm/lost.py", "time.sleep(", SLURM),
    ("pipeline/cluster/slurm/throwaway.py", "sleep", ASKED),
    ("pipeline/cluster/slurm/views.py", "time.sleep(", FAULT),
    ("python/module_test.py", "time.sleep(0.001)", "counts how often another thread runs, not how long"),
    ("tools/cluster_examples.sh", "sleep 0.1", SLURM),
    ("tools/commands/run_test.py", "time.sleep(1.1)", "names of plates have whole seconds, and one must pass"),
]


def bad_lines(root):
    """All lines that wait and are not in the list, and the entries of the list that fit no line."""
    found, unused = [], list(RIGHT)
    for file in sorted((root / "tests").rglob("*")):
        path = file.relative_to(root / "tests").as_posix()
        if file.suffix not in SUFFIXES or "node_modules" in path or not file.is_file():
            continue
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
            if not PAUSE.search(line):
                continue
            right = [each for each in RIGHT if path.startswith(each[0]) and each[1] in line]
            unused = [each for each in unused if each not in right]
            if not right:
                found.append(f"tests/{path}:{number}: {line.strip()}")
    return found, unused


PLANTED = [
    ("    time.sleep(0.3)  # the last commit", True),
    ("    process.wait(timeout=30)", True),
    ("    deadline = time.monotonic() + 10", True),
    ("    connection.settimeout(10)", True),
    ("while true; do sleep 0.1; done", True),
    ("    await page.waitForTimeout(500);", True),
    ("    process.wait(timeout=PATIENCE)", False),
    ("    subprocess.run(words, timeout=120)", False),
    ("    deadline = time.monotonic() + PATIENCE", False),
    ("    wait_for(lambda: path.exists(), folder)", False),
]


def main():
    if sys.argv[1] == "--self-test":
        wrong = [line for line, bad in PLANTED if bool(PAUSE.search(line)) != bad]
        print("\n".join(wrong) or f"{len(PLANTED)} planted lines are told apart")
        return 1 if wrong else 0
    found, unused = bad_lines(pathlib.Path(sys.argv[1]))
    for line in found:
        print(f"{line}\n  waits for a time: use tests/support/events.py, or say in tests/layout/waits.py why no load "
              "can make it fail")
    for path, part, _ in unused:
        print(f"tests/{path}: no line has '{part}': take it out of tests/layout/waits.py")
    print(f"{len(RIGHT)} kinds of waits are known, {len(found)} waits are not")
    return 1 if found or unused else 0


if __name__ == "__main__":
    sys.exit(main())
