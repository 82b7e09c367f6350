#!/usr/bin/env python3
"""Compares plates screened by mezzotint with those that Ghostscript makes with the same screen.

usage: gs_oracle.py MEZZOTINT TILE_POSTSCRIPT

Tiles of random thresholds, with and without a shift, are exported as PostScript; noise of 8 bits is
screened by both programs. Not one pixel may differ. Exits with 77 without Ghostscript or NumPy.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

try:
    import numpy
    from PIL import Image, TiffImagePlugin
except ImportError:
    print("skipped: NumPy and Pillow are not installed (Debian: python3-numpy python3-pil)")
    sys.exit(77)

SIDE = 3264  # px of a page: 10.7 million
DESCRIPTION = 270  # the tag

# Width, height, shift, and the bits of the values.
TILES = [(64, 64, 0, 16), (65, 5, 18, 16), (130, 13, 0, 8), (468, 10, 97, 16)]


def write_tile(path, values, shift):
    tags = TiffImagePlugin.ImageFileDirectory_v2()
    tags[DESCRIPTION] = f"mezzotint tile; shift={shift}"
    Image.fromarray(values).save(path, tiffinfo=tags)


def random_values(random, width, height, bits):
    most = 1 << bits
    values = random.permutation(width * height) * most // (width * height)
    return values.reshape(height, width).astype("uint8" if bits == 8 else "uint16")


def by_mezzotint(mezzotint, folder, page, tile):
    Image.fromarray(page).save(folder / "page.tif")
    subprocess.run([mezzotint, "halftone", "-q", folder / "page.tif", folder / "plate.tif", "--method",
                    "tile", "--tile", tile], check=True)
    # Ink is 1 in the file, and Pillow makes it black.
    return ~numpy.array(Image.open(folder / "plate.tif")).astype(bool)


def by_ghostscript(export, folder, page, tile):
    height, width = page.shape
    screen = subprocess.run([export, tile], check=True, stdout=subprocess.PIPE).stdout
    head = (f"<< /PageSize [{width} {height}] >> setpagedevice\n").encode()
    draw = (f"{width} {height} 8 [1 0 0 -1 0 {height}] currentfile /ASCIIHexDecode filter image\n"
            .replace("image", "image\n").encode())
    body = (b"gsave\n" + draw + page.tobytes().hex().encode() + b">\ngrestore showpage\n")
    (folder / "page.ps").write_bytes(head + screen + body)
    subprocess.run(["gs", "-q", "-dBATCH", "-dNOPAUSE", "-dSAFER", "-dUseFastColor", "-r72",
                    "-sDEVICE=pbmraw", f"-sOutputFile={folder / 'page.pbm'}", folder / "page.ps"],
                   check=True)
    return ~numpy.array(Image.open(folder / "page.pbm")).astype(bool)


def main():
    if shutil.which("gs") is None:
        print("skipped: Ghostscript is not installed (Debian: ghostscript)")
        return 77
    mezzotint, export = sys.argv[1:]
    random = numpy.random.default_rng(20260801)
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for width, height, shift, bits in TILES:
            page = random.integers(0, 256, (SIDE, SIDE), dtype="uint8")
            tile = folder / "tile.tif"
            write_tile(tile, random_values(random, width, height, bits), shift)
            ours = by_mezzotint(mezzotint, folder, page, tile)
            theirs = by_ghostscript(export, folder, page, tile)
            differ = int((ours != theirs).sum()) if ours.shape == theirs.shape else ours.size
            print(f"{width} x {height}, shift {shift}, {bits} bits: {differ} of {ours.size} pixels "
                  f"differ, {ours.mean():.4f} with ink")
            wrong += differ > 0 or not 0.4 < ours.mean() < 0.6
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
