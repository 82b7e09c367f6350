#!/usr/bin/env python3
"""Takes the power from a disk at any moment, and lets the program go on with what it has left.

`run`, `watch` and the commands of a cluster work on file systems in a throw-away kernel, which
records every write to the disk. Then disks are made as a cut may leave them: what was flushed is
there, of other writes some, in any order, with sectors torn off. At once after a mount no plate
under its name is half, and what was said is true. After the same command again all plates are
right, no page is lost, and none that was done is made again.

  power_cut.py PROGRAM [--count CUTS]     500 by hand
"""

import itertools
import pathlib
import shutil
import subprocess

import guest
from ordeal import Ordeal, Skip
from power_judges import JUDGES
from recorded_disk import LAYOUTS, PATH, SYSTEMS, RecordedDisk
from small_disk import own_mounts

# {name: (scene, pattern of the paths, word of the marks after which it shows)} of syncs that the
# program needs; a folder's path ends with a slash.
LOST_SYNCS = {
    "plate": ("run", "*/plates/.*.part", ""),
    "folder": ("run", "*/plates/", "sheet"),
    "journal": ("run", "*/journals/*", ""),
    "history": ("watch", "*/watch.db*", ""),
    "record": ("watch", "*/record.new", ""),
    "reason": ("watch", "*/error.new", "failed"),
    "page": ("watch", "*/.work/*/files/*.tif", "done"),
    "try": ("watch", "*/.work/*[0-9a-f]/", "try"),
    "unit": ("cluster", "*.ndjson", ""),
}
SABOTAGES = {"lose": "a plate is removed after the program went on",
             **{f"no_{name}": f"syncs of {pattern} do nothing" for name, (_, pattern, _)
                in LOST_SYNCS.items()}}
CUTS_A_RECORDING = 20
LIBRARY = "tests/ordeals/liblost_sync.so"  # from the folder of the build


def recordings(ordeal):
    """(scene, system, layout) of each recording: every scene, and all there is with many cuts."""
    options = ordeal.options
    scenes = options.scenes.split(",")
    if lost_sync(ordeal):
        scenes = [LOST_SYNCS[lost_sync(ordeal)][0]]
    systems = [name for name in options.systems.split(",") if SYSTEMS[name].is_here()]
    if not systems:
        raise Skip(f"no mkfs for {options.systems}")
    places = list(itertools.product(systems, options.layouts.split(",")))
    ordeal.random.shuffle(places)
    number = max(len(scenes), options.count // CUTS_A_RECORDING)
    return [(scenes[i % len(scenes)], *places[i // len(scenes) % len(places)])
            for i in range(number)]


def require(ordeal):
    """What it takes: a guest, and mounts of image files."""
    guest.require()
    for program in ("dmsetup", "losetup", "mount"):
        if shutil.which(program, path=PATH) is None:
            raise Skip(f"{program} is missing")
    own_mounts()
    # In memory, as images are written and synced all the time.
    images = ordeal.scratch / "images"
    images.mkdir()
    for words in (["mount", "--make-rprivate", "/"], ["losetup", "--find"],
                  ["mount", "-t", "tmpfs", "images", str(images)]):
        result = subprocess.run(words, capture_output=True, text=True, check=False,
                                env={"PATH": PATH})
        if result.returncode != 0:
            raise Skip(f"{' '.join(words)}: {result.stderr.strip()}")


def lost_sync(ordeal):
    """The sync that the program loses, where that is the sabotage."""
    prefix, _, name = (ordeal.options.sabotage or "").partition("_")
    return name if prefix == "no" else ""


def environment(ordeal):
    """Of the program in the guest."""
    pattern = ordeal.options.lose
    if lost_sync(ordeal) and ordeal.sabotage(ordeal.options.sabotage):
        pattern = LOST_SYNCS[lost_sync(ordeal)][1]
    if not pattern:
        return {}
    library = ordeal.options.library or ordeal.program.parents[1] / LIBRARY
    if not library.is_file():
        raise SystemExit(f"{library} is missing")
    return {"LD_PRELOAD": str(library.resolve()), "LOST_SYNC": pattern}


def hold(ordeal):
    require(ordeal)
    count = ordeal.options.count
    planned = recordings(ordeal)
    ordeal.figures.update(recordings=0, cuts=0, bad=0, lost=0, twice=0)
    ordeal.figures["systems"] = "+".join(sorted({system for _, system, _ in planned}))
    judges = {scene: JUDGES[scene](ordeal) for scene in sorted({scene for scene, _, _ in planned})}
    for number, (scene, system, layout) in enumerate(planned):
        share = count * (number + 1) // len(planned) - count * number // len(planned)
        disk = RecordedDisk(ordeal, system, layout)
        with disk.mounted(disk.base) as folder:
            judges[scene].prepare(folder)
        disk.record(scene, environment=environment(ordeal))
        ordeal.count("recordings")
        word = LOST_SYNCS[lost_sync(ordeal)][2] if lost_sync(ordeal) else ""
        for cut, marks, image in disk.after_cuts(share, word):
            ordeal.count("cuts")
            before = ordeal.violations
            with disk.mounted(image) as folder:
                judges[scene].judge(f"{scene}, {disk.name}, cut {cut}", marks, folder)
            if ordeal.options.sabotage and ordeal.violations > before:
                return


if __name__ == "__main__":
    ordeal = Ordeal(__doc__, SABOTAGES, [
        ("--count", {"type": int, "default": 6, "help": "cuts"}),
        ("--scenes", {"default": ",".join(JUDGES)}),
        ("--systems", {"default": ",".join(SYSTEMS)}),
        ("--layouts", {"default": ",".join(LAYOUTS)}),
        ("--lose", {"metavar": "PATTERN", "help": "syncs of paths that fit do nothing"}),
        ("--library", {"type": pathlib.Path, "help": "made of lost_sync.cpp"})])
    ordeal.hold(hold)
