"""The CGATS file beside a wedge: its patches, and what it was made for."""
from collections import namedtuple

from cgats import Cgats

# left, top, width and height in mm from the upper left corner of the plate; nominal in percent.
Patch = namedtuple("Patch", "id name ink nominal left top width height")
PLACES = {  # a field of each group
    "left": ("X_MM", "LEFT_MM", "X", "LEFT", "POS_X", "POSITION_X"),
    "top": ("Y_MM", "TOP_MM", "Y", "TOP", "POS_Y", "POSITION_Y"),
    "width": ("WIDTH_MM", "W_MM", "WIDTH"),
    "height": ("HEIGHT_MM", "H_MM", "HEIGHT"),
}
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
    places = {side: table.column(*names) for side, names in PLACES.items()}
    lost = [side for side, field in places.items() if field is None]
    if lost or "SAMPLE_ID" not in table.fields:
        raise SystemExit(f"{path}: no field for {', '.join(lost) or 'SAMPLE_ID'} among {' '.join(table.fields)}")
    patches = [Patch(row["SAMPLE_ID"], row.get("SAMPLE_NAME", row["SAMPLE_ID"]), *inks_of(row),
                     *(float(row[places[side]]) for side in PLACES)) for row in table.rows]
    if len({patch.id for patch in patches}) != len(patches):
        raise SystemExit(f"{path}: a SAMPLE_ID stands twice")
    return table, patches
