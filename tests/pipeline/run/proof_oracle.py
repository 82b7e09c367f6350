#!/usr/bin/env python3
"""Holds proofs, ink use and PPF files against the definitions, in numpy.

    proof_oracle.py MEZZOTINT

Areas of overprints are sums of the bits of the plates over boxes whose edges may cut pixels; colours
are Neugebauer's and Yule and Nielsen's formula in doubles. Flat tints are held against the formula for
dots that do not know of each other (Demichel), and zones against means of the page. Pictures are read
by Pillow and Ghostscript.

The exit status is 0 only when all of it holds, and 77 where numpy or Pillow is missing.
"""

import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

try:
    import numpy as np
    from PIL import Image
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

MEZZOTINT = os.path.abspath(sys.argv[1])
WHITE = np.array([0.96422, 1, 0.82521])
PAPER = (95, 0, -2)
SOLIDS = {"cyan": (55, -37, -50), "magenta": (48, 74, -3), "yellow": (89, -5, 93),
          "black": (16, 0, 0)}
OVERPRINTS = {("magenta", "yellow"): (47, 68, 48), ("cyan", "yellow"): (50, -65, 27),
              ("cyan", "magenta"): (24, 22, -46), ("cyan", "magenta", "yellow"): (23, 0, 0)}
INKS = tuple(SOLIDS)
TINTS = [(0, 0, 0, 0), (20, 0, 0, 0), (0, 40, 0, 0), (0, 0, 60, 0), (0, 0, 0, 50), (40, 30, 20, 10),
         (30, 60, 0, 0), (0, 80, 80, 20), (50, 40, 40, 40), (10, 20, 90, 5), (100, 100, 100, 100)]
SIDE = 96  # of a patch, at 300 dpi


def fail(text):
    print(f"FAILED: {text}")
    sys.exit(1)


def expect(condition, text):
    if not condition:
        fail(text)


def xyz(lab):
    l, a, b = lab
    f = np.array([(l + 16) / 116 + a / 500, (l + 16) / 116, (l + 16) / 116 - b / 200])
    return WHITE * np.where(f > 6 / 29, f ** 3, (116 * f - 16) * 27 / 24389)


def lab(light):
    t = light / WHITE
    f = np.where(t > 216 / 24389, np.cbrt(t), (24389 / 27 * t + 16) / 116)
    return np.stack([116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]),
                     200 * (f[..., 1] - f[..., 2])], -1)


TO_RGB = np.array([[3.1338561, -1.6168667, -0.4906146], [-0.9787684, 1.9161415, 0.0334540],
                   [0.0719453, -0.2289914, 1.4052427]])


def srgb(light):
    linear = np.clip(light @ TO_RGB.T, 0, 1)
    return 255 * np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)


def from_srgb(rgb):
    v = np.asarray(rgb, float) / 255
    linear = np.where(v <= 0.04045, v / 12.92, ((v + 0.055) / 1.055) ** 2.4)
    return linear @ np.linalg.inv(TO_RGB).T


def primaries(inks, paper=PAPER, solids=SOLIDS, overprints=OVERPRINTS):
    """Light of each set of inks: known parts, largest first, and the product of the rest."""
    known = {1 << i: xyz(solids[ink]) for i, ink in enumerate(inks)}
    for names, colour in overprints.items():
        if all(name in inks for name in names):
            known[sum(1 << inks.index(name) for name in names)] = xyz(colour)
    light = [xyz(paper)]
    for group in range(1, 1 << len(inks)):
        parts = [part for part in known if part & ~group == 0]
        part = max(parts, key=lambda one: bin(one).count("1"))
        light.append(known[part] * light[group ^ part] / light[0])
    return np.array(light)


def mixed(areas, light, n):
    return (areas @ light ** (1 / n)) ** n


def plate(path):
    image = Image.open(path)
    return ~np.asarray(image.convert("1")) if image.mode == "1" else fail("not bilevel")


