#!/usr/bin/env -S python3 -IS
"""Stands in for sbatch, squeue and scontrol, by the name that it is called by.

Its state is the folder that FAKE_SLURM names:

  calls         a line of JSON for each call: command, words, variables (SLURM_*, SBATCH_*, SQUEUE_*)
  jobs          a line of JSON for each job that it has: id, name, units (null: no array)
  states        lines "JOB STATE REASON" or "JOB_UNIT STATE REASON"; PENDING None where there is none
  next.COMMAND  what the next calls do, a line each; the first is taken away:
                  fail MESSAGE    refuses
                  lose, keep      answers that its socket timed out; keep has taken the job
                  late            likewise, and takes the job once squeue has answered without it
                  forget          answers as if it had taken the job
                  cluster         names its cluster beside the job
                  hang            takes the job, and says nothing for a minute
                  say TEXT        says just that
  config        what scontrol prints
"""
import json
import os
import sys
import time

COMMAND = os.path.basename(sys.argv[0])


def state(name):
    return os.path.join(os.environ["FAKE_SLURM"], name)


def read_lines(name):
    try:
        with open(state(name), encoding="utf-8") as file:
            return file.read().splitlines()
    except FileNotFoundError:
        return []


def append(name, value):
    with open(state(name), "a", encoding="utf-8") as file:
        file.write(json.dumps(value) + "\n")


def take_next():
    lines = read_lines(f"next.{COMMAND}")
    if not lines:
        return "", ""
    with open(state(f"next.{COMMAND}"), "w", encoding="utf-8") as file:
        file.writelines(line + "\n" for line in lines[1:])
    what, _, text = lines[0].partition(" ")
    return what, text


def refuse(message):
    print(f"{COMMAND}: error: {message}", file=sys.stderr)
    sys.exit(1)


def options(words):
    found = {}
    for word in words:
        if word.startswith("--") and "=" in word:
            name, _, value = word.partition("=")
            found[name] = value
    return found


def units_of(array):
    units = []
    for part in array.partition("%")[0].split(","):
        first, _, last = part.partition("-")
        units += range(int(first), int(last or first) + 1)
    return units


def sbatch(what):
    given = options(sys.argv[1:])
    jobs = [json.loads(line) for line in read_lines("jobs")]
    number = max((job["id"] for job in jobs), default=100) + 1
    if what == "late":
        ready, tells = os.pipe()
        if os.fork() == 0:
            os.setsid()  # whoever called kills what is left of its group
            os.close(tells)
            for _ in range(12000):  # ten minutes, in case nobody asks
                if os.path.exists(state("answered")):
                    break
                time.sleep(0.05)
        else:
            os.close(tells)
            os.read(ready, 1)
            what = "lose"
    if what not in ("lose", "forget"):
        array = given.get("--array")
        append("jobs", {"id": number, "name": given["--job-name"],
                        "units": units_of(array) if array else None})
    if what in ("lose", "keep", "late"):
        refuse("Batch job submission failed: Socket timed out on send/recv operation")
    if what == "hang":
        time.sleep(60)
    print(f"{number};prn" if what == "cluster" else number)


def squeue():
    words = sys.argv[1:]
    names = words[words.index("-n") + 1].split(",")
    form = words[words.index("-o") + 1]
    states = dict(line.split(" ", 1) for line in read_lines("states"))
    for job in map(json.loads, read_lines("jobs")):
        for unit in [None] if job["units"] is None else job["units"]:
            task = job["id"] if unit is None else f"{job['id']}_{unit}"
            state, _, reason = states.get(str(task), "PENDING None").partition(" ")
            if job["name"] in names and state != "GONE":
                print(form.replace("%j", job["name"]).replace("%F", str(job["id"]))
                      .replace("%K", "N/A" if unit is None else str(unit))
                      .replace("%T", state).replace("%r", reason))


def main():
    append("calls", {"command": COMMAND, "words": sys.argv[1:],
                     "variables": sorted(name for name in os.environ if name.startswith(
                         ("SLURM_", "SBATCH_", "SQUEUE_")))})
    what, text = take_next()
    if what == "fail":
        refuse(text)
    if what == "say":
        print(text)
    elif COMMAND == "sbatch":
        sbatch(what)
    elif what == "hang":
        time.sleep(60)
    elif COMMAND == "squeue":
        squeue()
        append("answered", None)
    else:
        print("\n".join(read_lines("config")))


main()
