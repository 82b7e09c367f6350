#!/usr/bin/env python3
"""Holds the binary interface of libmezzotint: the functions and types of mezzotint.h against those of
the version before, which libmezzotint.abi describes, and the symbols of the library against both.

usage: abi.py LIBRARY [--update]   against, or into, libmezzotint.abi beside this file
       abi.py --self-test          takes a member from a struct and a function away, and must find it

Skipped (77) without abidiff of abigail-tools. New functions and new members in the place of
`reserved` are --update's; whatever abidiff calls a change needs a new soname.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
LIBRARY = HERE.parents[1] / "tools/library"
HEADER = LIBRARY / "mezzotint/mezzotint.h"
REFERENCE = HERE / "libmezzotint.abi"
DECLARATION = re.compile(r"^MEZZOTINT_API ([^;]+);", re.MULTILINE)


def run(*words, accept=(0,)):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    if done.returncode not in accept:
        sys.exit(f"{' '.join(map(str, words))} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def declared(header):
    """Names of the functions of a header."""
    return sorted(re.search(r"(mezzotint_\w+)\(", text)[1] for text in DECLARATION.findall(header))


def stub(header, folder):
    """A library of empty functions with the types of a header, and nothing else."""
    (folder / "mezzotint.h").write_text(header, encoding="utf-8")
    bodies = [f"{text} {{ __builtin_trap(); }}" for text in DECLARATION.findall(header)]
    source = folder / "stub.c"
    source.write_text('#include "mezzotint.h"\n' + "\n".join(bodies) + "\n", encoding="utf-8")
    library = folder / "libmezzotint.so.0"
    run("cc", "-g", "-O0", "-w", "-shared", "-fPIC", "-Wl,-soname,libmezzotint.so.0",
        f"-Wl,--version-script={LIBRARY / 'mezzotint.map'}", "-o", library, source)
    return library


def changes(header):
    with tempfile.TemporaryDirectory() as scratch:
        library = stub(header, pathlib.Path(scratch))
        return run("abidiff", "--no-show-locs", REFERENCE, library, accept=(0, 4, 8, 12))


def symbols(library):
    lines = run("nm", "-D", "--defined-only", library).splitlines()
    return sorted(line.split()[2].split("@")[0] for line in lines if line.split()[1] != "A")


def update(header):
    with tempfile.TemporaryDirectory() as scratch:
        library = stub(header, pathlib.Path(scratch))
        text = run("abidw", "--no-show-locs", "--no-corpus-path", "--no-comp-dir-path", library)
    REFERENCE.write_text(re.sub(r" path='[^']*stub.c'", "", text), encoding="utf-8")


def self_test(header):
    for before, after in [("  uint32_t memory;      /*", "  /*"), ("int mezzotint_set_tile(", "int mezzotint_tile("),
                          ("size_t row_bytes;", "uint32_t row_bytes;")]:
        if before not in header:
            sys.exit(f"the header has no '{before}' any more")
        if not changes(header.replace(before, after, 1)):
            sys.exit(f"abidiff does not see that '{before}' became '{after}'")


def main():
    if shutil.which("abidiff") is None:
        print("skipped: there is no abidiff; install abigail-tools")
        sys.exit(77)
    header = HEADER.read_text(encoding="utf-8")
    if sys.argv[1] == "--self-test":
        self_test(header)
        return
    if sys.argv[2:] == ["--update"]:
        update(header)
    if found := changes(header):
        sys.exit(f"the binary interface has changed since {REFERENCE.name}:\n{found}")
    missing = set(declared(header)) ^ set(symbols(sys.argv[1]))
    if missing:
        sys.exit(f"only the header, or only the library has {', '.join(sorted(missing))}")
    print(f"{len(declared(header))} functions, as before")


main()
