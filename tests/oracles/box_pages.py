"""Files of a designer, made up: contone pages with spot colours, type as line work, and their TIFFs."""
import pathlib
import struct

from oracle_base import Image, numpy, scipy
from PIL import ImageDraw, ImageFont

PROCESS = ("Cyan", "Magenta", "Yellow", "Black")
SPOTS = ("PANTONE 185 C", "varnish", "die line")
ROWS = 64  # of a strip
GRAIN = scipy.ndimage.gaussian_filter(numpy.random.default_rng(250).normal(0, 120, (512, 512)), 3, mode="wrap")
FONT = pathlib.Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")  # where it is not, there are rules and bars


# Files ----------------------------------------------------------------------------------------

def write_strips(path, strips, tags):
    """A TIFF of strips as they come, bytes each, and tags but those of strips."""
    offsets, sizes = [], []
    with open(path, "wb") as file:
        file.write(bytes(8))
        for strip in strips:
            offsets.append(file.tell())
            sizes.append(len(strip))
            file.write(strip)
        at = file.tell() + file.tell() % 2
        file.seek(at)
        file.write(directory([*tags, (273, "I", offsets), (278, "I", [ROWS]), (279, "I", sizes)], at))
        file.seek(0)
        file.write(struct.pack("<2sHI", b"II", 42, at))


def common_tags(width, height, dpi):
    return [(256, "I", [width]), (257, "I", [height]), (259, "H", [1]), (282, "R", [dpi, 1]), (283, "R", [dpi, 1]),
            (284, "H", [1]), (296, "H", [2])]


def bands(height):
    return [(y, min(y + ROWS, height)) for y in range(0, height, ROWS)]


def write_page(path, draw, size, names, dpi, photoshop=None):
    """A TIFF of 8 bits, the largest sample a solid; `draw(width, height, first, end)` gives rows of its inks.

    Names stand in InkNames, or, with `photoshop` ink or paper, those behind the fourth are spot channels
    as Photoshop keeps them, whose largest sample is that.
    """
    (width, height), count = size, len(names)

    def strip(first, end):
        planes = draw(width, height, first, end)
        if photoshop == "paper":
            planes[4:] = 255 - planes[4:]
        return numpy.moveaxis(planes, 0, 2).tobytes()
    tags = [*common_tags(width, height, dpi), (258, "H", [8] * count), (262, "H", [5]), (277, "H", [count])]
    if photoshop:
        tags += [(332, "H", [1]), (338, "H", [0] * (count - 4)), (34377, "B", spot_resources(names[4:]))]
    elif count > 4:
        tags += [(332, "H", [2]), (333, "A", b"".join(name.encode() + b"\0" for name in names)), (334, "H", [count])]
    write_strips(path, (strip(*band) for band in bands(height)), tags)


def write_line_work(path, draw, size, dpi):
    """A TIFF of one bit, 1 is ink."""
    width, height = size
    write_strips(path, (numpy.packbits(draw(width, height, *band), axis=1).tobytes() for band in bands(height)),
                 [*common_tags(width, height, dpi), (258, "H", [1]), (262, "H", [0]), (277, "H", [1])])


