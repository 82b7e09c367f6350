"""Halftoning and comparing arrays."""
from __future__ import annotations

import numbers as number_types
import os
from typing import Any, Dict, Iterable, Iterator, Sequence, Tuple

import numpy

from . import _native
from ._errors import UsageError
from ._files import Page

Curve = Sequence[Tuple[float, float]]


def halftone(page: Any, method: str = "floyd-steinberg", *, paper: str = "max",
             max_sample: int | None = None, gamma: float | None = None, curve: Curve | None = None,
             invert: bool = False, ink: str | int = 0, plane: int | None = None,
             dpi: float | None = None, tile: Any = None, engine: str = "auto",
             schedule: str | None = None, threads: int | None = None, packed: bool = False,
             out: Any = None, **parameters: float | str) -> Any:
    """Halftones a page, one plane of it: dots of the same shape, where 1 is ink and 0 is paper.

    page        rows x columns of uint8 or uint16 samples, or of floats from 0 to 1, which are taken
                as 16 bits. A plane of an array of several inks, such as cmyk[:, :, 3], is not copied.
                An array in the memory of a GPU is halftoned there.
    method      its name; mezzotint.methods() lists them
    parameters  those of the method: halftone(page, "am", ruling=175, dpi=2400);
                print(mezzotint.methods()["am"]) lists them. Refused is what concerns all inks of a
                sheet, inks="together" and moire="accept": jobs have that
    paper       "max": the largest sample is paper, as in grey pictures; "min": the sample is the
                amount of ink, as in separations
    max_sample  the largest sample, where it is not that of the type: 4095 for 12 bits
    gamma       exponent of coverage, 0.1 to 10
    curve       transfer curve, points of coverage in percent: [(0, 0), (50, 54), (100, 100)]
    invert      swap ink and paper of the page, before gamma and curve
    ink         its name, such as "cyan", or a number, 0 for black: two inks never get the same dots.
                "am" has the usual angle of an ink that is named, and needs angle= for numbers above 0
    plane       number of the ink on its page, which tells its noise from others
    dpi         resolution of the plate: "am" needs it, and the others do without; Page.samples has it
    tile        for method "tile": rows x columns of thresholds, of uint8 or uint16; pixels with the
                lowest take ink first
    engine      "auto" (the CPU, or the GPU that has the page), "cpu", "gpu", "handover", "hybrid":
                the dots are the same
    schedule    an algorithm of the engine, for comparisons
    threads     to work with; None: all processors
    packed      eight dots to a byte, the first in the highest bit, as numpy.packbits() has them: rows x
                (columns + 7) // 8
    out         array of uint8 of that shape for the dots

    Returns an array of uint8, or `out`. For a page in the memory of a GPU it is a DeviceArray.
    Raises UsageError for what does not fit, Error for a GPU that fails or is missing.
    """
    settings = _settings(method, curve, tile, paper=paper, invert=bool(invert), ink=ink, engine=engine,
                         **_given(max_sample=max_sample, gamma=gamma, plane=plane, dpi=dpi,
                                  schedule=schedule, threads=threads), **parameters)
    if hasattr(page, "__cuda_array_interface__"):
        return _halftone_on_gpu(settings, page, packed, out)
    samples = _samples(page)
    shape = _dots_shape(samples.shape, packed)
    if out is None:
        out = numpy.empty(shape, numpy.uint8)
    _check_out(out, shape)
    if numpy.may_share_memory(samples, out):
        samples = samples.copy()  # dots must not go over samples that are still to be read
    _native.halftone(settings, samples, out, 1 if packed else 8)
    return out


def halftone_bands(bands: Iterable[Any], method: str = "floyd-steinberg", *, paper: str = "max",
                   max_sample: int | None = None, gamma: float | None = None,
                   curve: Curve | None = None, invert: bool = False, ink: str | int = 0,
                   plane: int | None = None, dpi: float | None = None, tile: Any = None,
                   engine: str = "auto", schedule: str | None = None, threads: int | None = None,
                   packed: bool = False, **parameters: float | str) -> Iterator[numpy.ndarray]:
    """Halftones a page that comes in bands, from the top: an iterator over the dots of its rows.

    bands  arrays of any number of rows, of one width and type: a generator, a list, page.bands()

    The rest is that of halftone(), and so are the dots, however the page is cut into bands. Bands of
    dots are as tall as those that came, or less, or more: a method may wait for the rows below, and
    searches ("dbs", "les", "pes") for the last. Memory does not grow with the height of the page, but
    for searches.
    """
    settings = _settings(method, curve, tile, paper=paper, invert=bool(invert), ink=ink, engine=engine,
                         **_given(max_sample=max_sample, gamma=gamma, plane=plane, dpi=dpi,
                                  schedule=schedule, threads=threads), **parameters)
    return _stream(settings, bands, packed)


