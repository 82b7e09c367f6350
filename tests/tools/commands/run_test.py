#!/usr/bin/env python3
"""mezzotint run: jobs, from their start to their end. Usage: run_test.py PROGRAM [unittest options]."""

import itertools
import json
import os
import signal
import subprocess
import time
import unittest

from command import PROGRAM, STATE, Command, wait_for


class Run(Command):
    def test_a_good_job(self):
        self.synth("one.tif")
        self.synth("two.tif", 64, 900)
        result = self.run_program("run", self.manifest(self.JOB))
        self.assertIn("demo: 2 plates", result.stdout)
        self.assertTrue((self.folder / "plates/one.tif").exists())
        self.assertTrue((self.folder / "plates/two.tif").exists())

    def test_a_page_that_fails_is_1_and_the_others_go_on(self):
        self.synth("one.tif")
        (self.folder / "two.tif").write_bytes(b"II*\0 and then nothing of use")
        result = self.run_program("run", self.manifest(self.JOB), status=1)
        self.assertIn("two.tif", result.stderr)
        self.assertIn("1 sheet of 2 failed", result.stdout)
        self.assertTrue((self.folder / "plates/one.tif").exists())
        self.assertFalse((self.folder / "plates/two.tif").exists())
        self.assertEqual(self.leftovers(), [])

    def test_threads_and_memory_do_not_change_the_bits(self):
        self.synth("one.tif", 700, 900)
        self.synth("two.tif", 900, 300)
        job = self.manifest(self.JOB)
        seen = set()
        for words in (["--threads", "1"], ["--threads", "4"], ["--memory", "50MiB"], ["--simple"],
                      ["--band-rows", "5"]):
            self.run_program("run", job, *words)
            seen.add(b"".join((self.folder / f"plates/{name}.tif").read_bytes()
                              for name in ("one", "two")))
        self.assertEqual(len(seen), 1)

    def test_a_job_goes_on_where_it_was_left(self):
        self.synth("one.tif")
        self.synth("two.tif")
        self.run_program("run", self.manifest(self.JOB))
        again = self.run_program("run", "--resume", "job.yaml")
        self.assertIn("all 2 sheets were made before", again.stdout)
        (self.folder / "plates" / "one.tif").unlink()
        rest = self.run_program("run", "job.yaml")
        self.assertIn("one.tif is gone, so it is made again", rest.stderr)
        self.assertIn("1 plate,", rest.stdout)
        self.assertIn("1 sheet made before", rest.stdout)
        fresh = self.run_program("run", "--fresh", "job.yaml")
        self.assertIn("2 plates,", fresh.stdout)
        self.run_program("run", "--fresh", "--resume", "job.yaml", status=64)

    def test_plates_have_the_start_of_their_job_until_all_are_made(self):
        self.synth("one.tif")
        (self.folder / "two.tif").write_bytes(b"II*\0 and then nothing of use")
        job = self.manifest(self.JOB.replace("{stem}", "{date}/{time}/{id}/{stem}"))

        def folders():
            found = {path.parent for path in (self.folder / "plates").rglob("*.tif")}
            return sorted(str(path.relative_to(self.folder / "plates")) for path in found)
        self.run_program("run", job, status=1)
        first, = folders()
        self.assertRegex(first, r"^\d{4}-\d\d-\d\d/\d\d-\d\d-\d\d/\d{8}-\d{6}-[0-9a-f]{16}$")
        time.sleep(1.1)
        (self.folder / "two.tif").unlink()
        self.synth("two.tif")
        self.assertIn("1 sheet made before", self.run_program("run", job).stdout)
        self.assertEqual(folders(), [first])
        self.run_program("run", "--job-id", "NEXT", job)  # another job, as all was made
        self.assertEqual([name.endswith("/NEXT") for name in folders()].count(True), 1)
        self.run_program("run", "--job-id", "../up", job, status=64)
        said = self.run_program("submit", "--engine", "none", job, status=65).stderr
        self.assertIn("{date}, {time} or {id}", said)

    def test_two_jobs_never_write_one_plate(self):
        for name in ("a", "b"):
            (self.folder / name).mkdir()
            self.synth(f"{name}/card.tif", 30, 20)
            self.manifest(f"mezzotint: 1\njob: {name}\npages:\n  - {name}/card.tif\n", f"{name}.yaml")
        for command in ("check", "run"):
            said = self.run_program(command, "a.yaml", "b.yaml", status=65).stderr
            self.assertIn("b.yaml:4: '", said)
            self.assertIn("would write the same plate as", said)
            self.assertIn("no job was begun", said)
            self.assertFalse((self.folder / "plates").exists())
        self.run_program("run", "--keep-going", "a.yaml", "b.yaml", status=65)
        self.assertTrue((self.folder / "plates").exists())

    def test_jobs_go_by_their_priority(self):
        self.synth("one.tif")
        names = []
        for name, priority in (("low", 10), ("usual", 50), ("high", 90)):
            names.append(self.manifest(
                f"mezzotint: 1\njob: {name}\npriority: {priority}\n"
                f"pages: [{{input: one.tif, output: {{path: 'plates/{name}.tif'}}}}]\n",
                f"{name}.yaml"))
        result = self.run_program("run", *names)
        jobs = [line.split(":")[0] for line in result.stdout.splitlines()]
        self.assertEqual(jobs, ["high", "usual", "low"])

    def test_pages_begin_within_the_window_alone(self):
        self.synth("one.tif")
        job = self.manifest("mezzotint: 1\njob: a\npages: [one.tif]\n")
        hour = time.localtime().tm_hour
        later = f"{(hour + 2) % 24:02}:00-{(hour + 3) % 24:02}:00"
        process = subprocess.Popen([PROGRAM, "run", "--window", later, job], cwd=self.folder,
                                   stderr=subprocess.PIPE, env={**os.environ, **STATE}, text=True)
        self.assertIn(f"when {later} begins", process.stderr.readline())
        process.terminate()
        self.assertEqual(process.wait(timeout=600), 143)
        process.stderr.close()
        self.assertFalse((self.folder / "plates").exists())
        now = f"{hour:02}:00-{(hour + 2) % 24:02}:00"
        self.run_program("run", "--window", now, "--deadline", f"{(hour + 2) % 24:02}:30", job)
        self.assertTrue((self.folder / "plates" / "one_black.tif").exists())

    def test_a_confined_job_stays_in_its_folder(self):
        inside = self.folder / "in"
        inside.mkdir()
        self.synth("in/one.tif")
        self.synth("secret.tif")
        os.symlink("../secret.tif", inside / "link.tif")
        for page in ("../secret.tif", str(self.folder / "secret.tif"), "link.tif"):
            job = self.manifest(f"mezzotint: 1\njob: a\npages: ['{page}']\n", "in/job.yaml")
            self.run_program("run", "--within", "in", job, status=65)
        job = self.manifest("mezzotint: 1\njob: a\npages: [one.tif]\n", "in/job.yaml")
        self.run_program("run", "--within", "in", "--plates", "out", "--report", "reports", job)
        made = sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*.*")
                      if path.is_file() and not path.is_symlink())
        self.assertEqual(made, ["in/job.yaml", "in/one.tif", "out/plates/one_black.tif",
                                "reports/ink_use.csv", "reports/report.html",
                                "reports/report.json", "reports/thumbnail.jpg",
                                "secret.tif"])

    def test_a_reserve_that_no_disk_has_is_75(self):
        self.synth("one.tif")
        self.synth("two.tif")
        result = self.run_program("run", "--reserve", "4000 TB", self.manifest(self.JOB), status=75)
        self.assertIn("make room there", result.stderr)
        self.assertFalse((self.folder / "plates").exists())


