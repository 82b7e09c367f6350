#!/usr/bin/env python3
"""The watcher reads the clocks in one place, and its tests neither read them nor sleep.

Product code of pipeline/watch is given a Clock or a Moment (pipeline/watch/machine/clock.h), so that a test
decides what time it is. Lists every other reading, and every sleep, in pipeline/watch and its tests, apart
from those below, which say why they are right.

  clocks.py ROOT | --self-test
"""

import pathlib
import re
import sys

PLACES = ("pipeline/watch", "tests/pipeline/watch")
SUFFIXES = {".h", ".cpp"}
USED = re.compile(r"\b\w*[cC]lock(_type)?::now\(|\bclock_gettime\(|\bgettimeofday\(|\btime\(nullptr\)"
                  r"|\bstd::clock\(|(\busleep|::sleep|\bnanosleep)\(|\bsleep_(for|until)\(")

# File, a part of the line, and why it may.
DRIPS = "a client that sends slowly, over a real socket"
RIGHT = [
    ("pipeline/watch/machine/clock.cpp", "SteadyClock::now()", "the one place"),
    ("tests/pipeline/watch/status/programs/status_demo.cpp", "clock::now()", "a program for people"),
    ("tests/pipeline/watch/status/raw_client.h", "steady_clock::now()", DRIPS),
    ("tests/pipeline/watch/status/status_server_test.cpp", "steady_clock::now()", DRIPS),
    ("tests/pipeline/watch/status/watch_metrics_test.cpp", "std::clock()", "until there is processor time to show"),
    ("tests/pipeline/watch/status/watch_metrics_test.cpp", "time(nullptr)", "beside the start of the process"),
]


def uses(line):
    return USED.search(line.split("//")[0])


def bad_lines(root):
    """All lines that use and are not in the list, and the entries of the list that fit no line."""
    found, unused = [], list(RIGHT)
    for place in PLACES:
        for file in sorted((root / place).rglob("*")):
            if file.suffix not in SUFFIXES or not file.is_file():
                continue
            path = file.relative_to(root).as_posix()
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
                if not uses(line):
                    continue
                right = [each for each in RIGHT if each[0] == path and each[1] in line]
                unused = [each for each in unused if each not in right]
                if not right:
                    found.append(f"{path}:{number}: {line.strip()}")
    return found, unused


PLANTED = [
    ("  const auto now = SteadyClock::now();", True),
    ("  since_ = std::chrono::system_clock::now();", True),
    ("  std::this_thread::sleep_for(20ms);", True),
    ("  ::usleep(5'000);", True),
    ("  const std::time_t later = std::time(nullptr);", True),
    ("  const SteadyTime begun = clock_.now();", False),
    ("  // SteadyClock::now() is read elsewhere", False),
    ("  loop.sleep(turn);", False),
]


def main():
    if sys.argv[1] == "--self-test":
        wrong = [line for line, bad in PLANTED if bool(uses(line)) != bad]
        print("\n".join(wrong) or f"{len(PLANTED)} planted lines are told apart")
        return 1 if wrong else 0
    found, unused = bad_lines(pathlib.Path(sys.argv[1]))
    for line in found:
        print(f"{line}\n  reads a clock or sleeps: take a Clock or a Moment, or say in "
              "tests/layout/clocks.py why it is right")
    for path, part, _ in unused:
        print(f"{path}: no line has '{part}': take it out of tests/layout/clocks.py")
    print(f"{len(RIGHT)} readings are known, {len(found)} are not")
    return 1 if found or unused else 0


if __name__ == "__main__":
    sys.exit(main())
