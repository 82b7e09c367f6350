"""Judges of disks after a loss of power: what stands there at once, and after the program went on.

  bad     a plate under its name is not whole
  lost    what was promised is not there, or a page is neither printed nor refused with a reason
  twice   a plate that stood, and counts as made, is made again
"""

import json
import os
import pathlib
import shutil

from job import Job
from numbered_pages import is_plate_of
from ordeal import require_good, run_to_end, tree
from power_pages import PAGES, DroppedPages, is_synced


class Judge:
    def __init__(self, ordeal):
        self.ordeal = ordeal
        self.what = ""

    def broken(self, figure, text):
        self.ordeal.count(figure)
        self.ordeal.check(False, f"{self.what}: {figure}: {text}")

    def check(self, good, figure, text):
        if not good:
            self.broken(figure, text)
        return good

    def go_on(self, folder, *words):
        """The program, as before the cut."""
        environment = {**self.ordeal.environment, "XDG_STATE_HOME": str(folder / "state")}
        return run_to_end([self.ordeal.program, *words], environment, folder / "work")


def marks_of(folder, names):
    """What tells a file from one that was made again."""
    found = {}
    for name in names:
        status = os.stat(folder / name)
        found[name] = (status.st_ino, status.st_mtime_ns)
    return found


def is_temporary(name):
    base = pathlib.Path(name).name
    return base.startswith(".") and base.endswith(".part")


class JobJudge(Judge):
    """Of plates of a job, which has two versions of its settings."""

    def __init__(self, ordeal):
        super().__init__(ordeal)
        folder = ordeal.scratch / type(self).__name__
        self.job = Job(ordeal, folder, pages=6, side=260, cmyk_every=4)
        self.texts, self.wanted = {}, {}
        for version in (2, 1):
            self.job.settings = {} if version == 1 else {
                name: "tone: {curve: [[0%, 0%], [50%, 60%], [100%, 100%]]}"
                for name in self.job.inks if not self.job.is_chained(name)}
            self.job.write_manifest()
            manifest = self.job.folder / "job.yaml"
            # It may replace its own plates, and no others.
            self.texts[version] = manifest.read_text().replace(
                '{ink}.tif"}', '{ink}.tif", existing: refuse}')
            manifest.write_text(self.texts[version])
            self.wanted[version], _ = self.job.whole()

    def prepare(self, folder):
        shutil.copytree(self.job.folder, folder / "work", dirs_exist_ok=True)
        (folder / "work" / "job2.yaml").write_text(self.texts[2])

    def version(self, folder):
        text = (folder / "work" / "job.yaml").read_text()
        return next((version for version in self.texts if self.texts[version] == text), None)

    def plates(self, folder):
        return {name: digest for name, digest in tree(folder / "work" / "plates").items()
                if not is_temporary(name)}

    def judge(self, what, marks, folder):
        self.what = what
        version = self.version(folder)
        if not self.check(version == 2 or (version == 1 and "version:2" not in marks), "lost",
                          f"job.yaml is of version {version}"):
            return
        plates = self.plates(folder)
        for name, digest in plates.items():
            self.check(digest in [self.wanted[v].get(name) for v in range(1, version + 1)], "bad",
                       f"{name} is not a plate of the job")
        self.judge_promises(marks, plates)
        self.judge_report(folder)
        stood = self.made(plates, self.wanted[version])
        before = marks_of(folder / "work" / "plates", stood)
        if not self.finish(marks, folder):
            return
        if self.ordeal.sabotage("lose"):
            (folder / "work" / "plates" / "page00_black.tif").unlink()
        after = tree(folder / "work" / "plates")
        for name in sorted(after.keys() | self.wanted[version].keys()):
            self.check(after.get(name) == self.wanted[version].get(name),
                       "bad" if name in after else "lost", f"in the end, {name} is not right")
        self.ordeal.count("plates_kept", len(stood))
        for name, mark in marks_of(folder / "work" / "plates", stood & after.keys()).items():
            self.check(mark == before[name], "twice", f"{name} stood, and was made again")

    def made(self, plates, wanted):
        """Plates of the pages whose plates all stand."""
        pages = [self.job.plates_of(name) for name in self.job.inks]
        return {plate for page in pages for plate in page
                if all(plates.get(one) == wanted[one] for one in page)}

    def judge_promises(self, marks, plates):
        for mark in sorted(marks):
            if not mark.startswith("sheet:"):
                continue
            _, version, name = mark.split(":")
            for plate in self.job.plates_of(name):
                good = [self.wanted[v][plate] for v in range(int(version), 3)]
                self.check(plates.get(plate) in good, "lost", f"{mark} was said; {plate} "
                           + ("is older" if plate in plates else "is gone"))

    def judge_report(self, folder):
        report = folder / "work" / "report" / "report.json"
        if report.exists():
            try:
                json.loads(report.read_text())
            except ValueError as error:
                self.broken("bad", f"report.json: {error}")

    def finish(self, marks, folder):
        result = self.go_on(folder, "run", "--json", "--report", "report", "job.yaml")
        return self.check(result.returncode == 0, "lost",
                          f"run: status {result.returncode}\n{result.stderr}")