def box_means(values, ratio, axis):
    """Means over [b / ratio, (b + 1) / ratio), the last box cut off with the picture."""
    values = np.moveaxis(np.asarray(values, float), axis, 0)
    size = values.shape[0]
    sums = np.concatenate([np.zeros((1,) + values.shape[1:]), np.cumsum(values, 0)])
    edges = np.minimum(np.arange(int(np.ceil(size * ratio - 1e-9)) + 1) / ratio, size)
    whole = np.minimum(edges.astype(int), size - 1)
    part = (edges - whole).reshape((-1,) + (1,) * (values.ndim - 1))
    at = sums[whole] + part * (sums[whole + 1] - sums[whole])
    length = (edges[1:] - edges[:-1]).reshape((-1,) + (1,) * (values.ndim - 1))
    return np.moveaxis((at[1:] - at[:-1]) / length, 0, axis)


def areas_of(plates, ratio):
    """Of each set of inks in each box, as (rows, columns, sets)."""
    sets = sum(bits.astype(int) << i for i, bits in enumerate(plates))
    each = [box_means(box_means(sets == one, ratio, 0), ratio, 1)
            for one in range(1 << len(plates))]
    return np.stack(each, -1)


def run(folder, *words, status=0):
    environment = dict(os.environ, XDG_STATE_HOME=str(folder / "state"))
    done = subprocess.run([MEZZOTINT, *words], cwd=folder, env=environment, capture_output=True,
                          text=True, check=False)
    expect(done.returncode == status,
           f"{' '.join(map(str, words))}: exit status {done.returncode}\n{done.stderr}")
    return done.stdout + done.stderr


def write_tints(path):
    page = np.zeros((SIDE, SIDE * len(TINTS), 4), np.uint8)
    for i, tint in enumerate(TINTS):
        page[:, i * SIDE:(i + 1) * SIDE] = [round(255 * part / 100) for part in tint]
    Image.fromarray(page, "CMYK").save(path, dpi=(300, 300))
    return page


def manifest(folder, defaults, pages="  - a.tif\n", name="job.yaml", press=""):
    text = f"mezzotint: 1\njob: proof (1)\n{press}defaults:\n{defaults}pages:\n{pages}"
    (folder / name).write_text(text.replace("proof (1)", "proof 1"), encoding="utf-8")


AM = "  halftone: {method: am, ruling: 150}\n"
FS = "  halftone: {method: floyd-steinberg}\n"


def check_tints(folder, method, name):
    """Every pixel of the proof, and the mean of every tint."""
    for dpi, suffix, n in ((100, "png", 2), (127, "tif", 1.7), (100, "pdf", 2)):
        manifest(folder, f"{method}  output: {{resolution: 1200}}\n"
                 f"  proof: {{dpi: {dpi}, path: 'proofs/{{stem}}.{suffix}', yule_nielsen: {n}}}\n")
        run(folder, "run", "job.yaml")
        path = folder / f"proofs/a.{suffix}"
        if suffix == "pdf":
            check_pdf(folder, path)
            continue
        image = Image.open(path)
        expect(abs(image.info["dpi"][0] - dpi) < 0.01, f"{path}: {image.info}")
        plates = [plate(folder / f"plates/a_{ink}.tif") for ink in INKS]
        areas = areas_of(plates, dpi / 1200)
        light = primaries(INKS)
        expected = srgb(mixed(areas, light, n))
        found = np.asarray(image.convert("RGB"), float)
        expect(found.shape == expected.shape, f"{path}: {found.shape}, not {expected.shape}")
        worst = np.abs(found - expected).max()
        expect(worst <= 0.75, f"{path}: {worst} levels beside the formula")
        worst = 0
        for i, tint in enumerate(TINTS):
            patch = found[6:-6, round(i * SIDE * dpi / 300) + 6:round((i + 1) * SIDE * dpi / 300) - 6]
            share = [1.0]
            for part in tint:
                share = [(1 - part / 100) * one for one in share] + [part / 100 * one
                                                                     for one in share]
            # Bits of the set count up with the inks, as those of `share` do.
            shown = from_srgb(srgb(mixed(np.array(share), light, n)))
            error = np.linalg.norm(lab(from_srgb(patch)).mean((0, 1)) - lab(shown))
            worst = max(worst, error)
            expect(error <= 2, f"{name} {dpi} dpi, tint {tint}: dE {error:.2f}")
        print(f"{name}, {dpi} dpi: every pixel by the formula; tints within dE76 {worst:.2f}")


