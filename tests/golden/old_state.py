"""State that an earlier program left, and with which this one goes on: the journal of a job, a plan
that is half done, and a hot folder whose watcher was killed.

The folder old/ holds it, as version 0.1.0 made it; make() says how. Paths in texts are FOLDER and
PROGRAM there, and a database is its dump in SQL.
"""

import os
import pathlib
import re
import shutil
import signal
import sqlite3
import subprocess

import formats
import plates
import support

OLD = support.HERE / "old"
FOLDERS = "folders.txt"  # of old/, as not every archive keeps empty ones
MARKED = ("file", "input_file")  # columns that hold size, inode and times of a file

JOB = """mezzotint: 1
job: Old job
limits: {threads: 1}
pages:
  - grey.tif
  - input: ink.tif
    halftone: {method: bayer, order: 2}
    tone: {gamma: 0.9, curve: [[0%, 0%], [50%, 54%], [100%, 100%]]}
    output: {compression: lzw}
  - input: grey.tif
    output: {path: "plates/second.tif"}
"""

WORKER = '#!/bin/sh\nwhile [ -e "$0" ]; do sleep 0.1; done\n'  # works for as long as it is there
TICKET = "mezzotint: 1\njob: Second\npages:\n  - second.tif\n"

# ---- Making ------------------------------------------------------------------------------------


def pages(scene, folder):
    scene.synth(f"{folder}/grey.tif", 24, 16, "--seed", 1)
    scene.synth(f"{folder}/ink.tif", 20, 12, "--seed", 2, "--colour", "cmyk")
    scene.write(f"{folder}/job.yaml", JOB)


def make_journal(scene):
    """A job that was run; one of its plates was deleted later."""
    pages(scene, "journal")
    folder = scene.work / "journal"
    scene.make("run", "-q", "--journal", "job.db", "job.yaml", folder=folder)
    (folder / "plates/second.tif").unlink()


def make_plan(scene):
    """A plan of three units; the first is done."""
    pages(scene, "plan")
    folder = scene.work / "plan"
    scene.make("submit", "-q", "--engine", "none", "--pages-per-task", 1, "job.yaml", folder=folder)
    scene.make("worker", "-q", "job.plan", 0, folder=folder)


def make_watched(scene, name, dropped):
    """A hot folder with a job that was done, and one in work when the watcher was killed."""
    folder = scene.work / name
    hot = folder / "hot"
    scene.write(f"{name}/hot/folder.yaml", formats.HOT)
    scene.synth(f"{name}/hot/first.tif", 24, 16, "--seed", 1)
    watch = ("watch", "--jobs", 1, "--threads", 1, "--state", "state")
    scene.make(*watch, "--once", "hot", folder=folder)
    scene.synth(f"{name}/hot/second.tif", 20, 12, "--seed", 2, "--colour", "cmyk")
    for file, text in dropped.items():
        scene.write(f"{name}/hot/{file}", text)
    worker = scene.write("worker", WORKER)
    worker.chmod(0o755)
    watcher = subprocess.Popen([scene.program, *map(str, watch), "--worker", worker, "--", "hot"],
                               cwd=folder, env=scene.environment, stderr=subprocess.DEVNULL)
    support.wait_for(lambda: list(hot.glob(".work/*/try-1")), hot, process=watcher)
    watcher.send_signal(signal.SIGKILL)
    watcher.wait()
    worker.unlink()
    shutil.copy(hot / "done/first.tif", hot / "first.tif")


def is_text(path):
    return path.suffix in (".json", ".ndjson", ".yaml", ".sql") or path.name == "record"


def placeholders(scene, text):
    """The text without what is of this place and version."""
    for name, value in values(scene):
        text = text.replace(value, name)
    return text


def values(scene):
    return (("FOLDER", str(scene.work)), ("PROGRAM", str(scene.program)),
            ("mezzotint VERSION", f"mezzotint {scene.version}"))


def of_here(scene, text):
    """The reverse of placeholders()."""
    for name, value in values(scene):
        text = text.replace(name, value)
    return text


def keep(scene):
    """Copies what is in the scene into old/."""
    folders = []
    for path in sorted(scene.work.rglob("*")):
        name = str(path.relative_to(scene.work))
        target = OLD / re.sub(r"records/(\d+)-.*", r"records/\1-press-4711-0123abcd.ndjson", name)
        if path.is_dir():
            folders.append(f"{name}\n")
        elif path.suffix == ".db":
            target = target.with_suffix(".sql")
            target.parent.mkdir(parents=True, exist_ok=True)
            with sqlite3.connect(path) as database:
                text = "\n".join(database.iterdump())
                version = database.execute("PRAGMA user_version").fetchone()[0]
            database.close()
            text = f"{placeholders(scene, text)}\nPRAGMA user_version={version};\n"
            target.write_text(text, encoding="utf-8")
        elif is_text(path):
            target.parent.mkdir(parents=True, exist_ok=True)
            text = placeholders(scene, path.read_text(encoding="utf-8"))
            text = re.sub(r'"node":"[^"]*"', '"node":"press"', text)
            target.write_text(text, encoding="utf-8")
        elif not path.name.endswith((".db-wal", ".db-shm", ".lock", "report.html")):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
    (OLD / FOLDERS).write_text("".join(folders), encoding="utf-8")


