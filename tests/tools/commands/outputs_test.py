#!/usr/bin/env python3
"""No command replaces a file of the user. Usage: outputs_test.py PROGRAM

Every option and argument of the help pages that names a file or a folder is in one of the lists below;
one that is in none fails the test. Each of WRITES and PLATES is run on a foreign file (refused, the file
stays, --force replaces it), and on what it made itself (replaced). A plate is no page, and a page no plate.
Each of WRITES is also run onto its own inputs by a hard link, a symbolic link and another path (refused,
with --force too).
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
NAMES = r"(?:FILE|FOLDER|PATH|MANIFEST|PLATE|PAGE|CONTONE|HALFTONE|IN|OUT|CURVES?|MEASURED|PROFILE|JOB|PLAN)"

READS = {
    "check": {"JOB", "--press"}, "run": {"JOB", "--press", "--hot-folder", "--within"}, "cancel": {"PLAN"},
    "collect": {"PLAN"}, "status": {"PLAN"}, "worker": {"PLAN"},
    "submit": {"JOB", "--program", "--press"}, "watch": {"FOLDER"}, "halftone": {"IN", "--tile", "--linework"},
    "compare": {"CONTONE", "HALFTONE", "--linework"}, "gallery": {"PAGE"},
    "linearise": {"MEASURED", "--wedge", "--refine"}, "wedge": {"--press"},
    "proof": {"PLATE", "--press", "--profile"}, "curves show": {"CURVE"}, "curves convert": {"CURVES"},
    "colour freeze": {"MANIFEST", "--press"}, "colour show": {"PROFILE"},
    "jobs": {"--socket", "--state"},
    **{f"jobs {verb}": {"--socket", "--state"}
       for verb in ("list", "page", "retry", "again", "dismiss", "cancel")},
    **{f"jobs {verb}": {"--socket", "--state", "FOLDER"} for verb in ("pause", "resume")},
}
# Files of jobs, which have rules of their own: journals, plans and states by what is in them, curves of
# the same ink and press, tables named by their digest. Nothing is replaced by `check`.
OF_JOBS = {
    "run": {"--journal"}, "check": {"--report"}, "submit": {"--plan"},
    "watch": {"--state", "--socket"}, "linearise": {"--folder"}, "colour freeze": {"--out"},
}
# Folders of reports: other files with the names of theirs stay.
REPORTS = {
    "halftone": (["page.tif", "of_report.tif"], "--report"), "run": (["job.yaml"], "--report"),
    "wedge": (["--press", "press.yaml", "--ink", "cyan", "--out", "wedge"], "--report"),
}
# The command, the option or argument that names its plate, and the plate.
PLATES = [
    (["halftone", "page.tif", "plate.tif"], "OUT", "plate.tif"),
    (["run", "--fresh", "job.yaml"], None, "plates/page_black.tif"),
    (["run", "--fresh", "job.yaml", "--plates", "sub"], "--plates", "sub/plates/page_black.tif"),
    (["submit", "job.yaml", "--engine", "local", "--fresh"], None, "plates/page_black.tif"),
    (["wedge", "--press", "press.yaml", "--ink", "cyan", "--out", "wedge"], None,
     "wedge/plates/wedge_cyan.tif"),
]
MADE = ["p_cyan.tif", "p_black.tif"]
# The command, its output, the file that it writes, and a file that it reads.
WRITES = [
    (["synth", "--width", "40", "--height", "30"], "OUT", "new.tif", None),
    (["proof", *MADE], "--output", "new.png", "p_cyan.tif"),
    (["proof", *MADE], "--output", "new.tif", "p_cyan.tif"),
    (["proof", *MADE], "--output", "new.pdf", "p_cyan.tif"),
    (["screen", "--ruling", "100", "--side", "20"], "--rosette", "new.png", None),
    (["screen", "--dpi", "600", "--ruling", "60", "--inks", "black", "--export", "tiff"], "--folder",
     "black.tif", None),
    (["screen", "--dpi", "600", "--ruling", "60", "--inks", "black", "--export", "ps"], "--folder",
     "black.ps", None),
    (["gallery", "page.tif", "--methods", "bayer"], "OUT", "new.html", "page.tif"),
    (["gallery", "page.tif", "other.html", "--methods", "bayer"], "--sheet", "new.png", "page.tif"),
    (["compare", "colour.tif", "p_cyan.tif"], "--html", "new.html", "p_cyan.tif"),
    (["curves", "show", "cyan.yaml"], "--out", "new.svg", "cyan.yaml"),
    (["curves", "convert", "cyan.yaml", "--to", "cal"], "--out", "new.cal", "cyan.yaml"),
    (["curves", "convert", "cyan.yaml", "--to", "cgats"], "--out", "new.txt", "cyan.yaml"),
    (["wedge", "--press", "press.yaml", "--ink", "cyan", "--dry-run"], "--out", "wedge.yaml", "press.yaml"),
]
CURVE = """mezzotint-curve: 1
kind: plate
press: XL
ink: cyan
screen: am
dpi: 600
points:
  - [0, 0]
  - [50, 45]
  - [100, 100]
