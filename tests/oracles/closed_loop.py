#!/usr/bin/python3
"""Wedge, press, curve, wedge: the loop closed by NumPy and SciPy alone, to judge the press and the figures.

usage: closed_loop.py MEZZOTINT [--seeds N] [--targets linear,tvi:12]

A wedge of 33 steps, four repeats, is screened with 175 lpi at 2400 dpi, printed on the simulated press
and measured with noise; a monotone fit gives a curve, and a second wedge is screened through that. The
tones that it prints must be within 1 % of the target, 0.35 % in the RMS. Then each mistake in measuring
must leave a file that differs.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "kernels/quality"))
import mistakes
import plain_wedge
import press_model
import simulated_press
import wedge_description
from cgats import Cgats
from oracle_base import numpy
from scipy.interpolate import PchipInterpolator
from true_tone import target_of, tones

HERE = pathlib.Path(__file__).resolve().parent
MOST, MOST_RMS = 1.0, 0.35


def rising(values):
    """The nearest rising sequence: pools of neighbours that fall."""
    pools = []
    for value in values:
        pools.append([value, 1])
        while len(pools) > 1 and pools[-2][0] >= pools[-1][0]:
            value, count = pools.pop()
            last = pools[-1]
            last[0] = (last[0] * last[1] + value * count) / (last[1] + count)
            last[1] += count
    return [value for value, count in pools for _ in range(count)]


def dot_areas(description, measured, ink):
    """[(nominal, dot area)] by Murray and Davies, of the means of the repeats."""
    _, patches = wedge_description.read(description)
    nominal = {patch.id: patch.nominal for patch in patches}
    field = "D_" + press_model.main_filter(ink)
    found = {}
    for row in Cgats.read(measured).rows:
        found.setdefault(nominal[row["SAMPLE_ID"]], []).append(float(row[field]))
    reflectance = {step: 10 ** -numpy.mean(values) for step, values in found.items()}
    paper, solid = reflectance[0], reflectance[100]
    return [(step, (paper - reflectance[step]) / (paper - solid)) for step in sorted(reflectance)]


def curve(pairs, target):
    """Points of a curve that prints the target, in percent."""
    steps, areas = zip(*pairs)
    areas = rising(areas)
    kept = [i for i, area in enumerate(areas) if i == 0 or area > areas[i - 1] + 1e-6]
    inverse = PchipInterpolator([areas[i] for i in kept], [steps[i] for i in kept])
    grid = numpy.arange(0, 100.5, 1)
    wanted = numpy.clip([target(g / 100) for g in grid], areas[0], areas[-1])
    points = numpy.maximum.accumulate(numpy.clip(inverse(wanted), 0, 100))
    points[0], points[-1] = 0, 100
    return ",".join(f"{g:g}%:{p:.4f}%" for g, p in zip(grid, points))


def halftone(program, page, plate, *options):
    subprocess.run([program, "halftone", "-q", "--method", "am", "--ruling", "175", "--compression", "none",
                    "--existing", "replace", *options, page, plate], check=True)


def errors_of(description, plate, press, target):
    _, patches = wedge_description.read(description)
    areas = simulated_press.printed_areas(patches, simulated_press.plates_of([str(plate)], patches), press)
    steps, = tones(patches, areas, press, "density").values()
    return numpy.array([printed - 100 * target(nominal / 100) for nominal, printed in steps])


def loop(program, folder, seed, target):
    page, description = plain_wedge.make(folder, "wedge", seed=seed)
    press = press_model.Press()
    plate, measured = folder / "wedge_plate.tif", folder / "measured.txt"
    halftone(program, page, plate)
    subprocess.run([sys.executable, HERE / "simulated_press.py", description, plate, "--out", measured,
                    "--seed", str(seed)], check=True)
    before = errors_of(description, plate, press, target_of("linear"))
    points = curve(dot_areas(description, measured, "cyan"), target)
    halftone(program, page, plate, "--curve", points)
    return before, errors_of(description, plate, press, target)


def check_mistakes(program, folder):
    """Each leaves a file of its own; returns the number of those that do not."""
    page, description = plain_wedge.make(folder, "small", side_mm=2.5, header={"PRESS": "XL 106", "SCREEN": "a0"})
    halftone(program, page, folder / "small_plate.tif")
    _, patches = wedge_description.read(description)
    press = press_model.Press()
    areas = simulated_press.printed_areas(
        patches, simulated_press.plates_of([str(folder / "small_plate.tif")], patches), press, 2)
    header = {"INKS": "cyan", "DPI": "2400", "PRESS": "XL 106", "SCREEN": "a0"}
    measured = simulated_press.measure(patches, areas, press, 0.003, 1)
    wrong = 0
    for kind in ("density", "xyz", "lab", "spectral", "area", "csv-density"):
        texts = {}
        for name in (None, *mistakes.NAMES):
            readings = [dict(reading) for reading in measured]  # a mistake changes them
            text = simulated_press.measured_text(kind, readings, header, name)
            csv = kind in ("area", "csv-density")
            without = csv and name in (*mistakes.HEADERS, "unknown-id", "double-id", "swapped-columns", "low-solid")
            if text in texts and not without:
                wrong += 1
                print(f"wrong: {kind}, {name}: as {texts[text]}")
            texts[text] = name
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--targets", default="linear")
    words = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        for seed in range(1, words.seeds + 1):
            for word in words.targets.split(","):
                before, after = loop(words.program, folder, seed, target_of(word))
                largest, rms = numpy.abs(after).max(), float(numpy.sqrt((after ** 2).mean()))
                print(f"seed {seed}, {word}: gain of up to {before.max():.1f} %; with the curve max {largest:.2f}, "
                      f"rms {rms:.2f}")
                wrong += largest > MOST or rms > MOST_RMS or not 15 < before.max() < 20
        wrong += check_mistakes(words.program, folder)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
