"""Pages whose data ask a decoder for much memory in a way that its head, as a plan reads it, may hide.

Each is a format that a decoder takes beside the usual one, or a head that a decoder follows further
than a reader of heads might: zstd of before 1.0, JPEGs with strange segments, and codecs that are not
read at all.
"""

from odd_tiff import (BLANK, JPEG, JPEG_XL, LERC, LZMA, WEBP, ZSTD, Page, frame, jpeg, old_zstandard,
                      reversed_bits, segment, zstandard)

MOST_SIDE = 65500  # that libjpeg takes
COMMENTS = segment(0xFE, b"") * 1001


def largest_zstandard(size):
    return zstandard(size, window_bits=27)


def zstd_coders():
    """{name: coder}: frames of all formats that libzstd knows, and those that hide the window."""
    found = {f"zstd 0.{version}": lambda size, version=version: old_zstandard(size, version)
             for version in (5, 6, 7)}
    for version, magic in ((1, 0x1E), (2, 0x22), (3, 0x23), (4, 0x24)):
        found[f"zstd 0.{version}"] = (
            lambda size, magic=magic: [(bytes((magic,)) + b"\xb5\x2f\xfd\x0f", 1), (b"\0", 1000)])
    small = zstandard(1, window_bits=10)
    largest = largest_zstandard
    return found | {
        "zstd behind a skippable frame": (
            lambda size: [(b"\x50\x2a\x4d\x18\4\0\0\0skip", 1), *largest(size)]),
        "zstd behind a small frame": lambda size: [*small, *largest(size - 1)],
        "zstd with a dictionary": (
            lambda size: [(b"\x28\xb5\x2f\xfd\1\x88\7", 1), *largest(size)[1:]]),
        "zstd of one segment of 4 GiB": (
            lambda size: [(b"\x28\xb5\x2f\xfd\xe0\0\0\0\0\1\0\0\0", 1), *largest(size)[1:]]),
        "zstd without a magic number": lambda size: largest(size)[1:],
    }


def zstd_pages(side):
    def page(coder, samples=16, **more):
        return Page(side, side, samples=samples, planar=True, compression=ZSTD, coder=coder, **more)
    found = {name: page(coder, samples=4 if "small frame" in name else 16)
             for name, coder in zstd_coders().items()}
    found["zstd with reversed bits"] = page(lambda size: reversed_bits(largest_zstandard(size)),
                                            more=[(266, 3, [2])])
    return found


def jpeg_pages(side):
    """{name: Page}: heads that libjpeg follows, and sizes that it allocates for."""
    def page(samples=8, planar=True, width=side, height=side, rows=None, tables=b"", **more):
        inside = 1 if planar else samples
        options = dict(progressive=False, scans=inside) | more
        return Page(width, height, samples=samples, planar=planar, compression=JPEG, rows=rows,
                    coder=lambda _: jpeg(width, height, inside, **options),
                    more=[(347, 7, tables)] if tables else ())
    end = b"\xff\xd9"
    found = {}
    for name, before in (("1001 comments", COMMENTS), ("a stray byte", b"\0"),
                         ("1001 bytes of padding", b"\xff" * 1001), ("another start", b"\xff\xd8"),
                         ("a marker without a length", b"\xff\1"),
                         ("a segment of no bytes", b"\xff\xfe\0\0"),
                         ("a number of lines", segment(0xDC, b"\0\1"))):
        found[f"progressive jpeg behind {name}"] = page(progressive=True, before=before)
        found[f"jpeg in scans behind {name}"] = page(samples=4, planar=False, before=before)
    def framed(name, frames, **more):
        found[f"jpeg {name}"] = page(samples=3, planar=False, width=400, height=400, frames=frames,
                                     **more)
    framed("taller than its strip", frame(0xC1, 400, MOST_SIDE, 3))
    framed("wider than its strip", frame(0xC1, MOST_SIDE, 400, 3))
    framed("as tall as strips may be", frame(0xC1, 400, MOST_SIDE, 3), rows=MOST_SIDE,
           blocks=50 * -(-MOST_SIDE // 8))
    framed("of two frames, the second tall", frame(0xC1, 400, 400, 3) + frame(0xC1, 400, MOST_SIDE, 3))
    framed("of two frames, the first tall", frame(0xC1, 400, MOST_SIDE, 3) + frame(0xC1, 400, 400, 3))
    framed("without a height", frame(0xC1, 400, 0, 3))
    framed("with a tall frame in its tables", frame(0xC1, 400, 400, 3),
           tables=b"\xff\xd8" + frame(0xC1, MOST_SIDE, MOST_SIDE, 3) + end)
    framed("with a stray byte in its tables", frame(0xC1, 400, 400, 3),
           tables=b"\xff\xd8\0" + COMMENTS + end)
    found["arithmetic jpeg in scans"] = page(samples=4, planar=False, blocks=0,
                                             frames=frame(0xC9, side, side, 4))
    found["lossless jpeg"] = page(frames=frame(0xC3, side, side, 1))
    units = -(-MOST_SIDE // 16) * 3  # of 8 blocks of luma and one each of the others
    found["wide jpeg, sampled by 2 and 4"] = Page(
        MOST_SIDE, 96, samples=3, compression=JPEG, photometric=6, more=[(530, 3, [2, 4])],
        coder=lambda _: jpeg(MOST_SIDE, 96, 3, False, 1, blocks=units * 10 // 3,
                             frames=frame(0xC1, MOST_SIDE, 96, 3, sampling=0x24)))
    found["wide jpeg, 16 inks"] = page(width=MOST_SIDE, height=100, samples=16)
    return found


def refused_codecs(side):
    """{name: Page}: compressions that libtiff may decode, and that are not read."""
    return {name: Page(side, side, compression=compression, coder=lambda _: [(begin, 1), (b"\0", 1000)])
            for name, compression, begin in (
                ("lzma", LZMA, b"\xfd7zXZ\0"), ("webp", WEBP, b"RIFF\xff\xff\xff\x7fWEBPVP8L"),
                ("lerc", LERC, b"Lerc2 "), ("jpeg xl", JPEG_XL, b"\xff\x0a"),
                ("old-style jpeg", 6, b"\xff\xd8"), ("jbig", 34661, b"\0"), ("jpeg 2000", 34712, b"\0"),
                ("sgilog", 34676, b"\0"), ("pixarlog", 32909, b"\x78\1"), ("thunderscan", 32809, b"\0"))}


def plates(side):
    """{name: Page}: a bilevel plate as it should be, then those of such frames."""
    def plate(coder):
        return Page(side, side, bits=1, compression=ZSTD, coder=coder, photometric=BLANK, dpi=(600, 600))
    coders = {"zstd": zstandard, "zstd of a large window": largest_zstandard, **zstd_coders()}
    return {f"plate: {name}": plate(coder) for name, coder in coders.items()}


def pages(side):
    """{name: Page} of all of them."""
    found = {**zstd_pages(side), **jpeg_pages(side), **refused_codecs(side)}
    return {f"decoder: {name}": page for name, page in found.items()}
