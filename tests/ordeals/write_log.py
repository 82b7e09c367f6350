"""The log of dm-log-writes, and disks as a loss of power may leave them.

The log has the writes to a disk in the order in which they became sure: those that a flush made
sure, then the flush. Its marks say when something was promised outside of the disk.

A disk that loses power keeps all writes before the last flush, all that were forced (FUA), and of
those that lay in its cache any, in part or whole: sectors are torn from writes, but for those that
a file system expects to be written together.
"""

import dataclasses
import os
import struct
import subprocess

SECTOR = 512
MAGIC = 0x6A736677736872
FLUSH, FORCED, DISCARD, MARK = 1, 2, 4, 8
MANNERS = ("none", "first", "some", "most", "torn")


@dataclasses.dataclass
class Entry:
    sector: int
    count: int  # of sectors
    flags: int
    at: int  # its data in the log
    mark: str = ""


@dataclasses.dataclass
class Cut:
    """The power is lost when the flush that ends the group would, or when one of its forced writes
    has, made it sure.

    Without a manner, what lies in the cache is lost, and forced writes before `until` are there.
    """

    first: int  # entry of the group
    until: int  # entry that ends it
    manner: str = ""

    def __str__(self):
        return f"{self.until}{', ' if self.manner else ''}{self.manner}"


class WriteLog:
    def __init__(self, path):
        self.path = path
        with open(path, "rb") as file:
            self.entries = list(read_entries(file))
        self.flushes = [i for i, entry in enumerate(self.entries) if entry.flags & FLUSH]

    def place(self, mark):
        """The entry that is the mark."""
        return next(i for i, entry in enumerate(self.entries) if entry.mark == mark)

    def marks(self, cut):
        """What was promised before the cut."""
        return {entry.mark for entry in self.entries[:cut.until] if entry.mark}

    def cuts(self, draw, count, word=""):
        """So many between the marks `begin` and `end`, in order: half of them soon after a mark.

        With a word, all are soon after a mark that begins with it.
        """
        begin, end = self.place("begin"), self.place("end")
        flushes = [flush for flush in self.flushes if begin < flush < end]
        said = [i for i in range(begin, flushes[-1])
                if self.entries[i].mark and self.entries[i].mark.startswith(word)]
        cuts = []
        for _ in range(count):
            mark = draw.choice(said)
            soon = next(flush for flush in flushes if flush > mark)
            flush = soon if word or draw.random() < 0.5 else draw.choice(flushes)
            cuts.append(self.draw_cut(draw, flush))
        return sorted(cuts, key=lambda cut: (cut.first, cut.until))

    def draw_cut(self, draw, flush):
        before = [other for other in self.flushes if other < flush]
        first = before[-1] + 1 if before else 0
        forced = [i for i in range(first, flush) if self.entries[i].flags & FORCED]
        if forced and draw.random() < 0.3:
            return Cut(first, draw.choice(forced) + draw.randint(0, 1))
        return Cut(first, flush, draw.choice(MANNERS))


def read_entries(file):
    magic, version, count, size = struct.unpack("<QQQI", file.read(28))
    if magic != MAGIC or version != 1:
        raise SystemExit(f"{file.name}: not the log of dm-log-writes")
    at = size
    for _ in range(count):
        file.seek(at)
        sector, number, flags, length = struct.unpack("<QQQQ", file.read(32))
        mark = file.read(length).rstrip(b"\0").decode() if flags & MARK else ""
        at += size
        yield Entry(sector * size // SECTOR, number * size // SECTOR, flags, at, mark)
        if not flags & DISCARD:
            at += number * size


class CutDisks:
    """Images of a disk after cuts, which are asked for in order. Each range of sectors in `together`
    is written whole or not at all."""

    def __init__(self, log, base, draw, together):
        self.log = log
        self.draw = draw
        self.together = together
        self.sure = base.with_name("sure.img")
        self.image = base.with_name("cut.img")
        copy_sparse(base, self.sure)
        self.done = 0  # entries that are in `sure`

    def make(self, cut):
        """The image of the disk after the cut."""
        with open(self.log.path, "rb") as log, open(self.sure, "r+b") as sure:
            for entry in self.log.entries[self.done:cut.first]:
                write(log, sure, entry)
        self.done = cut.first
        copy_sparse(self.sure, self.image)
        with open(self.log.path, "rb") as log, open(self.image, "r+b") as image:
            for entry, sectors in self.kept(cut):
                write(log, image, entry, sectors)
        return self.image

    def kept(self, cut):
        """Writes of the cut's group, and the sectors of them that are there; None: all."""
        group = self.log.entries[cut.first:cut.until]
        cached = [entry for entry in group if entry.count and not entry.flags & FORCED]
        length = self.draw.randint(0, len(cached))
        for entry in group:
            if entry.flags & FORCED:
                yield entry, None
            elif entry.count and cut.manner == "first":
                if cached.index(entry) < length:
                    yield entry, None
            elif entry.count and self.draw.random() < {"some": 0.5, "most": 0.9,
                                                       "torn": 0.8}.get(cut.manner, 0):
                yield entry, self.torn(entry) if cut.manner == "torn" else None

    def torn(self, entry):
        sectors = range(entry.count)
        if self.draw.random() < 0.5:
            kept = set(sectors[:self.draw.randint(0, entry.count)])
        else:
            kept = {sector for sector in sectors if self.draw.random() < 0.5}
        for unit in self.together:
            inside = {sector - entry.sector for sector in unit}
            if not inside <= kept:
                kept -= inside
        return sorted(kept)


def write(log, image, entry, sectors=None):
    if entry.flags & MARK or not entry.count:
        return
    log.seek(entry.at)
    data = bytes(entry.count * SECTOR) if entry.flags & DISCARD else log.read(entry.count * SECTOR)
    if sectors is None:
        os.pwrite(image.fileno(), data, entry.sector * SECTOR)
        return
    for sector in sectors:
        os.pwrite(image.fileno(), data[sector * SECTOR:(sector + 1) * SECTOR],
                  (entry.sector + sector) * SECTOR)


def copy_sparse(source, target):
    subprocess.run(["cp", "--sparse=always", str(source), str(target)], check=True)
