"""What the program writes beside plates, byte for byte: streams of JSON, reports, plans, records,
databases, hot folders, messages and exit statuses. See support.MASKS for what is left out."""

import hashlib
import re
import signal
import sqlite3
import subprocess
import threading

import support

JOB = """mezzotint: 1
job: Golden job
limits: {threads: 1, memory: 512 MiB}
pages:
  - grey.tif
  - input: ink.tif
    halftone: {method: bayer, order: 2}
    tone: {gamma: 0.9, invert: true, curve: [[0%, 0%], [50%, 54%], [100%, 100%]]}
    output: {path: "plates/{job}/{stem}_{ink}.tif", compression: lzw}
  - input: grey.tif
    pages: 1
    halftone: {method: pinwheel, block: 8, seed: 3, path: serpentine}
    output: {path: "plates/{stem}_{page}_second.tif", compression: g4}
  - broken.tif
"""

WRONG = {
    "misspelt.yaml": "mezzotint: 1\njob: a\npages:\n  - {input: grey.tif, bogus: 1}\n",
    "method.yaml": "mezzotint: 1\njob: a\npages:\n"
                   "  - {input: grey.tif, halftone: {method: floyd-steinburg}}\n",
    "version.yaml": "mezzotint: 2\njob: a\npages: [grey.tif]\n",
    "missing.yaml": "mezzotint: 1\njob: a\npages: [nowhere.tif]\n",
    "curve.yaml": "mezzotint: 1\njob: a\npages:\n"
                  "  - {input: grey.tif, tone: {curve: [[0%, 0%], [50%, 120%]]}}\n",
    "cut.yaml": "mezzotint: 1\njob: a\npages_total: 2\npages:\n  - grey.tif\nend: true\n",
    "not-yaml.yaml": "mezzotint: [1\n",
    "clash.yaml": "mezzotint: 1\njob: a\npages:\n  - {input: grey.tif, output: {path: x.tif}}\n"
                  "  - {input: ink.tif, output: {path: x.tif}}\n",
    "memory.yaml": "mezzotint: 1\njob: a\nlimits: {threads: 1, memory: 1 MiB}\npages: [grey.tif]\n",
}

PRESS = """mezzotint-press: 1
name: XL 106, board
assume_resolution: 300
resolution: 600
halftone: {method: bayer, order: 4}
inks:
  black: {label: K, names: [Tiefschwarz]}
  magenta: {label: M, halftone: {method: threshold, level: 45%}}
  spot: {tone: {gamma: 1.1}}
output: {path: "plates/{n}_{label}.tif", compression: g4, mirror: true}
"""

ON_PRESS = """mezzotint: 1
job: on a press
press: presses/xl.yaml
limits: {threads: 1}
defaults:
  tone: {gamma: 0.9}
  inks: {M: {halftone: {level: 50%}}}
pages:
  - {input: ink.tif, halftone: {order: 3}}
"""

HOT = """mezzotint: 1
stability: {looks: 2, every: 100 ms, age: 0 s}
scan: 1 s
order: name
throttle: 1
separations:
  inks: [cyan, black]
  pattern: "{page}_{ink}.tif"
  wait: 1 s
"""


def pages(scene, folder=""):
    """Pages of every kind that the jobs here name."""
    scene.synth(f"{folder}grey.tif", 24, 16, "--seed", 1)
    scene.synth(f"{folder}ink.tif", 20, 12, "--seed", 2, "--colour", "cmyk")
    scene.write(f"{folder}broken.tif", "no TIFF\n")


def by_first_word(text, kinds):
    """The text with its JSON lines of some kinds sorted by sheet, where sheets run at once."""
    def key(line):
        match = re.search(r'"sheet":(\d+)', line)
        return int(match[1]) if match else -1
    lines = text.splitlines(keepends=True)
    moved = sorted((line for line in lines if kinds.match(line)), key=key)
    return "".join(moved.pop(0) if kinds.match(line) else line for line in lines)


def of_job(scene):
    """A job: what check and run say, the report, and the journal that makes it a short one."""
    pages(scene)
    scene.write("job.yaml", JOB)
    run = ("run", "--simple", "--journal", "job.db")
    texts = [scene.transcript(*words) for words in (
        ("check", "job.yaml"), ("check", "--explain", "job.yaml"), ("check", "--json", "job.yaml"),
        (*run, "--json", "--report", "report", "job.yaml"),
        (*run, "--json", "job.yaml"), (*run, "job.yaml"), (*run, "--fresh", "job.yaml"),
        (*run, "--log-json", "job.yaml"), (*run, "--dry-run", "job.yaml"))]
    (scene.work / "plates/grey_black.tif").unlink()
    texts.append(scene.transcript(*run, "-v", "job.yaml"))
    journal = scene.mask(support.dump_database(scene.work / "job.db"))
    return {"job.txt": "\n".join(texts), "journal.txt": journal,
            "report.json": scene.mask((scene.work / "report/report.json").read_text())}


