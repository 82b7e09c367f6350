"""What the recipes for PDFs share: options, Ghostscript, and what it says of a PDF."""
import argparse
import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

BOXES = {"media": [], "crop": ["-dUseCropBox"], "bleed": ["-dUseBleedBox"], "trim": ["-dUseTrimBox"],
         "art": ["-dUseArtBox"]}
INK_DEVICES = ("tiffsep", "tiff32nc")  # others refuse a profile of inks
MOST_SPOTS = 60  # that tiffsep takes
TYPE_DPI = 600  # from here on the steps of type are finer than 1/20 mm, and 'scale: edges' rounds them off
CHATTER = re.compile(r"GPL Ghostscript [\d.]+ \(|Copyright|This software is supplied|see the file COPYING"
                     r"|%%(HiResBoundingBox|SeparationName)"
                     r"|.*\*\*\*\* (This file had errors|Please notify|file that it does not conform|specification\.)"
                     r"|The following (errors|warnings) were encountered|\s*$")
FONT = re.compile(r"Loading (?:CID)?Font (.*?) (?:\(or substitute\)|substitute) from "
                  r"|Substituting font .* for (.*?)\.?$", re.I)
NAME = os.path.basename(sys.argv[0])


def fail(why, status=65):
    print(f"{NAME}: {why}", file=sys.stderr)
    sys.exit(status)


def warn(why):
    print(f"{NAME}: warning: {why}", file=sys.stderr)


class Parser(argparse.ArgumentParser):
    """Options that all recipes for PDFs have; a mistake ends with 64, EX_USAGE."""

    def __init__(self, page, dpi):
        super().__init__(usage=page.split("\n")[2][7:], add_help=False)
        self.page = page
        self.add_argument("-h", "--help", action="store_true")
        self.add_argument("--dpi", default=str(dpi))
        self.add_argument("--box", choices=BOXES, default="media")
        self.add_argument("--profile")
        self.add_argument("--substitute-fonts", action="store_true")

    def error(self, message):
        self.print_usage(sys.stderr)
        fail(message, 64)

    def words(self, *files):
        """The options and arguments; `files` are those that name a file that has to be there."""
        words = self.parse_args()
        if words.help:
            print(self.page)
            sys.exit(0)
        if not shutil.which("gs"):
            fail("Ghostscript is not installed: apt install ghostscript", 69)
        for path in filter(None, (vars(words)[name] for name in (*files, "profile"))):
            if not os.path.isfile(path):
                fail(f"there is no file {path}", 66)
        return words


def whole_dpi(text):
    if not (text.isdecimal() and 10 <= int(text) <= 10000):
        fail(f"--dpi is a whole number from 10 to 10000, not {text}", 64)
    return int(text)