def check_pdf(folder, path):
    """A page of the right size, with the pixels of the PNG."""
    gs = shutil.which("gs")
    if gs is None:
        print("Ghostscript is missing, so the PDF is not rendered")
        return
    out = folder / "pdf.png"
    # Nearest pixel, and without management of colour: the image as it is.
    subprocess.run([gs, "-q", "-dNOPAUSE", "-dBATCH", "-sDEVICE=png16m", "-r100",
                    "-dUseFastColor=true", f"-sOutputFile={out}", str(path)], check=True)
    shown = np.asarray(Image.open(out).convert("RGB"), float)
    png = np.asarray(Image.open(folder / "proofs/a.png").convert("RGB"), float)
    expect(shown.shape == png.shape, f"the PDF is shown with {shown.shape}, the PNG has {png.shape}")
    worst = np.abs(shown - png).max()
    expect(worst <= 8, f"the PDF is shown {worst} levels beside the PNG")


def check_press(folder):
    """Colours of a press, and bits that were mirrored and inverted for the setter."""
    (folder / "press.yaml").write_text(
        "mezzotint-press: 1\nname: board\npaper_lab: [92, 1, 4]\n"
        "inks:\n  black: {}\n  cyan: {lab: [58, -30, -40], film: 1.4, density: 1.1}\n"
        "  magenta: {lab: [50, 60, 0]}\n  yellow: {}\n"
        "overprints:\n  - {inks: [magenta, cyan], lab: [30, 10, -30]}\n"
        "output: {mirror: true, negative: true}\nresolution: 600\nproof: {path: 'looks/{stem}.png'}\n",
        encoding="utf-8")
    manifest(folder, FS, press="press: press.yaml\n")
    run(folder, "run", "job.yaml", "--report", "report")
    plates = [~plate(folder / f"plates/a_{ink}.tif")[:, ::-1] for ink in INKS]
    solids = dict(SOLIDS, cyan=(58, -30, -40), magenta=(50, 60, 0))
    light = primaries(INKS, (92, 1, 4), solids, {("magenta", "cyan"): (30, 10, -30)})
    expected = srgb(mixed(areas_of(plates, 100 / 600), light, 2))
    found = np.asarray(Image.open(folder / "looks/a.png"), float)
    worst = np.abs(found - expected).max()
    expect(worst <= 0.75, f"colours of a press: {worst} levels beside the formula")
    sheet = json.loads((folder / "report/report.json").read_text(encoding="utf-8"))["sheets"][0]
    for made, bits in zip(sheet["plates"], plates):
        cm2 = bits.sum() / 600 ** 2 * 6.4516
        ml = cm2 * (1.4 / 1.1 if made["ink"] == "cyan" else 1) / 1e4
        expect(abs(made["ink_cm2"] - cm2) < 1e-6 * cm2, f"{made}: {cm2} cm2")
        expect(abs(made["ink_ml"] - ml) < 1e-6 * ml, f"{made}: {ml} ml")
    expect((folder / "report/ink_use.csv").read_text(encoding="utf-8").startswith("ink,cm2,ml\n"),
           "ink_use.csv")
    names = [f"plates/a_{ink}.tif" for ink in INKS]
    run(folder, "proof", *names, "-o", "again.png", "--press", "press.yaml")
    expect((folder / "again.png").read_bytes() == (folder / "looks/a.png").read_bytes(),
           "the command makes another proof than the job")
    for words, said in ((names + ["-o", names[0]], "reads this file, and would replace it"),
                        (names + names[:1] + ["-o", "x.png"], "is given twice"),
                        (names + ["-o", "x.jpg"], "ends in .png, .tif or .pdf"),
                        (names + ["-o", "press.yaml", "--press", "press.yaml"],
                         "reads this file, and would replace it"),
                        (["a.tif", "-o", "x.png"], "a.tif"),
                        (names + ["--page", "2", "-o", "x.png"], "--page is 2")):
        environment = dict(os.environ, XDG_STATE_HOME=str(folder / "state"))
        done = subprocess.run([MEZZOTINT, "proof", *words], cwd=folder, env=environment,
                              capture_output=True, text=True, check=False)
        expect(done.returncode not in (0, 70) and said in done.stderr,
               f"proof {' '.join(words)}: {done.returncode} {done.stderr}")
    print("colours and ink of a press, mirrored and negative plates; the command")


