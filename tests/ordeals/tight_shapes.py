"""Pages of odd shapes, and files made to blow a decoder up."""

from odd_tiff import DEFLATE, JPEG, LZW, NONE, PACKBITS, ZSTD, Page, jpeg, zstandard


def shapes():
    """{name: Page}; 44 of them."""
    found = {}
    for width, height in ((4000, 4000), (100000, 400)):
        def add(name, **more):
            found[f"{name} {width}x{height}"] = Page(width, height, **more)
        for name, compression in (("raw", NONE), ("deflate", DEFLATE), ("zstd", ZSTD)):
            add(f"grey {name} in one strip", compression=compression)
        for bits in (8, 16):
            add(f"cmyk {bits} bits in one strip", samples=4, bits=bits, compression=DEFLATE)
            add(f"16 inks {bits} bits in one strip", samples=16, bits=bits, compression=DEFLATE)
        add("cmyk apart, raw", samples=4, bits=16, planar=True)
        add("16 inks apart, deflate", samples=16, planar=True, compression=DEFLATE)
        add("16 inks packbits in strips of 16", samples=16, bits=16, rows=16, compression=PACKBITS)
        add("line art in one strip", bits=1, compression=DEFLATE)
        add("tiles of 16", tile=(16, 16), compression=DEFLATE)
        add("tiles as wide as the page", samples=4, bits=16, tile=(-(-width // 16) * 16, 16),
            compression=DEFLATE)
        add("tiles of 2048, 16 inks", samples=16, tile=(2048, 2048), compression=DEFLATE)
        add("on its side, cmyk", samples=4, orientation=6, compression=DEFLATE)
        add("on its other side, raw", bits=16, rows=1, orientation=8)
        add("upside down, 16 inks apart", samples=16, planar=True, orientation=3, compression=DEFLATE)
        add("rgb in strips of a row", samples=3, rows=1, compression=DEFLATE)
        add("rgb packbits in one strip", samples=3, bits=16, compression=PACKBITS)
    found["wide in one strip"] = Page(100000, 2500, compression=DEFLATE)
    found["tall line art"] = Page(8, 100000, bits=1, rows=1)
    found["a column"] = Page(1, 100000, compression=PACKBITS)
    found["a row"] = Page(100000, 1, compression=PACKBITS)
    found["zstd apart, a window a plane"] = Page(
        4000, 4000, samples=4, planar=True, compression=ZSTD, coder=lambda size: zstandard(size, window_bits=23))
    found["16 inks of 16 bits, a row a strip"] = Page(100000, 64, samples=16, bits=16, rows=1,
                                                     compression=DEFLATE)
    found["tiles of 16 down a column"] = Page(16, 100000, tile=(16, 16), compression=DEFLATE)
    found["1 bit, tiles"] = Page(20000, 20000, bits=1, tile=(20000, 16), compression=DEFLATE)
    return found


def bombs(side, fat):
    """{name: (Page, directories)}: `side` of the page in pixels, `fat` the bytes of long streams."""
    found = {}
    for bits in (20, 23, 25, 27):
        for samples, planar in ((1, False), (4, False), (16, True)):
            found[f"zstd window 2^{bits}, {samples} inks"] = Page(
                side, side, samples=samples, planar=planar, compression=ZSTD,
                coder=lambda size, bits=bits: zstandard(size, window_bits=bits))
    for progressive in (False, True):
        kind = "progressive" if progressive else "sequential"
        for samples, planar, scans in ((1, False, 1), (8, True, 1), (4, False, 1), (4, False, 4)):
            inside = 1 if planar else samples
            found[f"{kind} jpeg, {samples} inks, {scans} scans"] = Page(
                side // 2, side // 2, samples=samples, planar=planar, compression=JPEG,
                coder=lambda _, inside=inside, kind=progressive, scans=scans:
                    jpeg(side // 2, side // 2, inside, kind, scans))
    found = {name: (page, 1) for name, page in found.items()}
    for name, compression, piece in (("deflate", DEFLATE, b"\0\0\0\xff\xff"),
                                     ("packbits", PACKBITS, b"\x80"),
                                     ("lzw", LZW, b"\x80\x40\x20\x10\x08\x04\x02\x01\0"),
                                     ("zstd", ZSTD, b"\0\0\0")):
        begin = {DEFLATE: b"\x78\x01", ZSTD: b"\x28\xb5\x2f\xfd\0\x38"}.get(compression, b"")
        found[f"{name} of empty blocks"] = (Page(
            64, 64, compression=compression,
            coder=lambda _, begin=begin, piece=piece: [(begin, 1), (piece, fat // len(piece))]), 1)
    for samples in (1, 16):
        found[f"4096 directories of {samples} inks"] = (Page(
            8, 8, samples=samples, compression=DEFLATE), 4096)
    return found
