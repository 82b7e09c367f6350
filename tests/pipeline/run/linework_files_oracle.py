#!/usr/bin/env python3
"""Holds plates under several files of line work against their definition in NumPy.

    linework_files_oracle.py MEZZOTINT

The files are those of a list, or of each ink by {ink}. On the plate of an ink, the files of that ink and of all inks
print. The others knock out, unless they overprint, and only where nothing prints. The plates come with rotation, crop
and copies, files of slightly other sizes, and renamed inks. PPF files have the mean of the same bits.

The exit status is 0 when every bit and every sample is right, and 77 without NumPy.
"""
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "oracles"))
from oracle_base import numpy  # noqa: E402
import ppf_reader  # noqa: E402
from linework_oracle import CMYK, HEIGHT, WIDTH, Bench, bilevel, noise, save, type_rows  # noqa: E402

DPI = 254
BAYER = {"method": "bayer"}
NEAR = {"cyan": (-3, 2), "magenta": (0, 0), "yellow": (2, -1), "black": (-1, -3)}  # px more than the plates
# More keys, scale of the plates, width and height of the turned page, corner that files of another size keep.
GEOMETRY = (
    ("", 1, (WIDTH, HEIGHT), (0, 0)),
    ("  rotate: 90\n", 1, (HEIGHT, WIDTH), (1, 0)),
    ("  rotate: 180\n", 4, (WIDTH, HEIGHT), (1, 1)),
    ("  rotate: 270\n", 4, (HEIGHT, WIDTH), (0, 1)),
    ("  crop: {left: 0.4 mm, top: 0.2 mm, width: 2 mm, height: 1 mm}\n", 1, (20, 10), (0, 0)),
    ("  crop: {left: 0.4 mm, top: 0.2 mm, width: 2 mm, height: 1 mm}\n  rotate: 90\n", 4, (10, 20), (1, 0)),
)


def random_bits(seed, width, height):
    return numpy.array(type_rows(seed, width, height), dtype=bool)


def rows_of(number, shape):
    """The bits of a plate, which is one number in linework_oracle."""
    height, width = shape
    stride = (width + 7) // 8
    data = numpy.frombuffer(number.to_bytes(height * stride, "big"), numpy.uint8)
    bits = numpy.unpackbits(data).reshape(height, stride * 8)
    assert not bits[:, width:].any()
    return bits[:, :width].astype(bool)


def fitted(bits, shape, corner):
    """Bits cut and padded to the plate; they keep the corner (1: right, 1: bottom)."""
    pad = [(max(want - have, 0),) * 2 for want, have in zip(shape, bits.shape)]
    wide = numpy.pad(bits, pad)
    first = [p[0] + (have - want if far else 0) for p, want, have, far in zip(pad, shape, bits.shape, corner[::-1])]
    return wide[first[0]:first[0] + shape[0], first[1]:first[1] + shape[1]]


def effect(work, ink, shape):
    """Pixels of the plate of `ink` that are printed and knocked out; work: (bits, ink, overprint)."""
    printed, knocked_out = numpy.zeros(shape, bool), numpy.zeros(shape, bool)
    for bits, of, overprint in work:
        if of in (ink, "all"):
            printed |= bits
        elif not overprint:
            knocked_out |= bits
    return printed, knocked_out & ~printed


def hold(bench, what, settings, inks, before, linework, work, shape, *options):
    after, counts = bench.plates("cmyk.tif", settings, inks, linework, *options)
    for ink in inks:
        plain = rows_of(before[ink], shape)
        printed, knocked_out = effect(work, ink, shape)
        bench.expect(ink in after and
                     numpy.array_equal(rows_of(after[ink], shape), plain & ~knocked_out | printed),
                     f"{what}, {linework}: {ink}: bits")
        one = counts.get(ink, {})
        found = (one.get("linework_printed_px"), one.get("linework_knocked_out_px"))
        bench.expect(found == (printed.sum(), knocked_out.sum()), f"{what}, {linework}: {ink}: {found}")


def write_works(bench, names, shape, near, corner, dpi):
    """A file for each name, and its bits on the plate."""
    height, width = shape
    works = {}
    for seed, name in enumerate(names):
        more = NEAR.get(name, (0, 0)) if near else (0, 0)
        bits = random_bits(20 + seed, width + more[0], height + more[1])
        save(bench.path(f"each_{name}.tif"), bilevel(bits.astype(int).tolist()), dpi=dpi)
        works[name] = fitted(bits, shape, corner)
    return works


