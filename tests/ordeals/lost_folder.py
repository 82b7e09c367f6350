#!/usr/bin/env python3
"""Takes the hot folder away under the watcher: moved, removed, made anew, locked, replaced, unmounted.

The watcher must stay the same process, say in its view what is wrong with the folder, keep another
folder going meanwhile, and resume by itself within a minute. A page that lies where the folder was, as
on the mount point of a share, must stay there, also when the watcher is started again meanwhile.

  lost_folder.py PROGRAM [--cycles CYCLES]     20 by hand

As root it drops to the user nobody, for whom permissions count; PROGRAM must be readable for it.
"""

import os
import pathlib
import shutil
import time

from numbered_pages import page
from ordeal import PATIENCE, Ordeal, Skip, require_options, run_to_end, wait_until
from watching import HARMS, HotFolder, watching

RESUME = 60.0  # seconds
NOBODY = 65534
SABOTAGES = {**HARMS, "away": "the folder does not come back",
             "defaults": "the page in its place is printed"}


def away(ordeal, hot, watch):
    """What is done to the folder, and how it is undone: pairs."""
    def move():
        hot.path.rename(hot.path.with_suffix(".away"))

    def move_back():
        hot.path.with_suffix(".away").rename(hot.path)

    def remove():
        move()

    def make_anew():
        """Another folder of that name; what was in the old one is put into it, but not by inode."""
        aside = hot.path.with_suffix(".away")
        fresh = hot.path.with_suffix(".fresh")
        shutil.copytree(aside, fresh)
        shutil.rmtree(aside)
        fresh.rename(hot.path)

    def replace():
        """An empty folder has its place, and someone drops a page into it."""
        move()
        hot.path.mkdir()
        hot.put("stray.tif", page(1, *hot.size))

    def back_in_place():
        if ordeal.sabotage("defaults"):
            (hot.path / "stray.tif").rename(hot.path / "plates")
        ordeal.check(hot.names(".") == {"stray.tif"},
                     f"a page where the folder was is not left alone: {sorted(hot.names('.'))}")
        shutil.rmtree(hot.path)
        move_back()

    def restart(what):
        def harm():
            watch.stop(ordeal)
            what()
            watch.start()
        return harm

    def lose_settings():
        (hot.path / "folder.yaml").unlink()
        hot.put("stray.tif", page(1, *hot.size))

    def settings_back():
        ordeal.check({"stray.tif"} <= hot.names("."), "a page was taken without settings")
        (hot.path / "stray.tif").unlink(missing_ok=True)
        hot.make()

    return [("moved", move, move_back), ("removed", remove, make_anew),
            ("locked", lambda: hot.path.chmod(0), lambda: hot.path.chmod(0o755)),
            ("replaced", replace, back_in_place),
            ("not yet mounted at the start", restart(replace), back_in_place),
            ("without its settings at the start", restart(lose_settings), settings_back)]


def trouble(watch, hot):
    """What the watcher says is wrong with a folder; empty when nothing is."""
    for folder in watch.request("list").get("folders", []):
        if pathlib.Path(folder["path"]) == hot.path:
            return folder.get("trouble", "")
    return "it is not in the view"


def go_through(ordeal, hot, number, what, watch):
    name = hot.drop(number)
    begin = time.monotonic()
    if not ordeal.check(hot.wait(RESUME, [name]), f"{what}: {name} was not done\n{watch.tail()}"):
        raise SystemExit(1)
    return time.monotonic() - begin


def cycle(ordeal, watch, hot, other, number, what, harm, undo):
    go_through(ordeal, hot, 3 * number, what + ", before", watch)
    harm()
    ordeal.check(wait_until(lambda: trouble(watch, hot), PATIENCE), f"{what}: the view says nothing of it")
    print(f"{ordeal.name}: {what}: {trouble(watch, hot)}")
    go_through(ordeal, other, 3 * number + 1, what + ", the other folder", watch)
    ordeal.check(watch.alive(), f"{what}: the watcher is gone\n{watch.tail()}")
    if ordeal.sabotage("away"):
        ordeal.check(wait_until(lambda: not trouble(watch, hot), 3), f"{what}: trouble goes on")
    undo()
    seconds = go_through(ordeal, hot, 3 * number + 2, what + ", back", watch)
    ordeal.most("longest_to_resume_s", seconds)
    ordeal.check(wait_until(lambda: not trouble(watch, hot), PATIENCE), f"{what}: trouble goes on")


def become_nobody(ordeal):
    """Permissions do not hold root back."""
    if os.geteuid() != 0:
        return
    for path in (ordeal.scratch, *ordeal.scratch.iterdir()):
        os.chown(path, NOBODY, NOBODY)
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)
    try:
        result = run_to_end([ordeal.program, "--version"], ordeal.environment, ordeal.scratch)
    except OSError as error:
        raise Skip(f"{ordeal.program} is not there for nobody: {error}") from error
    if result.returncode != 0:
        raise Skip(f"{ordeal.program} does not run for nobody: {result.stderr}")


def hold(ordeal):
    require_options(ordeal, "watch", "--jobs", "--state", "--socket")
    become_nobody(ordeal)
    hot, other = HotFolder(ordeal.scratch / "hot"), HotFolder(ordeal.scratch / "other")
    number = 0
    with watching(ordeal, [hot, other]) as watch:
        for _ in range(ordeal.options.cycles):
            for what, harm, undo in away(ordeal, hot, watch):
                number += 1
                cycle(ordeal, watch, hot, other, number, what, harm, undo)
    ordeal.figures["cycles"] = number
    for one in (hot, other):
        one.judge(ordeal, one.path.name)


if __name__ == "__main__":
    ordeal = Ordeal(__doc__, SABOTAGES, [
        ("--cycles", {"type": int, "default": 1, "help": "rounds of all that can be done to it"})])
    ordeal.hold(hold)
