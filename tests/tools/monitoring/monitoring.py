#!/usr/bin/env python3
"""The dashboard and the alert rules of tools/monitoring.

    monitoring.py metrics MEZZOTINT   the dashboard is sound, and every metric, label and state that it
                                      and the rules name is one that a watcher exposes
    monitoring.py rules               promtool: the rules, their cases in alerts_test.yml, and the
                                      queries of the dashboard. Status 77 (skipped) without promtool
"""
import itertools
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from events import PATIENCE, wait_for  # noqa: E402  (it lies there)

try:
    import yaml
except ImportError:
    print("skipped: install python3-yaml")
    sys.exit(77)

HERE = pathlib.Path(__file__).resolve().parent
MONITORING = HERE.parents[2] / "tools/monitoring"
DASHBOARD = json.loads((MONITORING / "dashboard.json").read_text(encoding="utf-8"))
MADE_BY_PROMETHEUS = {"up", "ALERTS"}
ADDED_BY_PROMETHEUS = {"instance", "job", "alertname", "alertstate"}


def rules():
    text = (MONITORING / "alerts.yml").read_text(encoding="utf-8")
    return [rule for group in yaml.safe_load(text)["groups"] for rule in group["rules"]]


def queries():
    """All of the dashboard, with the place of each."""
    for panel in DASHBOARD["panels"]:
        for target in panel.get("targets", []):
            yield f"panel '{panel['title']}'", target["expr"]
    for variable in DASHBOARD["templating"]["list"]:
        if variable["type"] == "query":
            inside = re.fullmatch(r"label_values\((.*), \w+\)", variable["definition"])
            yield f"variable '{variable['name']}'", inside[1]
    for annotation in DASHBOARD["annotations"]["list"]:
        yield f"annotation '{annotation['name']}'", annotation["expr"]


def layout_mistakes():
    """What is wrong with the dashboard as such."""
    panels = DASHBOARD["panels"]
    places = [(panel["title"], *(panel["gridPos"][key] for key in "xywh")) for panel in panels]
    if len({panel["id"] for panel in panels}) != len(panels):
        yield "two panels have one id"
    for one, x, _, width, height in places:
        if not (0 <= x and width > 0 and height > 0 and x + width <= 24):
            yield f"panel '{one}' reaches beyond the 24 columns"
    for (one, x, y, width, height), (other, left, top, w, h) in itertools.combinations(places, 2):
        if x < left + w and left < x + width and y < top + h and top < y + height:
            yield f"panels '{one}' and '{other}' overlap"
    for panel in panels:
        if panel["type"] == "row":
            continue
        letters = [target["refId"] for target in panel["targets"]]
        if not panel["description"] or not letters or len(set(letters)) != len(letters):
            yield f"panel '{panel['title']}': it needs a description, and queries with letters of their own"
        for part in (panel, *panel["targets"]):
            if part["datasource"] != {"type": "prometheus", "uid": "${datasource}"}:
                yield f"panel '{panel['title']}' does not follow the variable datasource"


def exposed(program):
    """The samples of a watcher that has made a page: {name: {label: values}}."""
    with tempfile.TemporaryDirectory() as scratch:
        hot = pathlib.Path(scratch) / "hot"
        hot.mkdir()
        settings = "mezzotint: 1\nreserve: 0 MiB\nstability: {looks: 2, every: 100 ms, age: 100 ms}\n"
        (hot / "folder.yaml").write_text(settings, encoding="utf-8")
        page = hot / "page.tif"
        subprocess.run([program, "synth", "-q", "--width", "64", "--height", "64", page], check=True)
        command = [program, "watch", "--http", "127.0.0.1:0", "--socket", f"{scratch}/socket",
                   "--state", f"{scratch}/state", hot]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as watcher:
            try:
                address = next(found[0] for line in watcher.stderr
                               if (found := re.search(r"http://[\d.:]+/", line)))

                def metrics():
                    with urllib.request.urlopen(f"{address}metrics", timeout=PATIENCE) as answer:
                        return answer.read().decode()
                wait_for(lambda: "last_success" in metrics(), every=0.1)
                return samples(metrics())
            finally:
                watcher.terminate()
                watcher.stderr.read()