def compare(page: Any, dots: Any, *, paper: str = "max", max_sample: int | None = None,
            dpi: float = 300, distance: float | None = None, packed: bool = False,
            threads: int | None = None) -> Dict[str, float]:
    """Measures how far dots are from their page, as `mezzotint compare` does.

    page, paper, max_sample  as for halftone()
    dots      rows x columns of 0 and 1 (or 0 and another number), or `packed`; of any method, your own as
              well. Ink is not 0: invert pictures whose paper is 255
    dpi       pixels per inch
    distance  from the eye, in inches; None: 3500 / dpi, as `mezzotint compare` has it

    Returns numbers by name; mezzotint.measures() explains them. NaN: not defined for this page.
    """
    settings = _settings("threshold", paper=paper, **_given(max_sample=max_sample, threads=threads))
    samples = _samples(page)
    ink = numpy.asarray(dots)
    shape = _dots_shape(samples.shape, packed)
    if ink.shape != shape:
        raise UsageError(f"dots must have the shape {shape}, not {ink.shape}", 64)
    if not packed and ink.dtype != bool and ((ink != 0) & (ink != ink.max())).any():
        raise UsageError("dots must have two values, 0 for paper and another one for ink; these have more, "
                         "as a page in greys has", 64)
    if ink.dtype != numpy.uint8:
        if packed:
            raise UsageError(f"packed dots must be of uint8, not {ink.dtype}", 64)
        ink = ink != 0
    ink = numpy.ascontiguousarray(ink).view(numpy.uint8)
    return _native.compare(settings, samples, ink, 1 if packed else 8, dpi,
                           0 if distance is None else distance)


class DeviceArray:
    """Dots in the memory of a GPU, for cupy.asarray(), torch.as_tensor() and all others that know
    __cuda_array_interface__. The memory is freed with the last array that uses it."""

    def __init__(self, shape: Tuple[int, int]):
        self._memory = _native.GpuMemory(shape[0] * shape[1])
        self.shape = shape
        self.dtype = numpy.dtype(numpy.uint8)

    @property
    def __cuda_array_interface__(self) -> Dict[str, Any]:
        # The dots are there when halftone() returns: no stream is to be waited for.
        return {"shape": self.shape, "typestr": "|u1", "data": (self._memory.address, False),
                "strides": None, "version": 3, "stream": None}

    def __repr__(self) -> str:
        return f"<mezzotint.DeviceArray {self.shape[0]} x {self.shape[1]} uint8>"


def _given(**keywords):
    return {name: value for name, value in keywords.items() if value is not None}


def _settings(method, curve=None, tile=None, **values):
    """Settings by name. The library knows their types and ranges, and refuses what does not fit."""
    settings = _native.Settings()
    for name, value in {"method": method, **values}.items():
        if isinstance(value, (bool, numpy.bool_)):
            settings.set(name, "true" if value else "false")
        elif isinstance(value, str):
            settings.set(name, value)
        elif isinstance(value, number_types.Real):
            settings.set_number(name, value)
        else:
            raise UsageError(f"{name} must be a name or a number, not {value!r:.80}", 64)
    if curve is not None:
        points = [(float(before), float(after)) for before, after in curve]
        most = max((value for point in points for value in point), default=0)
        if 0 < most <= 1:
            raise UsageError("points of a curve are in percent, from (0, 0) to (100, 100), and the "
                             f"largest value of these is {most:g}", 64)
        settings.curve([before for before, _ in points], [after for _, after in points])
    if tile is not None:
        _set_tile(settings, tile)
    elif method == "tile" and "file" not in values:
        raise UsageError("method 'tile' needs tile=, an array of thresholds", 64)
    return settings


def _set_tile(settings, tile):
    thresholds = numpy.asarray(tile)
    if thresholds.ndim != 2 or not _is_grey(thresholds.dtype):
        raise UsageError("tile must be a 2-D array of uint8 or uint16 thresholds, not "
                         f"{thresholds.ndim}-D of {thresholds.dtype}", 64)
    settings.tile(numpy.ascontiguousarray(thresholds, dtype=numpy.uint16), 8 * thresholds.itemsize)


def _samples(page):
    """The page as 2-D samples of 8 or 16 bits, copied only where it must be."""
    if isinstance(page, (str, os.PathLike)):
        raise UsageError("a page is an array here, not the name of a file; "
                         f"mezzotint.Page({os.fspath(page)!r}).read() reads it", 64)
    if isinstance(page, Page):
        raise UsageError("a page is an array here, not a Page; its read() gives the array", 64)
    if isinstance(page, numpy.ma.MaskedArray):
        raise UsageError("a masked array does not say which samples its gaps have; fill them: page.filled(255)", 64)
    samples = numpy.asarray(page)
    if samples.ndim != 2 or 0 in samples.shape:
        raise UsageError(f"a page has rows and columns, and this array has the shape {samples.shape}"
                         + _advice_on_shape(samples.shape), 64)
    if samples.dtype.kind == "f":
        return _from_floats(samples)
    if not _is_grey(samples.dtype):
        raise UsageError(f"samples must be of uint8 or uint16, or floats from 0 to 1, not of "
                         f"{samples.dtype}", 64)
    native = numpy.require(samples, samples.dtype.newbyteorder("="), "A")
    height, width = native.shape
    down, across = native.strides
    in_order = across >= native.itemsize and across % native.itemsize == 0 and (
        down >= across * (width - 1) + native.itemsize and down % native.itemsize == 0)
    return native if in_order else numpy.ascontiguousarray(native)


