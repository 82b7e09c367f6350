"""A disk with file systems, whose writes are recorded in a throw-away kernel by dm-log-writes, and
which is mounted here as a loss of power may have left it."""

import contextlib
import dataclasses
import json
import pathlib
import shutil
import subprocess

import guest
from ordeal import PATIENCE
from ordeal import Skip
from write_log import SECTOR, CutDisks, WriteLog

MIB = 1 << 20
PATH = "/usr/sbin:/usr/bin:/sbin:/bin"
LOG_MIB = 1024  # sparse


@dataclasses.dataclass
class System:
    """A kind of file system."""

    make: list  # words; the file comes last
    mib: int
    options: str = ""  # of each mount
    together: range = range(0)  # sectors that it expects a disk to write together

    def is_here(self):
        return shutil.which(self.make[0], path=PATH) is not None


# A mount reads it before the journal, and refuses one whose checksum is wrong.
EXT4_SUPERBLOCK = range(1024 // SECTOR, 2048 // SECTOR)
SYSTEMS = {
    "ext4": System(["mkfs.ext4", "-q", "-F", "-b", "4096", "-J", "size=4", "-E",
                    "lazy_itable_init=0,nodiscard"], 64, together=EXT4_SUPERBLOCK),
    # Data of files that are not synced are not written before the names of these files.
    "ext4-writeback": System(["mkfs.ext4", "-q", "-F", "-b", "4096", "-J", "size=4", "-E",
                              "lazy_itable_init=0,nodiscard"], 64,
                             "data=writeback,noauto_da_alloc,commit=1", EXT4_SUPERBLOCK),
    "xfs": System(["mkfs.xfs", "-q", "-f", "-K"], 300, "nouuid"),
    "btrfs": System(["mkfs.btrfs", "-q", "-f", "-K", "-m", "single"], 128),
}

# Folders below the disk's, each a file system of its own, in the order in which they are mounted.
LAYOUTS = {"together": ["."], "apart": ["state", "work", "work/plates"]}


class RecordedDisk:
    """Its file systems are mounted at `folder`, in the guest and here."""

    def __init__(self, ordeal, system, layout):
        self.ordeal = ordeal
        self.name = f"{system}, {layout}"
        self.type = system.partition("-")[0]
        self.system = SYSTEMS[system]
        self.parts = LAYOUTS[layout]
        self.folder = ordeal.scratch / "disk"
        self.images = ordeal.scratch / "images"
        for image in self.images.iterdir():
            image.unlink()
        self.folder.mkdir(exist_ok=True)
        self.base = self.images / "base.img"
        self.log = self.images / "log.img"
        self.make()

    def make(self):
        size = self.system.mib
        make_file(self.log, LOG_MIB)
        make_file(self.base, size * len(self.parts))
        part = self.images / "part.img"
        for number in range(len(self.parts)):
            make_file(part, size)
            run([*self.system.make, part])
            run(["dd", f"if={part}", f"of={self.base}", "bs=1M", f"seek={number * size}",
                 "conv=notrunc,sparse", "status=none"])
            part.unlink()

    @contextlib.contextmanager
    def mounted(self, image):
        """The file systems of an image, in their places."""
        with contextlib.ExitStack() as stack:
            for number, part in enumerate(self.parts):
                place = self.folder / part
                place.mkdir(parents=True, exist_ok=True)
                size = self.system.mib * MIB
                options = [f"loop,offset={number * size},sizelimit={size}", self.system.options]
                run(["mount", "-t", self.type, "-o", ",".join(filter(None, options)), image, place])
                stack.callback(run, ["umount", place])
            yield self.folder

    def record(self, scene, **settings):
        """Plays a scene of power_scenes.py on the disk, in the guest."""
        plan = self.ordeal.scratch / "plan.json"
        plan.write_text(json.dumps({
            "folder": str(self.folder), "program": str(self.ordeal.program), "type": self.type,
            "options": self.system.options, "parts": self.parts,
            "sectors": self.system.mib * MIB // SECTOR, **settings}), encoding="utf-8")
        script = pathlib.Path(__file__).with_name("power_scenes.py")
        disk = self.images / "disk.img"
        run(["cp", "--sparse=always", self.base, disk])
        status, output = guest.run(self.ordeal, ["/usr/bin/python3", script, scene, plan],
                                   [disk, self.log], ["dm-log-writes"], timeout=PATIENCE)
        if status != 0:
            raise SystemExit(f"{scene} on {self.name}: status {status} in the guest\n{output}")
        return output

    def after_cuts(self, count, word=""):
        """(cut, marks before it, image) of so many cuts; see WriteLog.cuts()."""
        log = WriteLog(self.log)
        size, unit = self.system.mib * MIB // SECTOR, self.system.together
        together = [range(part * size + unit.start, part * size + unit.stop)
                    for part in range(len(self.parts))]
        disks = CutDisks(log, self.base, self.ordeal.random, together)
        for cut in log.cuts(self.ordeal.random, count, word):
            yield cut, log.marks(cut), disks.make(cut)


def make_file(path, mib):
    with open(path, "wb") as file:
        file.truncate(mib * MIB)


def run(words):
    result = subprocess.run([str(word) for word in words], capture_output=True, text=True,
                            check=False, env={"PATH": PATH})
    if result.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, words))}: {result.stderr.strip()}")
