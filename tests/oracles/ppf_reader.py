#!/usr/bin/python3
"""Reads CIP3 PPF, strictly, and the ink zones of its images; and zones of contone pages, by NumPy.

usage: ppf_reader.py PPF [--zones COUNT,MM[,LEFT]] [--contone INK=TIFF...] [--compare-zones CSV]
                     [--within PERCENT] [--images FOLDER]

Prints JSON: the names and numbers of the sheet, and for each side its separations with size, resolution,
matrix, extent in mm and mean ink in percent. Ends with 2 and the byte where the file breaks a rule:
structure, nesting, required keys, types, number of samples, agreement of the separations.

--zones   mean ink of each zone: COUNT zones of MM millimetres; the first begins LEFT mm from the left of
          the sheet, or so that all of them are centred on it, as on a console
--contone a page beside it: a grey TIFF of 8 or 16 bits, whose largest sample is ink with MinIsWhite, or the
          plane of a CMYK TIFF by INK; its zones must be those of the image within --within (0.2) percent
--compare-zones  a CSV with a row for each zone and a column for each ink, likewise
--images  writes each separation there as PGM

255 is paper in an image, which begins at the upper left corner of the sheet. Of its last row and column a
part may lie beyond CIP3AdmPSExtent; they count by the part that does not. Rows follow the matrix: with
[w 0 0 -h 0 h] the first is the top one, with [w 0 0 h 0 0] the last is.
"""
import argparse
import base64
import csv
import json
import pathlib
import re
import sys
import zlib

from oracle_base import Image, numpy

NUMBER = re.compile(rb"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$")
SPACE = b" \t\r\n\f\0"
DELIMITERS = SPACE + b"()<>[]{}/%"
MM = 25.4
UNITS = {"inch": 72, "cm": 72 / 2.54, "mm": 72 / 25.4}  # in points; they act on the number before
# What a separation must say, and the kinds of it.
REQUIRED = {"CIP3PreviewImageWidth": int, "CIP3PreviewImageHeight": int, "CIP3PreviewImageBitsPerComp": int,
            "CIP3PreviewImageComponents": int, "CIP3PreviewImageMatrix": list,
            "CIP3PreviewImageResolution": list, "CIP3PreviewImageEncoding": str,
            "CIP3PreviewImageCompression": str}
INSIDE = {"Sheet": None, "Front": "Sheet", "Back": "Sheet", "PreviewImage": ("Front", "Back"),
          "Separation": "PreviewImage", "PrivateData": "Sheet", "CutData": ("Sheet", "Front", "Back")}


class Wrong(Exception):
    pass


class Name(str):
    """/Name, as against a word that acts."""