def _advice_on_shape(shape):
    if len(shape) != 3 or 0 in shape:
        return ""
    if shape[2] == 3:
        return ("; red, green and blue are no inks: convert the page to grey or to CMYK first. "
                "An ink of three is page[:, :, 0]")
    if shape[2] in (1, 2) or 4 <= shape[2] <= 16:
        return "; halftone the inks of a colour page one by one: page[:, :, 0]"
    return "; halftone the pages of a batch one by one: page[0]"


def _is_grey(dtype):
    return dtype.kind == "u" and dtype.itemsize in (1, 2)


def _from_floats(samples):
    if samples.dtype.itemsize < 4:
        samples = samples.astype(numpy.float32)  # halves end at 65504
    least, most = samples.min(), samples.max()
    if not (least >= 0 and most <= 1):
        raise UsageError(f"floats must be from 0 to 1, and these are from {least:g} to {most:g}", 64)
    return numpy.rint(samples * 65535.0).astype(numpy.uint16)


def _dots_shape(shape, packed):
    return (shape[0], (shape[1] + 7) // 8) if packed else tuple(shape)


def _check_out(out, shape):
    fits = isinstance(out, numpy.ndarray) and out.shape == shape and out.dtype == numpy.uint8
    if not fits:
        raise UsageError(f"out must be an array of uint8 of the shape {shape}", 64)
    if not out.flags.writeable or out.strides[1] != 1 or out.strides[0] < shape[1]:
        raise UsageError("out must be writeable, and its rows without gaps", 64)


def _stream(settings, bands, packed):
    stream, width, dtype = None, 0, None
    for band in bands:
        rows = _samples(band)
        if stream is None:
            width, dtype = rows.shape[1], rows.dtype
            stream = _native.Stream(settings, width, 8 * rows.itemsize, 1 if packed else 8)
        if rows.shape[1] != width or rows.dtype != dtype:
            raise UsageError(f"a band is {rows.shape[1]} px wide and of {rows.dtype}, and those before "
                             f"are {width} px wide and of {dtype}", 64)
        stream.put(rows if rows.strides[1] == rows.itemsize else numpy.ascontiguousarray(rows))
        if stream.ready:
            yield _take(stream, width, packed)
    if stream is not None:
        stream.end()
        if stream.ready:
            yield _take(stream, width, packed)


def _take(stream, width, packed):
    dots = numpy.empty(_dots_shape((stream.ready, width), packed), numpy.uint8)
    stream.take(dots)
    return dots


def _gpu_rows(array, what):
    """(address, bytes from row to row), shape and type of a 2-D array on a GPU."""
    if not hasattr(array, "__cuda_array_interface__"):
        raise UsageError(f"{what} must be in the memory of the GPU that has the page, not of this machine",
                         64)
    interface = array.__cuda_array_interface__
    shape, dtype = tuple(interface["shape"]), numpy.dtype(interface["typestr"])
    if len(shape) != 2 or 0 in shape or not dtype.isnative:
        raise UsageError(f"{what} must be a 2-D array, not of the shape {shape}", 64)
    strides = interface.get("strides") or (shape[1] * dtype.itemsize, dtype.itemsize)
    if strides[1] != dtype.itemsize or strides[0] < shape[1] * dtype.itemsize:
        raise UsageError(f"the rows of {what} must be without gaps; make a contiguous copy on the GPU",
                         64)
    return (interface["data"][0], strides[0]), shape, dtype, interface


def _halftone_on_gpu(settings, page, packed, out):
    rows, (height, width), dtype, interface = _gpu_rows(page, "page")
    if dtype not in (numpy.uint8, numpy.uint16):
        raise UsageError(f"samples on a GPU must be of uint8 or uint16, not of {dtype}", 64)
    shape = _dots_shape((height, width), packed)
    if out is None:
        out = DeviceArray(shape)
    dots, out_shape, out_dtype, out_interface = _gpu_rows(out, "out")
    if out_shape != shape or out_dtype != numpy.uint8 or out_interface["data"][1]:
        raise UsageError(f"out must be a writeable array of uint8 of the shape {shape}", 64)
    # 1 and 2 stand for CUDA's default streams, as they do in CUDA itself.
    stream = interface.get("stream") or 0
    _native.halftone_gpu(settings, rows, width, height, 8 * dtype.itemsize, dots, 1 if packed else 8,
                         stream)
    return out
