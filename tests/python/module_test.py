#!/usr/bin/env python3
"""The Python module against the program, method by method, and its own promises.

usage: module_test.py PROGRAM FOLDER   FOLDER has the module. Skipped (77) without NumPy.
"""
import ctypes
import inspect
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

try:
    import numpy
except ImportError:
    print("skipped: there is no NumPy for this Python; install python3-numpy")
    sys.exit(77)

PROGRAM, FOLDER = sys.argv[1:3]
sys.path.insert(0, FOLDER)
import mezzotint  # noqa: E402  pylint: disable=wrong-import-position

WIDTH, HEIGHT = 107, 53  # neither is a multiple of 8
PARAMETERS = {"am": {"ruling": 30}, "pinwheel": {"block": 16}, "fm": {"seed": 3},
              "bayer": {"order": 3}, "green-noise": {"dot_size": 2}, "threshold": {"level": "40%"},
              "dbs": {"rounds": 2}, "les": {"rounds": 1}, "pes": {"rounds": 1}}
WHOLE = ("dbs", "les", "pes")  # methods that need the whole plane


def program(*words):
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, words))} ended with {done.returncode}: {done.stderr}")
    return done.stdout


def options(method):
    flags = []
    for name, value in PARAMETERS.get(method, {}).items():
        flags += [f"--{name.replace('_', '-')}", str(value)]
    return flags


def photo(shape, dtype=numpy.uint8):
    """Soft hills with noise: every tone, and no row like another."""
    y, x = numpy.mgrid[:shape[0], :shape[1]]
    noise = numpy.random.default_rng(7).normal(0, 0.03, shape)
    tone = 0.5 + 0.5 * numpy.sin(x / 37 + y / 61) * numpy.cos(y / 23) + noise
    return numpy.rint(numpy.clip(tone, 0, 1) * numpy.iinfo(dtype).max).astype(dtype)


