"""The oracle of proof colours, against what can be worked out without it."""
import unittest

import neugebauer
from oracle_base import numpy


class Neugebauer(unittest.TestCase):
    INKS = [{"name": "Cyan", "lab": [55, -37, -50]}, {"name": "Magenta", "lab": [48, 74, -3]}]

    def press(self, **more):
        return neugebauer.Press({"paper": [95, 0, -2], "inks": self.INKS, **more})

    def test_ends_are_what_was_measured(self):
        press = self.press(overprints=[{"inks": ["Magenta", "cyan"], "lab": [24, 17, -46]}])
        for areas, lab in (((0, 0), [95, 0, -2]), ((1, 0), [55, -37, -50]), ((0, 1), [48, 74, -3]),
                           ((1, 1), [24, 17, -46])):
            self.assertLess(numpy.abs(neugebauer.to_lab(press.xyz(areas)) - lab).max(), 1e-9)
        self.assertLess(numpy.abs(neugebauer.to_lab(press.shown((0, 0), True)) - [100, 0, 0]).max(), 1e-9)

    def test_without_overprints_each_ink_multiplies(self):
        press = self.press(n=1.7)
        paper, cyan, magenta = (neugebauer.to_xyz(lab) for lab in ([95, 0, -2], *[i["lab"] for i in self.INKS]))
        for a, b in ((0.3, 0.7), (1, 0.5), (0, 0.2)):
            want = paper
            for area, solid in ((a, cyan), (b, magenta)):
                want = want * (1 - area + area * (solid / paper) ** (1 / 1.7)) ** 1.7
            self.assertLess(numpy.abs(press.xyz((a, b)) - want).max(), 1e-12)

    def test_conversions_turn_back(self):
        for lab in ([50, 20, -30], [5, 1, 1], [97, -2, 3]):
            xyz = neugebauer.to_xyz(lab)
            self.assertLess(numpy.abs(neugebauer.to_lab(xyz) - lab).max(), 1e-9)
            self.assertLess(numpy.abs(neugebauer.from_srgb(neugebauer.to_srgb(xyz)) - xyz).max(), 1e-5)
        self.assertLess(numpy.abs(neugebauer.to_srgb(neugebauer.WHITE) - 255).max(), 0.1)


if __name__ == "__main__":
    unittest.main()
