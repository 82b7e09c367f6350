"""How halftones of other programs look beside mezzotint's, and how fast each is: the job `looks` of
tools/bench-peers.

Every program halftones the same photos and flat tints, dot for dot. Two judges look at the results:
`mezzotint compare`, and S-CIELAB's lightness (Zhang and Wandell, 1996), written here with numpy and scipy:
light is filtered by three Gaussians of the eye, and the RMS difference of L* to the contone is taken. Both
see 3500 pixels per inch x inch.

Programs that do not keep the tone of a page (a screen with a transfer function, a mean in linear light) get
it with their tone curve undone, as a press operator would set them up: the curve is measured on patches.
"""
import json
import os
import pathlib
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

try:
    import numpy
    from PIL import Image
    from scipy import ndimage
    MISSING = None
except ImportError as error:
    MISSING = error.name

HERE = pathlib.Path(__file__).resolve().parent
DPI = 300
PIXELS_PER_DEGREE = 3500 * 3.141592653589793 / 180
TINTS = (0.02, 0.05, 0.10, 0.25, 0.40, 0.50, 0.75, 0.90)
TINT_SIDE = 256
# S-CIELAB's luminance filter: weights, and the half widths of exp(-r^2 / s^2) in degrees.
EYE = ((0.921, 0.0283), (0.105, 0.133), (-0.108, 4.336))

# With a palette of its own choice, a program makes a flat tint all white or all black.
PALETTE = '-remap "$BLACK_AND_WHITE"'


class Program:
    """One way of a program to halftone: $IN is a grey TIFF (beside it .pdf and .ink, its raw samples as
    ink), $OUT what it writes, $W and $H its size in pixels."""

    def __init__(self, name, way, package, command, needs=(), probe=None, uncalibrated=False, slow=False):
        self.name, self.way, self.package, self.command = name, way, package, command
        self.needs = needs or (shlex.split(command)[0],)
        self.probe = probe  # a command that must succeed
        self.uncalibrated = uncalibrated  # does not keep the tone
        self.slow = slow  # timed on a smaller page
        self.curve = None

    def label(self):
        """For people."""
        return f"{self.name} {self.way}"

    def missing(self):
        """The reason that it cannot run, or None."""
        for need in self.needs:
            if not shutil.which(need):
                return f"{need} is not there ({self.package})"
        if self.probe and subprocess.run(self.probe, shell=True, capture_output=True,
                                         check=False).returncode:
            return f"not usable ({self.package})"
        return None


def ghostscript(way, options, setup=""):
    """Ghostscript at one pixel a sample."""
    return Program("Ghostscript", way, "apt: ghostscript",
                   f'gs -q -dSAFER -dBATCH -dNOPAUSE {options} -r{DPI} -sOutputFile="$OUT" {setup} '
                   '-f "$IN.pdf"', uncalibrated="tiffg4" in options)


def magick(way, options):
    """ImageMagick."""
    return Program("ImageMagick 6", way, "apt: imagemagick",
                   f'convert "$IN" {options} -depth 1 -compress None "$OUT"', probe="convert -version")


def netpbm(way, options):
    """Netpbm, which keeps the mean of linear light."""
    return Program("Netpbm", way, "apt: netpbm",
                   f'tifftopnm -quiet "$IN" | pamditherbw {options} -randomseed=1 | pamtopnm > "$OUT"',
                   needs=("tifftopnm", "pamditherbw", "pamtopnm"), uncalibrated=True)


