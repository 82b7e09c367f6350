#!/usr/bin/env python3
"""Hostile and damaged TIFFs among good pages, in one hot folder.

Each file of MEZZOTINT_CORPUS/bad that `mezzotint halftone` refuses must end in failed/ with a reason
in NAME.error.txt, all of which are printed, for a person to judge; all good pages must be published,
by a watcher that is still the same process.

  bad_mixed.py PROGRAM [--count GOOD] [--corpus FOLDER]

Status 77 without a corpus.
"""

import os
import pathlib
import shutil

from ordeal import Ordeal, Skip, require_options, run_to_end
from watching import HARMS, HotFolder, patience, watching

SABOTAGES = {**HARMS, "restart": "the watcher is killed and started again on the way",
             "speechless": "a reason is emptied"}
HALFTONE = ("--method", "threshold")
LONGEST_REASON = 2000  # bytes


def refused(ordeal, path):
    """Whether the program refuses a file as such."""
    words = [ordeal.program, "halftone", "-q", *HALFTONE, path, ordeal.scratch / "alone_{ink}.tif"]
    status = run_to_end(words, ordeal.environment, ordeal.scratch).returncode
    ordeal.check(status in (0, 65), f"{path.name}: alone, status {status}")
    return status != 0


def reasons(ordeal, hot, names):
    """Prints what is told of each bad file, and judges what can be judged of it."""
    for name in sorted(names):
        path = hot.path / "failed" / f"{name}.error.txt"
        if not path.exists():
            continue  # judge() says so
        if ordeal.sabotage("speechless"):
            path.write_text("")
        text = path.read_bytes()
        ordeal.check(text.strip(), f"{path.name} says nothing")
        ordeal.check(len(text) <= LONGEST_REASON, f"{path.name} has {len(text)} bytes")
        ordeal.check(not any(byte < 32 and byte != 10 for byte in text),
                     f"{path.name} has control characters")
        print(f"  {name}: {text.decode(errors='replace').strip()}")


def hold(ordeal):
    if not ordeal.options.corpus:
        raise Skip("set MEZZOTINT_CORPUS to a folder of real TIFFs")
    bad_folder = pathlib.Path(ordeal.options.corpus) / "bad"
    if not bad_folder.is_dir():
        raise SystemExit(f"{bad_folder} is missing")
    require_options(ordeal, "watch", "--jobs", "--state", "--socket")
    files = sorted(path for path in bad_folder.iterdir()
                   if path.suffix.lower() in (".tif", ".tiff"))
    bad = {path.name for path in files if refused(ordeal, path)}
    hot = HotFolder(ordeal.scratch / "hot")
    arrivals = [*files, *range(1, ordeal.options.count + 1)]
    ordeal.random.shuffle(arrivals)
    ordeal.figures.update(good=ordeal.options.count, bad=len(bad), odd=len(files) - len(bad))
    with watching(ordeal, [hot]) as watch:
        pid = watch.pid
        for arrival in arrivals:
            if isinstance(arrival, int):
                hot.drop(arrival)
            else:
                shutil.copyfile(arrival, hot.path / f".{arrival.name}")
                (hot.path / f".{arrival.name}").rename(hot.path / arrival.name)
        if ordeal.sabotage("restart"):
            watch.kill()
            watch.start()
        names = {*hot.numbers, *(path.name for path in files)}
        ordeal.check(hot.wait(patience(len(arrivals)), names), "not all went through: "
                     f"{sorted(names - hot.names('done') - hot.names('failed'))}\n{watch.tail()}")
        ordeal.check(watch.alive() and watch.pid == pid, "the watcher did not live through it")
        ordeal.figures["peak_mib"] = watch.kib("VmHWM") / 1024
    reasons(ordeal, hot, bad)
    # Odd ones that can be halftoned have been.
    for path in files:
        if path.name not in bad:
            (hot.path / "done" / path.name).unlink(missing_ok=True)
            (hot.path / "plates" / f"{path.stem}.tif").unlink(missing_ok=True)
    hot.judge(ordeal, "bad mixed with good", bad)


if __name__ == "__main__":
    ordeal = Ordeal(__doc__, SABOTAGES, [
        ("--count", {"type": int, "default": 100, "help": "good pages"}),
        ("--corpus", {"default": os.environ.get("MEZZOTINT_CORPUS")})])
    ordeal.hold(hold)
