#!/usr/bin/env python3
"""Holds curves of presses against others, through the program.

usage: curves_test.py PROGRAM argyll|mistakes|wedge|numbers

argyll    a .cal applied by Argyll's cctiff, and the same points as curve files by us: tones of all levels
mistakes  what does not fit a job is refused, or warned of, by name
wedge     a wedge's plates have the tones of its description, without curves and with them
numbers   a plan with other digests of the C library's numbers is refused; masked FMA changes none
Skipped with 77 where cctiff, numpy or Pillow is missing.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

try:
    import numpy
    from PIL import Image
    Image.MAX_IMAGE_PIXELS = None
except ImportError as missing:
    print(f"skipped: {missing}; install python3-numpy and python3-pil")
    sys.exit(77)

SIDE = 64  # the thresholds of bayer, order 6: a patch shows its tone exactly, in 4096ths
INKS = ("cyan", "magenta", "yellow", "black")
PRESS = """mezzotint-press: 1
name: XL 106
resolution: 300
halftone: {method: bayer, order: 6, engine: cpu}
output: {compression: none}
curves: {library: curves, paper: GC1, %s}
"""


def run(program, *words, status=0, environment=None):
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True, check=False,
                          env={**os.environ, **(environment or {})})
    if done.returncode != status:
        sys.exit(f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def ramp(folder):
    """Every level of each ink, a patch of SIDE x SIDE px, as CMYK."""
    levels = numpy.arange(256, dtype=numpy.uint8).reshape(16, 16)
    one = levels.repeat(SIDE, 0).repeat(SIDE, 1)
    Image.fromarray(numpy.stack([one] * 4, 2), "CMYK").save(folder / "ramp.tif", dpi=(300, 300))


def tones(path):
    """Of the patches of a plate, 0 .. 1."""
    ink = ~numpy.asarray(Image.open(path))
    return ink.reshape(16, SIDE, 16, SIDE).mean(axis=(1, 3)).reshape(-1)


def curve(kind, ink, points, screen="bayer order=6", more=""):
    return (f"mezzotint-curve: 1\nkind: {kind}\npress: XL 106\nink: {ink}\nscreen: {screen}\ndpi: 300\n"
            + ("paper: GC1\n" if kind == "press" else "") + more
            + "points: [" + ", ".join(f"[{a}%, {b}%]" for a, b in points) + "]\n")


def scene(folder, settings="kinds: [press, plate]"):
    (folder / "curves").mkdir()
    (folder / "press.yaml").write_text(PRESS % settings)
    (folder / "job.yaml").write_text("mezzotint: 1\njob: Ramp\npress: press.yaml\ndefaults: {output: "
                                     "{path: 'plates/{ink}.tif'}}\npages: [ramp.tif]\n")
    ramp(folder)


def argyll(program, folder):
    if not shutil.which("cctiff"):
        print("skipped: no cctiff; install argyll")
        sys.exit(77)
    scene(folder)
    grid = numpy.arange(256) / 255
    shapes = [grid ** 1.3, numpy.clip(grid - 0.25 * grid * (1 - grid), 0, 1), grid ** 0.8,
              (grid + 0.15 * numpy.sin(numpy.pi * grid) ** 2 * (grid - 0.5))]
    rows = [[repr(float(grid[i]))] + [f"{shape[i]:.9f}" for shape in shapes] for i in range(256)]
    fields = "CMYK_I CMYK_C CMYK_M CMYK_Y CMYK_K"
    (folder / "press.cal").write_text(
        'CAL    \n\nDESCRIPTOR "Argyll Device Calibration State"\nKEYWORD "DEVICE_CLASS"\n'
        'DEVICE_CLASS "OUTPUT"\nKEYWORD "COLOR_REP"\nCOLOR_REP "CMYK"\n\nNUMBER_OF_FIELDS 5\n'
        f"BEGIN_DATA_FORMAT\n{fields}\nEND_DATA_FORMAT\n\nNUMBER_OF_SETS 256\nBEGIN_DATA\n"
        + "\n".join(" ".join(row) for row in rows) + "\nEND_DATA\n")
    for ink, shape in zip(INKS, shapes):
        points = [(f"{100 * i / 255:.12f}", f"{100 * float(f'{shape[i]:.9f}'):.9f}") for i in range(256)]
        points[0], points[-1] = ("0", "0"), ("100", "100")
        (folder / f"curves/{ink}.yaml").write_text(curve("press", ink, points))
    (folder / "press.yaml").write_text(PRESS % "kinds: [press]")
    run(program, "run", "--quiet", folder / "job.yaml")
    subprocess.run(["cctiff", "-p", folder / "press.cal", folder / "ramp.tif", folder / "theirs.tif"],
                   check=True, capture_output=True)
    theirs = numpy.asarray(Image.open(folder / "theirs.tif"))[SIDE // 2::SIDE, SIDE // 2::SIDE]
    worst = 0
    for i, ink in enumerate(INKS):
        ours = 255 * tones(folder / f"plates/{ink}.tif")
        worst = max(worst, abs(ours - theirs[:, :, i].reshape(-1)).max())
        assert abs(ours - 255 * shapes[i]).max() <= 255 / 8192 + 1e-6, f"{ink}: not the curve"
    print(f"most difference to cctiff: {worst:.3f} of a level")
    assert worst <= 0.5 + 255 / 8192 + 1e-6, worst  # its rounding to levels, ours to 4096ths


def mistakes(program, folder):
    scene(folder, "kinds: [press], strict: false")
    half = [(0, 0), (50, 40), (100, 100)]

    def check(status, *words):
        text = run(program, "check", folder / "job.yaml", status=status)
        for word in words:
            assert word in text, f"{word!r} is not in\n{text}"
        return text

    check(0, "warning: there is no press curve of cyan", "; plates are output uncorrected")
    (folder / "press.yaml").write_text(PRESS % "kinds: [press], strict: true")
    check(65, "cannot run", "there is no press curve of cyan", "strict about curves")
    for ink in INKS:
        (folder / f"curves/{ink}.yaml").write_text(curve("press", ink, half))
    text = check(0, "curves press cyan.yaml (")
    assert "warning" not in text, text
    cyan = folder / "curves/cyan.yaml"
    for wrong, words in (
            (curve("press", "cyan", half, screen="bayer order=3"), "order 3, the job has 6"),
            (curve("press", "cyan", half, screen="am ruling=175"), "method am, the job has bayer"),
            (curve("press", "cyan", half).replace("dpi: 300", "dpi: 600"),
             "resolution 600 dpi, the job has 300 dpi"),
            (curve("press", "cyan", half).replace("GC1", "GD2"), "paper GD2, the job has GC1"),
            (curve("press", "cyan", half).replace("XL 106", "XL 75"), "press XL 75, the job has XL 106"),
            (curve("press", "cyan", half, more="expires: 2020-01-31\n"), "expired on 2020-01-31"),
            (curve("press", "cyan", half[:2]), "cyan.yaml:8:20: 'points' must end at 100%"),
            (curve("press", "cyan", [(0, 0), (100, 98)]), "leaves solids solid")):
        cyan.write_text(wrong)
        check(65, "cannot run", words)
    cyan.write_text(curve("press", "cyan", half))
    (folder / "curves/again.yaml").write_text(curve("press", "Process Cyan", half))
    check(65, "is twice in", "again.yaml and cyan.yaml")
    (folder / "curves/again.yaml").unlink()
    said = run(program, "check", cyan)
    assert said == f"press curve of cyan: {cyan} has no mistakes\n", said
    cyan.write_text(curve("press", "cyan", half).replace("50%", "120%"))
    assert "cyan.yaml:8:21: a point of 'points' must hold" in run(program, "check", cyan, status=65)
    cyan.write_text(curve("press", "cyan", half))
    (folder / "press.yaml").write_text((PRESS % "kinds: [press]").replace("curves,", "nowhere,"))
    check(66, "nowhere' cannot be read: there is no such folder")


def wedge(program, folder):
    scene(folder, "kinds: [press, plate]")
    press = folder / "press.yaml"
    press.write_text(press.read_text() + "inks: {black: {label: K}, gold: {label: G}}\n")
    for ink in ("black", "gold"):
        (folder / f"curves/{ink}.yaml").write_text(
            curve("press", ink, [(0, 0), (50, 40), (100, 100)]))
        (folder / f"curves/{ink}_plate.yaml").write_text(
            curve("plate", ink, [(0, 0), (50, 60), (100, 100)]))

    def steps(x, middle):
        return numpy.interp(x, [0, 50, 100], [0, middle, 100])

    expected = {"none": lambda x: x, "plate": lambda x: steps(x, 60), "all": lambda x: steps(steps(x, 40), 60)}
    for kinds, wanted in expected.items():
        out = folder / kinds
        run(program, "wedge", "--quiet", "--press", press, "--with", kinds, "--out", out)
        lines = (out / "wedge.txt").read_text().splitlines()
        assert f'CURVES "{kinds}"' in lines and 'SCREEN_2 "bayer order=6"' in lines, lines[:30]
        plates = {ink: ~numpy.asarray(Image.open(out / f"plates/wedge_{ink}.tif")) for ink in ("black", "gold")}
        rows = lines[lines.index("BEGIN_DATA") + 1:lines.index("END_DATA")]
        assert len(rows) == 264, len(rows)
        for row in rows:
            _, _, ink, nominal, x, y = row.replace('"', "").split()
            x, y = (round(float(value) * 300 / 25.4) for value in (x, y))
            for name, plate in plates.items():
                found = 100 * plate[y - 32:y + 32, x - 32:x + 32].mean()
                want = wanted(float(nominal)) if name == ink else 0
                assert abs(found - want) <= 0.02, f"{kinds}: {row}: {found}, not {want}"
    run(program, "wedge", "--press", press, "--ink", "cyan", "--out", folder / "no", status=65)
    bare = folder / "bare.yaml"
    bare.write_text("mezzotint-press: 1\nname: Old\n")
    for words, message in (((), "has no 'resolution'"), (("--dpi", 300, "--with", "all"), "no library of curves"),
                           (("--dpi", 300, "--ink", "cyan,Cyan"), "--ink has Cyan twice")):
        text = run(program, "wedge", "--press", bare, "--out", folder / "no", *words, status=64)
        assert message in text, text


def numbers(program, folder):
    scene(folder, "kinds: []")
    (folder / "job.yaml").write_text(
        "mezzotint: 1\njob: Ramp\npages:\n  - {input: ramp.tif, tone: {gamma: 1.37}, halftone: {method: "
        "dbs, rounds: 1}, output: {path: 'plates/{ink}.tif'}}\n")

    def plan(name, **environment):
        run(program, "submit", "--quiet", "--engine", "none", "--plan", folder / name, folder / "job.yaml",
            environment=environment)
        text = (folder / name / "plan.json").read_text()
        return text, [(plate["tones_xxh3"], plate["method_xxh3"])
                      for plate in json.loads(text)["sheets"][0]["plates"]]

    text, digests = plan("a.plan")
    for mask in ("-FMA", "-FMA,-FMA4,-AVX2", "-FMA,-FMA4,-AVX2_Usable,-AVX512F"):
        _, masked = plan("b.plan", GLIBC_TUNABLES=f"glibc.cpu.hwcaps={mask}")
        assert masked == digests, f"{mask}: {masked}, not {digests}"
        shutil.rmtree(folder / "b.plan")
    for key, words in (("tones_xxh3", "the tones of cyan are not the plan's"),
                       ("method_xxh3", "the weights of method 'dbs' of cyan are not the plan's")):
        digest = json.loads(text)["sheets"][0]["plates"][0][key]
        (folder / "a.plan/plan.json").write_text(text.replace(f'"{key}":"{digest}"', f'"{key}":"{"0" * 32}"', 1))
        done = subprocess.run([program, "worker", folder / "a.plan", "0"], capture_output=True,
                              text=True, check=False)
        assert done.returncode != 0 and words in done.stderr, f"{done.returncode} {done.stderr}"
        assert not list(folder.glob("plates/*.tif"))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        globals()[sys.argv[2]](sys.argv[1], pathlib.Path(temporary))