def programs(ours, threads, folder):
    """All, ours first."""
    start = f"{shlex.quote(ours)} -q halftone" + (f" --threads {threads}" if threads else "")
    found = [Program("mezzotint", way, "tools/quickstart builds it",
                     f'{start} --compression none --existing replace {options} "$IN" "$OUT"',
                     needs=(ours,), slow=slow)
             for way, options, slow in (("floyd-steinberg", "", False),
                                        ("tone-dependent", "--method tone-dependent", False),
                                        ("fm", "--method fm", False),
                                        ("les", "--method les", True),
                                        ("dbs", "--method dbs", True))]
    found += [magick("Floyd-Steinberg", f"-dither FloydSteinberg {PALETTE}"),
              magick("Riemersma", f"-dither Riemersma {PALETTE}"),
              magick("ordered 8 x 8", "-ordered-dither o8x8"),
              magick("halftone 8 x 8", "-ordered-dither h8x8a"),
              Program("GraphicsMagick", "-dither", "apt: graphicsmagick",
                      'gm convert "$IN" -dither -map "$BLACK_AND_WHITE" -type bilevel -compress None "$OUT"'),
              Program("Pillow", "Floyd-Steinberg", "apt: python3-pil",
                      f'{shlex.quote(sys.executable)} -c "import sys; from PIL import Image; '
                      'Image.MAX_IMAGE_PIXELS = None; Image.open(sys.argv[1]).convert(\'1\')'
                      '.save(sys.argv[2], format=\'TIFF\')" "$IN" "$OUT"'),
              netpbm("Floyd-Steinberg", "-floyd"),
              netpbm("Atkinson", "-atkinson"),
              netpbm("Hilbert", "-hilbert"),
              ghostscript("default screen", "-sDEVICE=tiffg4"),
              ghostscript("stochastic screen", "-sDEVICE=tiffg4",
                          'stocht.ps -c "<< /HalftoneMode 1 >> setuserparams"'),
              ghostscript("tiffscaled", "-sDEVICE=tiffscaled -dDownScaleFactor=1")]
    return found + gutenprint(folder)


def gutenprint(folder):
    """Gutenprint's algorithms, by a small program that is compiled here."""
    helper = folder / "gutenprint"
    if shutil.which("cc"):
        subprocess.run(["cc", "-O2", str(HERE / "gutenprint.c"), "-o", str(helper), "-lgutenprint"],
                       capture_output=True, check=False)
    return [Program("Gutenprint", way, "apt: libgutenprint-dev, and a C compiler",
                    f'{shlex.quote(str(helper))} {way} "$W" "$H" < "$IN.ink" > "$OUT"',
                    needs=(str(helper),))
            for way in ("EvenTone", "Ordered")]


def pdf_of(ink):
    """A page whose only image has a sample for each pixel of DPI."""
    height, width = ink.shape
    samples = (255 - ink).tobytes()
    across, down = width * 72 / DPI, height * 72 / DPI
    content = b"%.6f 0 0 %.6f 0 0 cm /Image Do" % (across, down)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %.6f %.6f] /Contents 5 0 R "
        b"/Resources << /XObject << /Image 4 0 R >> >> >>" % (across, down),
        b"<< /Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceGray "
        b"/BitsPerComponent 8 /Length %d >>\nstream\n%s\nendstream" % (width, height, len(samples), samples),
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
    ]
    data, places = bytearray(b"%PDF-1.4\n"), []
    for number, each in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    start = len(data)
    data += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    data += b"".join(b"%010d 00000 n \n" % place for place in places)
    return bytes(data + b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n"
                 % (len(objects) + 1, start))


def write_page(path, ink):
    """The samples in the forms that programs read."""
    Image.fromarray(255 - ink).save(path, format="TIFF", dpi=(DPI, DPI))
    pathlib.Path(f"{path}.pdf").write_bytes(pdf_of(ink))
    pathlib.Path(f"{path}.ink").write_bytes(ink.tobytes())


def run(program, page, shape, out):
    """Seconds of one run, from a cold process to a finished file."""
    out.unlink(missing_ok=True)
    environment = dict(os.environ, IN=str(page), OUT=str(out), W=str(shape[1]), H=str(shape[0]),
                       BLACK_AND_WHITE=str(page.parent / "black_and_white.pgm"),
                       MAGICK_CONFIGURE_PATH=str(page.parent))
    begin = time.perf_counter()
    done = subprocess.run(["bash", "-c", "set -o pipefail; " + program.command], env=environment,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                          check=False)
    seconds = time.perf_counter() - begin
    if done.returncode != 0 or not out.exists():
        raise RuntimeError(f"{program.label()} failed: {done.stderr.strip() or 'no message'}")
    return seconds


