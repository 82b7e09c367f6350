#!/usr/bin/env python3
"""Holds the program to the very bytes that it made before: plates, formats on disk, output.

usage: golden.py PROGRAM [PART...] [--update] [--engine ENGINE]

Parts: plates (made-up pages and the examples), corpus (real files, in the folder MEZZOTINT_CORPUS;
skipped without it), formats (files and streams, byte for byte but for times and the like), and
old_state (journals, plans and hot folders that an earlier program left). All, when none is named.

--update writes what is expected anew: only for a change that is wanted. --engine ENGINE halftones
everything of plates and corpus with that engine, on a machine that has it; digests stay the same.
Exit status: 0 all the same, 1 differences, 77 skipped.
"""

import argparse
import sys
import time

sys.dont_write_bytecode = True

import formats  # noqa: E402
import old_state  # noqa: E402
import plates  # noqa: E402
import support  # noqa: E402

PARTS = {
    "plates": plates.check,
    "corpus": plates.check_corpus,
    "formats": formats.check,
    "old_state": old_state.check,
}


def hold(name, options):
    """Runs a part and says how it went; its exit status."""
    begin = time.monotonic()
    try:
        wrong, held = PARTS[name](options.program, options.engine, options.update)
    except support.Skip as missing:
        print(f"{name}: SKIPPED: {missing}")
        return support.SKIPPED
    for text in wrong:
        print(text, end="")
    outcome = "written" if options.update else f"{len(wrong)} differences"
    print(f"{name}: {held}, {outcome}, {time.monotonic() - begin:.1f} s", flush=True)
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("parts", nargs="*", metavar="PART")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--engine")
    options = parser.parse_args()
    if unknown := set(options.parts) - PARTS.keys():
        parser.error(f"there is no part {', '.join(sorted(unknown))}")
    statuses = [hold(name, options) for name in options.parts or PARTS]
    if 1 in statuses:
        return 1
    return support.SKIPPED if set(statuses) == {support.SKIPPED} else 0


if __name__ == "__main__":
    sys.exit(main())
