#!/usr/bin/env python3
"""mezzotint watch and mezzotint jobs. Usage: watch_test.py PROGRAM [unittest options]."""

import json
import os
import pathlib
import re
import subprocess
import unittest
import urllib.error
import urllib.request

from command import PROGRAM, STATE, Command, wait_for


class Watching(Command):
    """A watcher and those who ask it."""

    def start(self, *words):
        (self.folder / "hot").mkdir()
        (self.folder / "hot/folder.yaml").write_text(
            "mezzotint: 1\nseparations: {inks: [cyan, magenta]}\n"
            "stability: {looks: 2, every: 100 ms, age: 0 s}\nreserve: 0\n")
        watcher = subprocess.Popen(
            [PROGRAM, "watch", "--state", "state", "--socket", "w.sock", *words, "hot"],
            cwd=self.folder, env={**os.environ, **STATE}, stderr=subprocess.DEVNULL)
        self.addCleanup(watcher.wait)
        self.addCleanup(watcher.kill)

    def wait_for(self, condition, folder):
        """Waits for files that the watcher makes."""
        self.assertTrue(wait_for(condition, folder), sorted(folder.rglob("*")))

    def jobs_with(self, *texts):
        """What `mezzotint jobs` lists, once it has all these texts."""
        listed = ""

        def found():
            nonlocal listed
            listed = subprocess.run([PROGRAM, "jobs", "--socket", "w.sock"], cwd=self.folder,
                                    capture_output=True, text=True, check=False).stdout
            return all(text in listed for text in texts)
        self.assertTrue(wait_for(found, every=0.1), listed)
        return listed

    def test_settings_of_a_folder_are_for_pages_with_any_inks(self):
        self.start()
        hot = self.folder / "hot"
        inks = "inks: {varnish: drop}"
        (hot / "folder.yaml").write_text(
            "mezzotint: 1\nstability: {looks: 2, every: 100 ms, age: 0 s}\nreserve: 0\n"
            f"plates: ../plates\ndefaults: {{{inks}}}\n")
        self.synth("hot/tea.tif", 30, 20)
        self.synth("hot/ticket.tif", 30, 20)
        (hot / "job.yaml").write_text(
            f"mezzotint: 1\njob: misspelt\npages: [{{input: ticket.tif, {inks}}}]\n")
        self.wait_for(lambda: len(list(hot.glob("reports/*/report.json"))) == 2, hot)
        found = {}
        for report in (json.loads(path.read_text()) for path in hot.glob("reports/*/report.json")):
            sheet, = report["sheets"]
            found[pathlib.Path(sheet["input"]).name] = len(sheet.get("warnings", []))
        self.assertEqual(found, {"tea.tif": 0, "ticket.tif": 1})

    def test_a_folder_may_be_named_by_a_link_to_a_share_that_is_mounted_later(self):
        (self.folder / "hot").symlink_to("server/hot")
        self.synth("tea.tif", 30, 20)
        watcher = subprocess.Popen([PROGRAM, "watch", "--state", "state", "--socket", "w.sock", "hot"],
                                   cwd=self.folder, env={**os.environ, **STATE},
                                   stderr=subprocess.DEVNULL)
        self.addCleanup(watcher.wait)
        self.addCleanup(watcher.kill)
        self.jobs_with("is not there; create it, or mount the share")
        share = self.folder / "server/hot"
        share.mkdir(parents=True)
        (share / "folder.yaml").write_text(
            "mezzotint: 1\nstability: {looks: 2, every: 100 ms, age: 0 s}\nreserve: 0\n")
        (self.folder / "tea.tif").rename(share / "tea.tif")
        self.wait_for(lambda: (share / "done/tea.tif").exists(), share)

    def test_pages_that_wait_for_space_are_75_once(self):
        hot = self.folder / "hot"
        hot.mkdir()
        settings = "mezzotint: 1\nstability: {looks: 2, every: 100 ms, age: 0 s}\nreserve: "
        (hot / "folder.yaml").write_text(settings + "1000 TiB\n")
        self.synth("hot/tea.tif", 30, 20)
        words = ("watch", "--once", "--state", "state", "hot")
        self.run_program(*words, environment=STATE, status=75)
        (hot / "folder.yaml").write_text(settings + "0\n")
        self.run_program(*words, environment=STATE)
        self.assertTrue((hot / "done/tea.tif").exists())

    def test_plates_never_lie_among_the_files_that_a_hot_folder_keeps(self):
        self.start()
        hot = self.folder / "hot"
        (hot / "folder.yaml").write_text(
            "mezzotint: 1\nstability: {looks: 2, every: 100 ms, age: 0 s}\nreserve: 0\n"
            "defaults: {output: {path: '{stem}/{ink}.tif'}}\n")
        (hot / "done").mkdir()
        (hot / "done/black.tif").write_bytes(b"a page of somebody")
        self.synth("hot/done.tif", 30, 20)
        self.synth("hot/tea.tif", 30, 20)
        folder = self.folder / "new"
        folder.mkdir()
        self.synth("new/a.tif", 30, 20)
        (folder / "job.yaml").write_text(
            "mezzotint: 1\njob: incomplete\n"
            "pages: [{input: a.tif, output: {path: '{job}/a.tif'}}]\n")
        folder.rename(hot / "order")
        texts = [hot / "failed/done.tif.error.txt", hot / "failed/order.error.txt"]
        self.wait_for(lambda: all(file.exists() for file in [*texts, hot / "tea/black.tif"]), hot)
        for text in texts:
            self.assertIn("where the hot folder keeps files of its own", text.read_text())
            self.assertNotIn("tried", text.read_text())
        self.assertEqual((hot / "done/black.tif").read_bytes(), b"a page of somebody")

    def test_jobs_name_what_is_stuck_and_keep_their_columns(self):
        self.start()
        hot = self.folder / "hot"
        (hot / ("long " + "\u00e4" * 90 + ".tif")).write_bytes(b"no page")
        (hot / "brochure.pdf").write_bytes(b"%PDF-1.7")
        self.synth("hot/milk_cyan.tif", 30, 20)
        lines = self.jobs_with("stuck", "not taken", "failed").splitlines()
        table = lines[lines.index("") + 1:]
        message = table[0].index("MESSAGE")
        self.assertLess(message, 130)
        found = {line[message:] for line in table[1:]}
        self.assertTrue(any(re.match("waits for magenta; moved to incomplete/ in [0-9]+ min", text)
                            for text in found), table)
        self.assertIn("it is a PDF; export each page as a TIFF file", found)
        for line in table[1:]:
            self.assertEqual(line[message - 1], " ", line)
            self.assertNotEqual(line[message], " ", line)

    def test_jobs_say_what_they_have_done(self):
        self.start()
        (self.folder / "hot/bad.tif").write_bytes(b"no page")
        self.synth("hot/good.tif", 30, 20)
        self.jobs_with("failed", "done")

        def ids(state):
            lines = self.jobs_with("MESSAGE").splitlines()
            return [line.split()[0] for line in lines if line.split()[1:2] == [state]]

        def told(*words):
            return self.run_program("jobs", *words, "--socket", "w.sock").stdout

        hot = os.path.realpath(self.folder / "hot")
        begun = "running jobs go on, and no new ones begin until"
        self.assertEqual(told("pause", "hot"),
                         f"{hot} is paused: {begun} `mezzotint jobs resume {hot}`\n")
        self.assertEqual(told("pause"), f"all folders are paused: {begun} `mezzotint jobs resume`\n")
        (failed,), (done,) = ids("failed"), ids("done")
        self.assertEqual(told("retry", failed[-16:]),
                         f"{failed}: its files are in the hot folder again, to be tried again\n")
        self.assertEqual(told("again", done),
                         f"{done}: its files are in the hot folder again; its plates are made "
                         "again\n")
        self.assertEqual(told("resume", "hot"), f"{hot} begins new jobs again\n")
        self.assertEqual(told("resume", "-q"), "")
        self.assertEqual(json.loads(told("resume", "--json")), {"ok": True})
        self.assertEqual(told("resume"), "all folders begin new jobs again\n")
        self.jobs_with("failed")
        (failed,) = ids("failed")
        self.assertEqual(told("dismiss", failed),
                         f"{failed} is off the list; its files stay where they are\n")

    def test_buttons_need_the_secret_of_the_page(self):
        self.start("--http", "127.0.0.1:0")
        self.jobs_with("no jobs")
        address = self.run_program("jobs", "page", "--socket", "w.sock").stdout.strip()
        url, token = re.fullmatch(r"(http://127\.0\.0\.1:\d+/)#token=([0-9a-f]{64})",
                                  address).groups()
        self.assertEqual((self.folder / "state/page.token").stat().st_mode & 0o777, 0o600)

        def post(headers):
            request = urllib.request.Request(
                url + "request", b'{"verb":"pause"}',
                {"Content-Type": "application/json", **headers})
            try:
                return urllib.request.urlopen(request, timeout=600).status
            except urllib.error.HTTPError as error:
                return error.code

        with self.assertRaises(urllib.error.HTTPError):
            urllib.request.urlopen(url + "token", timeout=600)
        self.assertEqual(post({}), 403)
        self.assertEqual(post({"X-Mezzotint-Token": token}), 200)
        self.jobs_with("paused")


if __name__ == "__main__":
    unittest.main()
