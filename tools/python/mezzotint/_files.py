"""Pages and plates as files."""
from __future__ import annotations

import os
from typing import Any, Iterator, Tuple

import numpy

from . import _native
from ._errors import UsageError


class Page:
    """A page of a contone TIFF file.

        page = mezzotint.Page("cover.tif")
        cyan = page.read("cyan")
        dots = mezzotint.halftone(cyan, ink="cyan", plane=0, **page.samples)

    number  of the page in its file, from 1

    width, height  in pixels
    inks           their names, ("black",) for grey
    dpi            (across, down); None where the file does not say
    page_count     of the file
    samples        arguments for halftone() that describe it: paper, max_sample, and dpi where the file
                   has one resolution
    """

    def __init__(self, path: str | os.PathLike, number: int = 1):
        self._native = _native.Page(os.fsencode(path), number)
        info = self._native.info
        self.width, self.height, self.page_count = info.width, info.height, info.page_count
        self.inks: Tuple[str, ...] = tuple(self._native.inks())
        self.dpi = (info.x_dpi, info.y_dpi) if info.x_dpi else None
        self.samples = {"paper": "max" if info.max_is_paper else "min", "max_sample": info.max_sample}
        if info.x_dpi and info.x_dpi == info.y_dpi:
            self.samples["dpi"] = info.x_dpi
        self.dtype = numpy.dtype(numpy.uint8 if info.sample_bits == 8 else numpy.uint16)

    def read(self, ink: str | int = 0, first: int = 0, rows: int | None = None) -> numpy.ndarray:
        """Rows of an ink, by its name or number; all of them by default.

        Names compare as in manifests: without case, and "K" is black.
        """
        number = self._native.find_ink(ink) if isinstance(ink, str) else ink
        if not 0 <= number < len(self.inks):
            raise UsageError(f"there is no ink {number}; this page has {len(self.inks)}", 64)
        count = self.height - first if rows is None else rows
        if first < 0 or count <= 0 or first + count > self.height:
            raise UsageError(f"the page has rows 0 to {self.height - 1}", 64)
        samples = numpy.empty((count, self.width), self.dtype)
        self._native.read(number, first, samples)
        return samples

    def bands(self, ink: str | int = 0, rows: int = 256) -> Iterator[numpy.ndarray]:
        """The rows of an ink from the top, in bands of about `rows` rows."""
        at_once = self._native.info.rows_at_once
        step = max(rows // at_once, 1) * at_once
        for first in range(0, self.height, step):
            yield self.read(ink, first, min(step, self.height - first))

    def __repr__(self) -> str:
        return f"<mezzotint.Page {self.width} x {self.height}, {', '.join(self.inks)}>"


class Plate:
    """A bilevel TIFF file that is written in bands, and exists once all of it is written and verified.

        with mezzotint.Plate("plate.tif", page.width, page.height, dpi=2400) as plate:
            for dots in mezzotint.halftone_bands(page.bands()):
                plate.put(dots)

    dpi          a number, or (across, down)
    ink          its name, for the file
    compression  none, packbits, lzw, deflate, zstd, g3 or g4
    force        replace a file that has the name and is no plate of mezzotint; without it, such a file
                 is refused

    At the end of `with` the file is read back, decoded, compared and given its name; after an
    exception no file is left.
    """

    def __init__(self, path: str | os.PathLike, width: int, height: int, *,
                 dpi: float | Tuple[float, float] | None = None, ink: str = "",
                 compression: str = "lzw", force: bool = False):
        pair = dpi if isinstance(dpi, (tuple, list)) else (dpi or 0, dpi or 0)
        self.width, self.height = width, height
        self._is_finished = False
        self._native = _native.Plate(os.fsencode(path), width, height, (pair[0], pair[1]), ink,
                                    compression, force)

    def put(self, dots: Any, *, packed: bool = False) -> None:
        """Takes the next rows: 0 or False is paper, 1 or True ink; or eight pixels to a byte."""
        rows = numpy.asarray(dots)
        wanted = (self.width + 7) // 8 if packed else self.width
        if rows.ndim != 2 or rows.shape[1] != wanted:
            raise UsageError(f"rows of this plate are {wanted} wide, and these are of the shape "
                             f"{rows.shape}", 64)
        if not packed:
            rows = numpy.packbits(_ink_of(rows), axis=1)
        elif rows.dtype != numpy.uint8:
            raise UsageError(f"packed dots must be of uint8, not {rows.dtype}", 64)
        self._native.put(numpy.ascontiguousarray(rows))

    def finish(self) -> None:
        """Verifies the file, and gives it its name; `with` does so unless it was done."""
        self._native.finish()
        self._is_finished = True

    def __enter__(self) -> "Plate":
        return self

    def __exit__(self, kind, *_) -> None:
        try:
            if kind is None and not self._is_finished:
                self.finish()
        finally:
            self._native.abandon()


def _ink_of(dots: numpy.ndarray) -> numpy.ndarray:
    """Dots as `bool`; a page that is not halftoned is refused."""
    ink = dots.astype(bool)
    if dots.dtype != bool and not numpy.array_equal(dots, ink):
        raise UsageError("the dots of a plate are 0 and 1, and this array has other values, as a page has "
                         "that is not halftoned: give it to halftone() first, or, where all that is not "
                         "0 is ink, write `dots != 0`", 64)
    return ink


def write_plate(path: str | os.PathLike, dots: Any, *, packed: bool = False, width: int | None = None,
                dpi: float | Tuple[float, float] | None = None, ink: str = "",
                compression: str = "lzw", force: bool = False) -> None:
    """Writes dots, 0 and 1 or `bool`, as a plate. `width` is that of packed dots, where it is not a
    multiple of 8. A file that is no plate of mezzotint stays, unless `force` replaces it."""
    rows = numpy.asarray(dots)
    if rows.ndim != 2:
        raise UsageError(f"dots have rows and columns, and this array has the shape {rows.shape}", 64)
    across = width or rows.shape[1] * (8 if packed else 1)
    with Plate(path, across, rows.shape[0], dpi=dpi, ink=ink, compression=compression,
               force=force) as plate:
        plate.put(rows, packed=packed)