"""


def run(folder, *words, environment=None):
    state = {"XDG_STATE_HOME": str(folder / "state"), "STATE_DIRECTORY": ""}
    done = subprocess.run([PROGRAM, *map(str, words)], cwd=folder, capture_output=True, text=True,
                          check=False, env={**os.environ, **state, **(environment or {})})
    return done.returncode, done.stdout, done.stderr


def help_pages(folder):
    """The text of --help of each command, by its name."""
    pages = {}

    def visit(words):
        text = run(folder, *words, "--help")[1]
        inner = re.search(r"^Commands:\n((?:  .*\n)+)", text, re.M)
        if words and (not inner or "Usage: mezzotint " + " ".join(words) + " [OPTIONS]" in text):
            pages[" ".join(words)] = text
        for name in re.findall(r"^  ([a-z]+) ", inner[1], re.M) if inner else []:
            visit([*words, name])
    visit([])
    return pages


def files_of(page):
    """Options and arguments of a help page that name files."""
    found = set(re.findall(rf"^  (?:-\w, )?(--[\w-]+) {NAMES}\b", page, re.M))
    arguments = re.search(r"^Arguments:\n((?:  .*\n)+)", page, re.M)
    if arguments:
        found |= set(re.findall(rf"^  ({NAMES})\b", arguments[1], re.M))
    return found


def judge(condition, text):
    if not condition:
        raise AssertionError(text)


def is_listed(folder):
    written = {}
    for words, output, _, _ in WRITES:
        named = " ".join(words[:2]) if words[0] == "curves" else words[0]
        written.setdefault(named, set()).add(output)
    plates, reports = {}, {name: {option} for name, (_, option) in REPORTS.items()}
    for words, option, _ in PLATES:
        plates.setdefault(words[0], set()).add(option)
    seen, unknown = 0, []
    for name, page in help_pages(folder).items():
        for one in sorted(files_of(page)):
            lists = [lists for lists in (READS, OF_JOBS, written, plates, reports) if one in lists.get(name, ())]
            unknown += [] if len(lists) == 1 else [f"{name} {one}"]
            seen += 1
        judge(name not in {**written, **plates} or "--force" in page, f"{name}: has no --force")
    judge(not unknown, "must be in one of READS, OF_JOBS, REPORTS, PLATES and WRITES: " + ', '.join(unknown))
    judge(seen > 40, f"only {seen} options and arguments were found in the help pages")
    print(f"{seen} options and arguments that name files are all known")


def command_line(words, output, target, more=()):
    folder_of_it = {"--folder": ".", "--out": "."}
    value = folder_of_it.get(output, target) if words[0] in ("screen", "wedge") else target
    if words[0] == "screen" and output == "--rosette":
        value = target
    return [*words, *([] if output == "OUT" else [output]), value, *more]


def refuses(folder, words, output, target, said, more=()):
    before = (folder / target).read_bytes()
    status, _, errors = run(folder, *command_line(words, output, target, more))
    judge(status == 64 and said in errors, f"{words} {output} {target} {more}: {status} {errors}")
    judge((folder / target).read_bytes() == before, f"{words} {output} {target}: changed")


def keeps_the_users_file(folder, words, output, name):
    target = folder / name
    for foreign in (b"mine", (folder / "foreign.tif").read_bytes()):
        target.write_bytes(foreign)
        refuses(folder, words, output, name, "was not written by mezzotint")
    for more in (("--force",), ()):  # replaces it; then it is its own
        status, _, errors = run(folder, *command_line(words, output, name, more))
        judge(status == 0, f"{words} {output} {name} {more}: {status} {errors}")
        judge(target.read_bytes() != foreign, f"{words} {output} {name}: not written")
    target.unlink()


def keeps_its_input(folder, words, output, name, read):
    if output in ("--folder", "--out") and words[0] in ("screen", "wedge"):
        return 0
    ways = {"hard": os.link, "soft": os.symlink}
    for way, link in ways.items():
        path = folder / f"{way}{pathlib.Path(name).suffix}"
        link(read if way == "soft" else folder / read, path)
        for more in ((), ("--force",)):
            refuses(folder, words, output, path.name, "the command reads this file", more)
        path.unlink()
    refuses(folder, words, output, f"./{read}", "the command reads this file", ("--force",))
    return len(ways) * 2 + 1


def keeps_what_is_no_plate(folder, words, name):
    """Foreign files, and a page of the program's own."""
    target = folder / name
    target.parent.mkdir(parents=True, exist_ok=True)
    kept = {"mine.txt": "was not written by mezzotint", "foreign.tif": "was not written by mezzotint",
            "page.tif": "this file of mezzotint is not a plate"}
    for source, said in kept.items():
        target.write_bytes((folder / source).read_bytes())
        for checks in ([["check", *words[2:]]] if words[:2] == ["run", "--fresh"] and "--plates" not in words
                       else []) + [words]:
            status, out, errors = run(folder, *checks)
            judge(status in (1, 64, 65) and said in out + errors, f"{checks}: {status} {out} {errors}")
            judge(name.split("/")[-1] in out + errors, f"{checks}: does not name the file: {out} {errors}")
            judge(target.read_bytes() == (folder / source).read_bytes(), f"{checks}: changed {name}")
    foreign = target.read_bytes()
    for more in (["--force"], []):  # replaces it; then it is its own
        status, _, errors = run(folder, *words, *more)
        judge(status == 0 and target.read_bytes() != foreign, f"{words} {more}: {status} {errors}")


