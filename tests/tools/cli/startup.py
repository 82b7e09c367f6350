#!/usr/bin/env python3
"""How much the program does before it begins: the loader's own count of look-ups, the same on any machine.

usage: startup.py MEZZOTINT

A hot folder starts a program for every job, and small jobs take less time than a program with many libraries
takes to start.
"""
import os
import re
import subprocess
import sys

MOST_LOOKUPS = 8000
# They take longer to load than a small plate to make; what the program needs of them is elsewhere.
LEFT_OUT = ("libhwy", "libcrypto", "libspdlog")


def loader_says(program, **variables):
    """What ld.so prints about `PROGRAM --version`, and the libraries that it loads."""
    done = subprocess.run([program, "--version"], env=os.environ | variables, capture_output=True,
                          text=True, check=True)
    return done.stdout + done.stderr


def main(program):
    text = loader_says(program, LD_DEBUG="statistics")
    lookups = int(re.search(r"number of relocations: (\d+)", text)[1])
    libraries = re.findall(r"^\s*(\S+) =>", loader_says(program, LD_TRACE_LOADED_OBJECTS="1"), re.M)
    print(f"{lookups} look-ups of symbols, {len(libraries)} libraries")
    assert libraries, "ld.so names no libraries"
    loaded = [name for name in libraries if name.startswith(LEFT_OUT)]
    assert not loaded, f"{program} loads {', '.join(loaded)}"
    assert lookups <= MOST_LOOKUPS, f"{program} starts with {lookups} look-ups, of at most {MOST_LOOKUPS}"


if __name__ == "__main__":
    main(sys.argv[1])
