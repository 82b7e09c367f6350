#!/usr/bin/python3
"""Prints the plates of a wedge on a press of arithmetic, and measures the patches.

usage: simulated_press.py DESCRIPTION [INK=]PLATE... --out FILE [--as KIND] [--seed N] [--noise D]
                          [--aperture MM] [--n N] [--spread UM] [--level L] [--mirror] [--wrong MISTAKE]
       simulated_press.py --list

DESCRIPTION  the CGATS file beside the wedge: SAMPLE_ID, SAMPLE_NAME, INK and NOMINAL, X_MM and Y_MM of centres
PLATE        a bilevel TIFF, of the ink before the =, or of the one ink of the wedge
KIND         density (default), xyz, lab, spectral: CGATS with the SAMPLE_IDs of the wedge;
             area, csv-density: lines of `ink,nominal,area`, as a reader of plates writes them, or density
--noise      of each reading, in density; default 0.003
--wrong      measures with a mistake; --list names them

press_model.py says how the press prints. The same seed gives the same noise, patch by patch.
"""
import argparse
import sys
import zlib

import mistakes
import press_model
import wedge_description
from cgats import Cgats
from oracle_base import numpy

FILTERS = ("RED", "GREEN", "BLUE", "VIS")


def printed_areas(patches, plates, press, aperture=4.8):
    """Physical dot area of each patch, by its ID, seen through so many mm; one plate is open at a time."""
    areas = {}
    for ink in dict.fromkeys(patch.ink for patch in patches):
        plate = plates[ink]()
        dpi = plate.dpi
        for patch in (p for p in patches if p.ink == ink):
            left, top, side = (round(mm / 25.4 * dpi) for mm in (
                patch.x - aperture / 2, patch.y - aperture / 2, aperture))
            areas[patch.id] = press.area(plate.bits(left, top, side, side), dpi)
    return areas


def plates_of(words, patches, mirrored=False):
    """Functions that open the plate of an ink, by its name in the wedge."""
    inks = list(dict.fromkeys(patch.ink for patch in patches))
    found = {}
    for word in words:
        name, equals, path = word.rpartition("=")
        if not equals:
            if len(inks) > 1:
                raise SystemExit(f"{word}: the wedge has {', '.join(inks)}; write INK=PLATE")
            name = inks[0]
        known = next((ink for ink in inks if ink.lower() == name.lower()), None)
        if known is None:
            raise SystemExit(f"{name}: the wedge has {', '.join(inks)}")
        found[known] = lambda path=path: press_model.Plate(path, mirrored)
    lost = [ink for ink in inks if ink not in found]
    if lost:
        raise SystemExit(f"no plate of {', '.join(lost)}")
    return found


def noisy(spectrum, noise, lot):
    """The spectrum that an instrument reads: an error of the whole, and a smaller one of each band."""
    error = lot.normal(0, noise) + lot.normal(0, noise / 4, spectrum.shape)
    return spectrum * 10 ** -error


def values_of(kind, spectrum):
    """Fields and what they hold; paper is not taken off."""
    if kind == "xyz":
        return dict(zip(("XYZ_X", "XYZ_Y", "XYZ_Z"), 100 * press_model.xyz(spectrum)))
    if kind == "lab":
        return dict(zip(("LAB_L", "LAB_A", "LAB_B"), press_model.lab(press_model.xyz(spectrum))))
    if kind == "spectral":
        return {f"SPECTRAL_NM{nm}": value for nm, value in zip(press_model.WAVELENGTHS, spectrum)}
    found = press_model.densities(spectrum)
    return {f"D_{name}": found[name] for name in FILTERS}


