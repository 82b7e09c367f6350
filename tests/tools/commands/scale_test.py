#!/usr/bin/env python3
"""Pages scaled by `scale: edges`, through the whole program. Usage: scale_test.py PROGRAM [unittest options]."""

import array
import json
import math
import struct
import sys
import unittest

from command import Command

WIDTH, HEIGHT = 90, 60
LEVELS = {8: 255, 16: 65535}


def covered(x, y):
    """The part of a pixel that is inside of a disc or a slanted bar, in 1/16."""
    count = 0
    for part in range(16):
        right, down = x + part % 4 / 4 + 1 / 8, y + part // 4 / 4 + 1 / 8
        disc = math.hypot(right - 22.3, down - 25.1) <= 14.2
        bar = abs(0.8 * (down - 30) - 0.6 * (right - 65)) <= 1.3 and abs(right - 65) <= 20
        count += disc or bar
    return count


class Edges(Command):
    def write_page(self, name, bits, dpi=300):
        """Anti-aliased shapes on paper and, to the right, on a tint; the same tones in any depth."""
        most = LEVELS[bits]
        samples = array.array("B" if bits == 8 else "H")
        for y in range(HEIGHT):
            for x in range(WIDTH):
                ground = 255 if x < 60 else 153
                tone = ground * (16 - covered(x, y)) // 16
                samples.append(tone * most // 255)
        if sys.byteorder == "big":
            samples.byteswap()
        data = samples.tobytes()
        tags = [(256, 3, WIDTH), (257, 3, HEIGHT), (258, 3, bits), (259, 3, 1), (262, 3, 1),
                (273, 4, 8), (277, 3, 1), (278, 3, HEIGHT), (279, 4, len(data)),
                (282, 5, 8 + len(data)), (283, 5, 8 + len(data)), (296, 3, 2)]
        directory = struct.pack("<H", len(tags)) + b"".join(
            struct.pack("<HHIHxx" if kind == 3 else "<HHII", tag, kind, 1, value)
            for tag, kind, value in tags) + struct.pack("<I", 0)
        (self.folder / name).write_bytes(struct.pack("<2sHI", b"II", 42, 16 + len(data)) + data
                                         + struct.pack("<II", dpi, 1) + directory)

    def plate(self, page, scale, *words):
        """The digest of a plate's rows."""
        self.jobs = getattr(self, "jobs", 0) + 1
        self.manifest(f"""\
mezzotint: 1
job: edges-{self.jobs}
defaults:
  scale: {scale}
  halftone: {{method: am, ruling: 175}}
  output: {{path: "{self.jobs}/plate.tif", resolution: 2400}}
pages:
  - {page}
""")
        result = self.run_program("run", "job.yaml", "--json", *words)
        lines = [json.loads(line) for line in result.stdout.splitlines()]
        sheet = next(line for line in lines if line["type"] == "sheet")
        return sheet["plates"][0]["content_sum"]

    def test_bands_and_threads_do_not_change_a_plate(self):
        self.write_page("page.tif", 8)
        plate = self.plate("page.tif", "edges")
        for words in (("--simple", "--band-rows", "1"), ("--band-rows", "7"), ("--band-rows", "480"),
                      ("--threads", "1"), ("--threads", "4", "--band-rows", "16")):
            self.assertEqual(self.plate("page.tif", "edges", *words), plate, words)
        self.assertNotEqual(self.plate("page.tif", "cubic"), plate)

    def test_samples_of_8_and_16_bits_make_the_same_plate(self):
        self.write_page("page.tif", 8)
        self.write_page("deep.tif", 16)
        self.assertEqual(self.plate("page.tif", "edges"), self.plate("deep.tif", "edges"))

    def test_the_plan_names_the_filter(self):
        self.write_page("page.tif", 8)
        for dpi, said in (("2400", "scale by 8/1, edges"), ("150", "scale by 1/2, area")):
            result = self.run_program("halftone", "page.tif", "p.tif", "--dry-run", "--scale", "edges",
                                      "--resolution", dpi)
            self.assertIn(said, result.stdout)


if __name__ == "__main__":
    unittest.main()
