"""The gallery: each method on the same two pieces of a test page, dot for dot."""
import html
import re
import subprocess
import sys
from pathlib import Path

try:
    from PIL import Image
except ImportError:
    print("skipped: there is no Pillow; Debian has it in python3-pil", file=sys.stderr)
    sys.exit(77)

ZOOM = 3  # pixels of the screen for a dot, each way
DPI = 2400
# Pieces of the page that `synth` draws, in pixels: left, top, width, height.
PAGE = ["--width", "620", "--height", "877", "--dpi", "75"]
PIECES = {"scene": (216, 136, 112, 112), "tints": (39, 450, 112, 28)}
WHAT = {"scene": "The sun above mountains", "tints": "Tints from 0 to 22 percent"}
MARGIN = 16  # halftoned with a piece, and cut off: methods begin outside of it

# Options of a method, and the section of kernels/README.md that says more.
SHOWN = [
    ("floyd-steinberg", "", ""),
    ("ostromoukhov", "", ""),
    ("zhou-fang", "", ""),
    ("tone-dependent", "", ""),
    ("green-noise", "--dot-size 2", "green-noise"),
    ("pinwheel", "", "pinwheel"),
    ("threshold", "", ""),
    ("bayer", "", ""),
    ("am", "--ruling 240", "am-screens"),
    ("fm", "", "stochastic-screens"),
    ("fm", "--dot 2", "dots-of-several-pixels"),
    ("fm", "--cluster 36", "stochastic-screens"),
    ("tile", "--tile black.tif", "screens-of-your-own"),
    ("random", "", ""),
    ("dbs", "", "searches"),
    ("les", "", "searches"),
    ("pes", "", "searches"),
]
TILE = ["--dpi", str(DPI), "--ruling", "300", "--dot", "line", "--inks", "black=30", "--export", "tiff"]


class Gallery:
    """Makes the pictures with `program` in `folder`; `scratch` is for what lies between."""

    def __init__(self, program, folder, scratch):
        self.program = program
        self.folder = Path(folder)
        self.scratch = Path(scratch)

    def mezzotint(self, *arguments):
        return subprocess.run([self.program, *arguments], check=True, cwd=self.scratch,
                              stdout=subprocess.PIPE, text=True).stdout

    def summaries(self):
        """What the program says of its methods, by name."""
        blocks = self.mezzotint("help", "methods").split("\n\n")
        table = next(block for block in blocks if re.match(r"  [\w-]+  ", block))
        found = {}
        for line in table.splitlines():
            if line[2] != " ":
                name, said = line.split(maxsplit=1)
                found[name] = said
            else:
                found[name] += " " + line.strip()
        return found

    def pieces(self):
        """Cuts the pieces out of the test page, and keeps them as they are, too."""
        self.mezzotint("-q", "synth", "page.tif", *PAGE)
        self.mezzotint("-q", "screen", *TILE)
        page = Image.open(self.scratch / "page.tif")
        for name, (left, top, width, height) in PIECES.items():
            box = (left - MARGIN, top - MARGIN, left + width + MARGIN, top + height + MARGIN)
            page.crop(box).save(self.scratch / f"{name}.tif", dpi=(DPI, DPI))
            self.cut(f"{name}.tif", f"page-{name}.png")

    def cut(self, name, picture):
        image = Image.open(self.scratch / name)
        box = (MARGIN, MARGIN, image.width - MARGIN, image.height - MARGIN)
        image.crop(box).save(self.folder / picture, optimize=True)

    def plates(self, method, options):
        """Halftones both pieces; returns the stem of their pictures."""
        stem = "-".join([method, *options.replace("--", "").replace(".", "-").split()])
        for name in PIECES:
            self.mezzotint("-q", "halftone", f"{name}.tif", "plate.tif", "--method", method,
                           *options.split())
            self.cut("plate.tif", f"{stem}-{name}.png")
        return stem

    def figures(self):
        """The gallery as HTML, with a heading for each method; the contone comes first."""
        summaries = self.summaries()
        missing = set(summaries) - {method for method, _, _ in SHOWN}
        if missing:
            raise SystemExit(f"tools/guide/gallery.py: SHOWN lacks {', '.join(sorted(missing))}")
        self.pieces()
        yield figure("page", "The page", "contone, before it is halftoned", "", "")
        for method, options, section in SHOWN:
            yield figure(self.plates(method, options), f"{method} {options.replace('--', '')}".strip(),
                         summaries[method], f"--method {method} {options}".strip(), section)


def figure(stem, title, summary, options, section):
    pictures = "".join(image(stem, name, f"{WHAT[name]}, {title}") for name in PIECES)
    more = f' <a href="kernels.html#{section}" aria-label="More about {title}">More</a>' if section else ""
    command = f"<p><code>{html.escape(options)}</code></p>" if options else ""
    return (f'<figure id="{stem}">\n{pictures}<figcaption><h2>{html.escape(title)}</h2>'
            f'<p>{html.escape(summary)}.{more}</p>{command}</figcaption>\n</figure>\n')


def image(stem, name, alt):
    _, _, width, height = PIECES[name]
    return (f'<img class="dots" src="pictures/{stem}-{name}.png" width="{width * ZOOM}" '
            f'height="{height * ZOOM}" alt="{html.escape(alt)}">\n')
