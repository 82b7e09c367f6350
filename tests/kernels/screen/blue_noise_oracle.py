#!/usr/bin/env python3
"""Compares masks of blue noise with a second void and cluster, straight from its definition.

usage: blue_noise_oracle.py PROGRAM

`PROGRAM SIDE SEED` writes the ranks of a mask. Here every step adds a whole torus of energies and
searches all of it, and the Gaussian is computed anew. Then the spectrum of tints of the usual mask,
and the correlation of the tints of two masks, are held to what is promised of them.
"""
import math
import subprocess
import sys

try:
    import numpy
except ImportError as missing:
    print(f"skipped: {missing}; install python3-numpy")
    sys.exit(77)

SIDES = (1, 2, 3, 5, 7, 12, 13, 15, 16, 17, 31, 32, 33, 48, 64)
SEEDS = (0, 1, 4294967295)
WORD = 0xFFFFFFFF


# The definition -------------------------------------------------------------------------------

def mix_bits(value):
    value = (value ^ value >> 16) * 0x85EBCA6B & WORD
    value = (value ^ value >> 13) * 0xC2B2AE35 & WORD
    return value ^ value >> 16


def pixel_noise(seed, y, x):
    word = mix_bits(seed + 0x9E3779B9 & WORD)  # of plane 0
    word = mix_bits(word + 0x9E3779B9 & WORD) ^ y
    return mix_bits(mix_bits(word + 0x9E3779B9 & WORD) ^ x)


def energy_of_a_pixel(side, scale):
    """What a set pixel at (0, 0) gives to every pixel of the torus."""
    energy = numpy.zeros((side, side), dtype=numpy.int64)
    for y in range(side):
        for x in range(side):
            dy, dx = min(y, side - y), min(x, side - x)
            squared = (dy ** 2 + dx ** 2) // scale ** 2
            if max(dy, dx) <= 6 * scale and squared <= 36:
                energy[y, x] = round(2 ** 24 * math.exp(-squared / (2 * 1.5 ** 2)))
    return energy


class Pattern:
    def __init__(self, side, scale=1, pixels=()):
        self.side = side
        self.set = numpy.zeros((side, side), dtype=bool)
        self.energy = numpy.zeros((side, side), dtype=numpy.int64)
        self.of_a_pixel = energy_of_a_pixel(side, scale)
        for pixel in pixels:
            self.change(pixel, 1)

    def change(self, pixel, sign):
        y, x = divmod(int(pixel), self.side)
        self.set[y, x] = sign > 0
        self.energy += sign * numpy.roll(self.of_a_pixel, (y, x), (0, 1))

    def tightest_cluster(self):
        return numpy.argmax(numpy.where(self.set, self.energy, -1))

    def largest_void(self):
        return numpy.argmin(numpy.where(self.set, 2 ** 62, self.energy))


def prototype(side, seed):
    """A tenth of the pixels, spread."""
    thrown = sorted(range(side * side), key=lambda p: (pixel_noise(seed, p // side, p % side), p))
    pattern = Pattern(side, 1, thrown[:max(side * side // 10, 1)])
    while True:
        origin = pattern.tightest_cluster()
        pattern.change(origin, -1)
        void = pattern.largest_void()
        if pattern.energy.flat[void] >= pattern.energy.flat[origin]:
            pattern.change(origin, 1)
            return pattern
        pattern.change(void, 1)


def thinned(side, pixels):
    order, scale = [], 1
    while len(pixels) > 0:
        pattern = Pattern(side, scale, pixels)
        while pattern.set.sum() > side * side // (16 * scale ** 2):
            order.append(pattern.tightest_cluster())
            pattern.change(order[-1], -1)
        pixels = numpy.flatnonzero(pattern.set)
        scale *= 2
    return order


def expected_ranks(side, seed):
    pattern = prototype(side, seed)
    dots = numpy.flatnonzero(pattern.set)
    order = thinned(side, dots)[::-1]
    while len(order) < side * side - len(dots):
        order.append(pattern.largest_void())
        pattern.change(order[-1], 1)
    order += thinned(side, numpy.flatnonzero(~pattern.set))
    ranks = numpy.zeros(side * side, dtype=numpy.uint32)
    ranks[order] = range(side * side)
    return ranks


# The checks -----------------------------------------------------------------------------------

def mask(program, side, seed):
    found = subprocess.run([program, str(side), str(seed)], check=True, capture_output=True)
    return numpy.frombuffer(found.stdout, dtype=numpy.uint32)


def compare_ranks(program):
    failures = 0
    for side in SIDES:
        for seed in SEEDS if side <= 33 else SEEDS[1:2]:
            differing = numpy.count_nonzero(mask(program, side, seed) != expected_ranks(side, seed))
            if differing:
                failures += 1
                print(f"side {side}, seed {seed}: {differing} of {side * side} ranks differ")
    return failures


def energy_below(ranks, side, tint, part):
    """The mean power below so much of the principal frequency, over that of white noise."""
    ink = (ranks.reshape(side, side) < tint * side * side).astype(float)
    power = numpy.abs(numpy.fft.fft2(ink - ink.mean())) ** 2 / ink.size
    frequency = numpy.fft.fftfreq(side)
    radius = numpy.hypot(frequency[:, None], frequency[None, :])
    principal = math.sqrt(min(tint, 1 - tint))  # cycles a pixel: a dot a square of its own
    low = (radius > 0) & (radius < principal * part)
    return power[low].mean() / (ink.mean() * (1 - ink.mean()))


def check_spectra(program, side=256):
    """Void and cluster leaves little grain that is coarser than four dots, at any tint."""
    failures = 0
    ranks = mask(program, side, 1)
    light = (0.0025, 0.004, 0.008, 0.0125, 0.02, 0.03, 0.05, 0.07, 0.1, 0.2, 0.3, 0.4)
    for tint in (*light, 0.5, *(1 - tint for tint in reversed(light))):
        quarter, half = (energy_below(ranks, side, tint, part) for part in (0.25, 0.5))
        verdict = "" if quarter < 0.07 else "  TOO MUCH"
        failures += bool(verdict)
        print(f"tint {tint:6.2%}: {quarter:5.2%} of white below a quarter of the principal frequency, "
              f"{half:6.2%} below half{verdict}")
    return failures


def check_correlation(program, side=256):
    """Of the masks of two seeds, at every shift against each other."""
    first, second = (numpy.fft.fft2(2 * (mask(program, side, seed).reshape(side, side) + 0.5)
                                    / side ** 2 - 1) for seed in (1, 2))
    variance = 1 / 3
    found = numpy.fft.ifft2(first * second.conj()).real / side ** 2 / variance
    largest = numpy.abs(found).max()
    print(f"correlation of two masks: {abs(found[0, 0]):.4f} in place, {largest:.4f} at the worst "
          "shift")
    return int(abs(found[0, 0]) >= 0.02)


def main():
    program = sys.argv[1]
    failures = compare_ranks(program) + check_spectra(program) + check_correlation(program)
    print(f"{failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
