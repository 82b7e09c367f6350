#!/usr/bin/env python3
"""The watcher reads the clocks in one place, and its tests neither read them nor sleep.

Product code of pipeline/watch is given a Clock or a Moment (pipeline/watch/machine/clock.h), so that a test
decides what time it is. Lists every other reading, and every sleep, in pipeline/watch and its tests, apart
from those below, which say why they are right.

  clocks.py ROOT | --self-test
"""

import re
import sys

import known_lines

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


if __name__ == "__main__":
    sys.exit(known_lines.Search(PLACES, SUFFIXES, uses, RIGHT, PLANTED,
             "reads a clock or sleeps: take a Clock or a Moment, or say in tests/layout/clocks.py why it is "
             "right").main())