def of_press(scene):
    """A job on a press: what check and run say of both files, and the report."""
    pages(scene)
    (scene.work / "presses").mkdir()
    scene.write("presses/xl.yaml", PRESS)
    scene.write("presses/few.yaml", PRESS.replace("  spot: {tone: {gamma: 1.1}}\n", ""))
    scene.write("presses/wrong.yaml", PRESS.replace("600", "60000"))
    scene.write("job.yaml", ON_PRESS)
    scene.write("level.yaml", ON_PRESS.replace("order: 3", "level: 30%"))
    run = ("run", "--simple", "--journal", "job.db")
    texts = [scene.transcript(*words) for words in (
        ("check", "job.yaml"), ("check", "--settings", "job.yaml"), ("check", "--json", "job.yaml"),
        ("check", "level.yaml"), ("check", "presses/xl.yaml", "presses/wrong.yaml"),
        ("check", "--json", "presses/xl.yaml"), ("check", "--press", "presses/few.yaml", "job.yaml"),
        ("run", "presses/xl.yaml"), (*run, "--json", "--report", "report", "job.yaml"),
        (*run, "job.yaml"), (*run, "--press", "presses/wrong.yaml", "job.yaml"))]
    return {"press.txt": "\n".join(texts),
            "press_report.json": scene.mask((scene.work / "report/report.json").read_text())}


def of_one_file(scene):
    """halftone, compare and synth, which need no manifest."""
    pages(scene)
    halftone = ("halftone", "--threads", 1)  # said in reports, and by default the machine's
    words = [(*halftone, "--json", "grey.tif", "plate.tif"),
             (*halftone, "--explain", "ink.tif", "ink_plate.tif"),
             (*halftone, "--json", "--report", "report", "--sha256", 64 * "0", "grey.tif", "b.tif"),
             ("compare", "--json", "grey.tif", "plate.tif"),
             ("compare", "grey.tif", "plate.tif"),
             ("compare", "--json", "grey.tif", "broken.tif"),
             ("synth", "again.tif", "--width", 9, "--height", 7, "--bits", 16)]
    texts = [scene.transcript(*one) for one in words]
    again = hashlib.sha256((scene.work / "again.tif").read_bytes()).hexdigest()
    return {"one_file.txt": "\n".join(texts) + f"again.tif {again}\n",
            "one_file_report.json": scene.mask((scene.work / "report/report.json").read_text())}


def of_wrong(scene):
    """Manifests and command lines with mistakes: messages and statuses."""
    pages(scene)
    texts = []
    for name, text in WRONG.items():
        scene.write(name, text)
        texts += [scene.transcript("check", name), scene.transcript("check", "--json", name)]
    for words in (("run", "--log-json", "misspelt.yaml"), ("run", "--json", "nowhere.yaml"),
                  ("run", "--keep-going", "nowhere.yaml", "cut.yaml"), ("run", "--bogus", "a.yaml"),
                  ("halfton", "a", "b"), (), ("halftone", "nowhere.tif", "plate.tif"),
                  ("halftone", "--json", "broken.tif", "plate.tif"),
                  ("halftone", "grey.tif", "broken.tif/plate.tif"),
                  ("halftone", "--method", "bayer", "--order", 9, "grey.tif", "plate.tif"),
                  ("halftone", "--method", "bayer", "--engine", "hybrid", "grey.tif", "plate.tif"),
                  ("halftone", "--sha256", 64 * "0", "grey.tif", "plate.tif"),
                  ("submit", "--engine", "none", "misspelt.yaml"), ("status", "nowhere.plan"),
                  ("worker", "nowhere.plan", 0), ("collect", "--json", "nowhere.plan"),
                  ("jobs", "--json", "--socket", "nowhere.sock"), ("watch", "--once", "nowhere")):
        texts.append(scene.transcript(*words))
    return {"wrong.txt": "\n".join(texts)}