def samples(text):
    found = {}
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        name, labels = re.match(r"(\w+)(?:\{(.*)\})? ", line).groups()
        values = found.setdefault(name, {})
        for label, value in re.findall(r'(\w+)="([^"]*)"', labels or ""):
            values.setdefault(label, set()).add(value)
    return found


def query_mistakes(query, known):
    """Names and values in a query that no watcher exposes."""
    for name in re.findall(r"\b(?:mezzotint|process)_\w+", query):
        if name not in known:
            yield f"no watcher exposes {name}"
    for name, matchers in re.findall(r"\b(\w+)\{(.*?)\}", query):
        if name in MADE_BY_PROMETHEUS or name not in known:
            continue
        for label, values in re.findall(r'(\w+)=~?"(.*?)"', matchers):
            if label in ADDED_BY_PROMETHEUS:
                continue
            if label not in known[name]:
                yield f"{name} has no label {label}"
            elif not values.startswith("$") and not set(values.split("|")) <= known[name][label]:
                yield f"{name} has no {label}=\"{values}\", but {sorted(known[name][label])}"


def check_metrics(program):
    wrong = list(layout_mistakes())
    known = exposed(program)
    asked = [*queries(), *((f"alert {rule['alert']}", rule["expr"]) for rule in rules())]
    for place, query in asked:
        wrong += [f"{place}: {mistake}" for mistake in query_mistakes(query, known)]
    own = {re.sub("_(bucket|sum|count)$", "", name) for name in known if name.startswith("mezzotint_")}
    shown = " ".join(query for _, query in asked)
    wrong += [f"neither dashboard nor rules use {name}" for name in sorted(own) if name not in shown]
    for rule in rules():
        missing = {"summary", "description", "action"} - rule["annotations"].keys()
        if missing or rule["labels"].get("severity") not in ("warning", "critical"):
            wrong.append(f"alert {rule['alert']}: it lacks {sorted(missing) or 'a severity'}")
    print(f"{len(DASHBOARD['panels'])} panels, {len(rules())} alerts, {len(asked)} queries, "
          f"{len(own)} metrics")
    return wrong


def promtool(*arguments):
    result = subprocess.run(["promtool", *map(str, arguments)], capture_output=True, text=True,
                            check=False)
    return [] if result.returncode == 0 else [result.stdout + result.stderr]


def check_rules():
    if not shutil.which("promtool"):
        print("skipped: there is no promtool (Debian package prometheus)")
        sys.exit(77)
    wrong = promtool("check", "rules", MONITORING / "alerts.yml")
    wrong += promtool("test", "rules", HERE / "alerts_test.yml")
    tested = (HERE / "alerts_test.yml").read_text(encoding="utf-8")
    wrong += [f"alerts_test.yml has no case in which {rule['alert']} fires"
              for rule in rules() if f'alertname="{rule["alert"]}"' not in tested]
    # promtool reads queries in rules alone; the variables are Grafana's.
    asked = [query.replace("$__rate_interval", "5m").replace("$instance", ".*").replace("$folder", ".*")
             for _, query in queries()]
    recorded = [{"record": f"query:{number}", "expr": query} for number, query in enumerate(asked)]
    with tempfile.NamedTemporaryFile("w", suffix=".yml") as file:
        yaml.safe_dump({"groups": [{"name": "dashboard", "rules": recorded}]}, file)
        file.flush()
        wrong += promtool("check", "rules", file.name)
    print(f"{len(rules())} alerts, {len(asked)} queries of the dashboard")
    return wrong


def main():
    wrong = check_metrics(sys.argv[2]) if sys.argv[1] == "metrics" else check_rules()
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