def check_geometry(bench):
    """{ink}, lists in any order, and both, on pages that are turned and cropped."""
    save(bench.path("cmyk.tif"), (WIDTH, HEIGHT, 8, 4, 5, 1, noise(1, samples=4)), dpi=DPI)
    listed = ["{file: each_%s.tif, ink: %s}" % (ink, ink) for ink in CMYK]
    for more, scale, (width, height), corner in GEOMETRY:
        shape = (height * scale, width * scale)
        settings = {**BAYER, "more": more, "output": f", resolution: {DPI * scale}"}
        before, _ = bench.plates("cmyk.tif", settings, CMYK)
        works = write_works(bench, (*CMYK, "marks"), shape, scale > 1, corner, DPI * scale)
        bench.expect((works["cyan"] & works["magenta"]).any(), "nothing overlaps")
        each = [(works[ink], ink, ink == "black") for ink in CMYK]
        marks = [(works["marks"], "all", False)]
        for linework, work in (
                ("'each_{ink}.tif'", each),
                ("{file: 'each_{ink}.tif', overprint: true}", [(bits, ink, True) for bits, ink, _ in each]),
                ("{file: './each_{ink}.tif', overprint: false}", [(bits, ink, False) for bits, ink, _ in each]),
                ("[%s]" % ", ".join(listed), each), ("[%s]" % ", ".join(reversed(listed)), each),
                ("[%s, %s]" % (listed[0], listed[3]), [each[0], each[3]]),
                ("['each_{ink}.tif', {file: each_marks.tif, ink: all}]", each + marks),
                ("[{file: each_marks.tif, ink: all}, 'each_{ink}.tif', each_marks.tif]",
                 each + marks + [(works["marks"], "black", True)])):
            hold(bench, more, settings, CMYK, before, linework, work, shape)
        hold(bench, more, settings, CMYK, before, "'each_{ink}.tif'", each, shape, "--threads", "1")


def check_copies(bench):
    """Line work lies over all copies."""
    shape = (HEIGHT * 2, WIDTH * 3)
    settings = {**BAYER, "more": "  copies: {across: 3, down: 2}\n"}
    before, _ = bench.plates("cmyk.tif", settings, CMYK)
    works = write_works(bench, CMYK, shape, False, (0, 0), DPI)
    hold(bench, "copies", settings, CMYK, before, "'each_{ink}.tif'",
         [(works[ink], ink, ink == "black") for ink in CMYK], shape)


def check_inks(bench):
    """The files are those of the plates: a dropped ink needs none, and a renamed one has its new name."""
    shape = (HEIGHT, WIDTH)
    inks = ("blue-2", "magenta", "black")
    settings = {**BAYER, "more": "  inks: {yellow: drop, cyan: {plate: Blue 2}}\n"}
    before, _ = bench.plates("cmyk.tif", settings, inks)
    works = write_works(bench, inks, shape, False, (0, 0), DPI)
    after, _ = bench.plates("cmyk.tif", settings, inks, "'each_{ink}.tif'")
    work = [(works[ink], ink, ink == "black") for ink in inks]
    for ink in inks:
        printed, knocked_out = effect(work, ink, shape)
        want = rows_of(before[ink], shape) & ~knocked_out | printed
        bench.expect(ink in after and numpy.array_equal(rows_of(after[ink], shape), want), f"renamed: {ink}")
    for name in ("{3}_black", "a{ink}b_black"):
        save(bench.path(f"{name}.tif"), bilevel(works["black"].astype(int).tolist()), dpi=DPI)
    settings = {**BAYER, "more": "  inks: {cyan: drop, magenta: drop, yellow: drop}\n"}
    before, _ = bench.plates("cmyk.tif", settings, ("black",))
    hold(bench, "braces", settings, ("black",), before, "'{3}_{ink}.tif'", [(works["black"], "black", True)], shape)
    said = bench.mezzotint("check", "job.yaml").stdout
    bench.expect("line work: {3}_black.tif in black, over the other inks" in said, said)


def check_levels(bench):
    """Of three levels the largest is 2: ink on the plates of the second bit, and paper on those of the first."""
    shape = (HEIGHT, WIDTH)
    plates = [f"{ink}_{bit}" for ink in CMYK for bit in (1, 2)]
    settings = {**BAYER, "more": "  levels: {volumes: [0, 50%, 100%], format: planes}\n"}
    before, _ = bench.plates("cmyk.tif", settings, plates)
    works = write_works(bench, (*CMYK, "marks"), shape, False, (0, 0), DPI)
    work = [(works[ink], ink, ink == "black") for ink in CMYK] + [(works["marks"], "all", False)]
    after, _ = bench.plates("cmyk.tif", settings, plates, "['each_{ink}.tif', {file: each_marks.tif, ink: all}]")
    for ink in CMYK:
        printed, knocked_out = effect(work, ink, shape)
        for bit, laid in ((1, numpy.zeros(shape, bool)), (2, printed)):
            name = f"{ink}_{bit}"
            want = rows_of(before[name], shape) & ~(knocked_out | printed) | laid
            bench.expect(name in after and numpy.array_equal(rows_of(after[name], shape), want), f"levels: {name}")


