#!/usr/bin/env python3
"""Tone-dependent diffusion looks better than Floyd-Steinberg on every plane of every photo.

usage: photo_planes.py PROGRAM [CORPUS]

CORPUS (or the variable MEZZOTINT_CORPUS) has a folder photos; without it the exit status is 77. RGB photos
become four inks: C = 1 - R and so on, K half of the least of them, which the others lose. Each plane of at
most 512 x 512 pixels from the middle of a photo is halftoned by both methods as it is, and turned over and
negative as well. By the measures of `mezzotint compare`, none may be worse, the first rows included. The
photos are not those that the table was trained on, which were made up.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "quality"))
from reference import numpy, write_tiff  # skips where NumPy and SciPy are missing

LESS_IS_BETTER = ("hvs_rms", "startup_rms", "interior_rms", "gaussian_rms_1_5", "gaussian_rms_3")
SIDE = 512
PAPER = 1e-3  # a first row of paper has no error but that of rounding


def ink_planes(image):
    """The inks of a photo, 255 for solid: by name."""
    samples = numpy.asarray(image)
    top, left = (max(0, (side - SIDE) // 2) for side in samples.shape[:2])
    samples = samples[top:top + SIDE, left:left + SIDE]
    if image.mode == "L":
        return {"grey": 255 - samples}
    if image.mode == "CMYK":
        return {ink: samples[..., i] for i, ink in enumerate("cmyk")}
    cmy = 255 - samples[..., :3]
    black = cmy.min(axis=2) // 2
    return {"k": black, **{ink: cmy[..., i] - black for i, ink in enumerate("cmy")}}


def variants(plane):
    """The plane, and others with its tones elsewhere."""
    yield "", plane
    yield ", turned over", plane[::-1]
    yield ", negative", 255 - plane


def measures(program, folder, plane):
    """Of both methods, Floyd-Steinberg first."""
    page = folder / "page.tif"
    write_tiff(page, numpy.ascontiguousarray(255 - plane))
    plates = []
    for method in ("floyd-steinberg", "tone-dependent"):
        plates.append(folder / f"{method}.tif")
        subprocess.run([program, "-q", "halftone", "--method", method, "--compression", "none", "--existing",
                        "replace", page, plates[-1]], check=True)
    found = subprocess.run([program, "-q", "--json", "compare", page, *plates], check=True,
                           capture_output=True, text=True)
    return [json.loads(line) for line in found.stdout.splitlines()]


def worse_measures(plain, trained):
    """Names and values of those in which the trained table loses."""
    found = [f"{key}: {trained[key]:.3f} > {plain[key]:.3f}" for key in LESS_IS_BETTER
             if trained[key] > max(plain[key], PAPER)]
    if trained["wsnr_db"] < plain["wsnr_db"]:
        found.append(f"wsnr_db: {trained['wsnr_db']:.2f} < {plain['wsnr_db']:.2f}")
    return found


def main():
    """All photos; the number of planes on which Floyd-Steinberg is better in something is the status."""
    corpus = sys.argv[2] if len(sys.argv) > 2 else os.environ.get("MEZZOTINT_CORPUS")
    try:
        from PIL import Image
    except ImportError:
        corpus = None
    if not corpus:
        print("skipped: set MEZZOTINT_CORPUS to a folder of real TIFFs, and install python3-pil")
        return 77
    planes, lost = 0, 0
    with tempfile.TemporaryDirectory() as name:
        for path in sorted((pathlib.Path(corpus) / "photos").iterdir()):
            with Image.open(path) as image:
                inks = ink_planes(image)
            for ink, plane in inks.items():
                for what, samples in variants(plane):
                    plain, trained = measures(sys.argv[1], pathlib.Path(name), samples)
                    worse = worse_measures(plain, trained)
                    planes, lost = planes + 1, lost + bool(worse)
                    print(f"{path.stem} {ink}{what}: seen error {trained['hvs_rms']:.3f}, "
                          f"Floyd-Steinberg's {plain['hvs_rms']:.3f}", *worse, sep="; ")
    print(f"worse on {lost} of {planes} planes")
    return 1 if lost or not planes else 0


if __name__ == "__main__":
    sys.exit(main())
