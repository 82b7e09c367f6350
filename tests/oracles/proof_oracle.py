#!/usr/bin/python3
"""Soft proofs of the program against its plates, pixel by pixel, and against the tints that were asked for.

usage: proof_oracle.py MEZZOTINT [--spot]

A page of flat tints is halftoned to 2400 dpi on a press whose inks have colours. Of each pixel of its proof,
at 100 dpi, the bits of the plates give the areas of all overprints, and these its colour by Neugebauer: no
pixel may differ by more than two levels of 255. The mean of each tint must be that of the areas on the
page within 2 (CIE 1976).
"""
import argparse
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import box_pages
import neugebauer
from oracle_base import Image, numpy

DPI, PLATE_DPI, PROOF_DPI = 300, 2400, 100
BOX = PLATE_DPI // PROOF_DPI
SIDE = 72  # of a tint, in pixels of the page: 6.1 mm, and 24 pixels of the proof
ACROSS, DOWN = 6, 5
PRESS = """mezzotint-press: 1
name: Proofed
resolution: 2400
halftone: {method: floyd-steinberg}
paper_lab: [94, -1, 3]
overprints:
  - {inks: [cyan, magenta], lab: [24, 17, -46]}
  - {inks: [magenta, yellow], lab: [47, 68, 48]}
  - {inks: [cyan, yellow], lab: [50, -65, 27]}
  - {inks: [cyan, magenta, yellow], lab: [23, 0, 0]}
inks:
  black: {lab: [16, 0, 0]}
  cyan: {lab: [55, -37, -50]}
  magenta: {lab: [48, 74, -3]}
  yellow: {lab: [89, -5, 93]}
"""


def tints(inks):
    """Dots in 1/255: paper, solids, all of them, and random ones."""
    lot = numpy.random.default_rng(3)
    found = [[0] * inks, *(255 * numpy.eye(inks, dtype=int)).tolist(), [255] * inks]
    found += [[128 if i == j else 0 for j in range(inks)] for i in range(inks)]
    while len(found) < ACROSS * DOWN:
        found.append((lot.integers(0, 256, inks) * (lot.random(inks) < 0.7)).tolist())
    return found


def draw(levels):
    page = numpy.array(levels, numpy.uint8).reshape(DOWN, ACROSS, -1)
    page = numpy.moveaxis(page.repeat(SIDE, axis=0).repeat(SIDE, axis=1), 2, 0)
    return lambda width, height, first, end: page[:, first:end].copy()


def areas_of_overprints(plates):
    """{bits: part of each proof pixel}, of plates (inks, rows, columns)."""
    found = {}
    for bits in itertools.product((0, 1), repeat=len(plates)):
        where = numpy.ones(plates[0].shape, bool)
        for bit, plate in zip(bits, plates):
            where &= plate if bit else ~plate
        rows, columns = (side // BOX for side in where.shape)
        found[bits] = where.reshape(rows, BOX, columns, BOX).mean(axis=(1, 3))
    return found


def expected(press, parts):
    """sRGB of each proof pixel."""
    total = sum(part[..., None] * press.primaries[bits] ** (1 / press.n) for bits, part in parts.items())
    xyz = total ** press.n
    linear = numpy.clip(xyz @ neugebauer.TO_SRGB.T, 0, 1)
    return 255 * numpy.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)


def judge(press, proof, plates, levels):
    """The number of mistakes."""
    wanted = expected(press, areas_of_overprints(plates))
    if proof.shape != wanted.shape:
        print(f"wrong: the proof is {proof.shape}, not {wanted.shape}")
        return 1
    gaps = numpy.abs(proof - wanted)
    print(f"{gaps[..., 0].size} pixels: differ by at most {gaps.max():.2f} levels, {gaps.mean():.3f} in the mean")
    wrong = int(gaps.max() > 2)
    worst = 0
    side = SIDE * PROOF_DPI // DPI
    for number, tint in enumerate(levels):
        y, x = (place * side for place in divmod(number, ACROSS))
        patch = proof[y + 2:y + side - 2, x + 2:x + side - 2].reshape(-1, 3)
        found = neugebauer.to_lab(numpy.mean([neugebauer.from_srgb(rgb) for rgb in patch], axis=0))
        rgb = neugebauer.to_srgb(press.xyz([level / 255 for level in tint]))
        worst = max(worst, float(numpy.linalg.norm(found - neugebauer.to_lab(neugebauer.from_srgb(rgb)))))
    print(f"{len(levels)} tints: differ by at most {worst:.2f} (CIE 1976) from the areas on the page")
    return wrong + (worst > 2)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--spot", action="store_true")
    words = parser.parse_args()
    program = os.path.abspath(words.program)
    names = ["Cyan", "Magenta", "Yellow", "Black"] + ["PANTONE 185 C"] * words.spot
    levels = tints(len(names))
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        box_pages.write_page(folder / "tints.tif", draw(levels), (SIDE * ACROSS, SIDE * DOWN), names, DPI)
        (folder / "press.yaml").write_text(PRESS + "  PANTONE 185 C: {lab: [48, 72, 40]}\n" * words.spot)
        (folder / "job.yaml").write_text(
            "mezzotint: 1\njob: Proof\npress: press.yaml\ndefaults:\n"
            "  output: {path: 'plates/{ink}.tif'}\n"
            f"  proof: {{dpi: {PROOF_DPI}, path: 'proofs/{{stem}}.png', colours: inks, yule_nielsen: 2}}\n"
            "pages: [tints.tif]\n")
        env = {**os.environ, "XDG_STATE_HOME": f"{scratch}/state", "XDG_CACHE_HOME": f"{scratch}/cache"}
        done = subprocess.run([program, "run", "--json", "job.yaml"], cwd=folder, env=env, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode:
            print(done.stdout)
            return 1
        files = [folder / f"plates/{name.lower().replace(' ', '-')}.tif" for name in names]
        plates = [~numpy.asarray(Image.open(path)) for path in files]
        press = neugebauer.Press(neugebauer.description(str(folder / "press.yaml"), ",".join(names)))
        proof = numpy.asarray(Image.open(folder / "proofs/tints.png").convert("RGB")).astype(float)
        wrong = judge(press, proof, plates, levels)
    print(json.dumps({"wrong": wrong}))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
