#!/usr/bin/env python3
"""Writes plates where two names may be one file, and where files can be neither linked nor swapped.

First to a folder that takes names for one which differ in case, in the form of Unicode, or in '-' and
'_' (folding_names.cpp, preloaded). Then to an exFAT disk by FUSE, where a hot folder makes its pages, too.
Of two plates of one name none is lost: the job is refused, or the first plate stays and the run says so.

  poor_disk.py PROGRAM [--library LIBRARY] [--disk exfat|none]

Status 77 where exFAT cannot be mounted by FUSE, after the part without it.
"""

import contextlib
import os
import pathlib
import shutil
import subprocess

from numbered_pages import THRESHOLD, UNCOMPRESSED, is_plate_of, page
from ordeal import Ordeal, Skip, require_good, run_to_end
from small_disk import own_mounts
from watching import HotFolder

LIBRARY = "tests/ordeals/libfolding_names.so"  # from the folder of the build
COMPOSED, DECOMPOSED = "Gr\u00fcn", "Gru\u0308n"
# Stems of two pages; those of the last pair are one file by the preloaded library alone.
PAIRS = [("Cover", "cover"), (COMPOSED, DECOMPOSED), (COMPOSED.upper(), DECOMPOSED), ("Wei\u00df", "WEISS")]
FOLDED_ONLY = ("a-b", "a_b")
SABOTAGES = {"lose": "a plate is removed after the last run",
             "alter": "the plate that stayed is overwritten",
             "silent": "the messages of the runs are dropped",
             "strand": "a page of the hot folder goes back from done/"}


