#!/usr/bin/env python3
"""Tests wait for events and not for times (tests/support/events.py): a time is too short on a busy machine.

Lists every pause, and every limit of less than ten minutes, in the tests that are written in Python, shell and
JavaScript, apart from those below, which say why no load can make them fail.

  waits.py ROOT | --self-test
"""

import re
import sys

import known_lines

SUFFIXES = {".py", ".sh", ".mjs"}
SHORT = r"([1-9]|[1-9]\d|[1-5]\d\d)(\.\d+)?\b"  # seconds
PAUSE = re.compile(
    r"\btime\.sleep\(|(^|[;&'\"(]|\bdo)\s*sleep [\d.]|\bwaitForTimeout\(|\bsetTimeout\("
    rf"|(\btimeout ?=? ?|monotonic\(\) \+ |settimeout\(|\.wait\(|\balarm\(){SHORT}(?! \*)"
    r"|\.wait\(0\.\d"
    rf"|\bwait_until\(.*, {SHORT}(, [\d.]+)?\)")

FAULT = "the length or the moment of a fault, which is what is tried; no verdict depends on it"
PEOPLE = "the pause of somebody who writes or asks, which is what is tried"
ABSENT = "nothing may happen meanwhile: on a busy machine less is seen, and nothing fails"
ASKED = "no event tells it, so it is asked for again and again; a limit of ten minutes ends it"
MEASURED = "a long form that measures times, and has the machine alone"
SLURM = "the times of Slurm itself, which is not to be had in the short form"
SABOTAGE = "it expects that nothing comes: a sabotage"
FAKE = "stands in for a program that hangs; its caller ends it"
RIGHT = [
    ("tests/browser/", "setTimeout(done, 500)", ABSENT),
    ("tests/browser/", "waitForTimeout(", ABSENT),
    ("tests/golden/old_state.py", "WORKER = ", ASKED),
    ("tests/layout/links.py", "timeout=20", "asks other machines; by hand alone"),
    ("tests/layout/waits.py", "", "names what it looks for"),
    ("tests/ordeals/crowd.py", "step / STEPS", MEASURED),
    ("tests/ordeals/fair_folders.py", "time.sleep(", PEOPLE),
    ("tests/ordeals/flood.py", "over.wait(", MEASURED),
    ("tests/ordeals/flood.py", "time.sleep(", MEASURED),
    ("tests/ordeals/guest.py", "sleep 60", "a guest that has ended is switched off before"),
    ("tests/ordeals/hostile_folder.py", "past `keep`", PEOPLE),
    ("tests/ordeals/hostile_folder.py", "time.sleep(", MEASURED),
    ("tests/ordeals/hostile_folder.py", "beginnings.dropped, 60", MEASURED),
    ("tests/ordeals/hung_folder.py", "served.wait(3)", SABOTAGE),
    ("tests/ordeals/hung_folder.py", "time.sleep(", FAULT),
    ("tests/ordeals/idle.py", "time.sleep(", MEASURED),
    ("tests/ordeals/interrupt.py", "time.sleep(", FAULT),
    ("tests/ordeals/killed_watcher.py", "timeout = 2 if", SABOTAGE),
    ("tests/ordeals/lost_folder.py", "trouble(watch, hot), 3)", SABOTAGE),
    ("tests/ordeals/ordeal.py", "time.sleep(pause)", ASKED),
    ("tests/ordeals/paused_copies.py", "when - time.monotonic()", PEOPLE),
    ("tests/ordeals/paused_copies.py", "time.sleep(5)", ABSENT),
    ("tests/ordeals/poison.py", "time.sleep(0.002)", ASKED),
    ("tests/ordeals/power_scenes.py", "time.sleep(drop", PEOPLE),
    ("tests/ordeals/power_scenes.py", "time.sleep(2)", ABSENT),
    ("tests/ordeals/share_servers.py", "time.sleep(1)", ASKED),
    ("tests/ordeals/share_servers.py", "timeout=1)", ASKED),
    ("tests/ordeals/shares.py", "served.wait(3)", SABOTAGE),
    ("tests/ordeals/shares.py", "time.sleep(", PEOPLE),
    ("tests/ordeals/shares.py", "timeout=300 + ", "all of a guest's run, with seconds for each page"),
    ("tests/ordeals/slow_copies.py", "self.draw.uniform", PEOPLE),
    ("tests/ordeals/small_disk.py", "time.sleep(1.5)", ABSENT),
    ("tests/ordeals/soak.py", "time.sleep(", MEASURED),
    ("tests/pipeline/cluster/engine/fake_slurm/fake_slurm.py", "time.sleep(", FAKE),
    ("tests/pipeline/cluster/slurm/", "wait_until(", SLURM),
    ("tests/pipeline/cluster/slurm/cluster_job.py", "sleep 0.1", ASKED),
    ("tests/pipeline/cluster/slurm/cluster_itself.py", "sleep 2", SLURM),
    ("tests/pipeline/cluster/slurm/cancelled.py", "time.sleep(LONG)", ABSENT),
    ("tests/pipeline/cluster/slurm/lost.py", "time.sleep(", SLURM),
    ("tests/pipeline/cluster/slurm/throwaway.py", "sleep", ASKED),
    ("tests/pipeline/cluster/slurm/views.py", "time.sleep(", FAULT),
    ("tests/python/module_test.py", "time.sleep(0.001)", "counts how often another thread runs, not how long"),
    ("tests/tools/cluster_examples.sh", "sleep 0.1", SLURM),
    ("tests/tools/commands/run_test.py", "time.sleep(1.1)", "names of plates have whole seconds, and one must pass"),
]


PLANTED = [
    ("    time.sleep(0.3)  # the last commit", True),
    ("    process.wait(timeout=30)", True),
    ("    deadline = time.monotonic() + 10", True),
    ("    connection.settimeout(10)", True),
    ("while true; do sleep 0.1; done", True),
    ("    await page.waitForTimeout(500);", True),
    ("    process.wait(timeout=PATIENCE)", False),
    ("    subprocess.run(words, timeout=120)", True),
    ("    subprocess.run(words, timeout=600)", False),
    ("    check(wait_until(lambda: trouble(watch), 15), 'trouble goes on')", True),
    ("    wait_until(lambda: trouble(watch), PATIENCE, 0.02)", False),
    ("    deadline = time.monotonic() + PATIENCE", False),
    ("    wait_for(lambda: path.exists(), folder)", False),
    ("    ordeal.check(hot.wait(60), 'not all went through')", True),
    ("    hot.wait(30, [name])", True),
    ("    while not over.wait(0.1):", True),
    ("    process.wait()", False),
    ("    timeout = 2 if late else PATIENCE", True),
    ("  timeout 5 scontrol ping", True),
    ("  timeout 600 scontrol ping", False),
    ("    signal.alarm(20)", True),
]


if __name__ == "__main__":
    sys.exit(known_lines.Search(("tests",), SUFFIXES, PAUSE.search, RIGHT, PLANTED,
             "waits for a time: use tests/support/events.py, or say in tests/layout/waits.py why no load can "
             "make it fail").main())