def halftone(program, ink, folder):
    """The dots of a page: an array of ink, 0 or 1."""
    page, out = folder / "page.tif", folder / "dots.tif"
    write_page(page, ink if program.curve is None else program.curve[ink])
    run(program, page, ink.shape, out)
    with Image.open(out) as image:
        dots = 1 - numpy.asarray(image.convert("L")) // 255
    if dots.shape != ink.shape:
        raise RuntimeError(f"{program.label()}: expected {ink.shape} pixels, found {dots.shape}")
    return dots


def calibrate(program, folder):
    """The samples that make it print each tone: its tone curve, measured on patches, undone."""
    side, inner = 96, slice(16, 80)
    levels = [min(255, 8 * i) for i in range(33)]
    ink = numpy.repeat(numpy.array(levels, numpy.uint8), side)[None, :].repeat(side, axis=0)
    dots = halftone(program, numpy.ascontiguousarray(ink), folder)
    printed = [dots[inner, i * side + 16:i * side + 80].mean() for i in range(len(levels))]
    printed = numpy.maximum.accumulate(printed) + 1e-9 * numpy.arange(len(levels))
    wanted = numpy.arange(256) / 255
    program.curve = numpy.rint(numpy.interp(wanted, printed, levels)).astype(numpy.uint8)
    program.curve[0], program.curve[255] = 0, 255


def seen_lightness(ink):
    """L* behind the eye, of paper that reflects all light and ink that reflects none."""
    light = 1.0 - ink.astype(numpy.float64)
    seen = sum(weight * ndimage.gaussian_filter(light, width * PIXELS_PER_DEGREE / 2**0.5, mode="mirror",
                                                truncate=3)
               for weight, width in EYE) / sum(weight for weight, _ in EYE)
    seen = numpy.clip(seen, 0, None)
    return numpy.where(seen > 216 / 24389, 116 * numpy.cbrt(seen) - 16, seen * 24389 / 27)


def judge(ours, ink, dots, folder):
    """The numbers of both judges."""
    contone, plate = folder / "contone.tif", folder / "plate.tif"
    write_page(contone, ink)
    Image.fromarray(255 * (1 - dots)).convert("1", dither=Image.Dither.NONE).save(plate, dpi=(DPI, DPI))
    found = subprocess.run([ours, "-q", "--json", "compare", str(contone), str(plate)], check=True,
                           capture_output=True, text=True)
    measures = json.loads(found.stdout.splitlines()[-1])
    difference = seen_lightness(dots) - seen_lightness(ink / 255)
    keys = ("hvs_rms", "gaussian_rms_1_5", "gaussian_rms_3", "wsnr_db", "startup_rms")
    return {**{key: measures[key] for key in keys},
            "tone": 255 * (float(dots.mean()) - float(ink.mean()) / 255),
            "lightness": float(numpy.sqrt(numpy.mean(difference**2)))}