class Tokens:
    """PostScript's tokens: numbers, (strings), <hex>, /names, [arrays], words; comments are kept apart."""

    def __init__(self, data):
        self.data, self.at = data, 0
        self.comments = []

    def fail(self, why):
        raise Wrong(f"byte {self.at}, line {self.data.count(10, 0, self.at) + 1}: {why}")

    def __next__(self):
        while self.at < len(self.data):
            c = self.data[self.at]
            if c in SPACE:
                self.at += 1
            elif c == ord("%"):
                end = re.compile(rb"[\r\n]|$").search(self.data, self.at).start()
                self.comments.append(self.data[self.at:end].decode("latin-1"))
                self.at = end
            else:
                return self.one(c)
        raise StopIteration

    def one(self, c):
        if c == ord("("):
            return self.string()
        if c == ord("<"):
            return self.hexadecimal()
        if c == ord("["):
            self.at += 1
            return self.array()
        if c in b"])>{}":
            self.fail(f"'{chr(c)}' has no beginning")
        if c == ord("/"):
            self.at += 1
            return Name(self.word())
        word = self.word()
        if NUMBER.match(word.encode("latin-1")):
            return int(word) if re.match(r"[-+]?\d+$", word) else float(word)
        return word

    def word(self):
        end = self.at
        while end < len(self.data) and self.data[end] not in DELIMITERS:
            end += 1
        if end == self.at:
            self.fail("a name is empty")
        found = self.data[self.at:end].decode("latin-1")
        self.at = end
        return found

    def string(self):
        found, depth, at = bytearray(), 0, self.at
        escapes = {ord(k): v for k, v in zip("nrtbf", b"\n\r\t\b\f")}
        while at < len(self.data):
            c = self.data[at]
            at += 1
            if c == ord("\\"):
                octal = re.compile(rb"[0-7]{1,3}").match(self.data, at)
                if octal:
                    found.append(int(octal[0], 8) & 255)
                    at = octal.end()
                elif self.data[at:at + 1] in (b"\n", b"\r"):
                    at += 2 if self.data[at:at + 2] == b"\r\n" else 1
                else:
                    found.append(escapes.get(self.data[at], self.data[at]))
                    at += 1
                continue
            depth += (c == ord("(")) - (c == ord(")"))
            if depth == 0:
                self.at = at
                return ("string", bytes(found[1:]).decode("latin-1"))
            found.append(c)
        self.fail("a string has no end")

    def hexadecimal(self):
        end = self.data.find(b">", self.at)
        text = re.sub(rb"[ \t\r\n\f\0]", b"", self.data[self.at + 1:end])
        if end < 0 or re.search(rb"[^0-9A-Fa-f]", text):
            self.fail("a string of hexadecimal digits has no end, or other signs")
        self.at = end + 1
        return ("string", bytes.fromhex((text + b"0" * (len(text) % 2)).decode()).decode("latin-1"))

    def array(self):
        found = []
        while True:
            while self.at < len(self.data) and self.data[self.at] in SPACE:
                self.at += 1
            if self.at >= len(self.data):
                self.fail("an array has no end")
            if self.data[self.at] == ord("]"):
                self.at += 1
                return found
            token = next(self)
            found.append(found.pop() * UNITS[token] if isinstance(token, str) and token in UNITS and found else token)


def plain(value):
    """Strings without their mark."""
    if isinstance(value, tuple):
        return value[1]
    if isinstance(value, list):
        return [plain(one) for one in value]
    return str(value) if isinstance(value, Name) else value


