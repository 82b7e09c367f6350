#!/usr/bin/python3
"""The tones that plates print on the simulated press, without noise: what a closed loop is judged by.

usage: true_tone.py DESCRIPTION [INK=]PLATE... [--target T] [--by B] [--max P] [--rms P] [--json]
                    [--aperture MM] [--n N] [--spread UM] [--level L] [--mirror]

For each nominal step of the wedge: the dot area that a perfect instrument reads on its patches, the
target and the error, in percent of dot. Ends with 1 where the largest error is beyond --max, or the RMS
beyond --rms.

T  linear (default), or tvi:P, a + 4 P a (1 - a), P as in 16 for 16 %
B  density (default; Murray and Davies), xyz (that which changes most), y, l, sctv, or physical
"""
import argparse
import json
import sys

import press_model
import simulated_press
import wedge_description
from oracle_base import numpy


def target_of(word):
    """A function of the nominal dot, 0..1."""
    if word == "linear":
        return lambda a: a
    kind, _, percent = word.partition(":")
    if kind != "tvi":
        raise SystemExit(f"{word}: linear or tvi:P")
    gain = float(percent.rstrip("%")) / 100
    return lambda a: a + 4 * gain * a * (1 - a)


def tones(patches, areas, press, by):
    """{ink: [(nominal, printed)]}, both in percent; repeats are averaged."""
    found = {}
    for ink in dict.fromkeys(patch.ink for patch in patches):
        steps = sorted({patch.nominal for patch in patches if patch.ink == ink})
        found[ink] = [(step, 100 * press_model.tone(press, ink, float(numpy.mean(
            [areas[p.id] for p in patches if p.ink == ink and p.nominal == step])), by)) for step in steps]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("description")
    parser.add_argument("plates", nargs="+")
    parser.add_argument("--target", default="linear")
    parser.add_argument("--by", default="density")
    parser.add_argument("--max", type=float, default=float("inf"))
    parser.add_argument("--rms", type=float, default=float("inf"))
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--aperture", type=float, default=4.8)
    parser.add_argument("--n", type=float, default=1.7)
    parser.add_argument("--spread", type=float, default=7.0)
    parser.add_argument("--level", type=float, default=0.42)
    parser.add_argument("--mirror", action="store_true")
    words = parser.parse_args()
    _, patches = wedge_description.read(words.description)
    press = press_model.Press(words.n, words.spread, words.level)
    areas = simulated_press.printed_areas(
        patches, simulated_press.plates_of(words.plates, patches, words.mirror), press, words.aperture)
    target = target_of(words.target)
    status = 0
    for ink, steps in tones(patches, areas, press, words.by).items():
        errors = [printed - 100 * target(nominal / 100) for nominal, printed in steps]
        largest = max(errors, key=abs)
        rms = float(numpy.sqrt(numpy.mean(numpy.square(errors))))
        at = steps[errors.index(largest)][0]
        if abs(largest) > words.max or rms > words.rms:
            status = 1
        if words.json:
            print(json.dumps({"ink": ink, "max": largest, "at": at, "rms": rms,
                              "steps": [[n, round(p, 4), round(e, 4)] for (n, p), e in zip(steps, errors)]}))
            continue
        for (nominal, printed), error in zip(steps, errors):
            print(f"{ink:10} {nominal:7.2f} {printed:8.3f} {error:+8.3f}")
        print(f"{ink}: max {largest:+.3f} at {at:g}, rms {rms:.3f}")
    return status


if __name__ == "__main__":
    sys.exit(main())