class Results(Command):
    """What is written to standard output, and to reports."""

    def test_json_lines(self):
        self.synth("one.tif")
        self.synth("two.tif")
        result = self.run_program("run", "--json", self.manifest(self.JOB))
        objects = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertTrue(all(item["v"] == 1 for item in objects))
        sheets = [item for item in objects if item["type"] == "sheet"]
        self.assertEqual([item["ok"] for item in sheets], [True, True])
        self.assertEqual(len(sheets[0]["plates"][0]["content_sum"]), 32)
        self.assertEqual(sum(item["type"] == "begun" for item in objects), 2)
        self.assertLessEqual({item["type"] for item in objects}, {"begun", "pulse", "sheet", "job"})
        self.assertEqual(objects[-1]["type"], "job")
        self.assertTrue(objects[-1]["ok"])

    def test_json_has_errors_and_plans_too(self):
        result = self.run_program("run", "--json", "no.yaml", status=66)
        self.assertEqual(json.loads(result.stdout)["kind"], "missing")
        self.synth("one.tif")
        self.synth("two.tif")
        result = self.run_program("run", "--json", "--explain", self.manifest(self.JOB))
        types = [json.loads(line)["type"] for line in result.stdout.splitlines()]
        self.assertEqual(types[:3], ["sheet-plan", "sheet-plan", "plan"])
        self.assertEqual((types.count("sheet"), types[-1]), (2, "job"))

    def test_results_that_cannot_be_written_are_74(self):
        self.synth("one.tif")
        self.synth("two.tif")
        with open("/dev/full", "w", encoding="utf-8") as full:
            result = subprocess.run([PROGRAM, "run", "--json", self.manifest(self.JOB)],
                                    cwd=self.folder, stdout=full, stderr=subprocess.PIPE,
                                    env={**os.environ, **STATE}, timeout=600, check=False)
        self.assertEqual(result.returncode, 74)
        self.assertIn(b"standard output", result.stderr)

    def test_streams_that_are_closed_are_not_taken_by_files(self):
        self.synth("one.tif")
        self.synth("two.tif")
        job = self.manifest(self.JOB)
        self.run_program("run", job, "--fresh")
        made = {path.name: path.read_bytes() for path in (self.folder / "plates").iterdir()}
        for closed, words, status in (("<&- >&- 2>&-", ["-q"], 0), ("<&- >&- 2>&-", ["--json"], 74),
                                      (">&-", ["--json"], 74)):
            (self.folder / "plates/one.tif").unlink()
            result = subprocess.run(
                ["sh", "-c", f'exec "$@" {closed}', "sh", PROGRAM, "run", *words, "--fresh",
                 "--journal", "run.db", job],
                cwd=self.folder, env={**os.environ, **STATE}, timeout=600, check=False)
            self.assertEqual(result.returncode, status, (closed, words))
            self.assertEqual({path.name: path.read_bytes()
                              for path in (self.folder / "plates").iterdir()}, made)
            self.assertNotIn(b"{", (self.folder / "run.db.lock").read_bytes())

    def test_reports_of_several_manifests_have_an_index(self):
        self.synth("one.tif", 30, 20)
        good = self.manifest("mezzotint: 1\njob: Posters A3\npages: [one.tif]\n", "good.yaml")
        wrong = self.manifest("mezzotint: 1\njob: Cards\npages: [one.tif]\nbogus: 1\n", "wrong.yaml")
        index = self.folder / "night/index.html"
        self.run_program("check", "--report", "night", good, good)
        self.assertFalse(index.exists())
        self.run_program("run", "--report", "night", good, wrong, status=65)
        page = index.read_text()
        self.assertIn("0 of 2 jobs good: 1 not run, 1 refused", page)
        self.assertIn("line 4: unknown key", page)
        self.assertNotIn("<a ", page)
        self.run_program("run", "--keep-going", "--report", "night", good, wrong, status=65)
        page = index.read_text()
        self.assertIn("1 of 2 jobs good: 1 refused", page)
        self.assertIn('<a href="./Posters%20A3/report.html">', page)
        self.assertIn("1 plate<", page)
        self.assertTrue((self.folder / "night/Posters A3/report.html").exists())
        self.run_program("run", "--report", "night", good, good)
        self.assertIn("All 2 jobs are good", index.read_text())
        self.run_program("run", "--report", "alone", good)
        self.assertFalse((self.folder / "alone/index.html").exists())


class Signals(Command):
    def stop(self, number, side):
        """The status of a run that is interrupted as soon as it has begun a plate."""
        self.synth("page.tif", side, side)
        job = self.manifest("mezzotint: 1\njob: long\npages:\n"
                            "  - {input: page.tif, output: {compression: g4}}\n")
        process = subprocess.Popen([PROGRAM, "run", "--fresh", "--verify", job], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        wait_for(self.leftovers, self.folder, process=process)
        process.send_signal(number)
        process.communicate(timeout=600)
        return process.returncode

    def test_sigint_and_sigterm_leave_nothing_half_made(self):
        for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            # A page may be done before the signal arrives; a larger one takes longer.
            sides = itertools.takewhile(lambda side: side < 50_000, (6000 * 2**i for i in itertools.count()))
            ended = next(ended for side in sides if (ended := self.stop(number, side)) != 0)
            self.assertEqual(ended, status)
            self.assertEqual(self.leftovers(), [])
            self.assertFalse((self.folder / "plates/page_black.tif").exists())


if __name__ == "__main__":
    unittest.main()
