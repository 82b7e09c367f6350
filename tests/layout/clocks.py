#!/usr/bin/env python3
"""The watcher reads the clocks in one place, and tests neither read them, nor sleep, nor set alarms.

Product code of pipeline/watch is given a Clock or a Moment (pipeline/watch/machine/clock.h), so that a test
decides what time it is. Lists every other reading, sleep and alarm in pipeline/watch and in all tests in C++,
apart from those below, which say why they are right.

  clocks.py ROOT | --self-test
"""

import re
import sys

import known_lines

PLACES = ("pipeline/watch", "tests")
SUFFIXES = {".h", ".cpp", ".cu", ".cuh"}
USED = re.compile(r"\b\w*[cC]lock(_type)?::now\(|\bclock_gettime\(|\bgettimeofday\(|\btime\(nullptr\)"
                  r"|\bstd::clock\(|(\busleep|::sleep|\bnanosleep)\(|\bsleep_(for|until)\("
                  r"|\balarm\([^0)]")

# File, a part of the line, and why it may.
ASKED = "no event tells it, so it is asked for again and again; nothing is judged by the time"
DRIPS = "a client that sends slowly, over a real socket"
PRINTED = "prints how fast something is, and judges nothing"
PROCESSOR = "processor time, which other programs do not lengthen"
RACES = "gives other threads the time to come between; when they do not, less is seen and nothing fails"
STAMPED = "sets or compares the time stamp of a file, hours or days away from the limit"
RIGHT = [
    ("pipeline/watch/machine/machine.cpp", "SteadyClock::now()", "the one place"),
    ("tests/faults/device_fault_test.cpp", "alarm(kSecondsPerJob)", "ten minutes, for a job that hangs"),
    ("tests/fuzz/driver.cpp", "alarm(kMostSeconds)", "an input that hangs; of the full tier"),
    ("tests/fuzz/driver.cpp", "Clock::now()", "how long it goes on, and the slowest input, printed"),
    ("tests/fuzz/http_fuzz.cpp", "SteadyClock::now()", "what the server is told; no verdict depends on it"),
    ("tests/fuzz/lib_fuzzer.cpp", "Clock::now()", PRINTED),
    ("tests/kernels/diffusion/follow_test.cpp", "sleep_for(", RACES),
    ("tests/kernels/prepress/programs/colour_and_lcms.cpp", "steady_clock::now()", PRINTED),
    ("tests/pipeline/cluster/engine/local_engine_test.cpp", "sleep_for(10ms)", ASKED),
    ("tests/pipeline/cluster/records/attempt_record_test.cpp", "system_clock::now()", STAMPED),
    ("tests/pipeline/plan/input_reads_test.cpp", "clock::now()", STAMPED),
    ("tests/pipeline/report/report_test.cpp", "system_clock::now()", "the report is not older than this"),
    ("tests/pipeline/resume/resume_test.cpp", "::time(nullptr)", STAMPED),
    ("tests/pipeline/resume/resume_test.cpp", "clock::now()", STAMPED),
    ("tests/pipeline/run/executor_test.cpp", "sleep_for(", "threads are counted meanwhile, against a most"),
    ("tests/pipeline/watch/status/programs/status_demo.cpp", "clock::now()", "a program for people"),
    ("tests/pipeline/watch/status/raw_client.h", "steady_clock::now()", DRIPS),
    ("tests/pipeline/watch/status/watch_metrics_test.cpp", "std::clock()", "until there is processor time to show"),
    ("tests/pipeline/watch/status/watch_metrics_test.cpp", "time(nullptr)", "beside the start of the process"),
    ("tests/stages/colour/table_cache_test.cpp", "clock::now()", STAMPED),
    ("tests/stages/tiff/read/reader_corpus_test.cpp", "steady_clock::now()",
     "ends a reader that hangs; a corpus is read by hand alone"),
    ("tests/support/toy_search.h", "steady_clock::now()", "its budget, which is what is tried"),
    ("tests/support/toy_search.h", "sleep_for(pause_)", "its pause, which is what is tried"),
    ("tests/support/toy_search.h", "clock_gettime(", PROCESSOR),
    ("tests/tsan/seeds.cpp", "sleep_for(", RACES),
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
    ("  ::alarm(kSeconds);", True),
    ("  ::alarm(0);", False),
]


if __name__ == "__main__":
    sys.exit(known_lines.Search(PLACES, SUFFIXES, uses, RIGHT, PLANTED,
             "reads a clock or sleeps: take a Clock or a Moment, or say in tests/layout/clocks.py why it is "
             "right").main())
