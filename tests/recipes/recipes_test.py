#!/usr/bin/python3
"""The recipes, from a PDF or a picture to plates.

usage: recipes_test.py MEZZOTINT pdf-inks|pdf-plates|pdf-cmyk|vips-page

Ends with 77 where the recipe's program, or NumPy and Pillow, are not installed.
"""
import contextlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

try:
    import numpy
    from PIL import Image
except ImportError as missing:
    print(f"skipped: {missing}; Debian has it in python3-numpy and python3-pil", file=sys.stderr)
    sys.exit(77)

import small_pdf

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECIPES = ROOT / "tools/recipes"
PT = 5  # pixels a point, at 360 dpi
SPOTS = {"PANTONE 185 C": "0 0.9 0.6 0", "varnish": "0 0 0 0.1"}
MARKS = [("0 0 0 1", 10, 10, 40, 20), ("1 0 0 0", 10, 40, 40, 20), ("0 0.5 0 0", 60, 10, 40, 20),
         (("PANTONE 185 C", 1), 60, 40, 40, 20), (("PANTONE 185 C", 0.5), 60, 70, 40, 20),
         (("varnish", 1), 10, 70, 40, 20)]
# Profiles that Ghostscript brings.
PROFILES = [path for folder in ("/usr/share/color/icc/ghostscript", "/usr/share/ghostscript/iccprofiles")
            for path in pathlib.Path(folder).glob("*_cmyk.icc")]