def photos(folder):
    """The grey pictures of a folder as ink, and their names: the middle of large ones."""
    found = {}
    for path in sorted(pathlib.Path(folder).iterdir()):
        try:
            with Image.open(path) as image:
                if image.mode not in ("L", "RGB"):
                    continue
                ink = 255 - numpy.asarray(image.convert("L"))
        except OSError:
            continue
        top, left = (max(0, (side - 512) // 2) for side in ink.shape)
        found[path.stem] = numpy.ascontiguousarray(ink[top:top + 512, left:left + 512])
    return found


def tints():
    """Flat pages."""
    return {f"{tone:.0%}": numpy.full((TINT_SIDE, TINT_SIDE), round(255 * tone), numpy.uint8)
            for tone in TINTS}


def synthetic(ours, folder, side):
    """The page of `mezzotint synth` as ink."""
    path = folder / "synth.tif"
    path.unlink(missing_ok=True)
    subprocess.run([ours, "-q", "synth", str(path), "--width", str(side), "--height", str(side)], check=True)
    with Image.open(path) as image:
        return 255 - numpy.asarray(image)


def speed(program, pages, folder):
    """Megapixels a second of the better of two runs."""
    ink = pages["small" if program.slow else "large"]
    page = folder / "page.tif"
    write_page(page, ink)
    return ink.size / 1e6 / min(run(program, page, ink.shape, folder / "dots.tif") for _ in range(2))


def summary(program, of_photos, of_tints, megapixels):
    """Means over the pages."""
    mean = {key: statistics.fmean(each[key] for each in of_photos) for key in of_photos[0]}
    flat = {f"tint_{key}": statistics.fmean(each[key] for each in of_tints)
            for key in ("hvs_rms", "lightness")}
    worst = max((each["tone"] for each in of_photos + of_tints), key=abs)
    return {"name": program.name, "way": program.way, "calibrated": program.curve is not None,
            **mean, **flat, "worst_tone": worst, "mpx_per_s": megapixels}


def measure(arguments, everyone, folder):
    """A row for every program that is there, and whether all of these worked."""
    pages = photos(arguments.photos) if arguments.photos else {"synth": synthetic(arguments.program, folder, 1024)}
    if not pages:
        sys.exit(f"bench-peers: {arguments.photos}: no grey or RGB picture")
    flat = tints()
    timed = {"small": synthetic(arguments.program, folder, min(512, arguments.size)),
             "large": synthetic(arguments.program, folder, arguments.size)}
    rows, all_right = [], True
    for program in everyone:
        if arguments.only and not re.search(arguments.only, program.label(), re.IGNORECASE):
            continue
        reason = program.missing()
        if reason:
            print(f"left out: {program.label()}: {reason}", file=sys.stderr)
            continue
        try:
            if program.uncalibrated:
                calibrate(program, folder)
            judged = [[judge(arguments.program, ink, halftone(program, ink, folder), folder)
                       for ink in some.values()] for some in (pages, flat)]
            rows.append(summary(program, *judged, speed(program, timed, folder)))
        except (RuntimeError, subprocess.CalledProcessError) as error:
            print(f"left out: {program.label()}: {error}", file=sys.stderr)
            all_right = False
    return {"photos": list(pages), "tints": list(flat), "results": rows}, all_right


def print_table(report):
    """For people."""
    print(f"{len(report['photos'])} photos and {len(report['tints'])} flat tints; means, RMS of 255, "
          "less is better but for WSNR\n")
    columns = (("seen", "hvs_rms", "{:.2f}"), ("s 1.5", "gaussian_rms_1_5", "{:.2f}"),
               ("s 3", "gaussian_rms_3", "{:.2f}"), ("WSNR dB", "wsnr_db", "{:.1f}"),
               ("first rows", "startup_rms", "{:.2f}"), ("L* RMS", "lightness", "{:.2f}"),
               ("tints seen", "tint_hvs_rms", "{:.2f}"), ("tints L*", "tint_lightness", "{:.2f}"),
               ("worst tone", "worst_tone", "{:+.1f}"), ("Mpx/s", "mpx_per_s", "{:.1f}"))
    rows = [("program", "way", *(head for head, _, _ in columns))]
    for row in report["results"]:
        way = row["way"] + (" *" if row["calibrated"] else "")
        rows.append((row["name"], way, *(form.format(row[key]) for _, key, form in columns)))
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        cells = [row[0].ljust(widths[0]), row[1].ljust(widths[1])]
        print("  ".join(cells + [t.rjust(w) for t, w in zip(row[2:], widths[2:])]).rstrip())
    print("\n* with its tone curve undone")


def looks(arguments, policy):
    """The job: its report, and whether all programs worked that are there."""
    if MISSING:
        print(f"left out: looks: {MISSING} is not there (apt: python3-numpy, python3-scipy, python3-pil)",
              file=sys.stderr)
        return None, False
    with tempfile.TemporaryDirectory(dir=arguments.folder) as name:
        folder = pathlib.Path(name)
        (folder / "policy.xml").write_text(policy, encoding="utf-8")
        (folder / "black_and_white.pgm").write_bytes(b"P5 2 1 255\n\x00\xff")
        return measure(arguments, programs(arguments.program, arguments.threads, folder), folder)
