"""The CGATS file beside a wedge: its patches, and what it was made for."""
from collections import namedtuple

from cgats import Cgats

# x and y of the centre in mm from the upper left corner of the plate; nominal in percent.
Patch = namedtuple("Patch", "id name ink nominal x y")
PROCESS = {"CMYK_C": "cyan", "CMYK_M": "magenta", "CMYK_Y": "yellow", "CMYK_K": "black"}


def inks_of(row):
    """(ink, nominal) of a row: INK and NOMINAL, or the one of CMYK_* that is not 0."""
    if "INK" in row and "NOMINAL" in row:
        return row["INK"], float(row["NOMINAL"])
    found = [(ink, float(row[field])) for field, ink in PROCESS.items() if field in row]
    printed = [pair for pair in found if pair[1]]
    if len(printed) > 1:
        raise SystemExit(f"{row['SAMPLE_ID']}: patches of several inks are not measured here")
    return (printed or found)[0]


def read(path):
    """The file, and its patches in its order."""
    table = Cgats.read(path)
    lost = [field for field in ("SAMPLE_ID", "X_MM", "Y_MM") if field not in table.fields]
    if lost:
        raise SystemExit(f"{path}: no field {', '.join(lost)} among {' '.join(table.fields)}")
    patches = [Patch(row["SAMPLE_ID"], row.get("SAMPLE_NAME", row["SAMPLE_ID"]), *inks_of(row),
                     float(row["X_MM"]), float(row["Y_MM"])) for row in table.rows]
    if len({patch.id for patch in patches}) != len(patches):
        raise SystemExit(f"{path}: a SAMPLE_ID stands twice")
    return table, patches
