"""The reader of CIP3 PPF, on a file that is right and on many that are not."""
import unittest

import ppf_reader
from oracle_base import numpy


class Ppf(unittest.TestCase):
    WIDTH, HEIGHT = 60, 40
    images = numpy.random.default_rng(8).integers(0, 256, (2, HEIGHT, WIDTH), dtype=numpy.uint8)

    def text(self, matrix="[60 0 0 -40 0 40]"):
        """A file of two separations."""
        lines = ["%!PS-Adobe-3.0", "%%CIP3-File Version 2.1", "CIP3BeginSheet",
                 "/CIP3AdmJobName (Tea \\(250 g\\) \\344) def", "/CIP3AdmPSExtent [85.04 56.69] def",
                 "/CIP3TransferFilmCurveData [0.0 0.0 1.0 1.0] def", "CIP3BeginFront",
                 "/CIP3AdmSeparationNames [(Cyan) (PANTONE 185 C)] def", "CIP3BeginPreviewImage"]
        for image in self.images:
            lines += ["CIP3BeginSeparation", "/CIP3PreviewImageWidth 60 def", "/CIP3PreviewImageHeight 40 def",
                      "/CIP3PreviewImageBitsPerComp 8 def", "/CIP3PreviewImageComponents 1 def",
                      f"/CIP3PreviewImageMatrix {matrix} def", "/CIP3PreviewImageResolution [50.8 50.8] def",
                      "/CIP3PreviewImageEncoding /ASCIIHexDecode def",
                      "/CIP3PreviewImageCompression /None def", "CIP3PreviewImage",
                      *[row.tobytes().hex() for row in image], ">", "CIP3EndSeparation"]
        return "\n".join([*lines, "CIP3EndPreviewImage", "CIP3EndFront", "CIP3EndSheet", "%%CIP3EndOfFile", ""])

    def read(self, text):
        return ppf_reader.Reader(text.encode("latin-1")).read()

    def test_reads_what_was_written(self):
        found = self.read(self.text())
        self.assertEqual(found["keys"]["CIP3AdmJobName"], "Tea (250 g) \xe4")
        self.assertEqual([s["name"] for s in found["sides"]["Front"]], ["Cyan", "PANTONE 185 C"])
        for want, separation in zip(self.images, found["sides"]["Front"]):
            self.assertTrue((separation["image"] == want).all())
        turned = self.read(self.text("[-60 0 0 40 60 0]"))["sides"]["Front"][0]["image"]
        self.assertTrue((turned == self.images[0][::-1, ::-1]).all())

    def test_refuses_what_is_broken(self):
        whole = self.text()
        for old, new, why in (("%!PS-Adobe-3.0", "%!PS", "first line"), ("Version 2.1", "Version 9", "second line"),
                              ("CIP3EndFront\n", "", "ends within"), ("CIP3EndSheet\n", "", "ends within"),
                              (">", "", "no '>'"), ("\n>", "00>", "samples"), ("\n>", "0>", "odd number"),
                              (" (PANTONE 185 C)", "", "the names"), ("(PANTONE 185 C)", "(Cyan)", "twice"),
                              ("/CIP3PreviewImageMatrix [60 0 0 -40 0 40] def", "", "no CIP3PreviewImageMatrix"),
                              ("[60 0 0 -40 0 40]", "[40 0 0 -60 0 60]", "matrix"),
                              ("Width 60", "Width 61", "differ|samples|matrix"), ("Width 60", "Width 60.5", "not int"),
                              ("BitsPerComp 8", "BitsPerComp 1", "8 bits"), ("[50.8 50.8]", "[50.8]", "matrix has"),
                              ("[50.8 50.8]", "[0 50.8]", "above 0"), ("/None", "(None", "no end"),
                              ("CIP3BeginPreviewImage\n", "", "belongs into"), ("%%CIP3EndOfFile", "", "last line"),
                              ("/CIP3AdmJobName", "CIP3AdmJobName", "unknown word"), (" def", "", "must follow")):
            broken = whole.replace(old, new, 1)
            self.assertNotEqual(broken, whole)
            with self.assertRaisesRegex(ppf_reader.Wrong, why, msg=old):
                self.read(broken)
        for end in range(0, len(whole) - 2, 97):
            with self.assertRaises((ppf_reader.Wrong, IndexError)):
                self.read(whole[:end])

    def test_zones(self):
        ink = numpy.zeros((10, 100))
        ink[:, :50] = 40
        self.assertEqual(ppf_reader.zones(ink, 1, 2, 50.0), [40, 0])
        self.assertEqual([round(z, 9) for z in ppf_reader.zones(ink, 2, 4, 12.5, 0.0)], [40, 40, 0, 0])
        self.assertEqual([round(z, 9) for z in ppf_reader.zones(ink, 1, 3, 40.0)], [30, 20, 0])
        self.assertEqual([round(z, 9) for z in ppf_reader.zones(ink, 1, 1, 110.0, 5.0)],
                         [round(45 * 40 / 110, 9)])


if __name__ == "__main__":
    unittest.main()