def of_schemas(scene):
    """Digests of the schemas, which lie in the tree as files of their own."""
    rows = [(words, hashlib.sha256(scene.make(*words).encode()).hexdigest())
            for words in (("schema",), ("schema", "--folder"), ("schema", "--press"), ("schema", "--curve"))]
    return {"schemas.txt": "".join(f"{' '.join(words)}: {digest}\n" for words, digest in rows)}


# ---- A cluster ---------------------------------------------------------------------------------

RECORD = re.compile(r'\{"v":1,"type":"(begun|sealed|sheet)"')


def tree(scene, folder):
    """Names of files and folders, sorted, with what names have of a run masked."""
    names = sorted(str(path.relative_to(scene.work)) + ("/" if path.is_dir() else "")
                   for path in (scene.work / folder).rglob("*"))
    masked = [re.sub(r"(records/\d+)-\S+-\d+-[0-9a-f]{8}", r"\1-NODE-PID-LOT", name)
              for name in names]
    return "".join(f"{name}\n" for name in sorted(masked))


def records(scene, plan):
    # Their names tell the node, the process and a lot, none of which is an order.
    return "".join(sorted(
        f"--- {tree_name(path)}\n" + scene.mask(by_first_word(path.read_text(), RECORD))
        for path in (scene.work / plan / "records").iterdir()))


def tree_name(path):
    return path.name.split("-")[0]


def of_cluster(scene):
    """A plan, its records and report, and what the commands of a cluster say."""
    pages(scene)
    scene.write("job.yaml", JOB)
    submit = ("submit", "--pages-per-task", 1, "--cpus-per-task", 1)
    texts = [scene.transcript(*words) for words in (
        (*submit, "--dry-run", "job.yaml"),
        (*submit, "--engine", "none", "--tries", 3, "job.yaml"),
        ("status", "--json", "job.plan"), ("worker", "job.plan", 0), ("worker", "job.plan", 1),
        ("status", "--json", "job.plan"), ("collect", "--json", "job.plan"),
        ("worker", "job.plan", 2), ("worker", "job.plan", 3), ("worker", "job.plan", 9),
        ("worker", "job.plan", 0), ("status", "job.plan"), ("collect", "job.plan"),
        ("collect", "--json", "job.plan"), ("status", "--json", "job.plan"))]
    found = {"plan.json": scene.mask((scene.work / "job.plan/plan.json").read_text()),
             "records.txt": records(scene, "job.plan"),
             "merged_report.json":
                 scene.mask((scene.work / "job.plan/report/report.json").read_text())}
    texts += [scene.transcript(*words) for words in (
        (*submit, "--engine", "none", "job.yaml"), (*submit, "--json", "--engine", "none", "job.yaml"),
        (*submit, "--engine", "local", "--array-limit", 1, "--wait", "--json", "--plan", "local.plan",
         "job.yaml"),
        ("cancel", "--json", "job.plan"), ("cancel", "job.plan"), ("status", "--json", "job.plan"))]
    found["records_local.txt"] = records(scene, "local.plan")
    found["cluster.txt"] = "\n".join(texts) + "\n" + tree(scene, "job.plan") + tree(scene, "local.plan")
    return found


# ---- Hot folders -------------------------------------------------------------------------------

def drop(scene, hot):
    """A hot folder with jobs of all kinds."""
    for name, source in (("a.tif", "grey.tif"), ("b.tif", "broken.tif"), ("d.tif", "ink.tif"),
                         ("e_page.tif", "grey.tif"), ("g_cyan.tif", "grey.tif"),
                         ("g_black.tif", "grey.tif")):
        (scene.work / hot).mkdir(exist_ok=True)
        (scene.work / hot / name).write_bytes((scene.work / source).read_bytes())
    scene.synth(f"{hot}/set/page.tif", 21, 13, "--seed", 9)
    scene.write(f"{hot}/set/job.yaml", "mezzotint: 1\njob: Set\npages:\n  - page.tif\n")
    scene.write(f"{hot}/e.yaml", "mezzotint: 1\njob: Ticket\npages:\n  - e_page.tif\n")
    scene.write(f"{hot}/wrong.yaml", "mezzotint: 1\njob: Wrong\npages:\n  - {input: e_page.tif, a: 1}\n")
    scene.write(f"{hot}/folder.yaml", HOT)


def contents(scene, hot, state):
    """The tree of a hot folder, with what its texts say."""
    names = named_jobs(scene, tree(scene, hot), state).splitlines(keepends=True)
    text = "".join(sorted(names))
    for path in sorted((scene.work / hot).rglob("*")):
        if path.name.endswith(".error.txt") or path.name == "folder.error":
            text += f"--- {path.relative_to(scene.work)}\n{path.read_text()}"
    return scene.mask(named_jobs(scene, text, state))