class Scratch(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        state = os.environ.get("XDG_STATE_HOME")
        os.environ["XDG_STATE_HOME"] = str(self.folder / "state")
        self.addCleanup(lambda: os.environ.pop("XDG_STATE_HOME") if state is None
                        else os.environ.update(XDG_STATE_HOME=state))

    def synth(self, name, *words):
        path = self.folder / name
        program("synth", path, "--width", WIDTH, "--height", HEIGHT, "--quiet", *words)
        return path


class Methods(Scratch):
    def test_each_makes_the_programs_bits(self):
        path = self.synth("page.tif")
        page = mezzotint.Page(path)
        for method in mezzotint.methods():
            if method == "tile":
                continue  # has a test of its own
            with self.subTest(method):
                plate = self.folder / f"{method}.tif"
                program("halftone", "--method", method, *options(method), "--compression", "none",
                        "--quiet", path, plate)
                expected = mezzotint.Page(plate).read() != 0
                dots = mezzotint.halftone(page.read(), method, **page.samples,
                                          **PARAMETERS.get(method, {}))
                self.assertTrue((dots == expected).all())

    def test_a_separation_has_the_bits_of_its_plate(self):
        path = self.synth("colour.tif", "--colour", "cmyk")
        page = mezzotint.Page(path)
        self.assertEqual(page.inks, ("cyan", "magenta", "yellow", "black"))
        for method in ("floyd-steinberg", "random", "fm", "pinwheel", "am"):
            program("halftone", "--method", method, *options(method), "--quiet", path,
                    self.folder / f"{method}_{{ink}}.tif")
            for plane, ink in enumerate(page.inks):
                with self.subTest(method, ink=ink):
                    expected = mezzotint.Page(self.folder / f"{method}_{ink}.tif").read() != 0
                    dots = mezzotint.halftone(page.read(ink), method, ink=ink, plane=plane,
                                              **page.samples, **PARAMETERS.get(method, {}))
                    self.assertTrue((dots == expected).all())

    def test_a_tile_of_ones_own(self):
        tile = numpy.random.default_rng(1).permutation(256).astype(numpy.uint8).reshape(16, 16)
        page = photo((HEIGHT, WIDTH))
        dots = mezzotint.halftone(page, "tile", tile=tile, values="thresholds")
        coverage = (255 - page.astype(float)) / 255
        thresholds = numpy.tile(tile, (HEIGHT // 16 + 1, WIDTH // 16 + 1))[:HEIGHT, :WIDTH]
        sure = abs(coverage * 256 - thresholds - 0.5) > 0.1
        self.assertGreater(sure.mean(), 0.8)
        self.assertTrue((dots == (coverage * 256 > thresholds + 0.5))[sure].all())

    def test_are_listed_with_their_parameters(self):
        listed = mezzotint.methods()
        self.assertIn("order", listed["bayer"].parameters)
        self.assertIn("spiral", listed["pinwheel"].parameters["path"].choices)
        self.assertIn("ruling: lines of dots an inch; 10 to 1000 lpi", str(listed["am"]))
        self.assertIn("0 to 4294967295", str(listed["random"]))
        self.assertEqual(mezzotint.measures()["hvs_rms"].unit, "of 255")
        self.assertEqual(listed["floyd-steinberg"].engines, ("cpu", "gpu", "handover", "hybrid"))


class Importing(Scratch):
    def test_by_another_python_names_the_right_one(self):
        copy = self.folder / "mezzotint"
        copy.mkdir()
        for file in pathlib.Path(FOLDER, "mezzotint").glob("*.py"):
            (copy / file.name).symlink_to(file.resolve())
        (copy / "_native.cpython-399-x86_64-linux-gnu.so").touch()
        done = subprocess.run([sys.executable, "-c", "import mezzotint"], capture_output=True, text=True, check=False,
                              env={**os.environ, "PYTHONPATH": str(self.folder)})
        found = done.stderr.splitlines()[-1]
        self.assertTrue(found.startswith("ImportError: "), found)
        for word in ("cpython-399", sys.implementation.cache_tag, sys.executable):
            self.assertIn(word, found)

    def test_without_numpy_says_what_is_missing(self):
        done = subprocess.run([sys.executable, "-S", "-c", "import mezzotint"], capture_output=True, text=True,
                              check=False, env={**os.environ, "PYTHONPATH": FOLDER})
        found = done.stderr.splitlines()[-1]
        self.assertEqual(found, f"ImportError: mezzotint needs NumPy, which {sys.executable} does not have: install it "
                                "there, or run a Python that has it")


class Arrays(Scratch):
    def setUp(self):
        super().setUp()
        self.page = photo((HEIGHT, WIDTH))
        self.dots = mezzotint.halftone(self.page)

    def test_packed_and_not_are_the_same(self):
        self.assertEqual(set(numpy.unique(self.dots)), {0, 1})
        packed = mezzotint.halftone(self.page, packed=True)
        self.assertTrue((packed == numpy.packbits(self.dots, axis=1)).all())

    def test_any_strides(self):
        three = numpy.repeat(self.page, 3, axis=1).reshape(HEIGHT, WIDTH, 3)
        big = self.page.astype(">u2") * 257
        for view in (three[:, :, 1], numpy.asfortranarray(self.page), self.page[::-1][::-1], big,
                     self.page.astype(numpy.uint16) * 257, self.page / 255.0):
            self.assertTrue((mezzotint.halftone(view) == self.dots).all())
        self.assertTrue((mezzotint.halftone(self.page[::-1, ::2])
                         == mezzotint.halftone(self.page[::-1, ::2].copy())).all())

    def test_bands_of_any_height(self):
        for method in mezzotint.methods():
            tile = {"tile": self.page[:8, :8]} if method == "tile" else {}
            settings = {"dpi": 300, **PARAMETERS.get(method, {}), **tile}
            whole = mezzotint.halftone(self.page, method, **settings)
            for cuts in ([1] * HEIGHT, [13, 20, 2, 18], [HEIGHT]):
                with self.subTest(method, cuts=cuts[:3]):
                    ends = numpy.cumsum(cuts)
                    bands = (self.page[end - rows:end] for rows, end in zip(cuts, ends))
                    made = list(mezzotint.halftone_bands(bands, method, **settings))
                    self.assertTrue((numpy.vstack(made) == whole).all())
                    if method in WHOLE:
                        self.assertEqual(len(made), 1)

    def test_bands_do_not_wait_for_the_page(self):
        seen = []

        def bands():
            for first in range(0, 960, 32):
                seen.append(first)
                yield photo((32, WIDTH))

        made = mezzotint.halftone_bands(bands())
        self.assertEqual(next(made).shape[1], WIDTH)
        self.assertLess(len(seen), 5)

    def test_out_is_filled(self):
        room = numpy.full((HEIGHT, WIDTH + 5), 9, numpy.uint8)
        out = room[:, :WIDTH]
        self.assertIs(mezzotint.halftone(self.page, out=out), out)
        self.assertTrue((out == self.dots).all())
        self.assertTrue((room[:, WIDTH:] == 9).all())

    def test_out_may_share_the_pages_memory(self):
        expected = mezzotint.halftone(self.page, packed=True)
        page = self.page.copy()
        out = page.reshape(-1)[-expected.size:].reshape(expected.shape)
        numpy.testing.assert_array_equal(mezzotint.halftone(page, packed=True, out=out), expected)

    def test_any_byte_order_and_address(self):
        page = photo((HEIGHT, WIDTH), numpy.uint16)
        expected = mezzotint.halftone(page)
        for order in "<>":
            swapped = page.astype(page.dtype.newbyteorder(order))
            numpy.testing.assert_array_equal(mezzotint.halftone(swapped), expected)
        odd = numpy.frombuffer(b"-" + page.tobytes(), numpy.uint16, offset=1).reshape(page.shape)
        self.assertFalse(odd.flags.aligned)
        numpy.testing.assert_array_equal(mezzotint.halftone(odd), expected)
        whole = numpy.ones((4, 4), numpy.float16)
        self.assertFalse(mezzotint.halftone(whole).any())

    def test_tone_settings(self):
        inverted = mezzotint.halftone(255 - self.page, invert=True)
        self.assertTrue((inverted == self.dots).all())
        self.assertTrue((mezzotint.halftone(255 - self.page, paper="min") == self.dots).all())
        twelve = (self.page.astype(numpy.uint32) * 4095 // 255).astype(numpy.uint16)
        near = mezzotint.halftone(twelve, max_sample=4095)
        self.assertAlmostEqual(near.mean(), self.dots.mean(), places=2)
        light = mezzotint.halftone(self.page, curve=[(0, 0), (100, 50)])
        self.assertAlmostEqual(light.mean(), self.dots.mean() / 2, places=2)

    @staticmethod
    def beats_during_a_search():
        page = photo((160, 160))
        beats = 0
        worker = threading.Thread(target=lambda: mezzotint.halftone(
            page, "les", eye="published", rounds=1))
        worker.start()
        while worker.is_alive():
            beats += 1
            time.sleep(0.001)
        worker.join()
        return beats

    def test_other_threads_run_meanwhile(self):
        while self.beats_during_a_search() <= 5:  # a busy machine may have had no time for this thread
            pass

    def test_an_interrupt_stops_a_search(self):
        def stop(*_):
            raise KeyboardInterrupt

        out = numpy.full((1600, 1600), 7, numpy.uint8)
        before = signal.signal(signal.SIGALRM, stop)
        self.addCleanup(signal.signal, signal.SIGALRM, before)
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        with self.assertRaises(KeyboardInterrupt):
            mezzotint.halftone(photo((1600, 1600)), "les", out=out)
        self.assertTrue((out == 7).all(), "the search went on to its end")

    def test_keywords_are_settings_of_the_library(self):
        keywords, of_bands = ({name for name, one in inspect.signature(call).parameters.items()
                               if one.kind == one.KEYWORD_ONLY}
                              for call in (mezzotint.halftone, mezzotint.halftone_bands))
        self.assertEqual(keywords - of_bands, {"out"})
        self.assertEqual(of_bands - keywords, set())
        for name in keywords - {"curve", "tile", "packed", "out"}:
            mezzotint._native.Settings().set(name, "")  # its usual value; an unknown name is refused

    def test_mistakes_are_told(self):
        page = self.page
        for call, text in [
                (lambda: mezzotint.halftone(page, "floyd"), "did you mean 'floyd-steinberg'?"),
                (lambda: mezzotint.halftone(page, blok=3), "did you mean 'block'"),
                (lambda: mezzotint.halftone(page, "bayer", order=99), "order"),
                (lambda: mezzotint.halftone(page, "threshold", level=0.4), "40%"),
                (lambda: mezzotint.halftone(page[0]), "rows and columns"),
                (lambda: mezzotint.halftone(numpy.dstack([page] * 3)), "red, green and blue are no inks"),
                (lambda: mezzotint.halftone(numpy.dstack([page] * 4)), "inks of a colour page one by one"),
                (lambda: mezzotint.halftone(numpy.stack([page] * 9)), "pages of a batch one by one"),
                (lambda: mezzotint.halftone(numpy.ma.masked_less(page, 9)), "masked array"),
                (lambda: mezzotint.halftone(page.astype(int)), "uint8 or uint16"),
                (lambda: mezzotint.halftone(page / 100), "from 0 to 1"),
                (lambda: mezzotint.halftone(page, out=self.dots[:, 1:]), "out must be"),
                (lambda: mezzotint.halftone(page, max_sample=3), "max_sample 3"),
                (lambda: mezzotint.halftone(page, engine="gpux"), "engine"),
                (lambda: mezzotint.halftone(page, "tile"), "needs tile="),
                (lambda: mezzotint.halftone("page.tif"), "mezzotint.Page('page.tif').read()"),
                (lambda: mezzotint.halftone(page, curve=[(0, 0), (0.5, 0.6), (1, 1)]), "in percent"),
                (lambda: list(mezzotint.halftone_bands([page, page[:, 1:]])), "px wide"),
                (lambda: mezzotint.compare(page, self.dots[1:]), "shape"),
                (lambda: mezzotint.compare(self.dots * 255, page), "dots must have two values"),
                (lambda: mezzotint.halftone(page, "am", ruling=60), "'am' needs dpi="),
                (lambda: mezzotint.halftone(page, "am", dpi=300, ruling=30, ink=2), "'am' needs angle="),
                (lambda: mezzotint.halftone(page, "am", dpi=2400, moire="accept"), "'moire' must be 'refuse' here"),
                (lambda: mezzotint.halftone(page, light_tones="side-by-side"), "'light_tones' must be"),
                (lambda: mezzotint.halftone(page, inks="together"), "'inks' must be 'apart' here"),
                (lambda: mezzotint.halftone(page, "fm", tile=page[:8, :8]), "takes no tile"),
                (lambda: mezzotint.halftone(page, gamma=50), "gamma must be a number from 0.1 to 10, found '50'"),
                (lambda: mezzotint.halftone(page, schedule="wavefont"), "did you mean 'wavefront'?"),
                (lambda: mezzotint.halftone(page, threads=2000), "threads must be a whole number from 0 to 1024"),
                (lambda: mezzotint.halftone(page, mezzotint.methods()["fm"]), "method must be a name"),
                (lambda: mezzotint.halftone(page, "fm", seed=None), "seed must be a name or a number"),
                (lambda: mezzotint.halftone(page, ink=None), "ink must be a name or a number"),
                (lambda: mezzotint.write_plate(self.folder / "o.png", self.dots), "must end in .tif"),
                (lambda: mezzotint.write_plate(self.folder / "x.tif", self.dots, compression="zip"),
                 "compression must be none, packbits")]:
            with self.subTest(text):
                with self.assertRaises(ValueError) as caught:
                    call()
                self.assertIn(text, str(caught.exception))
        if mezzotint.gpu_count() == 0:
            with self.assertRaises(mezzotint.Error) as caught:
                mezzotint.halftone(page, engine="gpu")
            self.assertEqual(caught.exception.status, 69)

    def test_memory_is_that_of_the_arrays(self):
        text = ("import sys, resource; sys.path.insert(0, sys.argv[1]); import numpy, mezzotint\n"
                "page = numpy.full((8192, 8192), 100, numpy.uint8); packed = sys.argv[2] == 'packed'\n"
                "mezzotint.halftone(page[:64, :64], packed=packed)\n"
                "peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
                "before = peak(); dots = mezzotint.halftone(page, packed=packed)\n"
                "print((peak() - before) * 1024 - dots.nbytes)")
        for form in ("packed", "plain"):
            over = int(subprocess.run([sys.executable, "-c", text, FOLDER, form], check=True,
                                      capture_output=True, text=True).stdout)
            self.assertLess(over, 16 << 20, form)


class GpuArray:
    """An array in the memory of the first GPU, by nothing but its driver."""

    def __init__(self, shape, dtype, pitch, offset=0):
        self.shape, self.dtype, self.pitch = shape, numpy.dtype(dtype), pitch
        self.memory = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(self.memory), ctypes.c_size_t(pitch * shape[0] + offset))
        self.address = self.memory.value + offset

    @classmethod
    def call(cls, name, *arguments):
        if not hasattr(cls, "driver"):
            cls.driver = ctypes.CDLL("libcuda.so.1")
            context = ctypes.c_void_p()
            cls.call("cuInit", 0)
            cls.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
            cls.call("cuCtxSetCurrent", context)
        status = getattr(cls.driver, name)(*arguments)
        if status != 0:
            raise AssertionError(f"{name}: {status}")

    @classmethod
    def copy_of(cls, page, pitch, offset):
        array = cls(page.shape, page.dtype, pitch, offset)
        rows = numpy.zeros((page.shape[0], pitch), numpy.uint8)
        rows[:, :page.shape[1] * page.itemsize] = numpy.ascontiguousarray(page).view(numpy.uint8)
        cls.call("cuMemcpyHtoD_v2", ctypes.c_uint64(array.address), ctypes.c_void_p(rows.ctypes.data),
                 ctypes.c_size_t(rows.nbytes))
        return array

    @property
    def __cuda_array_interface__(self):
        return {"shape": self.shape, "typestr": self.dtype.str, "data": (self.address, False),
                "strides": (self.pitch, self.dtype.itemsize), "version": 3, "stream": 1}

    def __del__(self):
        self.call("cuMemFree_v2", self.memory)


def fetched(array):
    """The bytes of an array on a GPU."""
    interface = array.__cuda_array_interface__
    rows, columns = interface["shape"]
    pitch = (interface["strides"] or (columns,))[0]
    copy = numpy.empty((rows, pitch), numpy.uint8)
    GpuArray.call("cuMemcpyDtoH_v2", ctypes.c_void_p(copy.ctypes.data),
                  ctypes.c_uint64(interface["data"][0]), ctypes.c_size_t(copy.nbytes))
    return copy[:, :columns]


@unittest.skipIf(mezzotint.gpu_count() == 0, "there is no GPU")
class Gpu(unittest.TestCase):
    def test_has_the_dots_of_the_cpu(self):
        for method, info in mezzotint.methods().items():
            settings = dict(PARAMETERS.get(method, {}), ink="cyan", plane=1, dpi=300)
            for dtype in (numpy.uint8, numpy.uint16):
                page = photo((HEIGHT, WIDTH), dtype)
                if method == "tile":
                    settings["tile"] = photo((8, 8))
                dots = mezzotint.halftone(page, method, **settings)
                row = WIDTH * page.itemsize
                for pitch, offset in ((row, 0), ((row + 15) // 16 * 16, 0), (row + 14, 2)):
                    with self.subTest(method, dtype=dtype, pitch=pitch, engines=info.engines):
                        there = GpuArray.copy_of(page, pitch, offset)
                        plain = mezzotint.halftone(there, method, **settings)
                        self.assertTrue((fetched(plain) == dots).all())
                        packed = mezzotint.halftone(there, method, packed=True, **settings)
                        self.assertTrue((fetched(packed) == numpy.packbits(dots, axis=1)).all())
                        out = GpuArray(packed.shape, numpy.uint8, (WIDTH + 31) // 32 * 4)
                        mezzotint.halftone(there, method, packed=True, out=out, **settings)
                        self.assertTrue((fetched(out) == numpy.packbits(dots, axis=1)).all())

    def test_mistakes_are_told(self):
        there = GpuArray.copy_of(photo((HEIGHT, WIDTH)), WIDTH, 0)
        for call, text in [
                (lambda: mezzotint.halftone(there, engine="cpu"), "auto or gpu"),
                (lambda: mezzotint.halftone(there, out=numpy.empty((HEIGHT, WIDTH), numpy.uint8)),
                 "out must be in the memory")]:
            with self.assertRaises(ValueError) as caught:
                call()
            self.assertIn(text, str(caught.exception))


class Comparing(Scratch):
    def test_agrees_with_the_program(self):
        path, plate = self.synth("page.tif"), self.folder / "plate.tif"
        program("halftone", "--quiet", path, plate)
        told = json.loads(program("compare", "--json", path, plate).splitlines()[0])
        page = mezzotint.Page(path).read()
        dots = mezzotint.Page(plate).read() != 0
        measured = mezzotint.compare(page, dots)
        self.assertEqual(mezzotint.compare(page, numpy.packbits(dots, axis=1), packed=True)["hvs_rms"],
                         measured["hvs_rms"])
        compared = 0
        for name, value in measured.items():
            if isinstance(told.get(name), (int, float)):
                self.assertAlmostEqual(told[name], value, places=5, msg=name)
                compared += 1
        self.assertGreater(compared, 10)

    def test_the_distance_is_that_of_the_program(self):
        path, plate = self.synth("page.tif", "--dpi", 600), self.folder / "plate.tif"
        program("halftone", "--quiet", path, plate)
        told = json.loads(program("compare", "--json", path, plate).splitlines()[0])
        measured = mezzotint.compare(mezzotint.Page(path).read(), mezzotint.Page(plate).read() != 0, dpi=600)
        self.assertAlmostEqual(told["hvs_rms"], measured["hvs_rms"], places=5)

    def test_measures_say_what_they_are(self):
        for measure in mezzotint.measures().values():
            self.assertNotIn("&", measure.summary)
        self.assertIn("higher is better", mezzotint.measures()["hpsnr_db"].summary)


class Files(Scratch):
    def test_a_plate_is_whole_or_not_there(self):
        path = self.folder / "plate.tif"
        dots = mezzotint.halftone(photo((HEIGHT, WIDTH)))
        with self.assertRaises(RuntimeError):
            with mezzotint.Plate(path, WIDTH, HEIGHT) as plate:
                plate.put(dots[:10])
                raise RuntimeError
        self.assertEqual(list(self.folder.iterdir()), [])
        with self.assertRaises(ValueError):
            with mezzotint.Plate(path, WIDTH, HEIGHT) as plate:
                plate.put(dots[:10])
        self.assertEqual(list(self.folder.iterdir()), [])
        for compression in ("none", "packbits", "lzw", "deflate", "zstd", "g3", "g4"):
            mezzotint.write_plate(path, dots, dpi=(600, 300), ink="cyan", compression=compression)
            page = mezzotint.Page(path)
            self.assertTrue(((page.read() != 0) == dots).all(), compression)
            self.assertEqual(page.dpi, (600, 300))

    def test_a_plate_replaces_plates_alone(self):
        path = self.folder / "plate.tif"
        dots = mezzotint.halftone(photo((HEIGHT, WIDTH)))
        path.write_bytes(b"mine")
        with self.assertRaises(mezzotint.UsageError) as caught:
            mezzotint.write_plate(path, dots)
        self.assertIn("was not written by mezzotint", str(caught.exception))
        self.assertEqual(path.read_bytes(), b"mine")
        mezzotint.write_plate(path, dots, force=True)
        mezzotint.write_plate(path, dots)  # its own
        self.assertTrue(((mezzotint.Page(path).read() != 0) == dots).all())

    def test_dots_are_0_and_1(self):
        path = self.folder / "plate.tif"
        page = photo((HEIGHT, WIDTH))
        for wrong in (page, page / 255, page.astype(numpy.int16) - 128, page * 255,
                      numpy.full((3, 9), numpy.nan)):
            with self.assertRaises(mezzotint.UsageError) as caught:
                mezzotint.write_plate(path, wrong)
            self.assertIn("give it to halftone() first", str(caught.exception))
        self.assertFalse(path.exists())
        dots = page > 128
        for kind in (bool, numpy.uint8, numpy.int64, numpy.float32):
            mezzotint.write_plate(path, dots.astype(kind))
            self.assertTrue(((mezzotint.Page(path).read() != 0) == dots).all())

    def test_a_plate_may_be_finished_before_its_end(self):
        dots = numpy.ones((3, 9), numpy.uint8)
        with mezzotint.Plate(self.folder / "a.tif", 9, 3) as plate:
            plate.put(dots)
            plate.finish()
            with self.assertRaises(mezzotint.UsageError):
                plate.finish()
        self.assertTrue((self.folder / "a.tif").exists())
        with self.assertRaises(mezzotint.UsageError):
            plate.put(dots)
        with self.assertRaises(mezzotint.UsageError):
            plate.put(numpy.ones((3, 2)), packed=True)

    def test_paths_of_any_bytes(self):
        dots = numpy.ones((3, 9), numpy.uint8)
        path = os.fsencode(self.folder) + b"/\xff.tif"
        mezzotint.write_plate(path, dots)
        self.assertEqual(mezzotint.Page(os.fsdecode(path)).width, 9)
        with self.assertRaises(mezzotint.MissingError) as caught:
            mezzotint.Page(path + b"?")
        self.assertIn("\\xff.tif?", str(caught.exception))
        with self.assertRaises(mezzotint.UsageError):
            mezzotint.write_plate(f"{self.folder}/cut.tif\0.png", dots)
        self.assertFalse((self.folder / "cut.tif").exists())

    def test_threads_may_share_a_page(self):
        self.synth("page.tif")
        page = mezzotint.Page(self.folder / "page.tif")
        expected = page.read()
        reads = []
        threads = [threading.Thread(target=lambda: reads.extend(page.read() for _ in range(20)))
                   for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(reads), 80)
        for read in reads:
            numpy.testing.assert_array_equal(read, expected)

    def test_large_plates_have_several_strips(self):
        path = self.folder / "plate.tif"
        dots = mezzotint.halftone(photo((3000, 1501)))
        with mezzotint.Plate(path, 1501, 3000) as plate:
            for first in range(0, 3000, 77):
                plate.put(dots[first:first + 77])
        self.assertTrue(((mezzotint.Page(path).read() != 0) == dots).all())

    def test_rows_of_a_page(self):
        page = mezzotint.Page(self.synth("colour.tif", "--colour", "cmyk"))
        whole = page.read("magenta")
        self.assertTrue((page.read(1, 20, 5) == whole[20:25]).all())
        self.assertTrue((numpy.vstack(list(page.bands("magenta", 16))) == whole).all())
        with self.assertRaises(ValueError):
            page.read("magenta", 50, 10)
        with self.assertRaisesRegex(mezzotint.UsageError, "there is no ink 'gold' on this page, but cyan, mag"):
            page.read("gold")
        for name in ("Magenta", "MAGENTA", "m", "Process Magenta", " mag\u00adenta"):
            self.assertTrue((page.read(name) == whole).all(), name)
        with self.assertRaises(FileNotFoundError):
            mezzotint.Page(self.folder / "missing.tif")


class Jobs(Scratch):
    def manifest(self, text):
        path = self.folder / "job.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    def good(self):
        self.synth("page.tif")
        return self.manifest("mezzotint: 1\njob: a\npages: [page.tif]\n")

    def test_runs_once(self):
        job = mezzotint.Job(self.good(), threads=2)
        plan = job.plan()
        self.assertEqual([line["type"] for line in plan], ["sheet-plan", "plan"])
        seen = []
        lines = job.run(seen.append)
        self.assertTrue(lines[-1]["ok"])
        self.assertEqual(seen[-1].sheets_done, 1)
        self.assertTrue(pathlib.Path(self.folder, lines[0]["plates"][0]["path"]).exists())
        plate = self.folder / lines[0]["plates"][0]["path"]
        made = plate.stat().st_mtime_ns
        self.assertTrue(job.run()[-1]["ok"])
        self.assertEqual(plate.stat().st_mtime_ns, made)

    def test_a_finished_job_counts_its_sheets_once(self):
        for name in ("one.tif", "two.tif"):
            self.synth(name)
        job = mezzotint.Job(self.manifest("mezzotint: 1\njob: a\npages: [one.tif, two.tif]\n"))
        for _ in range(2):
            seen = []
            lines = job.run(seen.append)
            done = 2 * WIDTH * HEIGHT
            self.assertEqual(seen[-1], mezzotint.Progress(2, 2, 0, done, done))
            pathlib.Path(self.folder, lines[0]["plates"][0]["path"]).unlink()  # one of them is made again

    def test_mistakes_have_lines(self):
        path = self.manifest("mezzotint: 1\njob: a\npagse: [x.tif]\n")
        with self.assertRaises(mezzotint.Error) as caught:
            mezzotint.Job(path)
        self.assertIn(":3:1:", str(caught.exception))
        self.assertEqual(caught.exception.status, 65)

    def test_a_failed_sheet_is_an_error_with_its_result(self):
        path = self.manifest("mezzotint: 1\njob: a\npages: [page.tif, bad.tif]\n")
        self.synth("page.tif")
        (self.folder / "bad.tif").write_bytes(b"II*\0\1\0\0\0")
        with self.assertRaises(mezzotint.Error) as caught:
            mezzotint.Job(path).run()
        self.assertEqual(caught.exception.status, 1)
        self.assertEqual([line.get("ok") for line in caught.exception.result], [True, False, False])

    def test_an_interrupt_waits_for_the_end(self):
        dots = numpy.random.default_rng(1).integers(0, 2, (2000, 2000), dtype=numpy.uint8)
        for name in "abcd":
            mezzotint.write_plate(self.folder / f"{name}.tif", dots)
        job = mezzotint.Job(self.manifest("mezzotint: 1\njob: a\ndefaults:\n  halftone: {method: pinwheel}\n"
                                          "pages: [a.tif, b.tif, c.tif, d.tif]\n"), fresh=True)

        def interrupt(_, often=iter([1])):
            for _ in often:
                os.kill(os.getpid(), signal.SIGINT)

        with self.assertRaises(KeyboardInterrupt):
            job.run(interrupt)
        self.assertTrue(job.run()[-1]["ok"])  # nothing of the first run is left

    def test_cancels_from_its_progress(self):
        job = mezzotint.Job(self.good())

        def stop(_):
            raise KeyError("enough")

        with self.assertRaises(KeyError):
            job.run(stop)


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGINT, signal.default_int_handler)  # jobs in the background of a shell ignore it
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