class Reader:
    def __init__(self, data):
        self.tokens = Tokens(data)
        self.open = []
        self.keys = [{}]  # of the blocks that are open
        self.sheet = None
        self.sides = {}

    def read(self):
        data = self.tokens.data
        first = re.split(rb"\r\n|\r|\n", data[:200])
        if first[0] != b"%!PS-Adobe-3.0":
            self.tokens.fail("the first line is not '%!PS-Adobe-3.0'")
        if len(first) < 2 or not re.fullmatch(rb"%%CIP3-File Version [23]\.[01]", first[1]):
            self.tokens.fail("the second line is not '%%CIP3-File Version 2.1', or another version's")
        waiting = []
        for token in iter(lambda: next(self.tokens, None), None):
            if isinstance(token, str) and not isinstance(token, Name):
                self.word(token, waiting)
            else:
                waiting.append(token)
        if self.open or waiting:
            self.tokens.fail(f"the file ends within {' '.join(self.open) or 'a definition'}")
        if not self.sheet or not self.sides:
            self.tokens.fail("there is no sheet, or no side of it")
        if data.count(b"%%CIP3EndOfFile") != 1 or data.rstrip(b"\r\n \t\0").rpartition(b"\n")[2] != b"%%CIP3EndOfFile":
            self.tokens.fail("the last line is not '%%CIP3EndOfFile'")
        return {"keys": self.sheet, "sides": self.sides, "comments": self.tokens.comments}

    def word(self, token, waiting):
        if token == "def":
            if len(waiting) != 2 or not isinstance(waiting[0], Name):
                self.tokens.fail("'def' must follow a name and a value")
            if waiting[0] in self.keys[-1]:
                self.tokens.fail(f"{waiting[0]} is defined twice")
            self.keys[-1][str(waiting[0])] = plain(waiting[1])
            waiting.clear()
        elif token in ("true", "false", "null"):
            waiting.append(token == "true")
        elif waiting and token in UNITS:
            self.scale(waiting, token)
        elif waiting:
            self.tokens.fail(f"'{token}' follows a value that nothing takes")
        elif token.startswith("CIP3Begin"):
            self.begin(token[9:])
        elif token.startswith("CIP3End"):
            self.end(token[7:])
        elif token == "CIP3PreviewImage":
            self.image()
        else:
            self.tokens.fail(f"unknown word '{token}'")

    def scale(self, waiting, unit):
        points, value = UNITS[unit], waiting.pop()
        waiting.append([one * points for one in value] if isinstance(value, list) else value * points)

    def begin(self, block):
        if block not in INSIDE:
            self.tokens.fail(f"unknown block {block}")
        outer = INSIDE[block]
        around = self.open[-1] if self.open else None
        if around != outer and around not in (outer or ()):
            self.tokens.fail(f"{block} begins in {around}, and belongs into {outer}")
        if block in self.sides or (block == "Sheet" and self.sheet):
            self.tokens.fail(f"there are two of {block}")
        if block == "PreviewImage":
            if "separations" in self.keys[-1]:
                self.tokens.fail("a side has two preview images")
            self.keys[-1]["separations"] = []
        self.open.append(block)
        self.keys.append({})

    def end(self, block):
        if not self.open or self.open[-1] != block:
            self.tokens.fail(f"{block} ends within {self.open[-1] if self.open else 'nothing'}")
        self.open.pop()
        keys = self.keys.pop()
        if block == "Sheet":
            self.sheet = keys
        elif block in ("Front", "Back"):
            self.sides[block] = self.side(block, {**self.keys[-1], **keys})
        elif block == "Separation":
            if "image" not in keys:
                self.tokens.fail("a separation has no image")
            self.keys[-2]["separations"].append(keys)

    def side(self, block, keys):
        """Separations with their names; those of the sheet count where the side has none."""
        separations, names = keys.get("separations"), keys.get("CIP3AdmSeparationNames")
        if not separations or not isinstance(names, list) or len(names) != len(separations):
            self.tokens.fail(f"{block} has {len(separations or ())} separations, and the names {names}")
        if len(set(names)) != len(names):
            self.tokens.fail(f"names stand twice in {names}")
        for name, separation in zip(names, separations):
            separation["name"] = name
        same = {(s["CIP3PreviewImageWidth"], s["CIP3PreviewImageHeight"], *s["CIP3PreviewImageResolution"],
                 *s["CIP3PreviewImageMatrix"]) for s in separations}
        if len(same) > 1:
            self.tokens.fail(f"separations differ in size, resolution or matrix: {sorted(same)}")
        return separations

    def image(self):
        if not self.open or self.open[-1] != "Separation":
            self.tokens.fail("an image stands in no separation")
        keys = self.keys[-1]
        if "image" in keys:
            self.tokens.fail("a separation has two images")
        for key, kind in REQUIRED.items():
            if key not in keys:
                self.tokens.fail(f"a separation has no {key}")
            if not isinstance(keys[key], kind):
                self.tokens.fail(f"{key} is {keys[key]!r}, not {kind.__name__}")
        width, height = keys["CIP3PreviewImageWidth"], keys["CIP3PreviewImageHeight"]
        if keys["CIP3PreviewImageBitsPerComp"] != 8 or keys["CIP3PreviewImageComponents"] != 1:
            self.tokens.fail("an image of a separation has one component of 8 bits")
        if len(keys["CIP3PreviewImageMatrix"]) != 6 or len(keys["CIP3PreviewImageResolution"]) != 2:
            self.tokens.fail("a matrix has 6 numbers, a resolution 2")
        if min(width, height, *keys["CIP3PreviewImageResolution"]) <= 0:
            self.tokens.fail("width, height and resolution are not all above 0")
        samples = self.samples(width * height, keys)
        if len(samples) != width * height:
            self.tokens.fail(f"an image of {width} x {height} has {len(samples)} samples")
        keys["image"] = upright(numpy.frombuffer(samples, numpy.uint8).reshape(height, width),
                                keys["CIP3PreviewImageMatrix"], self.tokens.fail)

    def samples(self, count, keys):
        encoding, compression = keys["CIP3PreviewImageEncoding"], keys["CIP3PreviewImageCompression"]
        tokens = self.tokens
        if encoding == "ASCIIHexDecode":
            end = tokens.data.find(b">", tokens.at)
            text = re.sub(rb"[ \t\r\n\f\0]", b"", tokens.data[tokens.at:max(end, 0)])
            if end < 0 or len(text) % 2 or re.search(rb"[^0-9A-Fa-f]", text):
                tokens.fail("an image has no '>', an odd number of digits, or other signs")
            data = bytes.fromhex(text.decode())
            tokens.at = end + 1
        elif encoding == "ASCII85Decode":
            end = tokens.data.find(b"~>", tokens.at)
            if end < 0:
                tokens.fail("an image has no '~>'")
            data = base64.a85decode(tokens.data[tokens.at:end])
            tokens.at = end + 2
        elif encoding == "Binary" and compression == "None":
            tokens.at += 2 if tokens.data[tokens.at:tokens.at + 2] == b"\r\n" else 1
            data = tokens.data[tokens.at:tokens.at + count]
            tokens.at += count
        else:
            tokens.fail(f"the encoding {encoding} with {compression} is not read here")
        if compression == "RunLengthDecode":
            data = run_lengths(data, tokens.fail)
        elif compression == "FlateDecode":
            data = zlib.decompress(data)
        elif compression != "None":
            tokens.fail(f"the compression {compression} is not read here")
        return data