def write_profile(path, grid=17):
    """An ICC profile of a press that is Neugebauer's formula itself: version 2, one table to Lab."""
    light = primaries(INKS)
    steps = np.linspace(0, 1, grid)
    parts = np.stack(np.meshgrid(*[steps] * 4, indexing="ij"), -1).reshape(-1, 4)
    share = np.ones((len(parts), 1))
    for i in range(4):
        share = np.concatenate([share * (1 - parts[:, i:i + 1]), share * parts[:, i:i + 1]], 1)
    shown = lab(mixed(share, light, 2) * WHITE / light[0])  # relative to the paper
    codes = np.stack([shown[:, 0] * 652.8, (shown[:, 1] + 128) * 256, (shown[:, 2] + 128) * 256], -1)
    identity = np.array([0, 65535], ">u2").tobytes()
    table = struct.pack(">4sI4B", b"mft2", 0, 4, 3, grid, 0)
    table += struct.pack(">9i", 65536, 0, 0, 0, 65536, 0, 0, 0, 65536) + struct.pack(">2H", 2, 2)
    table += identity * 4 + np.clip(np.rint(codes), 0, 65535).astype(">u2").tobytes() + identity * 3
    name = b"Neugebauer\0"
    description = struct.pack(">4s2I", b"desc", 0, len(name)) + name + bytes(78)
    white = struct.pack(">4sI3i", b"XYZ ", 0, *(round(65536 * value) for value in light[0]))
    parts = [(b"desc", description), (b"cprt", b"text" + bytes(4) + b"none\0"), (b"wtpt", white),
             (b"A2B0", table), (b"A2B1", table)]
    body, rows, at = b"", b"", 128 + 4 + 12 * len(parts)
    for tag, data in parts:
        rows += tag + struct.pack(">2I", at + len(body), len(data))
        body += data + bytes(-len(data) % 4)
    size = at + len(body)
    head = struct.pack(">I4sI4s4s4s12x4s", size, bytes(4), 0x02400000, b"prtr", b"CMYK", b"Lab ", b"acsp")
    head += bytes(68 - len(head)) + struct.pack(">3i", 63190, 65536, 54061)
    path.write_bytes(head + bytes(128 - len(head)) + struct.pack(">I", len(parts)) + rows + body)


def check_profile(folder):
    """Colours by profile: those by inks where there is no curve, and those of the page where one is."""
    write_profile(folder / "press.icc")
    names = [f"plates/a_{ink}.tif" for ink in INKS]
    shown = {}
    for curve, colours in (("", "inks"), ("", "profile"), ("  tone: {gamma: 1.5}\n", "profile")):
        manifest(folder, FS + "  output: {resolution: 1200}\n" + curve)
        run(folder, "run", "job.yaml")
        run(folder, "proof", *names, "-o", "look.png", "--colours", colours, "--profile", "press.icc")
        image = from_srgb(np.asarray(Image.open(folder / "look.png"), float))
        side = round(SIDE / 3)
        shown[curve, colours] = [
            lab(image[6:-6, i * side + 6:(i + 1) * side - 6]).mean((0, 1)) for i in range(len(TINTS))]
    inks, profile, curved = shown.values()
    for text, one, other in (("by inks", inks, profile), ("with a curve", profile, curved)):
        worst = max(np.linalg.norm(a - b) for a, b in zip(one, other))
        expect(worst <= 2, f"colours by profile are dE76 {worst:.2f} beside those {text}")
        print(f"colours by profile are within dE76 {worst:.2f} of those {text}")
    environment = dict(os.environ, XDG_STATE_HOME=str(folder / "state"))
    for words, said in ((["--colours", "profile"], "need the profile of the press"),
                        (["--colours", "profile", "--profile", "a.tif"], "a.tif"),
                        (["--colours", "profile", "--profile", "none.icc"], "none.icc")):
        done = subprocess.run([MEZZOTINT, "proof", *names, "-o", "look.png", *words], cwd=folder,
                              env=environment, capture_output=True, text=True, check=False)
        expect(done.returncode not in (0, 70) and said in done.stderr, f"{words}: {done.stderr}")


