#!/usr/bin/env python3
"""Pages of others: channels beside the inks, and data that is damaged or odd. Usage: pages_test.py PROGRAM [unittest options]."""

import json
import shutil
import struct
import unittest
import zlib

from command import Command


class Pages(Command):
    """Writes pages that no program of ours writes."""

    def write_tiff(self, name, samples, photometric, extra=(), size=(8, 4), compression=1,
                   data=None, photoshop=b""):
        """An 8-bit TIFF of one strip, with a value of ExtraSamples for each that is extra."""
        if data is None:
            data = bytes(range(size[0] * size[1] * samples))
        bits = struct.pack(f"<{samples}H", *[8] * samples)
        kinds = struct.pack(f"<{len(extra)}H", *extra)
        tags = [(256, 3, 1, size[0]), (257, 3, 1, size[1]), (258, 3, samples, bits),
                (259, 3, 1, compression), (262, 3, 1, photometric), (273, 4, 1, None),
                (277, 3, 1, samples), (278, 3, 1, size[1]),
                (279, 4, 1, len(data))]
        if extra:
            tags.append((338, 3, len(extra), kinds))
        if photoshop:
            tags.append((34377, 7, len(photoshop), photoshop))
        end = 8 + 2 + 12 * len(tags) + 4
        fields, behind = b"", b""
        for tag, kind, count, value in tags:
            if isinstance(value, bytes):
                if len(value) > 4:
                    behind, value = behind + value, struct.pack("<I", end + len(behind))
                value = value.ljust(4, b"\0")
            else:
                value = struct.pack("<I", end + 256 if value is None else value)
            fields += struct.pack("<HHI", tag, kind, count) + value
        head = struct.pack("<2sHIH", b"II", 42, 8, len(tags)) + fields + bytes(4)
        (self.folder / name).write_bytes(head + behind.ljust(256, b"\0") + data)


