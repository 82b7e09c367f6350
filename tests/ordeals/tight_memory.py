#!/usr/bin/env python3
"""Runs pages of many shapes, and files made to blow a decoder up, in little memory.

Each run makes its plates in at most the memory of its job and 8 MiB, or its page is refused by name.

  tight_memory.py PROGRAM             a few shapes, and all bombs, smaller
  tight_memory.py PROGRAM --whole     44 shapes, each in 48, 64 and 128 MiB, and all bombs
"""

import os
import re
import resource

from odd_tiff import (DEFLATE, JPEG, LZW, NONE, PACKBITS, ZSTD, Page, jpeg, write, zstandard)
from ordeal import PATIENCE, Ordeal, end

SABOTAGES = {"greedy": "a run is said to have taken 100 MiB more",
             "speechless": "a refusal loses its message"}
MOST_BESIDE_MIB = 8
REFUSALS = (1, 65)  # some page failed; the data is wrong
NAMED = re.compile(r"memory|limit|progressive|damaged|not supported|longer than|more than|too many|"
                   r"decoder|window", re.IGNORECASE)
MIB = 1 << 20


def shapes():
    """{name: Page}; 44 of them."""
    found = {}
    for width, height in ((4000, 4000), (100000, 400)):
        def add(name, **more):
            found[f"{name} {width}x{height}"] = Page(width, height, **more)
        for name, compression in (("raw", NONE), ("deflate", DEFLATE), ("zstd", ZSTD)):
            add(f"grey {name} in one strip", compression=compression)
        for bits in (8, 16):
            add(f"cmyk {bits} bits in one strip", samples=4, bits=bits, compression=DEFLATE)
            add(f"16 inks {bits} bits in one strip", samples=16, bits=bits, compression=DEFLATE)
        add("cmyk apart, raw", samples=4, bits=16, planar=True)
        add("16 inks apart, deflate", samples=16, planar=True, compression=DEFLATE)
        add("16 inks packbits in strips of 16", samples=16, bits=16, rows=16, compression=PACKBITS)
        add("line art in one strip", bits=1, compression=DEFLATE)
        add("tiles of 16", tile=(16, 16), compression=DEFLATE)
        add("tiles as wide as the page", samples=4, bits=16, tile=(-(-width // 16) * 16, 16),
            compression=DEFLATE)
        add("tiles of 2048, 16 inks", samples=16, tile=(2048, 2048), compression=DEFLATE)
        add("on its side, cmyk", samples=4, orientation=6, compression=DEFLATE)
        add("on its other side, raw", bits=16, rows=1, orientation=8)
        add("upside down, 16 inks apart", samples=16, planar=True, orientation=3, compression=DEFLATE)
        add("rgb in strips of a row", samples=3, rows=1, compression=DEFLATE)
        add("rgb packbits in one strip", samples=3, bits=16, compression=PACKBITS)
    found["wide in one strip"] = Page(100000, 2500, compression=DEFLATE)
    found["tall line art"] = Page(8, 100000, bits=1, rows=1)
    found["a column"] = Page(1, 100000, compression=PACKBITS)
    found["a row"] = Page(100000, 1, compression=PACKBITS)
    found["zstd apart, a window a plane"] = Page(
        4000, 4000, samples=4, planar=True, compression=ZSTD, coder=lambda size: zstandard(size, 23))
    found["16 inks of 16 bits, a row a strip"] = Page(100000, 64, samples=16, bits=16, rows=1,
                                                     compression=DEFLATE)
    found["tiles of 16 down a column"] = Page(16, 100000, tile=(16, 16), compression=DEFLATE)
    found["1 bit, tiles"] = Page(20000, 20000, bits=1, tile=(20000, 16), compression=DEFLATE)
    return found


def bombs(side, fat):
    """{name: (Page, directories)}: `side` of the page in pixels, `fat` the bytes of long streams."""
    found = {}
    for bits in (20, 23, 25, 27):
        for samples, planar in ((1, False), (4, False), (16, True)):
            found[f"zstd window 2^{bits}, {samples} inks"] = Page(
                side, side, samples=samples, planar=planar, compression=ZSTD,
                coder=lambda size, bits=bits: zstandard(size, bits))
    for progressive in (False, True):
        kind = "progressive" if progressive else "sequential"
        for samples, planar, scans in ((1, False, 1), (8, True, 1), (4, False, 1), (4, False, 4)):
            inside = 1 if planar else samples
            found[f"{kind} jpeg, {samples} inks, {scans} scans"] = Page(
                side // 2, side // 2, samples=samples, planar=planar, compression=JPEG,
                coder=lambda _, inside=inside, kind=progressive, scans=scans:
                    jpeg(side // 2, side // 2, inside, kind, scans))
    found = {name: (page, 1) for name, page in found.items()}
    for name, compression, piece in (("deflate", DEFLATE, b"\0\0\0\xff\xff"),
                                     ("packbits", PACKBITS, b"\x80"),
                                     ("lzw", LZW, b"\x80\x40\x20\x10\x08\x04\x02\x01\0"),
                                     ("zstd", ZSTD, b"\0\0\0")):
        begin = {DEFLATE: b"\x78\x01", ZSTD: b"\x28\xb5\x2f\xfd\0\x38"}.get(compression, b"")
        found[f"{name} of empty blocks"] = (Page(
            64, 64, compression=compression,
            coder=lambda _, begin=begin, piece=piece: [(begin, 1), (piece, fat // len(piece))]), 1)
    for samples in (1, 16):
        found[f"4096 directories of {samples} inks"] = (Page(
            8, 8, samples=samples, compression=DEFLATE), 4096)
    return found


def peak_of(ordeal, words):
    """Status, messages, and the most memory in MiB of a process."""
    messages = ordeal.scratch / "messages"
    with open(messages, "wb") as errors:
        process = ordeal.start(words, cwd=ordeal.scratch, env=ordeal.environment, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, messages.read_text(errors="replace"), usage.ru_maxrss / 1024


def trial(ordeal, name, mib, inputs=1):
    manifest = ordeal.scratch / "job.yaml"
    manifest.write_text(f"mezzotint: 1\njob: tight\nlimits: {{memory: {mib} MiB, threads: 2}}\n"
                        'defaults: {output: {path: "out/{stem}_{page}_{ink}.tif"}}\n'
                        f"pages: [{', '.join(f'page{one}.tif' for one in range(inputs))}]\n",
                        encoding="utf-8")
    begin = [ordeal.program, "-q", "run", "--fresh", "--journal", ordeal.scratch / "job.db"]
    status, messages, peak = peak_of(ordeal, [*begin, manifest])
    what = f"{name}, {mib} MiB"
    if ordeal.sabotage("greedy"):
        peak += 100
    if status != 0 and ordeal.sabotage("speechless"):
        messages = ""
    ordeal.count("runs")
    ordeal.count("made" if status == 0 else "refused")
    ordeal.most(f"peak_of_{mib}_mib", round(peak, 1))
    ordeal.check(peak <= mib + MOST_BESIDE_MIB, f"{what}: it took {peak:.0f} MiB\n{messages}")
    ordeal.check(status == 0 or status in REFUSALS, f"{what}: status {status}\n{messages}")
    ordeal.check(status == 0 or NAMED.search(messages), f"{what}: refused as\n{messages}")
    if ordeal.options.list:
        print(f"  {what}: status {status}, {peak:.0f} MiB {messages.strip()[:160]}", flush=True)


def with_page(ordeal, page, directories, body, inputs=1):
    """Writes the file under all its names, and removes what came of it."""
    first = ordeal.scratch / "page0.tif"
    write(first, page, directories)
    for one in range(1, inputs):
        os.link(first, ordeal.scratch / f"page{one}.tif")
    body()
    for path in [*ordeal.scratch.glob("page*.tif"), *ordeal.scratch.glob("out/*"),
                 *ordeal.scratch.glob("job.db*")]:
        path.unlink()


def hold(ordeal):
    whole = ordeal.options.whole
    chosen = shapes()
    if not whole:
        chosen = dict(ordeal.random.sample(sorted(chosen.items()), 6))
    for name, page in chosen.items():
        with_page(ordeal, page, 1, lambda name=name: [
            trial(ordeal, name, mib) for mib in ((48, 64, 128) if whole else (48,))])
    for name, (page, directories) in bombs(16000 if whole else 4000,
                                           120 * MIB if whole else 12 * MIB).items():
        inputs = 20 if directories > 1 and whole else 1
        with_page(ordeal, page, directories,
                  lambda name=name, inputs=inputs: trial(ordeal, name, 64, inputs), inputs)
    # A child that is started begins with the memory of who starts it.
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    ordeal.check(own < 40, f"this program itself took {own:.0f} MiB: its figures are worth nothing")


if __name__ == "__main__":
    ordeal = Ordeal(__doc__, SABOTAGES, [
        ("--whole", {"action": "store_true", "help": "all shapes and sizes; about 20 minutes"}),
        ("--list", {"action": "store_true", "help": "print each run"})])
    ordeal.hold(hold)