class Bench:
    def __init__(self, program, folder):
        self.program, self.folder, self.wrong = os.path.abspath(program), pathlib.Path(folder), 0

    def expect(self, good, what):
        if not good:
            self.wrong += 1
            print("wrong:", what)

    def call(self, *words, status=0):
        temporary = self.folder / "tmp"  # Ghostscript may read all of it
        temporary.mkdir(exist_ok=True)
        env = {**os.environ, "XDG_STATE_HOME": str(self.folder / "state"), "XDG_RUNTIME_DIR": str(self.folder),
               "TMPDIR": str(temporary)}
        done = subprocess.run([str(word) for word in words], cwd=self.folder, env=env, text=True, timeout=600,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        good = done.returncode != 0 if status is None else done.returncode == status
        self.expect(good, f"{words}: status {done.returncode}: {done.stdout}")
        return done.stdout

    def halftone(self, page, *options):
        """Plates by threshold, {name: bits}."""
        shutil.rmtree(self.folder / "plates", ignore_errors=True)
        self.call(self.program, "halftone", "-q", "--method", "threshold", "--level", "40%", *options, page,
                  "plates/{ink}.tif")
        return {path.stem: bits(path) for path in (self.folder / "plates").glob("*.tif")}

    def left_over(self):
        return [str(path) for path in self.folder.rglob(".pdf*")] + [str(path) for path in self.folder.rglob(".vips*")]


def bits(path):
    return ~numpy.asarray(Image.open(path))


def drawn(*which, height=108, width=144, offset=0):
    """Where these marks are, at 360 dpi; `offset` points are cut off at the left and below."""
    page = numpy.zeros((height * PT, width * PT), bool)
    for number in which:
        _, x, y, w, h = MARKS[number]
        x, y = x - offset, y - offset
        page[(height - y - h) * PT:(height - y) * PT, x * PT:(x + w) * PT] = True
    return page


def check_plates(bench, found, wanted, what):
    bench.expect(sorted(found) == sorted(wanted), f"{what}: plates {sorted(found)}")
    for name in set(found) & set(wanted):
        same = found[name].shape == wanted[name].shape and (found[name] == wanted[name]).all()
        bench.expect(same, f"{what}: {name} has {found[name].sum()} px of ink, not {wanted[name].sum()}")


def check_pdf_inks(bench):
    recipe = RECIPES / "pdf-inks"
    small_pdf.write(bench.folder / "tea.pdf", MARKS, SPOTS)
    wanted = {"cyan": drawn(1), "magenta": drawn(2), "yellow": drawn(), "black": drawn(0),
              "pantone-185-c": drawn(3, 4), "varnish": drawn(5)}
    bench.call(recipe, "--dpi", 360, "tea.pdf", "pages")
    check_plates(bench, bench.halftone("pages/tea.tif"), wanted, "all inks")
    bench.call(recipe, "--dpi", 360, "--box", "trim", "tea.pdf", "cut")
    check_plates(bench, bench.halftone("cut/tea.tif"),
                 {name: plate[45:-45, 45:-45] for name, plate in wanted.items()}, "trimmed")
    for path in PROFILES[:1]:
        bench.call(recipe, "--dpi", 360, "--profile", path, "tea.pdf", "pressed")
        check_plates(bench, bench.halftone("pressed/tea.tif"), wanted, "with a profile")

    bench.call(recipe, "--dpi", 360, "--separate", "tea.pdf", "single")
    bench.call(bench.program, "run", "-q", "single/tea.yaml")
    names = ("Cyan", "Magenta", "Yellow", "Black", "PANTONE 185 C", "varnish")
    bench.expect(sorted(p.name for p in (bench.folder / "single/plates").glob("*")) ==
                 sorted(f"tea_{name}.tif" for name in names), "plates of separations")
    bench.expect(b"PANTONE 185 C" in (bench.folder / "single/plates/tea_PANTONE 185 C.tif").read_bytes(),
                 "the plate has the name of its ink")
    hot = bench.folder / "hot"
    hot.mkdir()
    (hot / "folder.yaml").write_text("mezzotint: 1\nstability: {looks: 2, every: 100 ms, age: 0 s}\nseparations:\n"
                                     "  inks: [cyan, magenta, yellow, black, PANTONE 185 C, varnish]\n"
                                     "defaults:\n  halftone: {method: threshold, level: 40%}\n"
                                     "  output: {path: 'plates/{stem}.{ink}.tif'}\n"
                                     "reserve: 1 MiB\n")
    bench.call(recipe, "--dpi", 360, "--separate", "tea.pdf", hot)
    (hot / "tea.yaml").unlink()  # that is a ticket there
    bench.call(bench.program, "watch", "--once", "hot")
    found = {path.stem.split(".")[1]: bits(path) for path in (hot / "plates").glob("*.tif")}
    check_plates(bench, found, wanted, "a hot folder")

    marks = [(("Grün/hell", 1), 10, 10, 40, 20), (("100% (it's)", 1), 10, 40, 40, 20)]
    small_pdf.write(bench.folder / "odd.pdf", marks, {"Grün/hell": "0.5 0 0.5 0", "100% (it's)": "0 0 1 0"}, pages=2)
    said = bench.call(recipe, "--dpi", 72, "odd.pdf", "odd")
    for page in ("odd-1", "odd-2"):
        plates = bench.halftone(f"odd/{page}.tif")
        bench.expect(len(plates) == 6 and sum(plate.sum() == 800 for plate in plates.values()) == 2,
                     f"{page}: {sorted(plates)}")
    bench.expect("Grün/hell" in said and "100% (it's)" in said, f"names: {said}")
    bench.call(recipe, "--separate", "--dpi", 72, "odd.pdf", "odd_single")
    bench.call(bench.program, "run", "-q", "odd_single/odd-1.yaml")
    (bench.folder / "broken.pdf").write_bytes((bench.folder / "tea.pdf").read_bytes()[:300])
    bench.call(recipe, "broken.pdf", "none", status=65)
    bench.call(recipe, "absent.pdf", "none", status=66)
    small_pdf.write(bench.folder / "odd.pdf", marks, {"Grün/hell": "0.5 0 0.5 0", "100% (it's)": "0 0 1 0"}, pages=1)
    said = bench.call(recipe, "--dpi", 72, "odd.pdf", "odd")
    bench.expect("from before" in said and "odd-1.tif, odd-2.tif" in said, f"pages of an earlier version: {said}")
    check_turned(bench, recipe)
    check_many_inks(bench, recipe)
    check_waiting(bench)
    check_type_and_fonts(bench, recipe, "typed")
    check_words_of_ghostscript(bench, recipe, "said")


def check_turned(bench, recipe):
    """Pages of other sizes, one of them turned."""
    for name, attributes, turns in (("flat", "", 0), ("turned", "/Rotate 90", -1)):
        small_pdf.write(bench.folder / f"{name}.pdf", MARKS, SPOTS, attributes=attributes)
        bench.call(recipe, "--dpi", 360, "--box", "trim", f"{name}.pdf", name)
        plates = bench.halftone(f"{name}/{name}.tif")
        wanted = numpy.rot90(drawn(0)[45:-45, 45:-45], turns)
        said = bench.call(recipe, "--dpi", 72, "--box", "bleed", f"{name}.pdf", name)
        bench.expect("no bleed box on page 1" in said, f"a box that the page lacks: {said}")
        (bench.folder / "a:b").mkdir(exist_ok=True)
        shutil.copy(bench.folder / f"{name}.pdf", bench.folder / "a:b")
        said = bench.call(recipe, "--dpi", 72, "--box", "trim", f"a:b/{name}.pdf", name)
        bench.expect("no trim box" not in said, f"a box that the page has: {said}")
        bench.expect(plates["black"].shape == wanted.shape and (plates["black"] == wanted).all(), f"a {name} page")


def check_many_inks(bench, recipe):
    """All spot colours of a page, or none of its inks."""
    for count, status in ((12, 0), (61, 65)):
        names = [f"Swatch {number}" for number in range(count)]
        small_pdf.write(bench.folder / "swatches.pdf", [((name, 1), 2 * place, 10, 2, 20) for place, name in
                                                        enumerate(names)], {name: "0 1 0 0" for name in names})
        said = bench.call(recipe, "--dpi", 72, "swatches.pdf", "swatches", status=status)
        bench.expect(status or all(name in said for name in names), f"{count} spot colours: {said}")
        bench.expect(not status or "more than 60 spot colours" in said, f"{count} spot colours: {said}")


def check_type_and_fonts(bench, recipe, out, *options):
    """Type below 600 dpi is named, a font that is not embedded refuses the PDF, and pages are counted."""
    small_pdf.write(bench.folder / "type.pdf", MARKS, SPOTS, pages=2, words="Tea")
    said = bench.call(recipe, *options, "--dpi", 72, "type.pdf", out)
    bench.expect("type on page 1, 2" in said and "--dpi 600" in said, f"a warning of type: {said}")
    bench.expect("page 1 of 2" in said and "page 2 of 2" in said, f"progress: {said}")
    bench.expect("type on page" not in bench.call(recipe, *options, "--dpi", 600, "type.pdf", out), "type at 600 dpi")
    small_pdf.write(bench.folder / "mute.pdf", MARKS, SPOTS)
    bench.expect("type on page" not in bench.call(recipe, *options, "--dpi", 72, "mute.pdf", out), "no type")
    small_pdf.write(bench.folder / "font.pdf", MARKS, SPOTS, pages=2, words="Tea", font="Acme-Bold")
    said = bench.call(recipe, *options, "font.pdf", f"{out}_font", status=65)
    bench.expect("Acme-Bold, from page 1" in said and "--substitute-fonts" in said, f"a font is named: {said}")
    bench.expect("page 1 of 2" not in said and not list(bench.folder.glob(f"{out}_font*")), f"nothing is drawn: {said}")
    said = bench.call(recipe, *options, "--substitute-fonts", "--dpi", 72, "font.pdf", f"{out}_font")
    bench.expect("warning: " in said and "Acme-Bold, from page 1" in said, f"a font is named in a warning: {said}")
    small_pdf.write(bench.folder / "unicode.pdf", MARKS, SPOTS, words="Tea.", font="Acme-Uni",
                    kind=small_pdf.NOT_EMBEDDED_UNICODE)
    said = bench.call(recipe, *options, "unicode.pdf", f"{out}_unicode", status=65)
    bench.expect("not embedded" in said, f"a Unicode font: {said}")
    if shutil.which("pdffonts"):
        bench.expect("Acme-Uni, from page 1" in said, f"a Unicode font is named: {said}")
    else:
        print("skipped: names of Unicode fonts; pdffonts is in poppler-utils")


def check_words_of_ghostscript(bench, recipe, out):
    """A PDF that Ghostscript repairs is printed, with its words; one without pages is refused."""
    whole = (bench.folder / "mute.pdf").read_bytes()
    at = whole.rindex(b"startxref")
    (bench.folder / "repaired.pdf").write_bytes(whole[:at] + b"startxref\n7\n%%EOF\n")
    said = bench.call(recipe, "--dpi", 72, "repaired.pdf", f"{out}_repaired")
    bench.expect("PDF file was repaired" in said and "Copyright" not in said, f"words of Ghostscript: {said}")
    small_pdf.write(bench.folder / "empty.pdf", MARKS, SPOTS, pages=0)
    said = bench.call(recipe, "--dpi", 72, "empty.pdf", f"{out}_empty", status=65)
    bench.expect("has no pages" in said and not (bench.folder / f"{out}_empty").exists(), f"no pages: {said}")
    check_stop(bench, recipe, out)


@contextlib.contextmanager
def other_ghostscript(bench, text):
    """A script in place of Ghostscript."""
    gs = bench.folder / "bin/gs"
    gs.parent.mkdir(exist_ok=True)
    gs.write_text(f"#!/bin/sh\n{text}")
    gs.chmod(0o755)
    before = os.environ["PATH"]
    os.environ["PATH"] = f"{gs.parent}:{before}"
    yield
    os.environ["PATH"] = before


class ThreePages:
    """A PDF whose pages 1 to 3 are drawn before the first of them is packed."""

    def __init__(self):
        self.waits = False

    def draw(self, _device, _dpi, output, *_options, what, done):
        for page in (1, 2, 3):
            pathlib.Path(output % page).touch()
        for page in (1, 2, 3):
            done(page)

    @contextlib.contextmanager
    def paused(self):
        self.waits = True
        yield
        self.waits = False


def check_waiting(bench):
    """Ghostscript waits while a page is packed, if it is two pages ahead."""
    sys.path.insert(0, str(RECIPES))
    sys.dont_write_bytecode = True
    import ink_pages
    pdf, found = ThreePages(), []
    ink_pages.draw(pdf, 72, str(bench.folder), lambda page, _: found.append((page, pdf.waits)))
    bench.expect(found == [(1, True), (2, False), (3, False)], f"pages, and whether Ghostscript waits: {found}")


def check_stop(bench, recipe, out):
    """A recipe that is stopped takes its files away."""
    with other_ghostscript(bench, "echo 'Page 1'\nkill -TERM $PPID\nexec sleep 3600\n"):
        bench.call(recipe, "mute.pdf", f"{out}_stopped", status=143)
    bench.expect(not (bench.folder / f"{out}_stopped").exists(), "files of a recipe that was stopped")


PRESS = ("mezzotint-press: 1\nname: XL\nresolution: 720\n{profile}halftone: {{method: threshold, level: 40%}}\n"
         "inks: {{black: {{}}, cyan: {{}}, magenta: {{}}, yellow: {{}}, spot: {{}}}}\n")


def check_pdf_plates(bench):
    recipe = RECIPES / "pdf-plates"
    os.environ["MEZZOTINT"] = bench.program
    (bench.folder / "presses").mkdir()
    profile = f"profile: {PROFILES[0]}\n" if PROFILES else ""
    (bench.folder / "presses/xl.yaml").write_text(PRESS.format(profile=profile))
    press = ("--press", "presses/xl.yaml")
    small_pdf.write(bench.folder / "tea.pdf", MARKS, SPOTS)
    wanted = {"cyan": drawn(1), "magenta": drawn(2), "yellow": drawn(), "black": drawn(0),
              "pantone-185-c": drawn(3, 4), "varnish": drawn(5)}
    wanted = {"tea_" + ink: plate.repeat(2, 0).repeat(2, 1) for ink, plate in wanted.items()}
    for dpi in ("360", "plate"):
        shutil.rmtree(bench.folder / "tea", ignore_errors=True)
        said = bench.call(recipe, *press, "--dpi", dpi, "tea.pdf")
        found = {path.stem: bits(path) for path in (bench.folder / "tea/plates").glob("*.tif")}
        check_plates(bench, found, wanted, f"contone of {dpi}")
        bench.expect("no profile" not in said, f"the profile is embedded: {said}")
        page = (bench.folder / "tea/tea.tif").read_bytes()
        bench.expect(not PROFILES or PROFILES[0].read_bytes() in page, "the profile of the press")
    bench.expect("\n    1440 x 1080 px, 720 dpi, 8-bit" in said, f"contone of the plates' resolution: {said}")

    small_pdf.write(bench.folder / "it's.pdf", MARKS, SPOTS, pages=10, words="Tea")
    said = bench.call(recipe, *press, "--dpi", 72, "--out", "ten", "--check-only", "it's.pdf")
    pages = sorted(path.name for path in (bench.folder / "ten").glob("*.tif"))
    bench.expect(pages == [f"it's-{page:02}.tif" for page in range(1, 11)], f"names that sort: {pages}")
    bench.expect("type on page 1, 2" in said, f"a warning of type: {said}")
    bench.expect("page 10 of 10" in said, f"progress: {said}")
    bench.expect(not (bench.folder / "ten/plates").exists(), "plates, with --check-only")
    bench.expect("type on page" not in bench.call(recipe, *press, "--out", "ten", "--check-only", "it's.pdf"),
                 "a warning of type at 600 dpi")
    small_pdf.write(bench.folder / "font.pdf", MARKS, SPOTS, words="Tea", font="Acme-Bold")
    said = bench.call(recipe, *press, "font.pdf", status=65)
    bench.expect("Acme-Bold" in said and not (bench.folder / "font").exists(), f"a font that is not embedded: {said}")
    bench.call(recipe, *press, "absent.pdf", status=66)
    bench.call(recipe, "--press", "absent.yaml", "tea.pdf", status=66)
    bench.call(recipe, *press, "--dpi", "fine", "tea.pdf", status=64)
    bench.expect(not (bench.folder / "absent").exists(), "a folder for nothing")
    check_pdf_plates_keeps_files(bench, recipe, press)
    check_pdf_plates_stops_at_damage(bench, recipe, press)
    check_pdf_plates_reads_press(bench, recipe)
    check_pdf_plates_replaces_versions(bench, recipe, press)
    check_pdf_plates_follows_links(bench, recipe, press)


def check_pdf_plates_reads_press(bench, recipe):
    """The press file is read as mezzotint reads it, before a page is drawn."""
    name = PROFILES[0] if PROFILES else ""
    flow = (f'{{"mezzotint-press": 1, "name": XL, "resolution": 720, {f"profile: {name}, " if name else ""}'
            "halftone: {method: threshold}}\n")
    for form, text in (("quoted", PRESS.format(profile=f'"profile": {name}\n' if name else "").replace(
            "resolution:", '"resolution":')), ("flow", flow)):
        (bench.folder / "presses" / f"{form}.yaml").write_text(text)
        said = bench.call(recipe, "--press", f"presses/{form}.yaml", "--dpi", "plate", "--out", form, "--check-only",
                          "tea.pdf")
        bench.expect("\n    1440 x 1080 px, 720 dpi, 8-bit" in said, f"{form}: pages of the plates' resolution: {said}")
        page = (bench.folder / form / "tea.tif").read_bytes()
        bench.expect(not name or name.read_bytes() in page, f"{form}: the profile of the press")

    small_pdf.write(bench.folder / "two.pdf", MARKS, SPOTS, pages=2)
    for mistake, text, words in (("key", PRESS.format(profile="gamut: 3\n"), "unknown key 'gamut'"),
                                 ("ink", PRESS.replace("spot: {{}}", "black: {{}}").format(profile=""), "black"),
                                 ("file", PRESS.format(profile="profile: absent.icc\n"), "absent.icc")):
        (bench.folder / "presses/wrong.yaml").write_text(text)
        done = bench.call(recipe, "--press", "presses/wrong.yaml", "two.pdf", status=None)
        bench.expect(words in done and "no page was drawn" in done, f"a mistake in a press file, {mistake}: {done}")
        bench.expect("page 1 of 2" not in done and not (bench.folder / "two").exists(), f"{mistake}: drawn: {done}")


def check_pdf_plates_replaces_versions(bench, recipe, press):
    """Nothing of a longer PDF, or of an ink that it had, is left to be printed with a later version."""
    words = (*press, "--dpi", 72, "tale.pdf")
    small_pdf.write(bench.folder / "tale.pdf", MARKS, SPOTS, pages=10)
    bench.call(recipe, *words)
    for name in ("tale/notes.tif", "tale/plates/notes.tif"):
        (bench.folder / name).write_text("of somebody else")
    with (bench.folder / "tale/tale.yaml").open("a") as manifest:
        manifest.write('  - {input: "notes.tif", literal: true}\n')
    small_pdf.write(bench.folder / "tale.pdf", MARKS[:3], {}, pages=2)
    bench.call(recipe, *words)
    pages = sorted(path.name for path in (bench.folder / "tale").glob("*.tif"))
    bench.expect(pages == ["notes.tif", "tale-1.tif", "tale-2.tif"], f"pages of the later version: {pages}")
    found = {path.name for path in (bench.folder / "tale/plates").glob("*")}
    wanted = {f"tale-{page}_{ink}.tif" for page in (1, 2) for ink in ("cyan", "magenta", "yellow", "black")}
    bench.expect(found == wanted | {"notes.tif"}, f"plates of the later version: {sorted(found)}")


def check_pdf_plates_follows_links(bench, recipe, press):
    (bench.folder / "deep/down").mkdir(parents=True)
    (bench.folder / "link").symlink_to("deep/down")
    bench.call(recipe, *press, "--dpi", 72, "--out", "link", "tea.pdf")
    bench.call(recipe, *press, "--dpi", 72, "--out", "link", "tea.pdf")
    found = sorted(path.name for path in (bench.folder / "deep/down/plates").glob("*.tif"))
    bench.expect(len(found) == 6, f"plates behind a link: {found}")


def check_pdf_plates_keeps_files(bench, recipe, press):
    for name in ("others/tea.yaml", "pages/tea.tif", "pages/tea-1.tif"):
        path = bench.folder / name
        shutil.rmtree(path.parent, ignore_errors=True)
        path.parent.mkdir()
        path.write_text("of somebody else")
        said = bench.call(recipe, *press, "--out", path.parent.name, "tea.pdf", status=73)
        bench.expect("did not write it" in said and path.read_text() == "of somebody else", f"{name} is kept: {said}")
        bench.expect(len(list(path.parent.iterdir())) == 1, f"nothing is made beside {name}")
    (bench.folder / "file").write_text("")
    bench.call(recipe, *press, "--out", "file", "tea.pdf", status=73)
    bench.call(recipe, *press, "--out", "file/folder", "tea.pdf", status=73)
    shutil.copy(bench.folder / "tea.pdf", bench.folder / "-Ü.pdf")
    for _ in range(2):  # its own files are replaced
        bench.call(recipe, *press, "--dpi", 72, "--out", "odd", "--check-only", "./-Ü.pdf")
    for name in ("_ 'a\"{ink}%d* ", "a#b:c\\d"):
        shutil.copy(bench.folder / "tea.pdf", bench.folder / f"{name}.pdf")
        bench.call(recipe, *press, "--dpi", 72, "--out", "names", f"{name}.pdf")
        plates = [path for path in (bench.folder / "names/plates").iterdir() if path.name.startswith(f"{name}_")]
        bench.expect(len(plates) == 6, f"plates of '{name}': {plates}")
    (bench.folder / "latin.yaml").write_bytes("# B\xf6gen\n".encode("latin-1"))
    bench.expect("Traceback" not in bench.call(recipe, "--press", "latin.yaml", "--dpi", 72, "tea.pdf", status=65),
                 "a press file that is no UTF-8")


def check_pdf_plates_stops_at_damage(bench, recipe, press):
    whole = (bench.folder / "tea.pdf").read_bytes()
    assert b"/S0 cs" in whole  # or nothing would be damaged
    for name, damaged in (("cut", whole[:len(whole) * 2 // 3]), ("unknown", whole.replace(b"/S0 cs", b"/S9 cs", 1))):
        (bench.folder / f"{name}.pdf").write_bytes(damaged)
        bench.call(recipe, *press, "--dpi", 72, f"{name}.pdf", status=65)
        bench.expect(not list(bench.folder.glob(f"{name}/**/*.tif")), f"no page and no plate of {name}.pdf")


def check_pdf_cmyk(bench):
    recipe = RECIPES / "pdf-cmyk"
    small_pdf.write(bench.folder / "tea.pdf", MARKS, SPOTS, pages=2)
    wanted = {"cyan": drawn(1), "magenta": drawn(2, 3, 4), "yellow": drawn(3), "black": drawn(0)}
    bench.call(recipe, "--dpi", 360, "tea.pdf", "pages/tea.tif")
    for page in (1, 2):
        check_plates(bench, bench.halftone("pages/tea.tif", "--page", page), wanted, f"page {page}")
    for path in PROFILES[:1]:
        bench.call(recipe, "--dpi", 360, "--profile", path, "--box", "trim", "tea.pdf", "pressed.tif")
        check_plates(bench, bench.halftone("pressed.tif", "--page", 1),
                     {name: plate[45:-45, 45:-45] for name, plate in wanted.items()}, "with a profile, trimmed")
    check_type_and_fonts(bench, recipe, "typed.tif")
    check_words_of_ghostscript(bench, recipe, "said.tif")
    bench.call(recipe, "absent.pdf", "none.tif", status=66)
    bench.call(recipe, "--box", "square", "tea.pdf", "none.tif", status=64)
    bench.expect(not (bench.folder / "none.tif").exists(), "a page of nothing")


def check_vips_page(bench):
    recipe = RECIPES / "vips-page"
    grey = numpy.zeros((80, 120), numpy.uint8)
    grey[20:60, 30:90] = 255
    Image.fromarray(255 - grey).save(bench.folder / "grey.png", dpi=(72, 72))
    bench.call(recipe, "--dpi", 300, "grey.png", "grey.tif")
    check_plates(bench, bench.halftone("grey.tif"), {"black": grey > 0}, "grey")
    bench.expect(round(Image.open(bench.folder / "grey.tif").info["dpi"][0]) == 300, "resolution")
    bench.call(recipe, "--dpi", 300, "--width", 25.4, "grey.png", "wide.tif")
    plate = bench.halftone("wide.tif")["black"]
    bench.expect(plate.shape == (200, 300) and abs(plate.mean() - 0.25) < 0.01, f"resampled to {plate.shape}")

    cmyk = numpy.dstack([grey, 255 - grey, grey // 2, numpy.zeros_like(grey)])
    Image.fromarray(cmyk, "CMYK").save(bench.folder / "cmyk.tif", dpi=(300, 300))
    bench.call("vips", "tiffsave", "cmyk.tif", "pyramid.tif", "--tile", "--pyramid", "--tile-width", 32,
               "--tile-height", 32)
    bench.call(recipe, "pyramid.tif", "flat.tif")
    image = Image.open(bench.folder / "flat.tif")
    bench.expect(image.n_frames == 1 and 322 not in image.tag_v2, "one image in strips")
    bench.expect((numpy.asarray(image) == cmyk).all(), "CMYK is kept")

    alpha = numpy.dstack([grey, grey, grey, numpy.full_like(grey, 128)])
    Image.fromarray(alpha, "RGBA").save(bench.folder / "alpha.png", dpi=(300, 300))
    bench.call(recipe, "alpha.png", "alpha.tif")
    found = numpy.asarray(Image.open(bench.folder / "alpha.tif")).astype(int)
    bench.expect(found.shape == (80, 120, 3) and set(numpy.unique(found)) <= {126, 127, 128, 255}, "alpha over white")
    for path in PROFILES[:1]:
        bench.call(recipe, "--profile", path, "alpha.png", "inks.tif")
        plates = bench.halftone("inks.tif")
        bench.expect(sorted(plates) == ["black", "cyan", "magenta", "yellow"], f"by a profile: {sorted(plates)}")
    bench.call(recipe, "absent.png", "none.tif", status=66)
    (bench.folder / "text.png").write_text("no picture")
    bench.call(recipe, "text.png", "none.tif", status=65)


PARTS = {"pdf-inks": ("gs", check_pdf_inks), "pdf-plates": ("gs", check_pdf_plates),
         "pdf-cmyk": ("gs", check_pdf_cmyk), "vips-page": ("vips", check_vips_page)}


def main():
    program, part = sys.argv[1:]
    needed, check = PARTS[part]
    if not shutil.which(needed):
        print(f"skipped: {needed} is not installed")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(program, folder)
        check(bench)
        bench.expect(not bench.left_over(), f"left over: {bench.left_over()}")
        print(f"{part}: {bench.wrong} wrong")
        return 1 if bench.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
