#!/usr/bin/env python3
"""Runs a finished job again after something changed: only what changed is made again, and named.

Nothing changed, an input, a setting, a plate removed, cut short, altered, or replaced by one as large
and as old; and `--fresh`, which makes everything again. The plates must then be those of an
unbroken run of the job as it is.

  rerun.py PROGRAM [--pages PAGES] [--side PIXELS]
"""

import os

from job import Job
from ordeal import Ordeal, require_options

SABOTAGES = {
    "unchanged": "what should change is left as it was",
    "more": "one page more changes than is expected",
}


def expect(ordeal, job, what, changed, *more, named=False):
    """Runs the job; of its sheets just `changed` must be made, the others be done already."""
    run = job.run(*more)
    ordeal.check(run.status == 0, f"{what}: status {run.status}\n{run.stderr}")
    made = set(job.inks) - run.already_done()
    ordeal.count("made_again", len(made))
    ordeal.check(made == set(changed), f"{what}: made again: {sorted(made) or 'nothing'}, "
                 f"expected: {sorted(changed) or 'nothing'}")
    if named:
        said = run.stderr + "".join(str(line) for line in run.lines if line["type"] != "sheet")
        for name in changed:
            ordeal.check(name in said, f"{what}: {name} is not named: {said!r}")
    return run


def same_as_fresh(ordeal, job, what):
    """The plates equal those of the job as it is now, run for the first time elsewhere."""
    other = job.copy(ordeal.scratch / f"fresh-{what.replace(' ', '-')}")
    expected, _ = other.whole()
    ordeal.check(job.plates() == expected, f"{what}: the plates differ from an unbroken run's")


def change(ordeal, harm):
    """Does a change, unless the sabotage is to leave it out."""
    if not ordeal.sabotage("unchanged"):
        harm()


def cut(path):
    os.truncate(path, path.stat().st_size // 2)


def alter(path):
    middle = path.stat().st_size // 2
    with open(path, "r+b") as file:
        file.seek(middle)
        byte = file.read(1)[0]
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes([byte ^ 0x10]))


def replace_keeping_time(path):
    """As a copying program does that keeps times: another file, as large and as old."""
    before, other = path.stat(), path.with_suffix(".other")
    # Under a name of its own first: one made where a file was just removed may get its inode.
    other.write_bytes(path.read_bytes())
    alter(other)
    os.utime(other, ns=(before.st_atime_ns, before.st_mtime_ns))
    other.rename(path)


def replace_linework(job, name):
    path = job.folder / f"type-{name}"
    path.write_bytes(path.read_bytes().replace(b"\x3c", b"\x18"))


def hold(ordeal):
    require_options(ordeal, "run", "--journal", "--fresh")
    job = Job(ordeal, ordeal.scratch / "job", ordeal.options.pages, ordeal.options.side,
              cmyk_every=5)
    # A journal of its own, as an unbroken run elsewhere empties the state folder.
    job.journal = ordeal.scratch / "rerun.journal"
    plates = job.folder / "plates"
    names = sorted(job.inks)
    one, chained, cmyk = names[1], names[2], names[4]
    expect(ordeal, job, "first run", names)
    reference = job.plates()

    before = {path.name: path.stat() for path in plates.iterdir()}
    if ordeal.sabotage("more"):
        (plates / "page00_black.tif").unlink()
    expect(ordeal, job, "nothing changed", [])
    after = {path.name: path.stat() for path in plates.iterdir()}
    ordeal.check({name: (stat.st_ino, stat.st_mtime_ns) for name, stat in before.items()}
                 == {name: (stat.st_ino, stat.st_mtime_ns) for name, stat in after.items()},
                 "nothing changed: plates were touched")

    for what, name, ink, harm in (
            ("a plate removed", one, "black", lambda path: path.unlink()),
            ("a plate of four removed", cmyk, "yellow", lambda path: path.unlink()),
            ("a plate of mixed inks removed", chained, "magenta", lambda path: path.unlink()),
            ("a plate cut short", one, "black", cut),
            ("a plate altered", cmyk, "cyan", alter),
            ("a plate replaced, its time kept", one, "black", replace_keeping_time)):
        path = plates / f"{name[:-4]}_{ink}.tif"
        change(ordeal, lambda path=path, harm=harm: harm(path))
        expect(ordeal, job, what, [name])
        ordeal.check(job.plates() == reference, f"{what}: the plates differ in the end")

    change(ordeal, lambda: job.make_page(one, seed=999, width=ordeal.options.side))
    expect(ordeal, job, "another input", [one], named=True)
    same_as_fresh(ordeal, job, "another input")

    change(ordeal, lambda: replace_linework(job, chained))
    expect(ordeal, job, "other line work", [chained], named=True)
    for what, words, others in (("another share", "magenta: 90%", "magenta: 80%"),
                                ("another curve of an ink", "55%", "54%"),
                                ("turned the other way", "rotate: 90", "rotate: 270"),
                                ("another filter", "scale: cubic", "scale: linear"),
                                ("another protection", "protect: both", "protect: paper"),
                                ("no mirror", "mirror: true", "mirror: false")):
        job.settings[chained] = job.settings_of(chained).replace(words, others)
        change(ordeal, job.write_manifest)
        expect(ordeal, job, what, [chained], named=True)
        job.write_manifest()
    same_as_fresh(ordeal, job, "other settings of the chain")

    job.settings[cmyk] = "halftone: {method: bayer}"
    change(ordeal, job.write_manifest)
    expect(ordeal, job, "another setting", [cmyk], named=True)
    job.write_manifest()
    same_as_fresh(ordeal, job, "another setting")

    expect(ordeal, job, "--fresh", names, "--fresh")
    expect(ordeal, job, "after --fresh", [])
    same_as_fresh(ordeal, job, "--fresh")


if __name__ == "__main__":
    ordeal = Ordeal(__doc__, SABOTAGES, [
        ("--pages", {"type": int, "default": 12}),
        ("--side", {"type": int, "default": 400, "help": "pixels, of the smallest page"})])
    ordeal.hold(hold)
