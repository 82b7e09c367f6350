#!/usr/bin/python3
"""Curves converted to and from Argyll's .cal, against cctiff.

usage: argyll_curves.py MEZZOTINT

A .cal that the program writes, applied by cctiff to a ramp of all levels, must give the curve's own values
within half a level of 255. A .cal that Argyll's printcal makes, read by the program, must give what cctiff
makes of it within half a level.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

try:
    import numpy
    from PIL import Image
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

INKS = ("cyan", "magenta", "yellow", "black")
PROFILE = pathlib.Path("/usr/share/color/icc/ghostscript/default_cmyk.icc")
HALF = 0.5 + 1e-3  # cctiff rounds; .cal has 5 to 7 decimals
LEVELS = numpy.arange(256)


def run(*words, **more):
    return subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True, **more)


def apply(cal, folder):
    """What cctiff makes of every level of every ink: [ink][level]."""
    rows = numpy.zeros((4, 256, 4), numpy.uint8)
    for ink in range(4):
        rows[ink, :, ink] = LEVELS
    Image.fromarray(rows, "CMYK").save(folder / "ramp.tif")
    run("cctiff", "-p", cal, folder / "ramp.tif", folder / "out.tif")
    out = numpy.asarray(Image.open(folder / "out.tif"))
    return [out[ink, :, ink].astype(float) for ink in range(4)]


def compare(what, found, curves):
    """`curves`: [ink] of (in, out) in percent. Returns the number of inks that differ too much."""
    wrong = 0
    for ink, levels, (ins, outs) in zip(INKS, found, curves):
        error = numpy.abs(levels - numpy.interp(LEVELS / 2.55, ins, outs) * 2.55).max()
        print(f"{what}, {ink}: largest difference {error:.3f} levels")
        wrong += error > HALF
    return wrong


def written_cal(program, folder):
    lot = numpy.random.default_rng(11)
    curves, rows = [], []
    for ink in INKS:
        ins = numpy.concatenate([[0], numpy.sort(lot.choice(numpy.arange(1, 100), 30, False)), [100]])
        outs = numpy.concatenate([[0], numpy.sort(lot.uniform(0, 100, 30)).round(3), [100]])
        curves.append((ins, outs))
        rows += [f'"{ink}"\t{i:g}\t{o:g}' for i, o in zip(ins, outs)]
    (folder / "curves.txt").write_text(
        "CGATS.17\nBEGIN_DATA_FORMAT\nINK NOMINAL OUTPUT\nEND_DATA_FORMAT\nBEGIN_DATA\n" + "\n".join(rows)
        + "\nEND_DATA\n", encoding="utf-8")
    run(program, "curves", "convert", folder / "curves.txt", "--to", "cal", "--out", folder / "ours.cal")
    return compare("ours", apply(folder / "ours.cal", folder), curves)


def points_of(path):
    """(in, out) of a curve file."""
    lines = path.read_text(encoding="utf-8").split("points:\n")[1].split("measures:")[0].splitlines()
    pairs = [line.strip(" -[]").split(",") for line in lines if line.startswith("  - [")]
    return tuple(numpy.array([float(pair[side].strip(" %")) for pair in pairs]) for side in (0, 1))


def argylls_cal(program, folder):
    base = folder / "wedge"
    run("targen", "-d4", "-e4", "-s30", "-f0", base)
    run("fakeread", PROFILE, base)
    run("printcal", "-i", base)
    run(program, "curves", "convert", f"{base}.cal", "--to", "yaml", "--press", "X", "--screen", "s", "--dpi", "2400",
        "--out", folder)
    return compare("printcal's", apply(f"{base}.cal", folder),
                   [points_of(folder / f"x_{ink}_press.yaml") for ink in INKS])


def main():
    for tool in ("cctiff", "targen", "fakeread", "printcal"):
        if shutil.which(tool) is None:
            print(f"skipped: {tool} is not installed")
            return 77
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        wrong = written_cal(sys.argv[1], folder)
        if PROFILE.exists():
            wrong += argylls_cal(sys.argv[1], folder)
        else:
            print(f"printcal's .cal is not tried: there is no {PROFILE}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
