"""The mistakes that are made in measuring: each changes readings, header or text of a measurement."""
import re

from oracle_base import numpy

# By name, what is wrong with the measurement.
NAMES = {
    "no-paper": "the patches of 0 % are not measured",
    "no-solid": "the patches of 100 % are not measured",
    "low-solid": "the solid is 0.2 D over paper, and tints in proportion",
    "step-back": "the patches of a step are 3 % of dot lighter than those of the step before",
    "tvi-high": "a tint of 50 % prints as 97 %",
    "tvi-low": "a tint of 50 % prints as 30 %",
    "few-steps": "8 steps are measured",
    "spread": "one repeat of each of three steps is 5 % of dot darker than the others",
    "light-solid": "the solids read lighter than the patches of 96 %: exchanged",
    "reversed": "the wedge lay upside down: readings stand in falling order",
    "swapped-columns": "the columns of two filters are exchanged",
    "other-ink": "the header names another ink",
    "other-screen": "the header names another screen",
    "other-dpi": "the header names another resolution",
    "other-press": "the header names another press",
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
HEADERS = {"other-ink": (("INK", "INKS"), "PANTONE 999 C"), "other-screen": (("SCREEN",), "0123456789abcdef"),
           "other-dpi": (("DPI",), "1270"), "other-press": (("PRESS",), "SM 52, paper")}
EIGHT = (0, 10, 25, 40, 52, 76, 91, 100)


def nominals(readings):
    return sorted({reading["nominal"] for reading in readings})


def nearest(readings, nominal):
    return min(nominals(readings), key=lambda step: abs(step - nominal))


def means(readings, step):
    """The mean values of a step, of the first ink."""
    own = [r["values"] for r in readings if r["nominal"] == step and r["ink"] == readings[0]["ink"]]
    return {field: numpy.mean([values[field] for values in own]) for field in own[0]}


def tinted(readings, share):
    """Values between those of paper and solid, as far on the way as `share`; straight in reflectance."""
    paper, solid = means(readings, nominals(readings)[0]), means(readings, nominals(readings)[-1])
    found = {}
    for field in paper:
        p, s = paper[field], solid[field]
        if field.startswith("D_"):
            found[field] = -numpy.log10((1 - share) * 10 ** -p + share * 10 ** -s)
        else:
            found[field] = (1 - share) * p + share * s
    return found


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
    """The readings and header that the mistake leaves."""
    steps = nominals(all_readings)
    if name in HEADERS:
        keys, value = HEADERS[name]
        key = next((key for key in header if key.upper() in keys), keys[0])
        return all_readings, {**header, key: value}
    if name in ("no-paper", "no-solid", "few-steps"):
        left = {"no-paper": steps[1:], "no-solid": steps[:-1],
                "few-steps": [nearest(all_readings, step) for step in EIGHT]}[name]
        return [r for r in all_readings if r["nominal"] in left], header
    if name in CURVES:
        for r in all_readings:
            r["values"] = tinted(all_readings, curve_of(CURVES[name])(r["nominal"])) if (
                0 < r["nominal"] < 100) else r["values"]
    elif name == "low-solid":
        paper, solid = means(all_readings, steps[0]), means(all_readings, steps[-1])
        for r in all_readings:
            r["values"] = {field: weaker(field, value, paper[field], solid[field])
                           for field, value in r["values"].items()}
    elif name == "step-back":
        lower, upper = nearest(all_readings, 60), nearest(all_readings, 64)
        value = mixed(all_readings, lower, -0.03)
        for r in all_readings:
            r["values"] = dict(value) if r["nominal"] == upper else r["values"]
    elif name == "spread":
        for step in (30, 52, 72):
            one = next(r for r in all_readings if r["nominal"] == nearest(all_readings, step))
            one["values"] = mixed(all_readings, one["nominal"], 0.05)
    elif name == "light-solid":
        exchange(all_readings, steps[-1], nearest(all_readings, 96))
    elif name == "reversed":
        values = [r["values"] for r in sorted(all_readings, key=lambda r: -r["nominal"])]
        for r, turned in zip(sorted(all_readings, key=lambda r: r["nominal"]), values):
            r["values"] = turned
    elif name == "swapped-columns" and len(all_readings[0]["values"]) > 2:
        fields = list(all_readings[0]["values"])
        for r in all_readings:
            r["values"][fields[0]], r["values"][fields[2]] = r["values"][fields[2]], r["values"][fields[0]]
    elif name == "unknown-id":
        all_readings[3]["id"] = "Z99"
    elif name == "double-id":
        all_readings[4]["id"] = all_readings[3]["id"]
    return all_readings, header


def weaker(field, value, paper, solid):
    """Over paper, a solid of 0.2 D in place of its own."""
    if field.startswith("D_") or (field == "value" and solid < 10):
        return paper + (value - paper) * min(1, 0.2 / max(0.01, solid - paper))
    return paper + (value - paper) * 0.15


def mixed(all_readings, step, more):
    """The mean of a step, moved by a share of the way from paper to solid, in reflectance."""
    own = means(all_readings, step)
    paper, solid = (means(all_readings, nominals(all_readings)[end]) for end in (0, -1))
    found = {}
    for field, value in own.items():
        p, s = paper[field], solid[field]
        if field.startswith("D_"):
            found[field] = -numpy.log10(10 ** -value + more * (10 ** -s - 10 ** -p))
        else:
            found[field] = value + more * (s - p)
    return found


def exchange(all_readings, one, other):
    first, second = means(all_readings, one), means(all_readings, other)
    for r in all_readings:
        if r["nominal"] in (one, other):
            r["values"] = dict(second if r["nominal"] == one else first)


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