def keeps_going_past_what_is_no_plate(folder):
    (folder / "two.yaml").write_text(
        "mezzotint: 1\njob: Two\npages: [page.tif, other.tif]\n", encoding="utf-8")
    (folder / "other.tif").write_bytes((folder / "page.tif").read_bytes())
    (folder / "plates/page_black.tif").write_bytes(b"mine")
    status, _, errors = run(folder, "run", "--keep-going", "two.yaml")
    judge(status == 1 and "page_black.tif: this file was not written by mezzotint" in errors,
          f"{status} {errors}")
    judge((folder / "plates/other_black.tif").exists(), "the other page was not made")
    judge((folder / "plates/page_black.tif").read_bytes() == b"mine", "changed")
    (folder / "two.yaml").write_text("mezzotint: 1\njob: Two\ndefaults: {output: {existing: overwrite}}\n"
                                     "pages: [page.tif, other.tif]\n", encoding="utf-8")
    status, _, errors = run(folder, "run", "two.yaml")
    judge(status == 0 and (folder / "plates/page_black.tif").read_bytes() != b"mine", f"{status} {errors}")


def keeps_the_users_report(folder, command):
    words, option = REPORTS[command]
    for name in ("report.html", "report.json", "ink_use.csv", "thumbnail.jpg"):
        report = folder / f"report-{command}-{name}"
        report.mkdir()
        (report / name).write_bytes(b"mine")
        status, _, errors = run(folder, command, *words, option, report)
        judge(status == 64 and "is no report of mezzotint" in errors, f"{command} {name}: {status} {errors}")
        judge([path.name for path in report.iterdir()] == [name], f"{command}: wrote into the folder")
        judge((report / name).read_bytes() == b"mine", f"{command}: changed {name}")
        (report / name).unlink()
    for _ in range(2):  # then its own
        status, _, errors = run(folder, command, *words, option, report)
        judge(status == 0, f"{command}: {status} {errors}")


def keeps_plates(folder):
    """No other output is one."""
    for name, words in (("p_cyan.tif", ["synth", "p_cyan.tif"]),
                        ("p_black.tif", ["proof", "p_cyan.tif", "--output", "p_black.tif"])):
        before = (folder / name).read_bytes()
        status, _, errors = run(folder, *words)
        judge(status == 64 and "this file is a plate" in errors, f"{words}: {status} {errors}")
        judge((folder / name).read_bytes() == before, f"{words}: changed")


def prepare(folder):
    for words in (["synth", "page.tif", "--width", "60", "--height", "50"],
                  ["synth", "colour.tif", "--width", "60", "--height", "50", "--colour", "cmyk"],
                  ["halftone", "colour.tif", "p_{ink}.tif"]):
        status, _, errors = run(folder, *words)
        judge(status == 0, errors)
    (folder / "cyan.yaml").write_text(CURVE, encoding="utf-8")
    (folder / "press.yaml").write_text(
        "mezzotint-press: 1\nname: XL\ninks: {cyan: {}}\nresolution: 600\n", encoding="utf-8")
    (folder / "mine.txt").write_text("mine", encoding="utf-8")
    (folder / "job.yaml").write_text("mezzotint: 1\njob: One\npages: [page.tif]\n", encoding="utf-8")
    # A page of the user: the same without the tag Software.
    page = (folder / "page.tif").read_bytes()
    (folder / "foreign.tif").write_bytes(page.replace(b"mezzotint\0", b"scanner-9\0"))


def main():
    with tempfile.TemporaryDirectory(prefix="mezzotint-outputs-") as name:
        folder = pathlib.Path(name)
        is_listed(folder)
        prepare(folder)
        onto_inputs = 0
        for words, output, target, read in WRITES:
            keeps_the_users_file(folder, words, output, target)
            if read:
                onto_inputs += keeps_its_input(folder, words, output, target, read)
        for words in (["synth", "q.png"], ["gallery", "page.tif", "q.tif"], ["screen", "--rosette", "q.tif"]):
            status, _, errors = run(folder, *words)
            judge(status == 64 and "must end in" in errors, f"{words}: {status} {errors}")
        for words, _, name in PLATES:
            keeps_what_is_no_plate(folder, words, name)
        keeps_going_past_what_is_no_plate(folder)
        keeps_plates(folder)
        for command in REPORTS:
            keeps_the_users_report(folder, command)
        print(f"{len(PLATES)} ways to make plates: {3 * len(PLATES)} files that are none stayed; "
              f"{len(REPORTS)} of reports: {4 * len(REPORTS)} foreign files stayed")
        print(f"{len(WRITES)} outputs: {2 * len(WRITES)} foreign files and {onto_inputs} inputs refused, "
              f"{2 * len(WRITES)} replaced that were its own or forced; 0 files of the user changed")


if __name__ == "__main__":
    main()
