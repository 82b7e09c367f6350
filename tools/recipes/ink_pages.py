"""Contone TIFF pages with all inks of a PDF, of what Ghostscript's tiffsep draws."""
import contextlib
import mmap
import os
import re
import struct
import tempfile
import urllib.parse
import zlib
from pathlib import Path

from ghostscript import MOST_SPOTS, fail

ROWS = 64  # of a strip
SURVEY_DPI = 72
NEGATIVE = bytes(255 - v for v in range(256))  # Ghostscript writes 255 for paper
PROCESS = ("Cyan", "Magenta", "Yellow", "Black")


class Grey:
    """The rows of an uncompressed TIFF of 8 bits."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        order = "<" if self.data[:2] == b"II" else ">"
        at = struct.unpack_from(order + "I", self.data, 4)[0]
        self.tags = {}
        for entry in range(struct.unpack_from(order + "H", self.data, at)[0]):
            number, kind, count = struct.unpack_from(order + "HHI", self.data, at + 2 + 12 * entry)
            letter = {3: "H", 4: "I"}.get(kind)
            if letter:
                place = at + 10 + 12 * entry
                if struct.calcsize(letter) * count > 4:
                    place = struct.unpack_from(order + "I", self.data, place)[0]
                self.tags[number] = struct.unpack_from(f"{order}{count}{letter}", self.data, place)
        self.width, self.height = self.tags[256][0], self.tags[257][0]
        if self.tags[259] != (1,) or self.tags[258] != (8,):
            raise ValueError(f"{path} is not what Ghostscript writes")

    def rows(self, first, count):
        """Ink of these rows, 255 is full."""
        strip_rows = self.tags[278][0]
        found = []
        for row in range(first, first + count):
            at = self.tags[273][row // strip_rows] + row % strip_rows * self.width
            found.append(self.data[at:at + self.width])
        return b"".join(found).translate(NEGATIVE)


def strips(planes):
    """Deflated strips of the planes, the samples of a pixel beside one another."""
    height = planes[0].height
    for first in range(0, height, ROWS):
        count = min(ROWS, height - first)
        strip = bytearray(planes[0].width * count * len(planes))
        for channel, plane in enumerate(planes):
            strip[channel::len(planes)] = plane.rows(first, count)
        yield zlib.compress(bytes(strip), 1)


def directory(tags, at):
    """A directory of TIFF at this place, and its longer values behind it."""
    entries, extra = struct.pack("<H", len(tags)), b""
    beyond = at + 2 + 12 * len(tags) + 4
    for number, kind, values in sorted(tags):
        data = values if kind in (2, 7) else struct.pack(f"<{len(values)}{ {3: 'H', 4: 'I', 5: 'I'}[kind] }", *values)
        count = len(values) // (2 if kind == 5 else 1)
        if len(data) > 4:
            entries += struct.pack("<HHII", number, kind, count, beyond + len(extra))
            extra += data + b"\0" * (len(data) % 2)
        else:
            entries += struct.pack("<HHI", number, kind, count) + data.ljust(4, b"\0")
    return entries + struct.pack("<I", 0) + extra


def page_tags(width, height, names, dpi, profile):
    """One channel: grey, its largest sample is ink. Several: separated, with their names."""
    count = len(names)
    tags = [(256, 4, [width]), (257, 4, [height]), (258, 3, [8] * count), (259, 3, [8]),
            (262, 3, [5 if count > 1 else 0]), (277, 3, [count]), (278, 4, [ROWS]), (282, 5, [dpi, 1]),
            (283, 5, [dpi, 1]), (284, 3, [1]), (296, 3, [2])]
    if count > 1:
        tags += [(332, 3, [2]), (333, 2, b"".join(name.encode() + b"\0" for name in names)), (334, 3, [count])]
    if profile and count > 1:
        tags.append((34675, 7, profile))
    return tags


def finish(file, tags, offsets, sizes):
    file.write(b"\0" * (file.tell() % 2))
    at = file.tell()
    file.write(directory([*tags, (273, 4, offsets), (279, 4, sizes)], at))
    file.seek(0)
    file.write(struct.pack("<2sHI", b"II", 42, at))


def write_page(path, inks, dpi, profile=b""):
    """`inks`: {name: file of tiffsep}."""
    planes = [Grey(plane) for plane in inks.values()]
    width, height = planes[0].width, planes[0].height
    offsets, sizes = [], []
    with open(path, "wb") as file:
        file.write(bytes(8))
        for strip in strips(planes):
            offsets.append(file.tell())
            sizes.append(len(strip))
            file.write(strip)
        if file.tell() > 0xF0000000:
            fail(f"a page of {width} x {height} px in {len(inks)} inks is too large for a TIFF: lower --dpi, or use "
                 "pdf-inks --separate")
        finish(file, page_tags(width, height, list(inks), dpi, profile), offsets, sizes)


def write_blank(path, size, names, dpi, profile=b""):
    """The tags of a page, and for all its strips a white one: enough for a check, in a few kilobytes."""
    strip = zlib.compress(bytes(size[0] * ROWS * len(names)), 9)
    count = -(-size[1] // ROWS)
    with open(path, "wb") as file:
        file.write(bytes(8) + strip)
        finish(file, page_tags(*size, names, dpi, profile), [8] * count, [len(strip)] * count)


def inks_of(folder, page):
    """{ink: file} of a page that tiffsep drew, process inks first, then spot colours by name."""
    inks = {}
    for path in Path(folder).iterdir():
        found = re.fullmatch(rf"page-{page}\((.*)\)\.tif", path.name, re.S)
        if found:
            inks[urllib.parse.unquote(found[1])] = path
    order = {ink: place for place, ink in enumerate(PROCESS)}
    return dict(sorted(inks.items(), key=lambda one: (order.get(one[0], len(order)), one[0])))


def draw(pdf, dpi, folder, make, what=None):
    """Calls make(page, inks_of(page)) as soon as a page is drawn, and then deletes its planes: they are large.
    Ghostscript waits when it is two pages ahead."""
    with tempfile.TemporaryDirectory(dir=folder) as planes:
        def done(page):
            ahead = os.path.exists(f"{planes}/page-{page + 2}.tif")
            with pdf.paused() if ahead else contextlib.nullcontext():
                make(page, inks_of(planes, page))
            for path in Path(planes).glob(f"page-{page}[.(]*"):
                path.unlink()

        pdf.draw("tiffsep", dpi, f"{planes}/page-%d.tif", "-sCompression=none", f"-dMaxSpots={MOST_SPOTS}",
                 what=what, done=done)


def survey(pdf, folder):
    """Draws the PDF small, and judges it by what Ghostscript says. Returns [(names of inks, (width, height))] of its
    pages, in pixels at SURVEY_DPI."""
    found = []

    def look(_, inks):
        plane = Grey(next(iter(inks.values())))
        found.append((list(inks), (plane.width, plane.height)))

    draw(pdf, SURVEY_DPI, folder, look)
    pdf.judge()
    return found


def stem_of(pdf, page):
    """Name of a page's files, without ending. Numbers are padded with zeros, so that pages sort."""
    return Path(pdf.path).stem + (f"-{str(page).zfill(len(str(pdf.pages)))}" if pdf.pages > 1 else "")


def job_of(stem):
    """Name of a job, which has fewer characters than that of a file."""
    return re.sub(r"[^A-Za-z0-9 ._-]", "-", stem).strip(" ._-") or "pdf"