def check_levels(folder):
    """Drops of several sizes, packed and as planes, and more inks than are told apart."""
    (folder / "light.yaml").write_text(
        "mezzotint-press: 1\nname: wide\ninks:\n  black: {}\n  cyan: {}\n  magenta: {}\n"
        "  yellow: {}\n  light cyan: {lab: [80, -15, -22]}\n", encoding="utf-8")
    drops = "  levels: {volumes: [0, 30%, 60%, 100%], format: FORMAT}\n"
    shown = []
    for form in ("packed", "planes"):
        manifest(folder, FS + drops.replace("FORMAT", form) +
                 "  proof: {path: 'levels/{stem}.png', dpi: 60}\n"
                 f"  output: {{path: 'levels/{form}_{{ink}}.tif'}}\n"
                 "  inks: {light cyan: {from: cyan, tone: {curve: [[0%, 0%], [50%, 100%], "
                 "[100%, 100%]]}}}\n", press="press: light.yaml\n")
        run(folder, "run", "job.yaml")
        shown.append(np.asarray(Image.open(folder / "levels/a.png"), float))
    expect(np.abs(shown[0] - shown[1]).max() <= 1, "packed levels and planes have other proofs")
    # A tint of cyan: 20 % of it, and 40 % of the light ink, which takes light away by itself.
    patch = shown[0][3:-3, 60 * SIDE // 300 + 3:120 * SIDE // 300 - 3].mean((0, 1))
    light = mixed(np.array([0.8, 0.2]), primaries(("cyan",)), 2)
    light = light * (0.6 + 0.4 * (xyz((80, -15, -22)) / xyz(PAPER)) ** (1 / 2)) ** 2
    expected = srgb(light)
    expect(np.abs(patch - expected).max() <= 3, f"levels: {patch}, not {expected}")
    print("drops of several sizes, and a fifth ink")


def check_resume(folder):
    manifest(folder, FS + "  proof: {}\n  ppf: {}\n")
    run(folder, "run", "job.yaml")
    stamp = os.stat(folder / "plates/a_cyan.tif").st_mtime_ns
    for name in ("proofs/a.png", "ppf/a.ppf", "ppf/a.zones.csv"):
        before = (folder / name).read_bytes()
        (folder / name).unlink()
        run(folder, "run", "job.yaml")
        expect((folder / name).read_bytes() == before, f"{name} was not made again")
    proof = os.stat(folder / "proofs/a.png").st_mtime_ns
    run(folder, "run", "job.yaml")
    expect(os.stat(folder / "proofs/a.png").st_mtime_ns == proof, "an unchanged proof was made again")
    manifest(folder, FS + "  proof: {dpi: 60}\n  ppf: {}\n")
    run(folder, "run", "job.yaml")
    expect(Image.open(folder / "proofs/a.png").info["dpi"][0] < 61, "the old proof stayed")
    expect(os.stat(folder / "plates/a_cyan.tif").st_mtime_ns == stamp, "the plates were made again")
    # A proof that cannot be made is no failure of its sheet.
    shutil.rmtree(folder / "proofs")
    (folder / "proofs").write_text("a file in the place of the folder", encoding="utf-8")
    said = run(folder, "run", "job.yaml")
    expect("the plates are good, and the proof proofs/a.png could not be made" in said, said)
    (folder / "proofs").unlink()
    print("missing files are made again, unchanged ones are not, and a failure is a warning")


def ppf_of(path):
    text = path.read_bytes().decode("ascii")
    for word in ("%!PS-Adobe-3.0\n%%CIP3-File Version 2.1\n", "CIP3BeginSheet", "CIP3EndSheet"):
        expect(word in text, f"{path} has no {word}")
    previews = []
    for part in text.split("CIP3BeginSeparation\n")[1:]:
        number = {key: int(value) for key, value in
                  re.findall(r"/CIP3PreviewImage(Width|Height|BitsPerComp) (\d+) def", part)}
        digits = part.split("\nCIP3PreviewImage\n")[1].split(">")[0]
        data = np.frombuffer(bytes.fromhex("".join(digits.split())), np.uint8)
        previews.append(data.reshape(number["Height"], number["Width"]))
    names = re.search(r"/CIP3AdmSeparationNames \[(.*)\] def", text)[1]
    return names, previews


def check_ppf(folder, page):
    manifest(folder, FS + "  output: {resolution: 900}\n  tone: {gamma: 2}\n"
             "  ppf: {zones: 3, zone_width: 30.25 mm}\n")
    run(folder, "run", "job.yaml")
    names, previews = ppf_of(folder / "ppf/a.ppf")
    expect(names == "(Cyan) (Magenta) (Yellow) (Black)", names)
    lines = (folder / "ppf/a.zones.csv").read_text(encoding="utf-8").splitlines()
    expect(lines[0] == "zone,left_mm,right_mm,cyan,magenta,yellow,black", lines[0])
    width_mm = page.shape[1] / 300 * 25.4
    worst = 0
    for i, preview in enumerate(previews):
        ink = page[:, :, i] / 255  # nominal: no curve
        expected = box_means(box_means(ink, 50.8 / 300, 0), 50.8 / 300, 1)
        expect(preview.shape == expected.shape, f"{preview.shape}, not {expected.shape}")
        error = np.abs(preview - (255 - 255 * expected)).max()
        expect(error <= 0.51, f"a preview is {error} levels beside its page")
        columns = np.concatenate([[0], np.cumsum(ink.mean(0))]) * 25.4 / 300
        for zone, line in enumerate(lines[1:]):
            left = width_mm / 2 + (zone - 1.5) * 30.25
            edges = np.clip([left, left + 30.25], 0, width_mm)
            at = np.interp(edges, np.arange(page.shape[1] + 1) * 25.4 / 300, columns)
            mean = 100 * (at[1] - at[0]) / 30.25
            worst = max(worst, abs(float(line.split(",")[3 + i]) - mean))
    expect(worst <= 0.002, f"a zone is {worst} % beside its mean")
    print(f"PPF: previews of nominal tones; zones within {worst:.4f} %")


def check_refusals(folder):
    two = folder / "two.tif"
    image = Image.new("L", (40, 30), 128)
    image.save(two, dpi=(300, 300), save_all=True, append_images=[image])
    for defaults, pages, words in (
            ("  proof: {path: 'plates/{stem}_black.tif'}\n", "  - two.tif\n", "put {page} into it"),
            ("  proof: {path: 'plates/a_black.tif'}\n", "  - a.tif\n",
             "would replace a plate of a.tif"),
            ("  proof: {path: 'a.tif'}\n", "  - a.tif\n", "could replace the input"),
            ("  proof: {path: 'x.png'}\n", "  - a.tif\n  - {input: two.tif, pages: 1}\n",
             "would replace a file of a.tif"),
            ("  ppf: {path: 'x.ppf'}\n", "  - two.tif\n", "put {page} into it")):
        manifest(folder, FS + defaults, pages, "wrong.yaml")
        environment = dict(os.environ, XDG_STATE_HOME=str(folder / "state"))
        done = subprocess.run([MEZZOTINT, "check", "wrong.yaml"], cwd=folder, env=environment,
                              capture_output=True, text=True, check=False)
        said = done.stdout + done.stderr
        expect(done.returncode != 0 and words in said, f"{defaults}: not refused by name\n{said}")
    manifest(folder, FS + "  proof: {path: 'proofs/{stem}_{page}.pdf'}\n", "  - two.tif\n")
    run(folder, "run", "job.yaml")
    expect(sorted(path.name for path in (folder / "proofs").iterdir()) ==
           ["two_1.pdf", "two_2.pdf"], "a proof of each page")
    print("paths that would replace plates, inputs or each other are refused")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        page = write_tints(folder / "a.tif")
        check_tints(folder, FS, "floyd-steinberg")
        check_tints(folder, AM, "am")
        check_press(folder)
        check_profile(folder)
        check_levels(folder)
        check_ppf(folder, page)
        shutil.rmtree(folder / "proofs")
        check_resume(folder)
        check_refusals(folder)


main()
