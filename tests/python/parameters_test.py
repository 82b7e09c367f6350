#!/usr/bin/env python3
"""Every parameter of every method: the library's bits change with it as the program's do, or it is refused.

usage: parameters_test.py PROGRAM FOLDER [PART]   FOLDER has the module. Skipped (77) without NumPy.

PART is a method, or `others`: all but les and pes, which take most of the time. All methods by default.

Prints a table. A parameter that is ignored fails the test, and so does one for which no value changes
a plate of the program: give it a page or a value in VALUES on which it matters. Each value goes through
Python and through mezzotint_set() of the C library.
"""
import ctypes
import pathlib
import struct
import subprocess
import sys
import tempfile

try:
    import numpy
except ImportError:
    print("skipped: there is no NumPy for this Python; install python3-numpy")
    sys.exit(77)

PROGRAM, FOLDER = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
sys.path.insert(0, str(FOLDER))
import mezzotint  # noqa: E402  pylint: disable=wrong-import-position
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import effort  # noqa: E402  pylint: disable=wrong-import-position

DPI = 300
# What a method is given besides the parameter that is varied, so that the parameter matters.
BASE = {"am": {"ruling": 30}, "dbs": {"rounds": 2}, "les": {"rounds": 1}, "pes": {"rounds": 1}}
CELL = {"cell_repeats": 1, "cell_m": 15, "cell_n": 4}
PUBLISHED = {"eye": "published", "start": "floyd-steinberg"}
BESIDES = {**{("am", name): CELL for name in CELL},
           **{(method, name): PUBLISHED for method in ("les", "pes") for name in ("sigma", "radius", "window")},
           **{(method, "seed"): {"start": "random"} for method in ("dbs", "les", "pes")},
           **{(method, name): {"rounds": 0} for method in ("dbs", "les", "pes") for name in ("until", "budget")},
           ("dbs", "sigma"): {"eye": "gaussian"}}
VALUES = {"dpi": [400], "angle": [15], "ruling": [40], "minimum_dot": [9], "cell_repeats": [2, 3], "cell_m": [9],
          "cell_n": [3], "level": ["40%"], "shift": [5], "budget": ["0.000001"], "sigma": [0.7, 3],
          "slab_rows": [20], "window": [2]}
SLOW = ("les", "pes")
PART = sys.argv[3] if len(sys.argv) > 3 else "all"
# Searches take long for a large page.
WIDTH, HEIGHT = (83, 61) if PART in SLOW and not effort.full() else (107, 83)
SPEED_ONLY = {"handover_steps", "cpu_share"}  # never change bits: how the work is split


class Image(ctypes.Structure):
    _fields_ = [("samples", ctypes.c_void_p), ("width", ctypes.c_uint32), ("height", ctypes.c_uint32),
                ("sample_bits", ctypes.c_uint32), ("memory", ctypes.c_uint32),
                ("row_bytes", ctypes.c_size_t), ("pixel_bytes", ctypes.c_size_t),
                ("stream", ctypes.c_void_p), ("reserved", ctypes.c_uint64 * 4)]


class Dots(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("bits_per_pixel", ctypes.c_uint32),
                ("memory", ctypes.c_uint32), ("row_bytes", ctypes.c_size_t),
                ("reserved", ctypes.c_uint64 * 4)]


def text_of(value):
    return f"{value:.12g}" if isinstance(value, float) else str(value)


class LibraryError(Exception):
    pass


def c_dots(samples, method, settings, tile):
    """The dots, by the functions of mezzotint.h alone."""
    library = ctypes.CDLL("libmezzotint.so.0")  # the module has it loaded
    library.mezzotint_settings_new.restype = ctypes.c_void_p
    handle = ctypes.c_void_p(library.mezzotint_settings_new())
    error = ctypes.create_string_buffer(1 << 14)
    try:
        for name, value in {"method": method, **settings}.items():
            if library.mezzotint_set(handle, name.encode(), text_of(value).encode(), error) != 0:
                raise LibraryError(error.raw)
        if tile is not None:
            wide = numpy.ascontiguousarray(tile, numpy.uint16)
            library.mezzotint_set_tile(handle, ctypes.c_void_p(wide.ctypes.data), wide.shape[1],
                                       wide.shape[0], 8, error)
        out = numpy.empty(samples.shape, numpy.uint8)
        image = Image(samples.ctypes.data, samples.shape[1], samples.shape[0], 8)
        dots = Dots(out.ctypes.data, 8)
        if library.mezzotint_halftone(handle, ctypes.byref(image), ctypes.byref(dots), error) != 0:
            raise LibraryError(error.raw)
        return out
    finally:
        library.mezzotint_settings_free(handle)


