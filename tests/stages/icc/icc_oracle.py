#!/usr/bin/env python3
"""Compares tables of colours with the conversions of two other programs, between real profiles.

usage: icc_oracle.py ICC_TABLE FOLDER

tificc (Little CMS, without its own tables) and cctiff (Argyll, precise) convert the same pages; samples
of ours may differ by a little. Where the table is as coarse as lcms2's own, they must be equal to its
rounding. Absolute is judged by lcms2 alone, as Argyll takes the white of screens for itself. FOLDER
keeps a press's profile that Argyll makes at the first time.
Exits with 77 where NumPy, tificc, tiffcp or Ghostscript's profiles are missing; without Argyll, its
half is left out.
"""
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

try:
    import numpy
except ImportError:
    print("skipped: NumPy is not installed (Debian: python3-numpy)")
    sys.exit(77)

PROFILES = pathlib.Path("/usr/share/color/icc/ghostscript")
SCREEN, PRESS, GREY = (PROFILES / name for name in ("srgb.icc", "default_cmyk.icc", "sgray.icc"))
LINK = pathlib.Path("link")
INKED = {1: 1, 3: 2, 4: 5}  # PhotometricInterpretation of so many samples
SIDE = 300
INK = 32640
PERCEPTUAL, RELATIVE, ABSOLUTE = 0, 1, 3
BLACK_OF_PROFILES = 3

# What may differ, in levels of 255: the mean, the 99th percentile, the most.
USUAL = (0.3, 2.2, 7.0)
RANDOM = (0.3, 2.2, 12.0)  # solids of all inks: colours that lie where the press's profile is clipped
PROOF = (0.3, 2.2, 18.0)  # the curve of sRGB is steep in the dark
COARSE = (0.4, 2.5, 10.0)  # of few nodes, between which Argyll and lcms2 differ by more than that
EQUAL_GRID = (0.02, 0.1, 1.0)


def write_tiff(path, page):
    """Samples of 16 bits in one strip."""
    height, width, samples = page.shape
    data = page.astype("<u2").tobytes()
    bits = (3, samples, 8) if samples > 2 else (3, samples, 16)
    fields = [(256, 4, 1, width), (257, 4, 1, height), (258, *bits), (259, 3, 1, 1),
              (262, 3, 1, INKED[samples]), (273, 4, 1, 16), (277, 3, 1, samples), (278, 4, 1, height),
              (279, 4, 1, len(data))]
    head = struct.pack("<2sHI", b"II", 42, 16 + len(data)) + struct.pack("<4H", 16, 16, 16, 16)
    table = struct.pack("<H", len(fields)) + b"".join(struct.pack("<HHII", *each) for each in fields)
    path.write_bytes(head + data + table + struct.pack("<I", 0))


def read_tiff(path):
    """Samples of 16 bits; tiffcp brings them into one strip."""
    plain = path.with_suffix(".plain.tif")
    subprocess.run(["tiffcp", "-L", "-c", "none", "-p", "contig", "-r", str(SIDE), path, plain], check=True,
                   stderr=subprocess.DEVNULL)
    data = plain.read_bytes()
    start, = struct.unpack_from("<I", data, 4)
    count, = struct.unpack_from("<H", data, start)
    tags = {}
    for i in range(count):
        tag, kind, _, value = struct.unpack_from("<HHII", data, start + 2 + 12 * i)
        tags[tag] = value & 0xFFFF if kind == 3 else value
    samples = numpy.frombuffer(data, "<u2", SIDE * SIDE * tags[277], tags[273])
    return samples.reshape(SIDE, SIDE, tags[277]).astype(float) / 65535


def random_page(samples):
    """Colours of all the space; one in eight samples is an end of its range."""
    random = numpy.random.default_rng(7)
    shape = (SIDE, SIDE, samples)
    page = random.integers(0, 65536, shape)
    ends = random.integers(0, 16, shape)
    return numpy.where(ends == 0, 0, numpy.where(ends == 1, 65535, page)).astype(numpy.uint16)


def photo_page(samples):
    """Soft colours and edges, with the noise of a camera."""
    random = numpy.random.default_rng(8)
    y, x = numpy.mgrid[0:SIDE, 0:SIDE] / SIDE
    planes = []
    for c in range(samples):
        soft = 0.5 + 0.27 * numpy.sin(5 * x + 2 * c) + 0.27 * numpy.cos((4 + c) * y + c)
        planes.append(numpy.where((x - 0.5) ** 2 + (y - 0.5) ** 2 < 0.04 * (c + 1) / samples, 1 - soft, soft))
    page = numpy.stack(planes, axis=2) + random.normal(0, 0.02, (SIDE, SIDE, samples))
    return numpy.round(65535 * numpy.clip(page, 0, 1)).astype(numpy.uint16)


def by_table(program, page, source, target, intent, black_point, grid):
    done = subprocess.run([program, source, target, str(intent), str(int(black_point)),
                           str(BLACK_OF_PROFILES), str(grid), "convert"], input=page.tobytes(),
                          stdout=subprocess.PIPE, check=True)
    return numpy.frombuffer(done.stdout, numpy.uint16).reshape(SIDE, SIDE, -1) / INK