def run_lengths(data, fail):
    found, at = bytearray(), 0
    while at < len(data):
        length = data[at]
        if length == 128:
            return bytes(found)
        if length < 128:
            found += data[at + 1:at + 2 + length]
            at += 2 + length
        else:
            found += data[at + 1:at + 2] * (257 - length)
            at += 2
    fail("run lengths have no end")


def upright(image, matrix, fail):
    """The image with its top row first, by the matrix from the unit square to samples."""
    height, width = image.shape
    a, b, c, d, e, f = matrix
    if b or c or (a, e) not in ((width, 0), (-width, width)) or (d, f) not in ((-height, height), (height, 0)):
        fail(f"the matrix {matrix} is none of an image of {width} x {height}")
    return image[::-1 if d > 0 else 1, ::-1 if a < 0 else 1]


def ink_of(image):
    """In percent; 255 is paper."""
    return (255 - image.astype(numpy.float64)) * (100 / 255)


def zones(ink, per_mm, count, width, left=None, sheet=None):
    """Mean ink of strips across; columns that two zones share count in both, by their parts.

    `ink` in percent, `per_mm` columns and rows a millimetre, `sheet` its width and height in mm, by default
    those of the image. Beyond the sheet there is no ink: a zone's mean is over its own width.
    """
    sheet = sheet or (ink.shape[1] / per_mm, ink.shape[0] / per_mm)
    across, down = (numpy.clip(side * per_mm - numpy.arange(count_of), 0, 1)
                    for side, count_of in zip(sheet, ink.shape[::-1]))
    columns = down @ ink / down.sum() * across
    total = numpy.concatenate([[0], numpy.cumsum(columns)])
    first = left if left is not None else (sheet[0] - count * width) / 2
    edges = numpy.clip([(first + i * width) * per_mm for i in range(count + 1)], 0, len(columns))
    sums = numpy.interp(edges, numpy.arange(len(total)), total)
    return list(numpy.diff(sums) / (width * per_mm))