class ClusterJudge(JobJudge):
    """Likewise, of the units of a plan."""

    def judge_promises(self, marks, plates):
        for mark in sorted(marks):
            if mark.startswith("unit:"):
                unit = int(mark.partition(":")[2])
                for name in sorted(self.job.inks)[2 * unit:2 * unit + 2]:
                    missing = self.job.plates_of(name) - plates.keys()
                    self.check(not missing, "lost", f"{mark} was said; {missing}")

    def finish(self, marks, folder):
        steps = [] if "submitted" in marks else [
            ["submit", "--engine", "none", "--pages-per-task", "2", "job.yaml"]]
        steps += [["worker", "-q", "job.plan", unit] for unit in range(len(self.job.inks) // 2)]
        for words in [*steps, ["collect", "job.plan"]]:
            result = self.go_on(folder, *words)
            if not self.check(result.returncode == 0, "lost", f"{words[0]}: status "
                              f"{result.returncode}\n{result.stderr}"):
                return False
        return True


class HotFolderJudge(Judge):
    """Of pages that were dropped into a hot folder, and of their plates."""

    def __init__(self, ordeal):
        super().__init__(ordeal)
        self.chained = {}  # {plate: digest} of the page with a ticket
        folder = ordeal.scratch / "unbroken"
        hot = DroppedPages(folder)
        for drop in PAGES.values():
            if drop["kind"] == "chained":
                files = hot.files_of(drop)
                for name, data in files.items():
                    (folder / name).write_bytes(data)
                require_good(run_to_end([ordeal.program, "run", "-q", next(iter(files))],
                                        ordeal.environment, folder))
        self.chained = {f"{hot.CHAINED}/{name}": digest
                        for name, digest in tree(folder / hot.CHAINED).items()}

    def prepare(self, folder):
        pass

    def judge(self, what, marks, folder):
        self.what = what
        if "folder" not in marks:
            return
        hot = DroppedPages(folder / "work")
        standing = self.plates(hot)
        # The last word on a page counts.
        said = {name: word for word in ("done", "failed", "taking", "taken")
                for name in names_said(marks, word)}
        before = marks_of(hot.path / "plates", standing)
        self.judge_tries(hot, marks)
        result = self.go_on(folder, "watch", hot.path, "--state", folder / "state" / "watch",
                            "--socket", folder / "state" / "socket", "--jobs", "2", "--once")
        log = result.stdout + result.stderr
        status = result.returncode  # 1: pages failed
        if not self.check(status in (0, 1), "lost", f"watch: status {status}\n{log}"):
            return
        if self.ordeal.sabotage("lose"):
            (hot.path / "plates" / "e.tif").unlink(missing_ok=True)
        after = self.plates(hot)
        for name, drop in PAGES.items():
            plates = self.plates_of(name)
            self.judge_page(hot, drop, marks, said.get(name), plates <= after)
            self.judge_again(hot, before, plates & after, said.get(name) == "done")
        for name in names_said(marks, "again"):
            second = f"{pathlib.Path(name).stem} (2).tif"
            self.check(second in hot.names("done"), "lost",
                       f"{name}, dropped again, is not in done/")
        for name in sorted(hot.names(".work")):
            self.broken("lost", f".work/{name} is left\n{log}")
        self.judge_left(hot)

    def judge_left(self, hot):
        """No temporary file is left, but of a page that was not synced: it may be lost, and is not
        printed again then."""
        unsynced = tuple(f".{name}." for name, drop in PAGES.items() if not is_synced(drop))
        for name in tree(hot.path / "plates"):
            self.check(not is_temporary(name) or name.startswith(unsynced), "bad",
                       f"plates/{name} is left")

    def plates_of(self, name):
        return set(self.chained) if PAGES[name]["kind"] == "chained" else {name}

    def plates(self, hot):
        """The names of plates that stand, which must be right."""
        found = tree(hot.path / "plates")
        names = {name for name in found if not is_temporary(name)}
        for name in sorted(names):
            good = found[name] == self.chained[name] if name in self.chained else (
                name in PAGES and is_plate_of(hot.path / "plates" / name, PAGES[name]["number"],
                                              *hot.size))
            self.check(good, "bad", f"plates/{name} is not a plate of its page")
        return names

    def judge_again(self, hot, before, plates, is_done):
        """A plate that stood is not made again, once its page is done."""
        for name, mark in marks_of(hot.path / "plates", plates & before.keys()).items():
            again = mark != before[name]
            self.check(not again or not is_done, "twice", f"{name} was done, and is made again")
            self.ordeal.count("made_again_before_done", int(again and not is_done))

    def judge_tries(self, hot, marks):
        """A page that stops the machine must not be begun for ever."""
        for name in names_said(marks, "try2"):
            for work in (hot.path / ".work").glob(f"*/files/{name}"):
                self.check((work.parents[1] / "try-2").exists(), "lost",
                           f"a second try of {name} was begun, and is not counted")

    def judge_page(self, hot, drop, marks, said, stands):
        """Where a page is in the end, and whether its plates stand."""
        name, kind = drop["name"], drop["kind"]
        where = [folder for folder in (".", "done", "failed", "incomplete")
                 if name in hot.names(folder)]
        if said == "taken":
            self.check(not stands, "twice", f"{name}: its plate was taken, and is there again")
        elif said == "done":
            self.check(stands, "lost", f"{name} was done, and its plate is gone{hot.reason(name)}")
        if name in names_said(marks, "dropped"):
            right = "failed" if kind == "damaged" else "done"
            self.check(where == [right], "lost", f"{name} is in {where}{hot.reason(name)}")
            if right == "done" and said not in ("taking", "taken"):
                self.check(stands, "lost", f"{name} is done, without a plate")
        if "failed" in where:
            self.check(hot.reason(name)[2:].strip(), "lost", f"{name} failed without a reason")
        self.check("." not in where, "lost", f"{name} still waits")


def names_said(marks, word):
    """The names of which it was said, from marks WORD:NAME."""
    return {mark.partition(":")[2] for mark in marks if mark.startswith(f"{word}:")}


JUDGES = {"run": JobJudge, "cluster": ClusterJudge, "watch": HotFolderJudge}
