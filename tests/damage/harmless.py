"""Tags that decide nothing of a plate, as sound values; and values that mean a default."""

import pages
from tiff_form import (ASCII, BYTE, DOUBLE, LONG, RATIONAL, SHORT, UNDEFINED, Entry)


def _text(words):
    return list(words.encode() + b"\0")


def harmless_entries(inks):
    """Sound entries of tags without meaning for plates, for a page of 8 bits and so many inks.

    By TIFF 6 most only describe. TransferFunction, WhitePoint, PrimaryChromaticities and
    GrayResponseCurve describe how a page is shown; the program takes colour from ICC profiles alone.
    """
    thumbnail = pages.resource(1036, bytes(range(60)))
    return [
        Entry(263, SHORT, [1]), Entry(264, SHORT, [8]), Entry(265, SHORT, [8]),
        Entry(269, ASCII, _text("Leaflet, page 1")), Entry(270, ASCII, _text("A proof of the cover")),
        Entry(271, ASCII, _text("Scanner maker")), Entry(272, ASCII, _text("Scanner 3")),
        Entry(280, SHORT, [3] * inks), Entry(281, SHORT, [250] * inks), Entry(285, ASCII, _text("front")),
        Entry(286, RATIONAL, [1]), Entry(287, RATIONAL, [2]), Entry(288, LONG, [9000]),
        Entry(289, LONG, [16]), Entry(290, SHORT, [3]),
        Entry(291, SHORT, [i * 7 for i in range(256)]), Entry(297, SHORT, [0, 1]),
        Entry(301, SHORT, [i * i for i in range(256)]), Entry(305, ASCII, _text("A program 2.1")),
        Entry(306, ASCII, _text("2026:11:28 12:00:00")), Entry(315, ASCII, _text("An artist")),
        Entry(316, ASCII, _text("host")), Entry(318, RATIONAL, [0.3127, 0.329]),
        Entry(319, RATIONAL, [0.64, 0.33, 0.3, 0.6, 0.15, 0.06]), Entry(321, SHORT, [20, 230]),
        Entry(330, LONG, [8]), Entry(337, ASCII, _text("Proofer 7")), Entry(340, BYTE, [1] * inks),
        Entry(341, BYTE, [251] * inks), Entry(342, SHORT, [0, 255] * 3),
        Entry(351, LONG, [0]), Entry(700, BYTE, _text("<x:xmpmeta xmlns:x='adobe:ns:meta/'/>")),
        Entry(32781, ASCII, _text("an id")), Entry(32934, LONG, [4, 5]),
        Entry(33432, ASCII, _text("(c) a house")), Entry(33550, DOUBLE, [1, 1, 0]),
        Entry(33723, UNDEFINED, [0x1C, 2, 0, 0, 2, 0, 2]), Entry(34022, BYTE, [1, 2, 3, 4, 5]),
        Entry(34377, BYTE, list(thumbnail)), Entry(34665, LONG, [8]), Entry(34853, LONG, [8]),
        Entry(37724, UNDEFINED, list(b"Adobe Photoshop Document Data Block\0")),
        Entry(42112, ASCII, _text("<GDALMetadata></GDALMetadata>")), Entry(42113, ASCII, _text("-9999")),
        Entry(50341, UNDEFINED, list(b"PrintIM\0" + bytes(20))), Entry(59932, UNDEFINED, [0] * 40),
        Entry(65000, SHORT, [1, 2, 3])]


def default_values():
    """Entries of old writers that mean the default of the tag: {name: entry}."""
    return {"Orientation 0": Entry(274, SHORT, [0]), "ResolutionUnit 0": Entry(296, SHORT, [0]),
            "InkNames of no bytes": Entry(333, ASCII, [32], count=0),
            "NumberOfInks of no value": Entry(334, SHORT, [1], count=0),
            "NumberOfInks 0": Entry(334, SHORT, [0])}


def base_pages():
    """Pages to which harmless tags are added; each has the resolution unit of the default."""
    resolution = pages.resolution(300, 300)
    return [pages.uncompressed("plain-grey", pages.CLASSIC, 1, 1, resolution),
            pages.uncompressed("plain-cmyk", pages.MOTOROLA_BEFORE, 4, 5, resolution),
            pages.uncompressed("plain-rgb", pages.BIG, 3, 2, resolution, settings="press")]