def contone(path, ink):
    """Ink of a page in percent, and its dpi; ink of a DeviceN page by its place in InkNames."""
    image = Image.open(path)
    planes = numpy.asarray(image)
    tags = image.tag_v2
    largest = 65535 if planes.dtype == numpy.uint16 or image.mode.startswith("I") else 255
    if planes.ndim == 3:
        names = tags.get(333, "cyan\0magenta\0yellow\0black")
        names = [name.lower() for name in names.rstrip("\0").split("\0")]
        planes = planes[:, :, names.index(ink.lower())]
    elif tags.get(262) == 1:
        planes = largest - planes.astype(numpy.int64)
    elif not image.mode.startswith("I"):  # PIL has turned MinIsWhite around already
        planes = 255 - planes.astype(numpy.int64)
    return planes.astype(numpy.float64) * (100 / largest), float(image.info["dpi"][0])


def sheet_of(keys):
    """Width and height in mm; None where the file does not say them."""
    extent = keys.get("CIP3AdmPSExtent")
    return tuple(points / 72 * MM for points in extent) if extent else None


def described(separation, zoning, sheet):
    image = separation["image"]
    across, down = separation["CIP3PreviewImageResolution"]
    ink = ink_of(image)
    said = {"name": separation["name"], "width": image.shape[1], "height": image.shape[0],
            "resolution": [across, down], "matrix": separation["CIP3PreviewImageMatrix"],
            "extent_mm": [image.shape[1] / across * MM, image.shape[0] / down * MM],
            "mean_percent": float(ink.mean())}
    if zoning:
        said["zones"] = [float(z) for z in zones(ink, across / MM, *padded(zoning), sheet)]
    return said


def padded(zoning):
    """COUNT, MM and LEFT, which may be left out."""
    return (*zoning, None)[:3]


def compare(what, ours, theirs, within):
    gap = max((abs(a - b) for a, b in zip(ours, theirs)), default=0)
    if len(ours) != len(theirs) or gap > within:
        print(f"wrong: {what}: {len(ours)} and {len(theirs)} zones differ by {gap:.3f} %", file=sys.stderr)
        return 1
    print(f"{what}: zones differ by at most {gap:.4f} %", file=sys.stderr)
    return 0


def compare_all(words, separations, zoning):
    """Against contone pages and a CSV; the number of those that differ."""
    wrong = 0
    for word in words.contone:
        ink, _, path = word.partition("=")
        said = next((one for one in separations if one["name"].lower() == ink.lower()), None)
        if said is None:
            raise Wrong(f"no separation {ink}")
        page, dpi = contone(path, ink)
        wrong += compare(f"{ink} of {path}", zones(page, dpi / MM, *zoning), said["zones"], words.within)
    if words.compare_zones:
        with open(words.compare_zones, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        for said in separations:
            column = next((name for name in rows[0] if name.lower() == said["name"].lower()), None)
            own = [float(row[column]) for row in rows] if column else []
            wrong += compare(f"{said['name']} of {words.compare_zones}", own, said["zones"], words.within)
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ppf")
    parser.add_argument("--zones")
    parser.add_argument("--contone", nargs="*", default=[])
    parser.add_argument("--compare-zones")
    parser.add_argument("--within", type=float, default=0.2)
    parser.add_argument("--images")
    words = parser.parse_args()
    zoning = None
    if words.zones:
        numbers = words.zones.split(",")
        zoning = (int(numbers[0]), *map(float, numbers[1:]))
    try:
        found = Reader(pathlib.Path(words.ppf).read_bytes()).read()
        sheet = sheet_of(found["keys"])
        sides = {side: [described(s, zoning, sheet) for s in separations]
                 for side, separations in found["sides"].items()}
        print(json.dumps({"keys": found["keys"], "sides": sides}, indent=1))
        if words.images:
            for side, separations in found["sides"].items():
                for number, s in enumerate(separations):
                    Image.fromarray(s["image"]).save(pathlib.Path(words.images) / f"{side}_{number}.pgm")
        return 1 if compare_all(words, next(iter(sides.values())), zoning) else 0
    except Wrong as wrong:
        print(f"{words.ppf}: {wrong}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
