#!/usr/bin/env python3
"""The benchmarks as a developer meets them. Usage: bench_test.py LAB PROGRAM [unittest args]."""

import csv
import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

LAB, PROGRAM = (pathlib.Path(sys.argv.pop(1)).resolve() for _ in range(2))


class Lab(unittest.TestCase):
    """Each test has an empty folder of its own, and runs the programs in it."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="mezzotint-lab-")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def run_words(self, *words, status=0):
        result = subprocess.run(words, cwd=self.folder, capture_output=True, text=True, timeout=900,
                                check=False)
        self.assertEqual(result.returncode, status, f"{words}\n{result.stdout}\n{result.stderr}")
        return result

    def run_lab(self, *words, status=0):
        return self.run_words(LAB, *words, status=status)

    def run_program(self, *words):
        return self.run_words(PROGRAM, *words)

    def synth(self, name, width, height):
        self.run_program("synth", name, "--width", str(width), "--height", str(height))

    def gpus(self):
        return json.loads(self.run_program("info", "--json").stdout)["gpus"]

    def search(self, *words):
        """What `bench search` says of small images, by type."""
        rows = {}
        for line in self.run_lab("bench", "search", "--json", *words).stdout.splitlines():
            row = json.loads(line)
            rows.setdefault(row["type"], []).append(row)
        return rows

    def grey(self, name, width, height, sample):
        """Writes an 8-bit TIFF, 0 black; `sample(x, y)` is its pixels."""
        tags = [(256, width), (257, height), (258, 8), (259, 1), (262, 1), (273, 8 + 2 + 9 * 12 + 4),
                (277, 1), (278, height), (279, width * height)]
        head = struct.pack("<2sHIH", b"II", 42, 8, len(tags))
        head += b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in tags)
        pixels = bytes(sample(x, y) for y in range(height) for x in range(width))
        (self.folder / name).write_bytes(head + bytes(4) + pixels)


class Diffusion(Lab):
    def test_diffusion_measures_and_compares_every_bit(self):
        result = self.run_lab("bench", "diffusion", "--sizes", "64,100x37", "--repetitions",
                                  "1", "--csv", "bench.csv", "--svg", "bench.svg")
        self.assertIn("100 x 37", result.stdout)
        self.assertEqual("GPU rows are left out" in result.stdout, not self.gpus())
        with open(self.folder / "bench.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertLessEqual({"ed", "ec", "wavefront"}, {row["schedule"] for row in rows})
        self.assertEqual({(row["width_px"], row["height_px"]) for row in rows},
                         {("64", "64"), ("100", "37")})
        for row in rows:
            self.assertEqual(row["differing_words"], "0", row)
            self.assertGreater(int(row["words"]), 0, row)
            self.assertGreater(float(row["ms"]), 0, row)
        picture = xml.etree.ElementTree.parse(self.folder / "bench.svg").getroot()
        self.assertEqual(picture.tag, "{http://www.w3.org/2000/svg}svg")

    def test_diffusion_has_the_papers_times_beside_its_sizes(self):
        result = self.run_lab(
            "bench", "diffusion", "--json", "--sizes", "1024", "--repetitions", "1")
        rows = [json.loads(line) for line in result.stdout.splitlines()]
        collection = next(row for row in rows if row.get("schedule") == "ec")
        self.assertEqual(collection["paper_ms"], 8.29)
        self.assertAlmostEqual(
            collection["paper_over_ours"] * collection["ms"], collection["paper_ms"])


class Pinwheel(Lab):
    def test_pinwheel_measures_every_block_and_compares_every_bit(self):
        result = self.run_lab(
            "bench", "pinwheel", "--json", "--sizes", "64,100x37", "--blocks", "8,16,8",
            "--repetitions", "1", "--csv", "bench.csv", "--svg", "bench.svg", "--quality-size", "64")
        rows = [json.loads(line) for line in result.stdout.splitlines()]
        timed = [row for row in rows if row["type"] == "pinwheel"]
        self.assertEqual({(row["width_px"], row["height_px"], row["block"]) for row in timed},
                         {(64, 64, 8), (64, 64, 16), (100, 37, 8), (100, 37, 16)})
        schedules = {"lanes", "pixels"} | ({"loop", "unrolled"} if self.gpus() else set())
        self.assertEqual({row["schedule"] for row in timed}, schedules)
        for row in timed:
            self.assertEqual(row["differing_words"], 0, row)
            self.assertGreater(row["words"], 0, row)
            self.assertAlmostEqual(
                row["gpx_per_s"] * row["ms"] * 1e6 / (row["width_px"] * row["height_px"]), 1)
        with open(self.folder / "bench.csv", encoding="utf-8", newline="") as file:
            table = list(csv.DictReader(file))
        self.assertEqual([(row["block"], row["schedule"]) for row in table],
                         [(str(row["block"]), row["schedule"]) for row in timed])
        picture = xml.etree.ElementTree.parse(self.folder / "bench.svg").getroot()
        self.assertEqual(picture.tag, "{http://www.w3.org/2000/svg}svg")

    def test_pinwheel_has_the_papers_throughput_beside_its_blocks(self):
        if not self.gpus():
            self.skipTest("there is no GPU")
        result = self.run_lab("bench", "pinwheel", "--json", "--engine", "gpu", "--blocks",
                                  "8,64", "--repetitions", "1", "--no-quality")
        rows = [json.loads(line) for line in result.stdout.splitlines()]
        ceilings = next(row for row in rows if row["type"] == "ceilings")
        unrolled, loop, large = [row for row in rows if row["type"] == "pinwheel"][:3]
        self.assertEqual((unrolled["schedule"], loop["schedule"]), ("unrolled", "loop"))
        self.assertAlmostEqual(unrolled["paper_gpx_per_s"], 0.7213)
        self.assertAlmostEqual(unrolled["over_paper"] * 0.7213, unrolled["gpx_per_s"])
        self.assertAlmostEqual(unrolled["over_loop"], loop["ms"] / unrolled["ms"])
        self.assertIsNone(loop["paper_gpx_per_s"])
        self.assertIsNone(large["paper_gpx_per_s"])
        # Samples of both colours lie in each sector of 32 bytes, or in none.
        self.assertEqual(unrolled["least_bytes_per_px"], 2 + 5 / 8 + 8 / 8)
        self.assertEqual(large["least_bytes_per_px"], 1 + 5 / 8 + 8 / 64)
        self.assertAlmostEqual(unrolled["of_copy"] * ceilings["copy_gbps"],
                               unrolled["least_bytes_per_px"] * unrolled["gpx_per_s"])

    def test_pinwheel_judges_blocks_and_noise(self):
        result = self.run_lab(
            "bench", "pinwheel", "--json", "--sizes", "64", "--blocks", "4,32", "--repetitions", "1",
            "--engine", "cpu", "--quality-size", "256", "--quality-csv", "quality.csv", "--plates",
            "new/plates")
        rows = [json.loads(line) for line in result.stdout.splitlines()]
        judged = [row for row in rows if row["type"] == "pinwheel-quality"]
        self.assertEqual(judged[0]["method"], "floyd-steinberg")
        self.assertEqual([(row["block"], row["threshold_noise_percent"])
                          for row in judged[1:] if row["weights"] == "fs"],
                         [(4, 0), (32, 0), (4, 10), (32, 10)])
        self.assertEqual(len({row["hvs_rms"] for row in judged}), len(judged))
        rates = {row["block"]: row["gpx_per_s"] for row in judged if row["gpx_per_s"] is not None}
        self.assertEqual(rates, {block: max(row["gpx_per_s"] for row in rows if row["type"] ==
                                            "pinwheel" and row["block"] == block)
                                 for block in (4, 32)})
        with open(self.folder / "quality.csv", encoding="utf-8", newline="") as file:
            self.assertEqual(len(list(csv.DictReader(file))), len(judged))
        # What was judged is what was written.
        for row in judged:
            report = json.loads(self.run_program(
                "compare", "--json", "new/plates/contone.tif", row["plate"], "--distance",
                "11.6667").stdout)
            self.assertAlmostEqual(report["hvs_rms"], row["hvs_rms"], places=9)


class Search(Lab):
    def test_search_times_rounds_and_compares_every_bit(self):
        rows = self.search("--side", "24", "--sizes", "28,20", "--parts", "times,pages",
                           "--repetitions", "1", "--csv", "search.csv", "--rounds-csv", "rounds.csv",
                           "--svg", "search.svg")
        times, pages = rows["search-times"], rows["search-pages"]
        self.assertEqual({(row["method"], row["start"]) for row in times},
                         {(method, start) for method in ("les", "pes")
                          for start in ("random", "floyd-steinberg")})
        self.assertEqual({(row["method"], row["eye"], row["side_px"]) for row in pages},
                         {(*method, side) for side in (28, 20) for method in
                          (("les", None), ("pes", None), ("dbs", "nasanen"), ("dbs", "gaussian"))})
        engines = {"cpu", "gpu"} if self.gpus() else {"cpu"}
        self.assertEqual({row["engine"] for row in times}, engines)
        self.assertEqual({row["engine"] for row in pages}, engines)
        def key(row):
            return tuple(row[name] for name in ("method", "start", "eye", "side_px", "engine",
                                                "threads"))
        for row in times + pages:
            self.assertEqual(row["differing_words"], 0, row)
            self.assertGreater(row["words"], 0, row)
            self.assertAlmostEqual(row["mpx_per_s"] * row["s"] * 1e6, row["side_px"]**2)
            rounds = [round for round in rows["search-round"] if key(round) == key(row)]
            self.assertEqual([round["round"] for round in rounds], list(range(row["rounds"] + 1)))
            # A round that changes nothing is the last, and no other changes nothing.
            self.assertEqual([round["changed_px"] == 0 for round in rounds[1:]],
                             [False] * (row["rounds"] - 1) + [True])
            self.assertEqual((rounds[0]["error"], rounds[-1]["error"]),
                             (row["start_error"], row["error"]))
            errors = [round["error"] for round in rounds]
            self.assertEqual(errors, sorted(errors, reverse=True))
            if row["method"] != "dbs" and row["side_px"] == 24:
                # All windows in the first round, and in the last one those that saw a change.
                self.assertGreater(row["windows"], 21 * 21)
                self.assertLess(row["windows"], row["rounds"] * 21 * 21)
                self.assertAlmostEqual(row["windows_per_s"] * row["s"], row["windows"], places=5)
                self.assertIsNone(row["paper_cpu_s"])  # which is of 512 x 512 px
        for name, count in (("search.csv", len(times + pages)),
                            ("rounds.csv", len(rows["search-round"]))):
            with open(self.folder / name, encoding="utf-8", newline="") as file:
                self.assertEqual(len(list(csv.DictReader(file))), count)
        picture = xml.etree.ElementTree.parse(self.folder / "search.svg").getroot()
        self.assertEqual(picture.tag, "{http://www.w3.org/2000/svg}svg")

    def test_search_judges_what_halftone_makes(self):
        self.synth("photo.tif", 32, 32)
        rows = self.search("--side", "32", "--image", "photo.tif", "--image", "photo.tif", "--parts",
                           "quality", "--quality-csv", "quality.csv")["search-quality"]
        self.assertEqual({row["image"] for row in rows}, {"photo.tif", "mean"})
        dbs = ("--eye", "gaussian", "--radius", "3", "--target", "original")
        for row in rows:
            papers = ("--eye", "published", "--start", str(row["start"]))
            words = {"dbs": dbs, "floyd-steinberg": ()}.get(row["method"], papers)
            self.run_program("halftone", "-q", "--method", row["method"],
                             "photo.tif", "plate.tif", *words)
            report = json.loads(
                self.run_program("compare", "--json", "photo.tif", "plate.tif").stdout)
            self.assertAlmostEqual(report["average_error"], row["average_error"], places=9)
        first = rows[0]
        self.assertEqual((first["method"], first["paper_average_error"]), ("floyd-steinberg", 7.06))
        for row in rows:
            self.assertAlmostEqual(row["of_floyd_steinberg"] * first["average_error"],
                                   row["average_error"])
        with open(self.folder / "quality.csv", encoding="utf-8", newline="") as file:
            self.assertEqual(len(list(csv.DictReader(file))), len(rows))

    def test_search_takes_the_middle_of_an_image(self):
        self.grey("small.tif", 24, 24, lambda x, y: (7 * x + 5 * y * y) % 256)
        self.grey("large.tif", 30, 41,
                  lambda x, y: (7 * (x - 3) + 5 * (y - 8)**2) % 256)
        rows = self.search("--side", "24", "--image", "small.tif", "--image", "large.tif", "--parts",
                           "quality")
        for method in ("floyd-steinberg", "dbs", "les", "pes"):
            errors = {row["average_error"] for row in rows["search-quality"]
                      if row["method"] == method and row["start"] != "random"}
            self.assertLess(max(errors) - min(errors), 1e-9, method)
        for order in rows["search-order"]:
            self.assertEqual(order["images"], 2)
            self.assertEqual(order["les_is_least"], order["images_les_is_least"] == 2)
            self.assertEqual(order["in_order"], order["images_in_order"] == 2)

    def test_search_weighs_bounds_and_misses(self):
        rows = self.search("--side", "24", "--parts", "times,bounds,misses", "--samples", "5",
                           "--threads", "1", "--repetitions", "1")
        for cost in rows["search-bounds"]:
            self.assertEqual(cost["differing"], 0, cost)
            self.assertGreaterEqual(cost["sampled"], 1)
            self.assertLessEqual(cost["sampled"], 5)
            self.assertAlmostEqual(cost["literal_over_bounds"] * cost["bounds_us"], cost["literal_us"])
        first = [cost for cost in rows["search-bounds"] if cost["round"] == 1]
        self.assertEqual([cost["windows"] for cost in first], [21 * 21] * 4)
        self.assertEqual([cost["sampled"] for cost in first], [5] * 4)
        for cost, whole in zip(first, rows["search-published"], strict=True):
            self.assertAlmostEqual(whole["estimated_s"],
                                   whole["rounds"] * 21 * 21 * cost["literal_us"] / 1e6)
        for misses in rows["search-misses"]:
            timing, les = (next(row for row in rows["search-times"] if row["method"] == method and
                                row["start"] == misses["start"]) for method in ("pes", "les"))
            self.assertEqual(misses["windows"], timing["windows"])
            self.assertEqual((misses["error"], misses["les_error"]), (timing["error"], les["error"]))

    def test_search_finds_what_partial_search_misses(self):
        for misses in self.search("--side", "64", "--parts", "misses")["search-misses"]:
            # Rare, and cheap.
            self.assertGreater(misses["missed"], 0)
            self.assertLess(misses["missed"], 0.01 * misses["windows"])
            self.assertGreater(misses["excess"], 0)
            self.assertLess(misses["excess"], 0.01 * misses["error"])
            self.assertGreater(misses["differing_px"], 0)

    def test_search_prints_the_papers_figures_beside_ours(self):
        result = self.run_lab("bench", "search", "--side", "20", "--parts", "times,quality",
                                  "--repetitions", "1", "--threads", "1")
        for figure in ("37364", "1186", "733", "13794", "546", "449", "7.06", "5.86", "4.70", "4.75"):
            self.assertIn(f" {figure}", result.stdout)
        self.assertIn("LES <= 1.001 x PES: ", result.stdout)
        self.assertEqual("GPU rows are left out" in result.stdout, not self.gpus())


class Others(Lab):
    def test_cluster_names_what_limits_at_each_size(self):
        words = ["bench", "cluster", "--json", "--pages", "20000", "--page-seconds", "6",
                 "--unit-seconds", "10,60", "--nodes", "1,50,500", "--csv", "bench.csv",
                 "--svg", "bench.svg"]
        rows = [json.loads(line) for line in self.run_lab(*words).stdout.splitlines()]
        self.assertEqual([(row["unit_s"], row["nodes"]) for row in rows],
                         [(10, 1), (10, 50), (10, 500), (60, 1), (60, 50), (60, 500)])
        for row in rows:
            self.assertAlmostEqual(row["pages_per_s"] / row["pages_per_s_model"], 1, delta=0.1)
        # A page a slot in 6 s and 0.72 s for each task of 20: arrays have room for 1000.
        self.assertAlmostEqual(rows[0]["pages_per_s"], 8 * 20 / (20 * 6 + 0.72), delta=0.02)
        self.assertEqual((rows[0]["pages_per_unit"], rows[0]["limit"]), (20, "slots"))
        self.assertEqual(rows[2]["limit"], "array size")
        with open(self.folder / "bench.csv", encoding="utf-8", newline="") as file:
            table = list(csv.DictReader(file))
        self.assertEqual([row["limit"] for row in table], [row["limit"] for row in rows])
        picture = xml.etree.ElementTree.parse(self.folder / "bench.svg").getroot()
        self.assertEqual(picture.tag, "{http://www.w3.org/2000/svg}svg")
        larger = self.run_lab(*words, "--max-array-size", "100001", "--fs-mib-per-s",
                                  "1e5", "--mtbf-hours", "2")
        rows = [json.loads(line) for line in larger.stdout.splitlines()]
        self.assertEqual(rows[2]["limit"], "controller")
        self.assertGreater(sum(row["failures"] for row in rows), 0)
        result = self.run_lab("bench", "cluster", "--mtbf-hours", "1e-5", status=64)
        self.assertIn("--mtbf-hours", result.stderr)

    def test_sweeps_need_a_gpu(self):
        if self.gpus():
            self.skipTest("there is one")
        for command in ("handover", "hybrid"):
            result = self.run_lab("bench", command, status=69)
            self.assertIn(f"bench {command}: ", result.stderr)

    def test_wrong_options_are_refused(self):
        self.run_lab("bench", "--repetitions", "2", "diffusion", status=64)
        result = self.run_lab("bench", "diffusion", "--sizes", "12y", status=64)
        self.assertIn("'12y' is no size", result.stderr)
        self.run_lab("bench", "diffusion", "--sizes", "64", "--csv", "no/folder.csv", status=73)
        result = self.run_lab("bench", "pinwheel", "--blocks", "8,65", status=64)
        self.assertIn("--blocks", result.stderr)
        self.run_lab("bench", "pinwheel", "--weights", "round", status=64)
        (self.folder / "taken").write_text("", encoding="utf-8")
        result = self.run_lab("bench", "pinwheel", "--plates", "taken/folder", status=73)
        self.assertEqual(result.stdout, "")  # nothing was measured in vain
        self.run_lab("bench", "search", "--parts", "time", status=64)
        self.run_lab("bench", "search", "--threads", "0", status=64)
        self.run_lab("bench", "search", "--image", "none.tif", status=66)
        self.grey("small.tif", 20, 30, lambda x, y: x + y)
        result = self.run_lab("bench", "search", "--image", "small.tif", status=64)
        self.assertIn("small.tif: is 20 x 30 px", result.stderr)
        self.run_lab("bench", "search", "--rounds-csv", "no/folder.csv", status=73)
        if not self.gpus():
            self.run_lab("bench", "pinwheel", "--engine", "gpu", status=69)
            self.run_lab("bench", "search", "--engine", "gpu", status=69)

    def test_a_filter_that_is_no_expression_is_refused(self):
        result = self.run_lab("bench", "--filter", "bayer/(", status=64)
        self.assertIn("--filter: 'bayer/(' is no regular expression", result.stderr)
        self.assertEqual(result.stdout, "")
        result = self.run_lab("bench", "--filter", "^hammock/", "--width", "8", "--height", "8",
                              status=64)
        self.assertIn("no benchmark matches '^hammock/'", result.stderr)

    def test_one_repetition_is_its_own_median(self):
        result = self.run_lab("bench", "--filter", "^threshold/", "--repetitions", "1",
                                  "--width", "640", "--height", "480", "--json")
        rows = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertGreater(len(rows), 0)

    def test_reading_is_measured_step_by_step(self):
        result = self.run_lab("bench", "--filter", "^read.*(cache|8-bit CMYK, none)", "--json",
                              "--repetitions", "1", "--width", "64", "--height", "48")
        rows = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertEqual([row["name"] for row in rows if row["group"].endswith("CMYK, none")],
                         ["bytes of the file alone", "bands", "bands, each in new memory",
                          "bands and their digest"])
        self.assertIn("digest", [row["name"] for row in rows])
        self.assertTrue(all(row["pixels_per_second"] > 0 for row in rows))


class Train(Lab):
    def test_a_table_names_its_command(self):
        self.run_lab("train", "tone-dependent", "--effort", "0")
        text = (self.folder / "tone_dependent_entries.cpp").read_text(encoding="utf-8")
        self.assertIn("`mezzotint-lab train tone-dependent --seed 1 --effort 0`", text)
        self.run_lab("train", "hammock", status=64)


if __name__ == "__main__":
    unittest.main()