class Channels(Pages):
    def test_a_channel_without_a_plate_is_refused_unless_it_may_be_left_out(self):
        job = "mezzotint: 1\njob: tin\ndefaults: {output: {path: 'plates/{stem}_{ink}.tif'}%s}\n" \
              "pages: [tin.tif]\n"
        for extra, channels in (((0, 0), "2 channels"), ((2,), "1 channel")):
            self.write_tiff("tin.tif", 4 + len(extra), 5, extra)
            for command in ("check", "run"):
                result = self.run_program(command, self.manifest(job % ""),
                                          status=65 if command == "check" else 1)
                said = result.stdout + result.stderr
                self.assertIn(f"page 1 has {channels} beside its inks", said)
                self.assertIn("'extra_channels: inks' (--extra-channels inks)", said)
                self.assertIn("extra_channels: ignore", said)
            self.assertFalse((self.folder / "plates").exists())
            self.run_program("run", "--fresh", self.manifest(job % ", extra_channels: ignore"))
            self.assertEqual(len(list((self.folder / "plates").iterdir())), 4)
            self.run_program("halftone", "tin.tif", "out/{ink}.tif", status=65)
            self.run_program("halftone", "--extra-channels", "ignore", "tin.tif", "out/{ink}.tif")
            self.assertEqual(len(list((self.folder / "out").iterdir())), 4)
            shutil.rmtree(self.folder / "plates")
            shutil.rmtree(self.folder / "out")

    def write_spots(self, name, kinds=(2, 2), names=("PANTONE 185 C", "Wei\u00df")):
        """CMYK and two channels that Photoshop describes; returns the samples, a list a channel."""
        def block(number, data):
            return b"8BIM" + struct.pack(">HHI", number, 0, len(data)) + data + bytes(len(data) % 2)

        texts = [(text + "\0").encode("utf-16-be") for text in names]
        display = b"".join(struct.pack(">H8sHB", 2, bytes(8), 100, kind) for kind in kinds)
        size = (24, 10)
        # Away from the threshold of a half, whose side is the business of tests/kernels.
        levels = (0, 20, 100, 155, 230, 255)
        channels = [[levels[(3 * i * i + 5 * i + 7 * c + i // (c + 2)) % 6]
                     for i in range(size[0] * size[1])] for c in range(6)]
        self.write_tiff(
            name, 6, 5, (0, 0), size, data=bytes(v for pixel in zip(*channels) for v in pixel),
            photoshop=block(1045, b"".join(struct.pack(">I", len(t) // 2) + t for t in texts)) +
            block(1077, struct.pack(">I", 1) + display))
        return size, channels

    def plate_bits(self, path, size):
        """The ink of an uncompressed plate, a number a pixel."""
        plate = path.read_bytes()
        at, = struct.unpack_from("<I", plate, 4)
        tags = {}
        for i in range(struct.unpack_from("<H", plate, at)[0]):
            tag, kind, count, value = struct.unpack_from("<HHII", plate, at + 2 + 12 * i)
            width = {3: 2, 4: 4}.get(kind, 1)
            form = f"<{count}{ {1: 'B', 2: 'H', 4: 'I'}[width] }"
            where = value if width * count > 4 else at + 2 + 12 * i + 8
            tags[tag] = struct.unpack_from(form, plate, where)
        self.assertEqual((tags[256][0], tags[257][0], tags[259][0]), (*size, 1))
        rows = b"".join(plate[o:o + n] for o, n in zip(tags[273], tags[279]))
        stride = (size[0] + 7) // 8
        bits = [rows[y * stride + x // 8] >> (7 - x % 8) & 1
                for y in range(size[1]) for x in range(size[0])]
        self.assertIn(tags[262][0], (0, 1))
        return bits if tags[262][0] == 0 else [1 - bit for bit in bits]

    def test_spot_channels_of_photoshop_become_plates(self):
        size, channels = self.write_spots("tin.tif")
        inks = ("cyan", "magenta", "yellow", "black", "pantone-185-c", "wei")
        job = ("mezzotint: 1\njob: tin\ndefaults:\n  halftone: {method: threshold}\n"
               "  output: {compression: none}\n  extra_channels: inks\n%spages: [tin.tif]\n")
        for polarity in ("ink", "paper"):
            result = self.run_program("run", "--json", "--verify",
                                      self.manifest(job % f"  spot_polarity: {polarity}\n"))
            sheet = [line for line in map(json.loads, result.stdout.splitlines())
                     if line["type"] == "sheet"][0]
            self.assertEqual([plate["ink"] for plate in sheet["plates"]],
                             [*inks[:4], "PANTONE 185 C", "Wei\u00df"])
            self.assertFalse(sheet.get("already_done"), polarity)
            for c, ink in enumerate(inks):
                path = self.folder / f"plates/tin_{ink}.tif"
                falls = polarity == "paper" and c > 3
                expected = [int((255 - v if falls else v) > 127) for v in channels[c]]
                self.assertEqual(self.plate_bits(path, size), expected, f"{ink}, {polarity}")
                self.assertIn(f"; spots={polarity}".encode(), path.read_bytes())
            self.assertEqual(len(list((self.folder / "plates").iterdir())), 6)
        self.run_program("halftone", "--extra-channels", "inks", "--spot-polarity", "paper",
                         "tin.tif", "out/a.tif")
        self.assertEqual({path.name for path in (self.folder / "out").iterdir()},
                         {f"a_{ink}.tif" for ink in inks})

    def test_channels_that_are_no_spots_are_refused_by_name(self):
        def refusal(*words):
            result = self.run_program("halftone", *words, "tin.tif", "out/{ink}.tif", status=65)
            self.assertFalse((self.folder / "out").exists())
            return result.stderr

        as_inks = ("--extra-channels", "inks")
        with_polarity = (*as_inks, "--spot-polarity", "ink")
        self.write_spots("tin.tif")
        self.assertIn("(PANTONE 185 C, Wei\u00df)", refusal())
        self.assertIn("has spot colours (PANTONE 185 C, Wei\u00df), and the file does not say whether",
                      refusal(*as_inks))
        self.write_spots("tin.tif", kinds=(2, 0), names=("gold", "cut-out"))
        self.assertIn("alpha channels beside its inks (cut-out)", refusal(*with_polarity))
        self.write_tiff("tin.tif", 6, 5, (0, 0))
        self.assertIn("the file does not say that they are spot colours", refusal(*with_polarity))
        self.write_tiff("tin.tif", 4, 2, (0,))
        self.assertIn("1 channel beside its colours", refusal(*with_polarity))

    def test_a_picture_in_colours_among_separations_is_a_warning(self):
        self.synth("inks.tif", 30, 20, "--colour", "cmyk")
        self.synth("rgb.tif", 30, 20, "--colour", "rgb")
        job = self.manifest("mezzotint: 1\njob: cups\npages: [inks.tif, rgb.tif]\n")
        alone = self.manifest("mezzotint: 1\njob: mono\npages: [rgb.tif]\n", "alone.yaml")
        warning = "rgb.tif: its colours become one grey plate"
        result = self.run_program("run", "--report", "report", job)
        self.assertIn("; 1 warning\n", result.stdout)
        self.assertIn(warning, result.stderr)
        self.assertIn("All 2 sheets are good, with 1 warning",
                      (self.folder / "report/report.html").read_text())
        sheets = json.loads((self.folder / "report/report.json").read_text())["sheets"]
        self.assertEqual([len(sheet.get("warnings", [])) for sheet in sheets], [0, 1])
        self.assertIn(warning, self.run_program("run", "-q", job).stderr)
        self.assertIn("    warning: its colours", self.run_program("check", job).stdout)
        result = self.run_program("run", "-q", alone)
        self.assertEqual(result.stdout + result.stderr, "")

    def test_alpha_over_grey_is_no_channel_of_its_own(self):
        self.write_tiff("grey.tif", 2, 1, (2,))
        self.run_program("halftone", "grey.tif", "plate.tif")


class Data(Pages):
    def test_a_large_strip_must_have_the_checksum_that_it_says(self):
        good = zlib.compress(bytes(x % 251 for x in range(2400)) * 2400)
        bad = good[:-1] + bytes([good[-1] ^ 1])
        for data, status in ((good, 0), (bad, 65), (good[:-4], 65), (good + b"tail", 0)):
            self.write_tiff("page.tif", 1, 1, size=(2400, 2400), compression=8, data=data)
            result = self.run_program("halftone", "-q", "page.tif", "p.tif", status=status)
            self.assertEqual("Deflate data is damaged" in result.stderr, status != 0)

    def test_the_window_of_a_decoder_is_part_of_the_memory(self):
        def frame(window_log):
            blocks = b"".join(struct.pack("<I", (left <= 131072) | 2 | min(left, 131072) << 3)[:3]
                              + b"\x80" for left in range(16_000_000, 0, -131072))
            return b"\x28\xb5\x2f\xfd\x00" + bytes([window_log - 10 << 3]) + blocks
        for window_log, status in ((20, 0), (27, 65)):
            self.write_tiff("page.tif", 1, 1, size=(4000, 4000), compression=50000,
                            data=frame(window_log))
            result = self.run_program("halftone", "-q", "--memory", "64MiB", "page.tif", "p.tif",
                                      status=status)
            self.assertEqual("memory, the limit is 64 MiB" in result.stderr, status != 0)
        self.run_program("halftone", "-q", "--memory", "384MiB", "page.tif", "p.tif")

    def test_progressive_jpeg_is_refused_by_name(self):
        frame = b"\xff\xd8\xff\xe0\0\x04ab\xff\xc2\0\x0b\x08\0\x04\0\x08\x01\x01\x11\0"
        self.write_tiff("page.tif", 1, 1, compression=7, data=frame + 40 * b"\0")
        result = self.run_program("halftone", "page.tif", "p.tif", status=65)
        self.assertIn("progressive JPEG is not supported", result.stderr)

    def test_proofs_of_plates_with_absurd_resolutions_are_refused(self):
        self.synth("page.tif")
        self.run_program("halftone", "page.tif", "plate.tif")
        plate = bytearray((self.folder / "plate.tif").read_bytes())
        directory, = struct.unpack_from("<I", plate, 4)
        entries = (directory + 2 + 12 * i for i in range(plate[directory]))
        place = {struct.unpack_from("<H", plate, entry)[0]: struct.unpack_from("<I", plate, entry + 8)[0]
                 for entry in entries}
        for tag, fraction in ((282, (1, 4294967295)), (283, (300, 540765793)), (282, (4000000, 1))):
            changed = bytearray(plate)
            struct.pack_into("<II", changed, place[tag], *fraction)
            (self.folder / "odd.tif").write_bytes(changed)
            for proof in ("proof.png", "proof.tif"):
                self.assertIn("10 to 10000 dpi", self.run_program(
                    "proof", "odd.tif", "-o", proof, status=65).stderr)


if __name__ == "__main__":
    unittest.main()