def check_ppf(bench):
    """The tones of the page, 10 pixels to one of the preview, each under 4 x 4 bits of line work."""
    width, height, dpi = 60, 50, 508
    samples = noise(3, width, height, 4)
    save(bench.path("tones.tif"), (width, height, 8, 4, 5, 1, samples), dpi=dpi)
    tones = numpy.frombuffer(samples, numpy.uint8).reshape(height, width, 4) / 255
    shape = (height * 4, width * 4)
    works = write_works(bench, (*CMYK, "marks"), shape, True, (0, 0), dpi * 4)
    work = [(works[ink], ink, ink == "black") for ink in CMYK] + [(works["marks"], "all", False)]
    for linework, laid in (("['each_{ink}.tif', {file: each_marks.tif, ink: all}]", work),
                           ("{file: each_cyan.tif, ink: cyan}", work[:1]), ("each_black.tif", work[3:4])):
        bench.write("ppf.yaml", "mezzotint: 1\njob: p\npages:\n  - input: tones.tif\n"
                    f"    output: {{resolution: {dpi * 4}}}\n"
                    "    ppf: {path: '{stem}.ppf', zones: 2, zone_width: 2 mm}\n"
                    f"    linework: {linework}\n")
        run = bench.mezzotint("run", "--fresh", "ppf.yaml")
        bench.expect(run.returncode == 0, run.stdout + run.stderr)
        read = ppf_reader.Reader(Path(bench.path("tones.ppf")).read_bytes()).read()
        separations = {one["name"].lower(): one["image"] for one in next(iter(read["sides"].values()))}
        for k, ink in enumerate(CMYK):
            printed, knocked_out = (bits.reshape(height, 4, width, 4).mean(axis=(1, 3))
                                    for bits in effect(laid, ink, shape))
            tone = tones[:, :, k]
            tone = tone + printed * (1 - tone) - knocked_out * tone
            want = 255 * (1 - tone.reshape(height // 10, 10, width // 10, 10).mean(axis=(1, 3)))
            image = separations[ink]
            bench.expect(image.shape == want.shape and abs(image - want).max() < 0.51, f"PPF, {linework}: {ink}")


def check_resume(bench):
    """A page is made again when a file of its line work changes, comes, goes or changes places."""
    for ink in ("cyan", "black"):
        save(bench.path(f"kept_{ink}.tif"), bilevel(type_rows(len(ink))), dpi=DPI)
    entries = ["{file: kept_cyan.tif, ink: cyan}", "kept_black.tif"]

    def write_job(*linework):
        more = f", linework: [{', '.join(linework)}]" if linework else ""
        bench.write("job.yaml", f"mezzotint: 1\njob: s\npages:\n  - {{input: cmyk.tif{more}}}\n")

    def change(ink, seed):
        save(bench.path(f"kept_{ink}.tif"), bilevel(type_rows(seed)), dpi=DPI)

    for step, words in (
            (lambda: write_job(*entries), ""), (lambda: None, ""),
            (lambda: change("cyan", 8), "kept_cyan.tif has changed, so"),
            (lambda: change("black", 9), "kept_black.tif has changed, so"),
            (lambda: write_job(*reversed(entries)), "the order of its line work has changed, so"),
            (lambda: write_job(entries[0]), "it had 2 files of line work, and has 1, so"),
            (lambda: write_job(), "it had 1 file of line work, and has 0, so"),
            (lambda: write_job(*entries), "it had 0 files of line work, and has 2, so")):
        step()
        run = bench.mezzotint("run", "job.yaml")
        said = run.stdout + run.stderr
        bench.expect(run.returncode == 0 and ("made again" in said) == bool(words) and words in said,
                     f"{words}: {said}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(os.path.abspath(sys.argv[1]), folder)
        check_geometry(bench)
        check_copies(bench)
        check_inks(bench)
        check_levels(bench)
        check_ppf(bench)
        check_resume(bench)
        print(f"{bench.good} right, {bench.bad} wrong")
        return bench.bad != 0 or bench.good == 0


if __name__ == "__main__":
    sys.exit(main())