def run(main):
    """Runs main(). A recipe that is stopped takes its scratch files away."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as error:
        fail(f"{error.filename or 'a file'}: {error.strerror}", 74)


@contextlib.contextmanager
def scratch_in(folder):
    """A hidden folder beside the results, so that they are renamed and not copied. Where there are none, `folder` goes
    as well."""
    made = not os.path.lexists(folder)
    try:
        os.makedirs(folder, exist_ok=True)
        scratch = tempfile.TemporaryDirectory(prefix=f".{NAME}-", dir=folder)
    except OSError as error:
        fail(f"{folder} cannot be made a folder: {error.strerror}", 73)
    try:
        with scratch:
            yield scratch.name
    finally:
        if made and not os.listdir(folder):
            os.rmdir(folder)


class Progress:
    """Counts pages on standard error; on a terminal in one line."""

    def __init__(self, what):
        self.what, self.total, self.lines = what, 0, not sys.stderr.isatty()

    def page(self, number):
        if self.total > 1:
            sys.stderr.write(f"{'' if self.lines else chr(13)}{NAME}: {self.what} page {number} of {self.total}"
                             f"{chr(10) if self.lines or number == self.total else ''}")
            sys.stderr.flush()


class Pdf:
    """A PDF, and how it is to be drawn."""

    def __init__(self, words):
        self.path, self.box, self.profile, self.substitute = words.pdf, words.box, words.profile, words.substitute_fonts
        self.pages = 0  # that Ghostscript draws
        self.fonts = {}  # name: first pages on which Ghostscript replaces it
        self.said = []  # of damage and the like
        self.gs = None  # the process, while it draws
        self.marked = []  # pages that are not blank, by the device bbox

    def draw(self, device, dpi, output, *options, what=None, done=lambda page: None):
        """Draws all pages into files `output`, if any, in which %d is the page. Calls done(page) when a page is whole,
        and counts them aloud as `what`."""
        # Where Ghostscript repairs a damaged PDF, inks and whole pages may be lost.
        command = ["gs", "-dSAFER", "-dBATCH", "-dNOPAUSE", "-dPDFSTOPONERROR", f"-sDEVICE={device}", f"-r{dpi}",
                   *BOXES[self.box], *options]
        if self.profile and device in INK_DEVICES:
            profile = os.path.abspath(self.profile)
            command += [f"--permit-file-read={profile}", f"-sOutputICCProfile={profile}",
                        f"-sDefaultCMYKProfile={profile}"]
        if output:
            folder, name = os.path.split(output)
            command.append(f"-sOutputFile={folder.replace('%', '%%')}/{name}")
        command.append(os.path.abspath(self.path))
        self.gs = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   text=True, errors="replace")
        try:
            page = self.listen(self.gs.stdout, Progress(what) if what else None, done)
        finally:
            self.gs.kill()
            status = self.gs.wait()
        if status:
            fail(f"Ghostscript cannot print {self.path}:\n" + "\n".join(self.said))
        if page:
            done(page)

    @contextlib.contextmanager
    def paused(self):
        """Ghostscript draws nothing meanwhile."""
        self.gs.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.gs.send_signal(signal.SIGCONT)

    def listen(self, lines, progress, done):
        """Reads what Ghostscript says, to its end. Returns the last page, which is not `done` yet."""
        page = 0
        for line in lines:
            if found := re.match(r"Processing pages \d+ through (\d+)", line):
                self.pages = int(found[1])
                if progress:
                    progress.total = self.pages
            elif found := re.match(r"Page (\d+)$", line):
                if page:
                    done(page)
                page = int(found[1])
                if progress:
                    progress.page(page)
            elif found := FONT.match(line):
                self.fonts.setdefault(found[1] or found[2], set()).add(page)
            elif found := re.match(r"%%BoundingBox: (.*)", line):
                self.marked += [page] if found[1] != "0 0 0 0" else []
            elif line.startswith("Operand stack:"):  # what follows is for authors of Ghostscript
                lines.read()
            elif not CHATTER.match(line) and line.rstrip() not in self.said:
                self.said.append(line.rstrip())
        return page

    def judge(self):
        """After a first draw(): fails without pages and with replaced fonts, and warns of damage."""
        if not self.pages:
            fail(f"{self.path} has no pages")
        if any("Max spot colorants" in line for line in self.said):
            fail(f"{self.path} has a page of more than {MOST_SPOTS} spot colours; Ghostscript mixes the others from "
                 "process inks")
        self.warn_of_boxes()
        if self.said:
            warn(f"Ghostscript says of {self.path}, look at a proof:\n" + "\n".join(self.said))
        if self.fonts:
            names = "; ".join(f"{name}, from page {min(pages)}" for name, pages in sorted(self.font_names().items()))
            why = f"{self.path} has fonts that are not embedded, and Ghostscript replaces them: {names}"
            if not self.substitute:
                fail(f"{why}. Export the PDF with all fonts embedded; --substitute-fonts prints it with those")
            warn(why)

    def warn_of_boxes(self):
        """Names the pages that lack the box, which Ghostscript draws whole."""
        if self.box in ("media", "crop"):  # a page without CropBox is its MediaBox
            return
        with open(self.path, "rb") as file:  # as its path may have a ':', which permissions of Ghostscript do not take
            done = subprocess.run(["gs", "-q", "-dSAFER", "-dBATCH", "-dNODISPLAY", "--permit-file-read=/dev/stdin",
                                   "-sFile=/dev/stdin", "pdf_info.ps"], stdin=file, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, errors="replace")
        boxed = set(re.findall(rf"^Page (\d+) .*\b{self.box.title()}Box:", done.stdout, re.M))
        if bare := [page for page in range(1, self.pages + 1) if str(page) not in boxed]:
            warn(f"{self.path} has no {self.box} box on page {listed(bare)}, which is drawn whole")

    def font_names(self):
        """{name: pages} of fonts that are replaced. Ghostscript knows some by their place on the page alone, as 'F1';
        pdffonts, where it is installed, has the names that the designer knows."""
        named = {}
        for page in sorted(set().union(*self.fonts.values())):
            names = fonts_not_embedded(self.path, page)
            for name in names or [font for font, pages in self.fonts.items() if page in pages]:
                named.setdefault(name, set()).add(page)
        return named


def fonts_not_embedded(pdf, page):
    """Names of a page's fonts that are not embedded, by pdffonts of poppler-utils; none without it."""
    if not shutil.which("pdffonts"):
        return []
    done = subprocess.run(["pdffonts", "-f", str(page), "-l", str(page), os.path.abspath(pdf)], text=True,
                          errors="replace", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    found = (re.match(r"(.{36}|\S+) .*\s(yes|no)\s+(?:yes|no)\s+(?:yes|no)\s+(?:\[none\]|\d+\s+\d+)\s*$", line)
             for line in done.stdout.splitlines())
    return [one[1].strip() for one in found if one and one[2] == "no"]


def listed(pages):
    """The first numbers of many."""
    more = f" and {len(pages) - 10} more" if len(pages) > 10 else ""
    return ", ".join(map(str, pages[:10])) + more


def warn_of_type(pdf, dpi):
    """Names the pages whose type gets steps at this resolution."""
    if dpi >= TYPE_DPI:
        return
    pdf.marked.clear()
    pdf.draw("bbox", 72, None, "-dFILTERIMAGE", "-dFILTERVECTOR")  # type alone
    if pdf.marked:
        warn(f"{pdf.path} has type on page {listed(pdf.marked)}, which gets steps at {dpi} dpi: give --dpi {TYPE_DPI}")
