"""Scenes with hard natural edges, as photographs have them, drawn by arithmetic; and real photographs.

Scenes are drawn at four times their size and reduced; a blur stands for the lens, and noise for the sensor.
"""
import os
import pathlib
import warnings

import numpy
from PIL import Image, ImageDraw
from scipy.ndimage import gaussian_filter

SIDE = 320  # px of a scene
TIMES = 4  # finer than that it is drawn
MOST = 640  # px of a real picture, from its middle
BLURS = (0.3, 0.45, 0.6, 0.8, 1.0)  # px, by seed
NOISE = 1.5  # levels of 255

# Photographs of a corpus beside those in its folder `photos`.
OTHERS = ("imagetiff__no_rows_per_strip.tiff", "imagetiff__smallliz.tif", "imagetiff__ycbcr-cat.tif",
          "pillow__hopper_lzma.tif", "pillow__tiff_tiled_ycbcr_jpeg_2x2_sampling.tif", "twelvemonkeys__f14.tif",
          "derived__minisblack-1c-8b_orient3.tif")


# Scenes ---------------------------------------------------------------------------------------

def sky(random, top, bottom):
    """An image at the size of drawing that fades from `top` to `bottom`, with clouds."""
    size = SIDE * TIMES
    clouds = gaussian_filter(random.standard_normal((size // 8, size // 8)), 12)
    clouds = numpy.kron(clouds / clouds.std(), numpy.ones((8, 8)))
    tone = numpy.linspace(top, bottom, size)[:, None] + 6 * gaussian_filter(clouds, 8)
    return Image.fromarray(tone.clip(0, 255).astype(numpy.uint8))


def grow(draw, random, x, y, angle, length, width):
    """A branch and the twigs on it."""
    if length < 12:
        return
    end_x, end_y = x + length * numpy.cos(angle), y - length * numpy.sin(angle)
    draw.line((x, y, end_x, end_y), fill=int(random.integers(18, 70)), width=max(1, round(width)))
    for _ in range(random.integers(2, 4)):
        grow(draw, random, end_x, end_y, angle + random.normal(0, 0.55), length * random.uniform(0.6, 0.82),
             width * 0.66)


def branches(random):
    """Trees before a sky that is bright or blown out to white."""
    image = sky(random, *random.choice([[190, 230], [262, 262]]))
    for _ in range(2):
        grow(ImageDraw.Draw(image), random, random.uniform(0.2, 0.8) * SIDE * TIMES, SIDE * TIMES, 1.57, 330, 34)
    return image


def hair(random):
    """Strands before skin, darker and lighter than it."""
    image = sky(random, 200, 150)
    draw, size = ImageDraw.Draw(image), SIDE * TIMES
    for _ in range(450):
        x, bow = random.uniform(-0.2, 1.0) * size, random.uniform(0.1, 0.5) * size
        along = numpy.linspace(0, 1, 30)
        points = zip(x + bow * along**2 + 20 * numpy.sin(9 * along + x), along * size)
        draw.line(list(points), fill=int(random.choice([25, 45, 70, 110, 235])), width=int(random.integers(1, 7)))
    return image


def specular(random):
    """Polished metal: smooth dark tones with clipped highlights, and seams."""
    image = sky(random, 40, 120)
    draw, size = ImageDraw.Draw(image), SIDE * TIMES
    for _ in range(60):
        x, y = random.uniform(0, size, 2)
        across, down = random.uniform(3, 60), random.uniform(2, 16)
        draw.ellipse((x - across, y - down, x + across, y + down), fill=255)
    for _ in range(6):
        draw.line(tuple(random.uniform(0, size, 4)), fill=8, width=int(random.integers(2, 9)))
    return image


def water(random):
    """Waves with glitter that is clipped to white."""
    size = SIDE * TIMES
    y, x = numpy.mgrid[0:size, 0:size] / TIMES
    waves = sum(numpy.sin(x * random.normal(0, 0.12) + y * random.uniform(0.1, 0.5) + random.uniform(0, 6))
                for _ in range(7)) / 2.6
    tone = 90 + 35 * waves + numpy.where(waves > 1.3, 150, 0)
    return Image.fromarray(tone.clip(0, 255).astype(numpy.uint8))


def roofs(random):
    """Gables with windows, chimneys and wires before a bright sky."""
    image = sky(random, 215, 245)
    draw, size = ImageDraw.Draw(image), SIDE * TIMES
    for _ in range(9):
        x, y, half = random.uniform(0, size), random.uniform(0.3, 0.8) * size, random.uniform(80, 260)
        tone = int(random.integers(30, 130))
        draw.polygon([(x - half, y), (x, y - 0.7 * half), (x + half, y)], fill=tone)
        draw.rectangle((x - 0.8 * half, y, x + 0.8 * half, size), fill=tone + int(random.integers(30, 90)))
        for row in range(3):
            left = x - 0.6 * half + 0.5 * half * row
            draw.rectangle((left, y + 50, left + 0.2 * half, y + 50 + 0.4 * half), fill=int(random.integers(0, 40)))
            draw.rectangle((left, y + 50, left + 0.2 * half, y + 53), fill=250)
    for _ in range(4):
        draw.line((0, random.uniform(0, size / 2), size, random.uniform(0, size / 2)), fill=20, width=3)
    return image


SCENES = (branches, hair, specular, water, roofs)


def scene(kind, seed):
    """The picture as an array of one plane of levels, 255 is white."""
    random = numpy.random.default_rng([seed, SCENES.index(kind)])
    fine = gaussian_filter(numpy.asarray(kind(random), float), TIMES * BLURS[seed % len(BLURS)])
    tone = fine.reshape(SIDE, TIMES, SIDE, TIMES).mean(axis=(1, 3))
    return (tone + random.normal(0, NOISE, tone.shape)).round().clip(0, 255).astype(numpy.uint8)


# Photographs ----------------------------------------------------------------------------------

def middle(picture):
    top, left = (max(0, (length - MOST) // 2) for length in picture.shape[:2])
    return picture[top:top + MOST, left:left + MOST]


def planes(picture, is_ink=False):
    """Planes of ink from levels: of a picture in CMYK as they are, of grey and RGB the negative."""
    picture = middle(picture if picture.ndim == 3 else picture[:, :, None])
    return [plane if is_ink else 255 - plane for plane in numpy.moveaxis(picture, -1, 0)]


def scene_planes(seeds):
    return [(f"{kind.__name__} {seed}", planes(scene(kind, seed))) for kind in SCENES for seed in range(seeds)]


def corpus_planes():
    """Name and planes of the photographs of MEZZOTINT_CORPUS; nothing without it."""
    if "MEZZOTINT_CORPUS" not in os.environ:
        print("photographs of a corpus skipped: MEZZOTINT_CORPUS is not set")
        return []
    corpus = pathlib.Path(os.environ["MEZZOTINT_CORPUS"])
    found = []
    for path in sorted((corpus / "photos").iterdir()) + [corpus / "good" / name for name in OTHERS]:
        if not path.exists():
            print(f"photograph skipped: {path.name} is not in the corpus")
            continue
        image = Image.open(path)
        found.append((path.name, planes(numpy.asarray(image), image.mode == "CMYK")))
    return found


def scipy_planes():
    """The pictures that SciPy brings before version 1.12."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            from scipy import misc
            return [(name, planes(getattr(misc, name)().astype(numpy.uint8))) for name in ("face", "ascent")]
    except (ImportError, AttributeError):
        print("pictures of SciPy skipped: this version has none")
        return []