def directory(tags, at):
    kinds = {"B": 1, "A": 2, "H": 3, "I": 4, "R": 5}
    entries, extra = struct.pack("<H", len(tags)), b""
    beyond = at + 2 + 12 * len(tags) + 4
    for number, kind, values in sorted(tags):
        data = values if kind in "BA" else struct.pack(f"<{len(values)}{kind.replace('R', 'I')}", *values)
        entries += struct.pack("<HHI", number, kinds[kind], len(values) // (2 if kind == "R" else 1))
        if len(data) > 4:
            entries += struct.pack("<I", beyond + len(extra))
            extra += data + b"\0" * (len(data) % 2)
        else:
            entries += data.ljust(4, b"\0")
    return entries + struct.pack("<I", 0) + extra


def spot_resources(names):
    """Photoshop's image resources: names (1006 and 1045) and kinds (1077; 2 is a spot colour)."""
    def block(number, data):
        return b"8BIM" + struct.pack(">HxxI", number, len(data)) + data + b"\0" * (len(data) % 2)
    pascal = b"".join(bytes([len(name)]) + name.encode("latin-1") for name in names)
    wide = b"".join(struct.pack(">I", len(name) + 1) + (name + "\0").encode("utf-16-be") for name in names)
    display = struct.pack(">I", 1) + b"".join(struct.pack(">H4HHB", 2, 0, 0, 0, 0, 100, 2) for _ in names)
    return block(1006, pascal) + block(1045, wide) + block(1077, display)


# Pages ----------------------------------------------------------------------------------------

def front(width, height, first, end):
    """CMYK and three spot channels in 8 bits: a photograph, panels, steps, a patch of 400 %, a frame."""
    y, x = numpy.mgrid[first:end, 0:width].astype(numpy.float32)
    grain = numpy.tile(GRAIN, (1, -(-width // GRAIN.shape[1])))[numpy.arange(first, end) % len(GRAIN), :width]
    page = numpy.zeros((7, end - first, width), numpy.float32)
    hill = 0.5 + 0.5 * numpy.sin(7 * x / width + 3 * numpy.cos(5 * y / height))
    photo = y < 0.62 * height
    page[0] = numpy.where(photo, 230 * hill + grain, 0)
    page[1] = numpy.where(photo, 200 * x / width + grain, 0)
    page[2] = numpy.where(photo, 255 * (1 - y / height) * (1 - hill / 2) + grain, 0)
    page[3] = numpy.where(photo, 160 * (1 - hill) * y / height + grain, 0)

    def panel(plane, left, top, right, bottom, value):
        rows = slice(max(0, int(top * height) - first), max(0, int(bottom * height) - first))
        box = rows, slice(int(left * width), int(right * width))
        page[plane][box] = value if numpy.isscalar(value) else value[box]
    for plane in range(4):
        panel(plane, 0.04, 0.05, 0.14, 0.2, 255)  # 400 %
        panel(plane, 0.18, 0.05, 0.28, 0.2, 0)  # paper within the photograph
    for step in range(11):
        panel(3, 0.04 + 0.06 * step, 0.86, 0.10 + 0.06 * step, 0.95, 255 * step / 10)
    panel(4, 0.05, 0.66, 0.45, 0.8, 255)
    panel(4, 0.45, 0.66, 0.85, 0.8, 255 * (1 - (x - 0.45 * width) / (0.4 * width)))
    page[5] = 255 * ((x - 0.75 * width) ** 2 + (y - 0.3 * height) ** 2 < (0.15 * min(width, height)) ** 2)
    edge = max(2, width // 150)
    from_edge = numpy.minimum(numpy.minimum(x, width - 1 - x), numpy.minimum(y, height - 1 - y))
    page[6] = 255 * ((from_edge >= edge) & (from_edge < 2 * edge))
    return numpy.clip(numpy.rint(page), 0, 255).astype(numpy.uint8)


def back(width, height, first, end):
    """CMYK: dark, soft shapes, whose total ink is above 300 %."""
    y, x = numpy.mgrid[first:end, 0:width].astype(numpy.float32)
    wave = 0.5 + 0.5 * numpy.sin(11 * x / width + 4 * y / height)
    planes = [240 * wave, 235 * wave ** 2, 220 * (1 - wave * y / height), 230 * wave * (x / width)]
    return numpy.clip(numpy.rint(planes), 0, 255).astype(numpy.uint8)


def inside(width, height):
    """RGB: a ramp of greys, of black to each colour, black and white, and a photograph of sorts."""
    y, x = numpy.mgrid[0:height, 0:width]
    grey = 255 * x / (width - 1)
    picture = [128 + 127 * numpy.sin(6 * x / width + phase) * numpy.cos(5 * y / height) for phase in (0, 2, 4)]
    page = numpy.rint(numpy.clip(picture, 0, 255)).astype(numpy.uint8)
    tenth = height // 10
    page[:, :tenth] = grey[:tenth]
    for colour in range(3):
        rows = numpy.s_[(1 + colour) * tenth:(2 + colour) * tenth]
        page[:, rows] = 0
        page[colour, rows] = grey[rows]
    page[:, 9 * tenth:, :width // 2] = 0
    page[:, 9 * tenth:, width // 2:] = 255
    return page


def type_page(width, height, first, end):
    """Line work, True is ink: type of several sizes, rules, a bar code; like that of a box."""
    image = Image.new("L", (width, end - first), 0)
    draw = ImageDraw.Draw(image)
    draw.fontmode = "1"  # no grey edges

    def box(left, top, right, bottom):
        if top < end and bottom > first:
            draw.rectangle((left, top - first, right - 1, bottom - first - 1), fill=255)
    y = int(0.22 * height)
    for points in (4, 5, 6, 8, 12, 18):
        size = round(points / 72 * 2400)
        if FONT.exists() and y < end and y + 2 * size > first:
            draw.text((int(0.05 * width), y - first), f"Tea 250 g, {points} pt", fill=255,
                      font=ImageFont.truetype(str(FONT), size))
        y += int(size * 1.4)
    for i in range(12):
        top = int((0.68 + 0.012 * i) * height)
        box(int(0.72 * width), top, int(0.95 * width), top + 2 * i + 2)
    bars = numpy.random.default_rng(4006381).integers(1, 4, 60)
    x, module = int(0.72 * width), max(1, int(0.23 * width / bars.sum()))
    for number, bar in enumerate(bars):
        if number % 2 == 0:
            box(x, int(0.86 * height), x + int(bar) * module, int(0.94 * height))
        x += int(bar) * module
    return numpy.asarray(image) > 0
