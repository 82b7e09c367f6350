#!/usr/bin/env python3
"""Runs the program on every file of a corpus of real TIFFs and prints what became of each.

usage: outcomes.py PROGRAM [CORPUS]

CORPUS (or the variable MEZZOTINT_CORPUS) has the folders good, bad and photos; without it the exit
status is 77, which the test runner shows as skipped. Every file must end within 5 seconds and 512 MB,
without a signal; a file of good or photos must be halftoned, and verified against the reference, or be
refused by the name of a feature; a refused file must leave nothing behind.
"""

import collections
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

SECONDS = 5
MEGABYTES = 512
REFUSED = 65  # data, unsupported feature, limit


def run(program, path, folder):
    """Exit status, message, seconds and peak megabytes of halftoning one file."""
    words = [program, "halftone", "--verify", "--json", "--extra-channels", "ignore", str(path),
             str(folder / "plate.tif")]
    begin = time.monotonic()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(words, stdout=out, stderr=err)
        timer = signal.signal(signal.SIGALRM, lambda *_: process.kill())
        signal.alarm(SECONDS + 1)
        _, status, usage = os.wait4(process.pid, 0)
        signal.alarm(0)
        signal.signal(signal.SIGALRM, timer)
        process.returncode = os.waitstatus_to_exitcode(status)
        err.seek(0)
        message = err.read().decode(errors="replace").strip().splitlines()
    errors = [line.removeprefix("mezzotint: error: ") for line in message if "error:" in line]
    return (process.returncode, errors[0].replace(str(path), path.name) if errors else "",
            time.monotonic() - begin, usage.ru_maxrss / 1024)


def faults(folder_name, status, message, seconds, megabytes, left):
    """What is wrong with an outcome; nothing when it is as it must be."""
    if status < 0:
        yield f"ended by signal {-status}"
    if seconds > SECONDS:
        yield f"took {seconds:.1f} s"
    if megabytes > MEGABYTES:
        yield f"took {megabytes:.0f} MB"
    if status not in (0, REFUSED):
        yield f"exit status {status}"
    if status == REFUSED and not message:
        yield "refused without a reason"
    if status == REFUSED and folder_name != "bad" and "not supported" not in message \
            and "supported with" not in message:
        yield "refused, but not by the name of a feature"
    if status != 0 and left:
        yield f"left {', '.join(left)} behind"
    if status == 0 and not any(name.endswith(".tif") for name in left):
        yield "no plate"


def main():
    corpus = sys.argv[2] if len(sys.argv) > 2 else os.environ.get("MEZZOTINT_CORPUS")
    if not corpus:
        print("skipped: set MEZZOTINT_CORPUS to a folder of real TIFFs to run this")
        return 77
    program = pathlib.Path(sys.argv[1]).resolve()
    counts = collections.Counter()
    failed = 0
    worst_seconds = worst_megabytes = 0.0
    for folder_name in ("good", "bad", "photos"):
        for path in sorted((pathlib.Path(corpus) / folder_name).iterdir()):
            with tempfile.TemporaryDirectory() as scratch:
                folder = pathlib.Path(scratch)
                status, message, seconds, megabytes = run(program, path, folder)
                left = sorted(item.name for item in folder.iterdir())
            wrong = list(faults(folder_name, status, message, seconds, megabytes, left))
            outcome = "halftoned" if status == 0 else "refused"
            counts[folder_name, outcome] += 1
            failed += bool(wrong)
            worst_seconds = max(worst_seconds, seconds)
            worst_megabytes = max(worst_megabytes, megabytes)
            print(f"{folder_name:6} {outcome:9} {seconds:5.2f} s {megabytes:4.0f} MB  {path.name}"
                  + (f"\n       {message}" if message else "")
                  + "".join(f"\n       WRONG: {text}" for text in wrong))
    total = sum(counts.values())
    print(f"\n{total} files: " + ", ".join(
        f"{folder} {number} {outcome}" for (folder, outcome), number in sorted(counts.items())))
    print(f"{failed} not as they must be; at most {worst_seconds:.2f} s and {worst_megabytes:.0f} MB")
    return 1 if failed or not total else 0


if __name__ == "__main__":
    sys.exit(main())
