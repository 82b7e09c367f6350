"""A step wedge of one ink made without the program: a contone TIFF, and its description."""
import numpy

from cgats import Cgats

STEPS = (0, 1, 2, 3, 4, 5, 7, 10, 13, 16, 20, 25, 30, 35, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76, 80, 84, 88, 91,
         94, 96, 98, 99, 100)


def make(folder, name, ink="cyan", steps=STEPS, repeats=4, dpi=2400, side_mm=6, seed=5, header=None):
    """Writes NAME.tif, 16 bits, its largest sample full ink, and NAME.cgats; patches lie scattered."""
    from reference import write_tiff  # of tests/kernels/quality
    side = round(side_mm / 25.4 * dpi)
    places = numpy.random.default_rng(seed).permutation(len(steps) * repeats)
    across = 2 * repeats
    rows = -(-len(places) // across)
    page = numpy.zeros((rows * side, across * side), numpy.uint16)
    table = []
    for number, place in enumerate(places):
        step = steps[number // repeats]
        y, x = divmod(int(place), across)
        page[y * side:(y + 1) * side, x * side:(x + 1) * side] = round(655.35 * step)
        mm = 25.4 * side / dpi
        table.append({"SAMPLE_ID": f"P{place + 1}", "SAMPLE_NAME": f"{chr(65 + x)}{y + 1}", "INK": ink,
                      "NOMINAL": f"{step:g}", "X_MM": f"{(x + 0.5) * mm:.4f}", "Y_MM": f"{(y + 0.5) * mm:.4f}"})
    write_tiff(folder / f"{name}.tif", page, max_is_ink=True, dpi=dpi)
    keywords = {"ORIGINATOR": "a test", "INKS": ink, "DPI": dpi, **(header or {})}
    (folder / f"{name}.cgats").write_text(Cgats(keywords, list(table[0]), table).text(), encoding="utf-8")
    return folder / f"{name}.tif", folder / f"{name}.cgats"