def as_area(readings):
    """Dot areas in percent, by Murray and Davies, in place of densities."""
    for ink in dict.fromkeys(reading["ink"] for reading in readings):
        field = "D_" + press_model.main_filter(ink)
        own = [reading for reading in readings if reading["ink"] == ink]

        # The lightest and the darkest step, wherever they stand.
        steps = [numpy.mean([10 ** -r["values"][field] for r in own if r["nominal"] == step])
                 for step in {r["nominal"] for r in own}]
        paper, solid = max(steps), min(steps)
        for reading in own:
            reading["values"] = {"value": 100 * (paper - 10 ** -reading["values"][field]) / (paper - solid)}


def measure(patches, areas, press, noise, seed):
    """A spectrum a patch, in the order of the wedge."""
    found = []
    for patch in patches:
        lot = numpy.random.default_rng([seed, zlib.crc32(patch.id.encode())])
        found.append({"id": patch.id, "name": patch.name, "ink": patch.ink, "nominal": patch.nominal,
                      "spectrum": noisy(press.spectrum(patch.ink, areas[patch.id]), noise, lot)})
    return found


def measured_text(kind, readings, header, mistake=None):
    """The file of the readings, with a mistake or without."""
    if mistake:
        readings, header = mistakes.readings(mistake, readings, header)
    for reading in readings:
        reading["values"] = values_of(kind, reading["spectrum"])
    if kind == "area":
        as_area(readings)
    elif kind == "csv-density":
        for reading in readings:
            reading["values"] = {"value": reading["values"]["D_" + press_model.main_filter(reading["ink"])]}
    if not mistake:
        return text_of(kind, readings, header)
    mistakes.columns(mistake, readings)
    return mistakes.text(mistake, text_of(kind, readings, header))


def header_of(description):
    """What a measurement keeps of the wedge's keywords."""
    return {key: value for key, value in description.keywords.items()
            if key.upper().startswith(("PRESS", "INK", "SCREEN", "DPI", "PAPER", "CURVES"))}


def text_of(kind, readings, header):
    digits = 6 if kind == "spectral" else 4
    if kind in ("area", "csv-density"):
        lines = [f"{r['ink']},{r['nominal']:g},{r['values']['value']:.{digits}f}\n" for r in readings]
        return "".join([f"ink,nominal,{'area' if kind == 'area' else 'density'}\n", *lines])
    fields = ["SAMPLE_ID", "SAMPLE_NAME", *readings[0]["values"]]
    rows = [{"SAMPLE_ID": r["id"], "SAMPLE_NAME": r["name"],
             **{field: f"{value:.{digits}f}" for field, value in r["values"].items()}} for r in readings]
    return Cgats({"ORIGINATOR": "a simulated press", "INSTRUMENTATION": "arithmetic", **header}, fields, rows).text()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("description", nargs="?")
    parser.add_argument("plates", nargs="*")
    parser.add_argument("--out")
    parser.add_argument("--as", dest="kind", default="density",
                        choices=("density", "xyz", "lab", "spectral", "area", "csv-density"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--noise", type=float, default=0.003)
    parser.add_argument("--aperture", type=float, default=4.8)
    parser.add_argument("--n", type=float, default=1.7)
    parser.add_argument("--spread", type=float, default=7.0)
    parser.add_argument("--level", type=float, default=0.42)
    parser.add_argument("--mirror", action="store_true")
    parser.add_argument("--wrong", choices=mistakes.NAMES)
    words = parser.parse_args()
    if words.list:
        print("".join(f"{name:18} {what}\n" for name, what in mistakes.NAMES.items()), end="")
        return 0
    if not (words.description and words.plates and words.out):
        parser.error("a description, plates and --out are needed")
    table, patches = wedge_description.read(words.description)
    press = press_model.Press(words.n, words.spread, words.level)
    areas = printed_areas(patches, plates_of(words.plates, patches, words.mirror), press, words.aperture)
    readings = measure(patches, areas, press, words.noise, words.seed)
    text = measured_text(words.kind, readings, header_of(table), words.wrong)
    with open(words.out, "w", encoding="utf-8") as file:
        file.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
