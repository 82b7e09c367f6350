"""What the oracles share: ink15, planes in raw files, and the packages that they need.

Whoever imports this without NumPy and SciPy ends with 77, the status of a test that is skipped.
"""
import sys

try:
    import numpy
    import scipy.ndimage  # noqa: F401
    from PIL import Image
except ImportError as missing:
    print(f"skipped: {missing}; Debian has it in python3-numpy, python3-scipy and python3-pil", file=sys.stderr)
    sys.exit(77)

Image.MAX_IMAGE_PIXELS = None  # plates are large
SOLID = 32640  # ink15: 0 is paper, 255 * 128 a solid


def bits_of(image):
    """The pixels of a bilevel image, true is ink; Pillow shows ink as 0 in either polarity.

    Much faster than numpy.asarray(image), for which Pillow writes a byte for each pixel.
    """
    stride = (image.width + 7) // 8
    rows = numpy.frombuffer(image.tobytes(), numpy.uint8).reshape(image.height, stride)
    return numpy.unpackbits(~rows, axis=1)[:, :image.width].view(bool)


def read_planes(path, planes, bits=16):
    """Planes that follow one another in a raw little-endian file: an array (planes, samples)."""
    samples = numpy.fromfile(path, "<u2" if bits == 16 else "u1")
    if samples.size % planes:
        raise SystemExit(f"{path}: {samples.size} samples are no {planes} planes")
    return samples.reshape(planes, -1)


def write_planes(path, planes):
    numpy.ascontiguousarray(planes).astype("<u2").tofile(path)


def differences(ours, theirs):
    """What two arrays of planes differ by, for a message and an exit status."""
    if ours.shape != theirs.shape:
        return {"differing": -1, "shapes": [list(ours.shape), list(theirs.shape)]}
    gap = numpy.abs(ours.astype(numpy.int64) - theirs)
    return {"samples": int(gap.size), "differing": int(numpy.count_nonzero(gap)),
            "largest": int(gap.max(initial=0)),
            "first": [int(at) for at in numpy.argwhere(gap)[0]] if gap.any() else None}
