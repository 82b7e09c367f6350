"""Halftoning: contone pages become plates, bit for bit as the program mezzotint makes them.

    import mezzotint, numpy
    page = numpy.tile(numpy.arange(256, dtype=numpy.uint8), (256, 1))     # 0 is black, 255 is paper
    dots = mezzotint.halftone(page, "floyd-steinberg")                    # 1 is ink, 0 is paper
    seen = mezzotint.compare(page, dots)["hvs_rms"]                       # as an eye sees it

Arrays      halftone(), halftone_bands(), compare(); help(mezzotint.halftone) explains all arguments
Methods     methods() lists them with their parameters; print(mezzotint.methods()["am"]) explains one
Files       Page reads contone TIFF files, Plate and write_plate() write plates
Jobs        Job checks and runs a manifest

Arrays are NumPy arrays; those of uint8 and uint16 are not copied, unless they run backwards or are
transposed. Arrays of CuPy, PyTorch and all others that have __cuda_array_interface__ are halftoned on
their GPU. All processors work, and Python's lock is released meanwhile. Mistakes raise mezzotint.Error, whose text says what to do.
"""

from . import _interpreter
from ._arrays import DeviceArray, compare, halftone, halftone_bands
from ._errors import Error, FileError, MissingError, UsageError
from ._files import Page, Plate, write_plate
from ._jobs import Job, Progress
from ._methods import Measure, Method, Parameter, measures, methods
from ._native import gpu_count, version as _version

__version__ = _version()
__all__ = ["DeviceArray", "Error", "FileError", "Job", "Measure", "Method", "MissingError", "Page", "Parameter",
           "Plate", "Progress", "UsageError", "compare", "gpu_count", "halftone", "halftone_bands",
           "measures", "methods", "write_plate"]