def make(program):
    """Writes old/. To be called with a program of old, and not again."""
    with support.Scene(program) as scene:
        make_journal(scene)
        make_plan(scene)
        make_watched(scene, "pages", {})
        make_watched(scene, "ticket", {"second.yaml": TICKET})
        keep(scene)


# ---- Restoring ---------------------------------------------------------------------------------


def mark(path):
    status = os.stat(path)
    return f"{status.st_size} {status.st_ino} {status.st_mtime_ns} {status.st_ctime_ns}"


def restore_database(scene, source, target):
    """The database, with the marks that its files have now."""
    with sqlite3.connect(target) as database:
        database.executescript(of_here(scene, source.read_text(encoding="utf-8")))
        tables = [row[0] for row in database.execute("SELECT name FROM sqlite_master")]
        rows = database.execute("SELECT plate, input FROM plates").fetchall() \
            if "plates" in tables else []
        for plate, page in rows:
            for column, path in zip(MARKED, (plate, page)):
                if pathlib.Path(path).exists():
                    database.execute(f"UPDATE plates SET {column}=? WHERE plate=?",
                                     (mark(path), plate))
    database.close()


def restore_record(path):
    """The record of a job in work, with the inodes that its files have now."""
    def inode(match):
        return f'"inode":{os.stat(path.parent / "files" / match[1]).st_ino},"inside":"{match[1]}"'
    path.write_text(re.sub(r'"inode":\d+,"inside":"([^"]+)"', inode, path.read_text()))


def restore(scene):
    """What is in old/, in the scene."""
    for name in (OLD / FOLDERS).read_text(encoding="utf-8").splitlines():
        (scene.work / name).mkdir(parents=True, exist_ok=True)
    sources = [path for path in sorted(OLD.rglob("*")) if path.is_file() and path.name != FOLDERS]
    for source in sources:
        target = scene.work / source.relative_to(OLD)
        if is_text(source):
            text = of_here(scene, source.read_text(encoding="utf-8"))
            target.write_text(text, encoding="utf-8")
        else:
            shutil.copyfile(source, target)
    for source in sources:
        target = scene.work / source.relative_to(OLD)
        if source.suffix == ".sql":
            target.unlink()
            restore_database(scene, source, target.with_suffix(".db"))
        elif source.name == "record":
            restore_record(target)


# ---- Going on ----------------------------------------------------------------------------------


def plates_of(folder):
    """The digests of the plates in a folder, which tell that they are as the program made them."""
    return "".join(f"{path.relative_to(folder)} {plates.digest([path])}\n"
                   for path in sorted(folder.rglob("*.tif")) if "plates" in path.parts)


def go_on_watching(scene, name):
    """What a watcher says to a hot folder that is restored, and what it leaves."""
    text = scene.transcript("watch", "--once", "--jobs", 1, "--threads", 1, "--state", "state", "hot",
                            folder=scene.work / name)
    text += scene.mask(support.dump_database(scene.work / name / "state/watch.db"))
    state = f"{name}/state"
    return formats.named_jobs(scene, text, state) + formats.contents(scene, f"{name}/hot", state)


def go_on(scene):
    """{name: text} of what the program says to what is restored."""
    run = ("run", "--simple", "--journal", "job.db", "job.yaml")
    journal = [scene.transcript(*words, folder=scene.work / "journal")
               for words in ((*run, "-v"), run)]
    journal.append(scene.mask(support.dump_database(scene.work / "journal/job.db")))
    plan = [scene.transcript(*words, folder=scene.work / "plan") for words in (
        ("status", "--json", "job.plan"), ("worker", "job.plan", 0), ("worker", "job.plan", 1),
        ("collect", "--json", "job.plan"), ("worker", "job.plan", 2), ("collect", "job.plan"),
        ("status", "--json", "job.plan"),
        ("submit", "--engine", "none", "--pages-per-task", 1, "job.yaml"))]
    return {"journal.txt": "\n".join(journal), "plan.txt": "\n".join(plan),
            "pages.txt": go_on_watching(scene, "pages"),
            "ticket.txt": go_on_watching(scene, "ticket"),
            "plates.txt": plates_of(scene.work)}


def of_claims(scene):
    """What a killed watcher leaves of the jobs in work: names, the record and a manifest."""
    text = ""
    for name, dropped in (("new_pages", {}), ("new_ticket", {"second.yaml": TICKET})):
        make_watched(scene, name, dropped)
        work = scene.work / name / "hot/.work"
        for path in sorted(work.rglob("*")):
            inside = "/".join(path.relative_to(work).parts[1:])
            text += f"{name} {inside}\n"
            if path.name in ("record", "job.yaml"):
                text += path.read_text(encoding="utf-8") + "\n"
    return scene.mask(re.sub(r'"inode":\d+', '"inode":#', text))


def check(program, _engine, update):
    """The part `old_state`: its differences, and a line that says what was held."""
    if not OLD.exists():
        make(program)
    with support.Scene(program) as scene:
        restore(scene)
        found = go_on(scene)
    with support.Scene(program) as scene:
        found["claims.txt"] = of_claims(scene)
    return support.hold("old_state", found, update), f"{len(found)} files"