def job_of(folder, stems, plates, existing="replace"):
    """A job of two pages, numbered 1 and 2, whose plates have these stems."""
    for number, stem in enumerate(stems, start=1):
        place = folder / str(number)
        place.mkdir(parents=True)
        (place / f"{stem}.tif").write_bytes(page(number))
    lines = ["mezzotint: 1", f"job: {folder.name}", "defaults:", f"  {THRESHOLD}",
             f'  output: {{path: "{plates}/{{stem}}.tif", {UNCOMPRESSED}, existing: {existing}}}', "pages:",
             *(f'- "{number}/{stem}.tif"' for number, stem in enumerate(stems, start=1))]
    (folder / "job.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder / "job.yaml"


def run(ordeal, manifest, preloaded=None):
    environment = dict(ordeal.environment)
    if preloaded:
        environment["LD_PRELOAD"] = str(preloaded)
    return run_to_end([ordeal.program, "run", manifest], environment, manifest.parent)


def plates_in(folder):
    return sorted(folder.iterdir()) if folder.is_dir() else []


def refused_or_told(ordeal, folder, stems, preloaded, what):
    """Runs the job three times: a plate that was made stays the one it is."""
    manifest = job_of(folder, stems, "folds")
    kept = None
    for attempt in range(3):
        result = run(ordeal, manifest, preloaded)
        said = "" if ordeal.sabotage("silent") else result.stderr + result.stdout
        ordeal.check(result.returncode not in (0, None), f"{what}: status {result.returncode}\n{said}")
        ordeal.check(all(f"{stem}.tif" in said for stem in stems), f"{what}: not both are named\n{said}")
        found = plates_in(folder / "folds")
        if found and attempt == 2 and ordeal.sabotage("lose"):
            found.pop().unlink()
        if found and attempt == 2 and ordeal.sabotage("alter"):
            found[0].write_bytes(b"altered")
        if not found:
            ordeal.check(kept is None, f"{what}: the plate that was made is gone")
            ordeal.count("refused", attempt == 0)
            continue
        which = [number for number in (1, 2) if is_plate_of(found[0], number)]
        ordeal.check(len(found) == 1 and len(which) == 1, f"{what}: {found} are no plate of a page")
        ordeal.check(kept in (None, which), f"{what}: the plate is of page {which} and was of {kept}")
        ordeal.count("told", attempt == 0)
        kept = which


def folding(ordeal):
    library = (ordeal.options.library or ordeal.program.parents[1] / LIBRARY).resolve()
    ordeal.check(library.is_file(), f"{library} is missing")
    for number, stems in enumerate([*PAIRS, FOLDED_ONLY]):
        refused_or_told(ordeal, ordeal.scratch / f"folding-{number}", stems, library, " and ".join(stems))
    ordeal.check(ordeal.figures.get("told") and ordeal.figures.get("refused"), "not both were seen")


@contextlib.contextmanager
def mounted(ordeal):
    """A folder on an exFAT disk by FUSE, as a loop device."""
    missing = [name for name in ("mkfs.exfat", "mount.exfat-fuse", "fusermount") if not shutil.which(name)]
    if missing or not os.access("/dev/fuse", os.R_OK | os.W_OK):
        raise Skip(f"{', '.join(missing) or '/dev/fuse'} is missing (Debian: exfat-fuse exfatprogs)")
    own_mounts()
    require_good(run_to_end(["mount", "--make-rprivate", "/"], None, "/"))
    image, folder = ordeal.scratch / "disk", ordeal.scratch / "exfat"
    with image.open("wb") as file:
        file.truncate(1 << 30)  # sparse
    folder.mkdir()
    with contextlib.ExitStack() as stack:
        made(["mkfs.exfat", image])
        device = made(["losetup", "-f", "--show", image])
        stack.callback(subprocess.run, ["losetup", "-d", device], check=False)
        made(["mount.exfat-fuse", "-o", "umask=022", device, folder])
        stack.callback(subprocess.run, ["fusermount", "-u", "-z", folder], check=False)
        yield folder


def made(words):
    """What a command prints that prepares the disk."""
    result = run_to_end(words, None, "/")
    if result.returncode != 0:
        raise Skip(f"{words[0]}: {result.stderr.strip() or result.stdout.strip()}")
    return result.stdout.strip()


def keeps_existing(ordeal, folder):
    """`existing: refuse` makes a plate, and replaces none."""
    manifest = job_of(folder, ("one", "two"), "plates", existing="refuse")
    for _ in range(2):
        require_good(run(ordeal, manifest))
        for number, stem in enumerate(("one", "two"), start=1):
            ordeal.check(is_plate_of(folder / f"plates/{stem}.tif", number), f"{stem} is not its plate")
    other = job_of(folder.with_name("refused"), ("one", "two"), "../kept/plates", existing="refuse")
    other.write_text(other.read_text().replace("../kept/plates", "plates"), encoding="utf-8")
    (other.parent / "plates").mkdir()
    (other.parent / "plates/one.tif").write_bytes(b"somebody's")
    result = run(ordeal, other)
    ordeal.check(result.returncode != 0 and "one.tif" in result.stderr, f"an existing file: {result.stderr}")
    ordeal.check((other.parent / "plates/one.tif").read_bytes() == b"somebody's", "it was replaced")
    ordeal.check(is_plate_of(other.parent / "plates/two.tif", 2), "the other page was not made")


def hot_folder(ordeal, folder):
    """Pages go to done/ and failed/, and a second page of one name beside the first."""
    hot = HotFolder(folder)
    names = [hot.drop(number) for number in range(1, 4)]
    hot.put("broken.tif", b"no TIFF at all")
    words = [ordeal.program, "watch", "--once", "--jobs", "1", "--state", ordeal.scratch / "watch-state",
             "--socket", ordeal.scratch / "socket", folder]
    result = run_to_end(words, ordeal.environment, folder)
    ordeal.check(result.returncode is not None, f"watch --once did not end\n{result.stderr}")
    if ordeal.sabotage("strand"):
        (folder / "done" / names[0]).rename(folder / names[0])
    ordeal.check(hot.names("done") == set(names), f"done/ has {hot.names('done')}\n{result.stderr}")
    ordeal.check("broken.tif" in hot.names("failed"), f"failed/ has {hot.names('failed')}\n{result.stderr}")
    left = [str(path) for path in (folder / ".work").rglob("*.tif")]
    ordeal.check(not left, f".work has {left}")
    for name in names:
        ordeal.check(hot.plate_is_right(name), f"the plate of {name} is not right")
    ordeal.count("pages", len(names))


def hold(ordeal):
    if not ordeal.options.library or ordeal.options.library.name != "none":
        folding(ordeal)
    if ordeal.options.disk == "none":
        return
    with mounted(ordeal) as folder:
        for number, stems in enumerate(PAIRS):
            refused_or_told(ordeal, folder / f"pair-{number}", stems, None, f"exFAT: {' and '.join(stems)}")
        keeps_existing(ordeal, folder / "kept")
        hot_folder(ordeal, folder / "hot")


if __name__ == "__main__":
    ordeal = Ordeal(__doc__, SABOTAGES, [
        ("--library", {"type": pathlib.Path, "help": "made of folding_names.cpp"}),
        ("--disk", {"choices": ("exfat", "none"), "default": "exfat"})])
    ordeal.hold(hold)
