"""The pages that are dropped into the hot folder of power_cut.py, for the guest and the judge."""

from numbered_pages import page
from watching import HotFolder

# What a customer and a plate-setter do, in this order; `number` is that of the page.
# - page: is dropped. damaged: likewise, cut short. chained: with a ticket and line work.
# - again: a page that is done is dropped once more, and not to be printed.
# - taken: the plate of a page that is done leaves the folder.
# - killed: the watcher and its worker, as soon as that has begun with the page.
DROPS = [
    {"kind": "page", "name": "a.tif", "number": 1},
    {"kind": "page", "name": "b.tif", "number": 2, "synced": False},
    {"kind": "damaged", "name": "c.tif", "number": 3},
    {"kind": "chained", "name": "d.tif", "number": 4, "pause": 0.5},
    {"kind": "page", "name": "e.tif", "number": 5},
    {"kind": "taken", "name": "a.tif", "after": "a.tif"},
    {"kind": "page", "name": "f.tif", "number": 6, "synced": False, "pause": 0.3},
    {"kind": "again", "name": "e.tif", "number": 5, "after": "e.tif", "pause": 0.3},
    {"kind": "page", "name": "h.tif", "number": 8},
    {"kind": "page", "name": "i.tif", "number": 9, "pause": 0.5},
    {"kind": "damaged", "name": "j.tif", "number": 10},
    {"kind": "again", "name": "i.tif", "number": 9, "after": "i.tif"},
    {"kind": "taken", "name": "h.tif", "after": "h.tif"},
    {"kind": "page", "name": "l.tif", "number": 12},
    {"kind": "killed", "name": "l.tif"},
]
PAGES = {drop["name"]: drop for drop in DROPS if "number" in drop and drop["kind"] != "again"}


class DroppedPages(HotFolder):
    """A hot folder of some size, in the folder `work` of the disk."""

    def __init__(self, path):
        # A ticket whose page was lost with the power waits as long as a set.
        super().__init__(path, size=(512, 256), existing="replace", chain_every=1,
                         separations="{inks: [cyan, magenta], wait: 20 s}")

    def make(self):
        if not (self.path / "folder.yaml").exists():
            super().make()

    def files_of(self, drop):
        """{name: bytes} of what is dropped; a ticket comes first."""
        name, number = drop["name"], drop["number"]
        if drop["kind"] == "chained":
            return self.files_of_chained(number, name)
        data = page(number, *self.size)
        return {name: data[:len(data) // 2] if drop["kind"] == "damaged" else data}


def is_synced(drop):
    return drop.get("synced", True)
