"""The mistakes that are made in measuring: each changes readings, header or text of a measurement."""
import re

from oracle_base import numpy

# By name, what is wrong with the measurement.
NAMES = {
    "no-paper": "the patches of 0 % are not measured",
    "no-solid": "the patches of 100 % are not measured",
    "low-solid": "the solid is 0.2 D over paper, and tints are in proportion",
    "step-back": "the patches of a step are 3 % of dot lighter than those of the step before",
    "tvi-high": "a tint of 50 % prints as 97 %",
    "tvi-low": "a tint of 50 % prints as 30 %",
    "few-steps": "8 steps are measured",
    "spread": "one repeat of each of three steps is 5 % of dot darker than the others",
    "light-solid": "the solids and the patches of 76 % are exchanged",
    "reversed": "the wedge lay upside down: readings stand in falling order",
    "swapped-columns": "the columns of two filters are exchanged",
    "other-ink": "the header names another ink",
    "other-screen": "the header names another screen",
    "other-dpi": "the header names another resolution",
    "other-press": "the header names another press",
    "other-paper": "the header names another paper",
    "decimal-commas": "numbers have a comma",
    "unknown-id": "a SAMPLE_ID that the wedge does not have",
    "double-id": "a SAMPLE_ID stands twice",
    "lost-row": "a row has one value less",
    "no-number": "a value is no number",
    "infinite": "a value is infinite",
    "cut-off": "the file ends within its data",
    "no-data": "there is a header, and no data",
    "no-fields": "DATA_FORMAT is missing",
    "not-cgats": "the file is a page in HTML",
    "steep": "nothing prints between 20 and 45 %, all of it between 45 and 50 %: a slope beyond 4",
    "far": "a tint of 20 % prints as 58 %: a curve that moves tones by more than 30 points",
}
# The beginning of a keyword, and its value.
HEADERS = {"other-ink": ("INK", "PANTONE 999 C"), "other-screen": ("SCREEN", "am ruling=150 angle=15"),
           "other-dpi": ("DPI", "1270"), "other-press": ("PRESS", "SM 52, paper"),
           "other-paper": ("PAPER", "newsprint")}
EIGHT = (0, 10, 25, 40, 52, 76, 91, 100)


def nominals(readings):
    return sorted({reading["nominal"] for reading in readings})


def nearest(readings, nominal):
    return min(nominals(readings), key=lambda step: abs(step - nominal))


def mean(readings, step):
    """The mean spectrum of a step, of the first ink."""
    return numpy.mean([r["spectrum"] for r in readings
                       if r["nominal"] == step and r["ink"] == readings[0]["ink"]], axis=0)


def ends(readings):
    """Paper and solid."""
    steps = nominals(readings)
    return mean(readings, steps[0]), mean(readings, steps[-1])


def curve_of(points):
    xs, ys = zip(*points)
    return lambda nominal: float(numpy.interp(nominal, xs, ys)) / 100


CURVES = {
    "tvi-high": [(0, 0), (50, 97), (100, 100)],
    "tvi-low": [(0, 0), (50, 30), (100, 100)],
    "steep": [(0, 0), (20, 25), (45, 27), (50, 70), (100, 100)],
    "far": [(0, 0), (20, 58), (50, 82), (100, 100)],
}


def readings(name, all_readings, header):
    """The readings, with spectra, and the header that the mistake leaves."""
    steps = nominals(all_readings)
    if name in HEADERS:
        begin, value = HEADERS[name]
        key = next((key for key in header if key.upper().startswith(begin)), begin)
        return all_readings, {**header, key: value}
    if name in ("no-paper", "no-solid", "few-steps"):
        left = {"no-paper": steps[1:], "no-solid": steps[:-1],
                "few-steps": [nearest(all_readings, step) for step in EIGHT]}[name]
        return [r for r in all_readings if r["nominal"] in left], header
    paper, solid = ends(all_readings)
    if name in CURVES:
        for r in all_readings:
            share = curve_of(CURVES[name])(r["nominal"])
            r["spectrum"] = paper + share * (solid - paper) if 0 < r["nominal"] < 100 else r["spectrum"]
    elif name == "low-solid":
        for r in all_readings:
            r["spectrum"] = paper * (r["spectrum"] / paper) ** 0.13
    elif name == "step-back":
        value = mean(all_readings, nearest(all_readings, 60)) - 0.03 * (solid - paper)
        for r in all_readings:
            r["spectrum"] = value if r["nominal"] == nearest(all_readings, 64) else r["spectrum"]
    elif name == "spread":
        for step in (30, 52, 72):
            one = next(r for r in all_readings if r["nominal"] == nearest(all_readings, step))
            one["spectrum"] = mean(all_readings, one["nominal"]) + 0.05 * (solid - paper)
    elif name == "light-solid":
        exchange(all_readings, steps[-1], nearest(all_readings, 76))
    elif name == "reversed":
        spectra = [r["spectrum"] for r in sorted(all_readings, key=lambda r: -r["nominal"])]
        for r, turned in zip(sorted(all_readings, key=lambda r: r["nominal"]), spectra):
            r["spectrum"] = turned
    elif name == "unknown-id":
        all_readings[3]["id"] = "Z99"
    elif name == "double-id":
        all_readings[4]["id"] = all_readings[3]["id"]
    return all_readings, header


def exchange(all_readings, one, other):
    first, second = mean(all_readings, one), mean(all_readings, other)
    for r in all_readings:
        if r["nominal"] in (one, other):
            r["spectrum"] = second if r["nominal"] == one else first


def columns(name, all_readings):
    """Values under the names of other columns."""
    fields = list(all_readings[0]["values"])
    if name == "swapped-columns" and len(fields) > 2:
        for r in all_readings:
            r["values"][fields[0]], r["values"][fields[2]] = r["values"][fields[2]], r["values"][fields[0]]


def text(name, whole):
    """The text that the mistake leaves."""
    lines = whole.split("\n")
    data = next((i + 1 for i, line in enumerate(lines) if line.startswith("BEGIN_DATA") and "FORMAT" not in line), 1)
    if name == "decimal-commas":
        lines[data:] = [re.sub(r"(\d)\.(\d)", r"\1,\2", line) for line in lines[data:]]
    elif name == "lost-row":
        lines[data + 5] = re.sub(r"[\t,][^\t,]*$", "", lines[data + 5])
    elif name in ("no-number", "infinite"):
        lines[data + 5] = re.sub(r"([\t,])[^\t,]*$", r"\1" + ("??" if name == "no-number" else "inf"), lines[data + 5])
    elif name == "cut-off":
        return "\n".join(lines[:data + 9])[:-4]
    elif name == "no-data":
        return "\n".join(lines[:data - 1]) + "\n"
    elif name == "no-fields":
        begin = next((i for i, line in enumerate(lines) if line == "BEGIN_DATA_FORMAT"), 0)
        del lines[begin:begin + (3 if begin else 1)]
    elif name == "not-cgats":
        return "<!DOCTYPE html>\n<html><body>Measurement 4711</body></html>\n"
    return "\n".join(lines)