def by_tificc(folder, page, source, target, intent, black_point, precalculated):
    write_tiff(folder / "page.tif", page)
    profiles = [f"-l{source}"] if target == LINK else [f"-i{source}", f"-o{target}"]
    subprocess.run(["tificc", f"-c{precalculated}", f"-t{intent}", "-w16", *["-b"] * black_point,
                    *profiles, folder / "page.tif", folder / "lcms.tif"],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return read_tiff(folder / "lcms.tif")


def by_cctiff(folder, page, source, target, intent):
    write_tiff(folder / "page.tif", page)
    flag = {PERCEPTUAL: "p", RELATIVE: "r", ABSOLUTE: "a"}[intent]
    profiles = [source] if target == LINK else ["-i", flag, source, "-i", flag, target]
    subprocess.run(["cctiff", "-p", "-N", *profiles, folder / "page.tif",
                    folder / "argyll.tif"], check=True, stdout=subprocess.DEVNULL)
    return read_tiff(folder / "argyll.tif")


def argyll_press(folder):
    """Another press: a fit to 150 patches of Ghostscript's."""
    profile = folder / "press.icc"
    if profile.exists():
        return profile
    if any(shutil.which(each) is None for each in ("targen", "fakeread", "colprof", "cctiff")):
        return None
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        for command in (["targen", "-d4", "-e1", "-s11", "-f150"], ["fakeread", PRESS],
                        ["colprof", "-ql", "-bl", "-l280", "-kr", "-O", "new.icc"]):
            subprocess.run([*command, "press"], cwd=scratch, check=True, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
        (pathlib.Path(scratch) / "new.icc").rename(profile)
    return profile


def argyll_link(folder, press):
    """A device link between the presses."""
    link = folder / "link.icc"
    subprocess.run(["collink", "-s", "-ql", "-i", "r", PRESS, press, link], check=True,
                   stdout=subprocess.DEVNULL)
    return link


def is_near(name, ours, theirs, most):
    levels = 255 * numpy.abs(ours - theirs)
    found = levels.mean(), numpy.percentile(levels, 99), levels.max()
    good = all(a <= b for a, b in zip(found, most))
    print(f"{'ok  ' if good else 'BAD '} {name}: mean {found[0]:.3f}, p99 {found[1]:.2f}, max {found[2]:.2f}")
    return good


def white_is_pinned(page, ours, theirs):
    """Ours has no ink, or all light, where the page is white; theirs nearly."""
    white = (page == (0 if page.shape[2] == 4 else 65535)).all(axis=2)
    ours[white] = theirs[white]


def separations(folder, random):
    """A photo as four inks, with noise."""
    photo = by_tificc(folder, photo_page(3), SCREEN, PRESS, RELATIVE, False, 0)
    photo += random.normal(0, 0.01, photo.shape) * (photo > 0)
    return numpy.round(65535 * numpy.clip(photo, 0, 1)).astype(numpy.uint16)


def cases_with(press):
    """(source, target, intent, black point, grid, what may differ)."""
    cases = [(SCREEN, PRESS, RELATIVE, False, 0, USUAL), (SCREEN, PRESS, PERCEPTUAL, False, 0, USUAL),
             (SCREEN, PRESS, RELATIVE, True, 0, USUAL), (SCREEN, PRESS, RELATIVE, False, 33, EQUAL_GRID),
             (PRESS, SCREEN, RELATIVE, False, 0, PROOF), (PRESS, SCREEN, ABSOLUTE, False, 0, PROOF),
             (GREY, PRESS, RELATIVE, False, 0, EQUAL_GRID)]
    if press is not None:
        cases += [(PRESS, press, RELATIVE, False, 0, USUAL), (PRESS, press, RELATIVE, True, 0, USUAL),
                  (press, PRESS, RELATIVE, False, 0, COARSE),
                  (argyll_link(press.parent, press), LINK, RELATIVE, False, 0, COARSE)]
    return cases


def judge(program, folder, press):
    """Whether all pairs of profiles agree."""
    grey = numpy.arange(SIDE * SIDE).reshape(SIDE, SIDE, 1) * 65535 // (SIDE * SIDE - 1)
    pages = {SCREEN: photo_page(3), GREY: grey.astype(numpy.uint16)}
    inks = separations(folder, numpy.random.default_rng(9))
    good = True
    for source, target, intent, black_point, grid, most in cases_with(press):
        many = [(pages.get(source, inks), "photo", most)]
        if most is USUAL:
            many.append((random_page(many[0][0].shape[2]), "random colours", RANDOM))
        for page, kind, limits in many:
            name = f"{source.stem} to {target.stem}, intent {intent}{', black point' * black_point}, {kind}"
            ours = by_table(program, page, source, target, intent, black_point, grid)
            lcms = by_tificc(folder, page, source, target, intent, black_point, 1 if grid else 0)
            white_is_pinned(page, ours, lcms)
            good &= is_near(f"{name}, tificc", ours, lcms, limits)
            if shutil.which("cctiff") and limits in (USUAL, RANDOM) and not black_point:
                argyll = by_cctiff(folder, page, source, target, intent)
                white_is_pinned(page, ours, argyll)
                good &= is_near(f"{name}, cctiff", ours, argyll, limits)
    return good


def main(arguments):
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 64
    missing = [each for each in ("tificc", "tiffcp") if shutil.which(each) is None]
    missing += [str(each) for each in (SCREEN, PRESS, GREY) if not each.exists()]
    if missing:
        print(f"skipped: {', '.join(missing)} not found (Debian: liblcms2-utils libtiff-tools libgs-common)")
        return 77
    keep = pathlib.Path(arguments[1])
    keep.mkdir(parents=True, exist_ok=True)
    press = argyll_press(keep)
    if press is None:
        print("left out: Argyll is not installed (Debian: argyll)")
    with tempfile.TemporaryDirectory() as folder:
        return 0 if judge(arguments[0], pathlib.Path(folder), press) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