class Bench:
    """A folder with pages, and the plates that the program makes of them."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.made, self.library_made = {}, {}
        self.program("synth", "page.tif", "--width", WIDTH, "--height", HEIGHT, "--dpi", DPI)
        page = (self.folder / "page.tif").read_bytes()
        fine = page.replace(struct.pack("<II", DPI, 1), struct.pack("<II", 400, 1))  # the same samples
        assert fine != page
        (self.folder / "fine.tif").write_bytes(fine)
        self.program("synth", "tile.tif", "--width", 61, "--height", 41)
        self.samples = numpy.ascontiguousarray(mezzotint.Page(self.folder / "page.tif").read())
        self.tile = mezzotint.Page(self.folder / "tile.tif").read()

    def program(self, *words):
        done = subprocess.run([PROGRAM, "--quiet", *map(str, words)], cwd=self.folder, text=True,
                              capture_output=True, check=False)
        if done.returncode != 0:
            raise LibraryError(done.stderr)

    def plate(self, method, settings):
        """The program's dots, or None where it refuses the settings."""
        settings = dict(settings)
        page = "fine.tif" if settings.pop("dpi", DPI) == 400 else "page.tif"
        if method == "tile":
            settings["file"] = "tile.tif"
        words = "".join(f", {name}: {text_of(value)}" for name, value in settings.items())
        key = (method, page, words)
        if key not in self.made:
            (self.folder / "job.yaml").write_text(
                f"mezzotint: 1\njob: parameters\ndefaults:\n  halftone: {{method: {method}{words}}}\n"
                f"  output: {{path: o.tif, compression: none}}\npages: [{page}]\n", encoding="utf-8")
            try:
                self.program("run", "--fresh", "--journal", "journal", "job.yaml")
                self.made[key] = mezzotint.Page(self.folder / "o.tif").read() != 0
            except LibraryError:
                self.made[key] = None
        return self.made[key]

    def dots(self, method, settings):
        """The library's dots, from Python and C alike, or None where both refuse the settings."""
        key = (method, *sorted(settings.items()))
        if key not in self.library_made:
            self.library_made[key] = self.made_dots(method, settings)
        return self.library_made[key]

    def made_dots(self, method, settings):
        settings = {"dpi": DPI, **settings} if method == "am" else settings
        tile = self.tile if method == "tile" else None
        try:
            dots = mezzotint.halftone(self.samples, method, tile=tile, **settings)
        except mezzotint.UsageError:
            dots = None
        try:
            by_c = c_dots(self.samples, method, settings, tile)
        except LibraryError:
            by_c = None
        assert (dots is None) == (by_c is None), f"{method} {settings}: Python and C differ"
        assert dots is None or (dots == by_c).all(), f"{method} {settings}: Python and C differ"
        return None if dots is None else dots != 0


def values_of(parameter):
    if parameter.name in VALUES:
        return VALUES[parameter.name]
    if parameter.choices:
        return [choice for choice in parameter.choices if choice != parameter.default]
    steps = [parameter.default + step for step in (1, 2, 5, 20, -0.3, 0.001)] + [parameter.least, parameter.most]
    found = [int(step) if step == int(step) else step for step in steps
             if parameter.least <= step <= parameter.most and step != parameter.default]
    return found[:6]


def verdict(bench, method, parameter):
    """changes, refused, speed, ignored or differs, with the value that tells it."""
    base = {**BASE.get(method, {}), **BESIDES.get((method, parameter.name), {})}
    if parameter.name == "rounds":
        base.pop("rounds")
    if BESIDES.get((method, parameter.name)) is CELL:
        base[parameter.name] = CELL[parameter.name]
    before, last = bench.dots(method, base), None
    for value in values_of(parameter):
        settings = {**base, parameter.name: value}
        mine, theirs = bench.dots(method, settings), bench.plate(method, settings)
        if mine is None and theirs is None:
            continue  # this value does not fit the method at all
        if mine is None:
            return "refused", value
        if theirs is None or (mine != theirs).any():
            return "differs", value
        if before is not None and (mine != before).any():
            return "changes", value
        last = value
    return ("speed" if parameter.name in SPEED_ONLY else "ignored"), last


def methods():
    """The methods of the part that is asked for."""
    return [method for method in mezzotint.methods().values()
            if PART in ("all", method.name) or PART == "others" and method.name not in SLOW]


def main():
    counts = {}
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder)
        for method in methods():
            for parameter in method.parameters.values():
                kind, value = verdict(bench, method.name, parameter)
                counts[kind] = counts.get(kind, 0) + 1
                print(f"{method.name:<18}{parameter.name:<16}{kind:<9}{value}", flush=True)
        try:
            bench.dots("bayer", {})
            mezzotint.halftone(bench.samples, "bayer", tile=bench.tile)
            counts["ignored"] = counts.get("ignored", 0) + 1
            print("bayer             tile            ignored")
        except mezzotint.UsageError:
            counts["refused"] = counts.get("refused", 0) + 1
            print("bayer             tile            refused")
    print(", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())), end="; ")
    print(f"{counts.get('ignored', 0)} ignored, {counts.get('differs', 0)} differ from the program")
    return 1 if counts.get("ignored") or counts.get("differs") else 0


if __name__ == "__main__":
    sys.exit(main())
