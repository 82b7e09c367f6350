"""The oracles of tables of colours and of the ink limit, against plain Python."""
import itertools
import unittest
from fractions import Fraction

import colour_table
import ink_limit
from oracle_base import SOLID, numpy


class Table(unittest.TestCase):
    lot = numpy.random.default_rng(21)

    def test_plain_python_agrees(self):
        for inputs, grid in ((1, 7), (2, 5), (3, 4), (4, 3), (5, 3), (6, 2)):
            nodes = self.lot.integers(0, SOLID + 1, (grid ** inputs, 3))
            samples = self.lot.integers(0, 65536, (inputs, 200)).astype(numpy.uint16)
            samples[:, :2] = 0, 65535
            found = colour_table.interpolate(nodes, grid, samples)
            for at in range(samples.shape[1]):
                want = self.one(nodes, grid, [int(v) for v in samples[:, at]])
                self.assertEqual(want, [int(v) for v in found[:, at]])

    @staticmethod
    def one(nodes, grid, values):
        """The same by sorted pairs and whole coordinates."""
        places = [((v + (v >> 15)) * (grid - 1)) >> 2 for v in values]
        corner = [p >> 14 for p in places]
        walk = sorted(((p & 16383, axis) for axis, p in enumerate(places)), reverse=True)
        fractions = [16384, *[f for f, _ in walk], 0]
        total = [8192] * nodes.shape[1]
        for step in range(len(values) + 1):
            at = 0
            for c in corner:
                at = at * grid + min(c, grid - 1)
            total = [t + (fractions[step] - fractions[step + 1]) * int(n) for t, n in zip(total, nodes[at])]
            if step < len(values):
                corner[walk[step][1]] += 1
        return [t >> 14 for t in total]

    def test_nodes_are_exact_and_planes_are_kept(self):
        grid = 5
        axes = [numpy.arange(grid)] * 3
        nodes = numpy.array([(r * 8160, g * 8160, (r + g + b) * 2720)
                             for r, g, b in itertools.product(*axes)])
        eights = numpy.array([[0, 255, 0, 255], [0, 0, 255, 255], [0, 255, 255, 255]], numpy.uint8)
        self.assertEqual(colour_table.interpolate(nodes, grid, eights).tolist(),
                         [[0, SOLID, 0, SOLID], [0, 0, SOLID, SOLID], [0, 21760, 21760, SOLID]])
        samples = self.lot.integers(0, 65536, (3, 5000)).astype(numpy.uint16)
        found = colour_table.interpolate(nodes, grid, samples)
        want = samples.astype(float) / 65535 * SOLID
        self.assertLess(numpy.abs(found[:2] - want[:2]).max(), 2)
        self.assertLess(numpy.abs(found[2] - want.mean(axis=0)).max(), 2)

    def test_rules_of_black(self):
        nodes = numpy.full((81, 4), 777)
        curve = numpy.array([0, 1000, SOLID])
        cmyk = numpy.array([[0, 0, 0, 1], [0, 0, 0, 0], [0, 0, 0, 0], [0, 65535, 32768, 65535]], numpy.uint16)
        found = colour_table.convert(nodes, 3, cmyk, "only-black", 3, curve)
        self.assertEqual(found.T.tolist()[:2], [[0, 0, 0, 0], [0, 0, 0, SOLID]])
        self.assertEqual(found[3, 2], round(1000 + (SOLID - 1000) * 2 / 65536))
        self.assertEqual(found[:, 3].tolist(), [777] * 4)
        rgb = numpy.array([[0, 0, 9, 255], [0, 1, 9, 255], [0, 0, 9, 255]], numpy.uint8)
        nodes = nodes[:27]
        self.assertEqual(colour_table.convert(nodes, 3, rgb, "black-point", 3).T.tolist(),
                         [[0, 0, 0, SOLID]] + [[777] * 4] * 3)
        falling = colour_table.convert(nodes, 3, rgb, "neutrals", 3, numpy.array([SOLID, 0])).T.tolist()
        self.assertEqual(falling[0], [0, 0, 0, SOLID])
        self.assertEqual(falling[1], [777] * 4)
        self.assertEqual(falling[2][:3], [0, 0, 0])
        self.assertAlmostEqual(falling[2][3], SOLID * (1 - 9 / 255), delta=1)
        self.assertEqual(falling[3], [0, 0, 0, 0])


class Limit(unittest.TestCase):
    def test_definition_in_rationals(self):
        lot = numpy.random.default_rng(3)
        planes = lot.integers(0, SOLID + 1, (5, 3000))
        planes[:, 0] = SOLID
        planes[:3, 1] = 0
        for percent, count_all in (("300", False), ("300", True), ("90", False), ("240.5", True)):
            most = ink_limit.limit_of(percent)
            self.assertEqual(most, int(Fraction(percent) / 100 * SOLID))
            found = ink_limit.limit(planes, most, count_all=count_all)
            for pixel, got in zip(planes.T.tolist(), found.T.tolist()):
                spot, colours = pixel[4] if count_all else 0, sum(pixel[:3])
                over = colours + pixel[3] + spot > most
                black = min(pixel[3], most) if over else pixel[3]
                fixed = black + spot
                share = Fraction(max(0, most - fixed), colours) if over and colours else 1
                self.assertEqual(got, [int(v * share) for v in pixel[:3]] + [black, pixel[4]])
                if fixed <= most:
                    self.assertLessEqual(sum(got[:3]) + fixed, most)


if __name__ == "__main__":
    unittest.main()