def by_page(text):
    """Rows of jobs with their plates sorted by page, as pages may be in work at once."""
    def page(plate):
        return re.search(r'"path":"(.*)_', plate)[1]
    return re.sub(r"(?<=^plates = '\[\{)(.*)(?=\}\]'$)",
                  lambda row: "},{".join(sorted(row[1].split("},{"), key=page)), text,
                  flags=re.MULTILINE)


def rows_sorted(text):
    """A database with the rows of each table sorted, as the ids of jobs are drawn by lot."""
    head, *rows = re.split(r"^(?=\[\w+\]$)", text, flags=re.MULTILINE)
    tables = dict.fromkeys(row.split("\n")[0] for row in rows)
    return head + "".join("".join(sorted(row for row in rows if row.startswith(f"{table}\n")))
                          for table in tables)


def named_jobs(scene, text, state):
    """The text with the names of jobs in place of what was drawn by lot for their ids."""
    with sqlite3.connect(scene.work / state / "watch.db") as database:
        rows = database.execute("SELECT id, name FROM jobs").fetchall()
    database.close()
    for job, name in rows:
        text = text.replace(job, f"ID-OF-{name}")
    return text


def work_off(scene, hot):
    """What a watcher says and leaves when it works off a hot folder, and what it keeps of it."""
    text = scene.transcript("watch", "--once", "--jobs", 1, "--threads", 1, "--state", "watch_state",
                            hot)
    database = by_page(support.dump_database(scene.work / "watch_state/watch.db"))
    return (named_jobs(scene, text, "watch_state") + contents(scene, hot, "watch_state"),
            scene.mask(rows_sorted(named_jobs(scene, database, "watch_state"))))


def of_watch(scene):
    """A hot folder with jobs that end well, and some that do not."""
    pages(scene)
    drop(scene, "hot")
    text, database = work_off(scene, "hot")
    return {"watch.txt": text, "watch_database.txt": database}


def of_incomplete(scene):
    """A hot folder with a set of inks that never is whole."""
    pages(scene)
    scene.write("hot/folder.yaml", HOT)
    (scene.work / "hot/h_cyan.tif").write_bytes((scene.work / "grey.tif").read_bytes())
    text, database = work_off(scene, "hot")
    return {"incomplete.txt": text, "incomplete_database.txt": database}


def of_jobs(scene):
    """What a watcher that runs tells `mezzotint jobs`."""
    pages(scene)
    socket = ("--socket", scene.work / "watch.sock")
    scene.write("hot/folder.yaml", HOT)
    for name in ("grey.tif", "broken.tif"):
        (scene.work / "hot" / name).write_bytes((scene.work / name).read_bytes())
    words = ("watch", "--jobs", 1, "--threads", 1, "--state", "jobs_state", *socket, "hot")
    watcher = subprocess.Popen([scene.program, *map(str, words)], cwd=scene.work,
                               env=scene.environment, stderr=subprocess.PIPE)
    try:
        ended = b'"jobs_done":1,"jobs_failed":1'
        if not support.wait_for(lambda: ended in scene.call("jobs", "--json", *socket).stdout,
                                process=watcher, every=0.1):
            raise RuntimeError("the watcher does not come to an end with its jobs")
        texts = [scene.transcript("jobs", *more, *socket) for more in (
            ("--json",), (), ("pause", "--json", "hot"), ("list",), ("resume", "hot"),
            ("retry", "no-such-job"), ("cancel", "--json", "no-such-job"))]
    finally:
        watcher.send_signal(signal.SIGTERM)
        timer = threading.Timer(support.PATIENCE, watcher.kill)
        timer.start()
        log = watcher.communicate()[1].decode()
        timer.cancel()
    texts.append(f"$ mezzotint watch hot\nstatus {watcher.returncode}\n{scene.mask(log)}")
    return {"jobs.txt": named_jobs(scene, "\n".join(texts), "jobs_state")}


CASES = (of_job, of_press, of_one_file, of_wrong, of_schemas, of_cluster, of_watch, of_incomplete,
         of_jobs)


def check(program, _engine, update):
    """The part `formats`: its differences, and a line that says what was held."""
    found = {}
    for case in CASES:
        with support.Scene(program) as scene:
            found.update(case(scene))
    return support.hold("formats", found, update), f"{len(found)} files"
