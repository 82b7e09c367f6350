"""Jobs that take as much memory as their settings can ask for: scaling, turning, mixing of inks,
screens, searches, colour, coders, and the files beside plates.

Pages are small in pixels and large in one of their sides, since what a job holds are rows.
"""

import dataclasses

import odd_icc
import odd_tiff
from odd_tiff import DEFLATE, JPEG, LAB, NONE, PACKBITS, ZSTD, Page

GREY_TONE = 0x7F  # of samples: dots everywhere, which code worst
PROCESS = ("cyan", "magenta", "yellow", "black")
SIXTEEN = [f"ink{one}" for one in range(16)]
WIDEST = 100_000  # pixels


@dataclasses.dataclass
class Job:
    """Files, each a Page, or pieces; what a manifest says beside its limits; options of `run`."""
    files: dict
    body: str
    threads: int = 2
    options: tuple = ()


def page_of(width, height, **more):
    more.setdefault("value", GREY_TONE)
    more.setdefault("compression", DEFLATE)
    if not more.get("tile") and width * height * more.get("samples", 1) > 8_000_000:
        more.setdefault("rows", 40)
    return Page(width, height, **more)


def one(page, settings="", output="", threads=2, files=None, options=()):
    """A job of one page; `settings` are lines, `output` further keys of it."""
    lines = "".join(f"    {line}\n" for line in settings.splitlines())
    body = ("pages:\n  - input: page.tif\n"
            f'    output: {{path: "out/{{stem}}_{{ink}}.tif"{output}}}\n{lines}')
    return Job({"page.tif": page, **(files or {})}, body, threads, options)


def per_ink(settings, inks=SIXTEEN):
    return "inks:\n" + "".join(f"  {ink}: {{{settings(i)}}}\n" for i, ink in enumerate(inks))


def scaling():
    found = {}
    at_2400 = ", resolution: 2400"
    for samples, bits in ((1, 8), (4, 16), (16, 16)):
        found[f"96 to 2400 dpi, {samples} inks of {bits} bits, {WIDEST} px wide"] = one(
            page_of(4000, 16, samples=samples, bits=bits, dpi=(96, 96)), output=at_2400)
    found["96 to 2400 dpi, one px wide"] = one(page_of(1, 4000, dpi=(96, 96)), output=at_2400)
    found["96 to 2400 dpi, one row"] = one(page_of(4000, 1, dpi=(96, 96)), output=at_2400)
    found["96 dpi across, 2400 down"] = one(
        page_of(4000, 400, samples=4, dpi=(96, 2400)), output=at_2400)
    found["2400 dpi across, 96 down"] = one(
        page_of(WIDEST, 16, samples=4, dpi=(2400, 96)), output=at_2400)
    for samples in (1, 16):
        found[f"2400 to 150 dpi by area, {samples} inks of 16 bits"] = one(
            page_of(WIDEST, 160, samples=samples, bits=16, dpi=(2400, 2400)),
            output=", resolution: 150")
    found["an odd ratio, 16 inks"] = one(
        page_of(40000, 100, samples=16, dpi=(1093, 1093)), output=", resolution: 2400")
    found["line art, 75 to 2400 dpi"] = one(
        page_of(3125, 40, bits=1, dpi=(75, 75)), output=at_2400)
    return found


def placing():
    found = {}
    for turn in (90, 270):
        found[f"turned by {turn}, 16 inks apart, then scaled"] = one(
            page_of(30, 4000, samples=16, bits=16, planar=True, dpi=(96, 96)),
            f"rotate: {turn}", ", resolution: 2400")
    found["turned by 90, a large strip"] = one(
        page_of(600, 60000, samples=4, bits=16), "rotate: 90")
    found["turned by 180, zstd"] = one(
        page_of(WIDEST, 200, samples=4, compression=ZSTD), "rotate: 180")
    found["a corner of a wide page"] = one(
        page_of(WIDEST, 400, samples=16, dpi=(1000, 1000)),
        "crop: {left: 2530 mm, top: 0 mm, width: 10 mm, height: 10 mm}")
    found["1000 copies across"] = one(
        page_of(100, 100, samples=16, dpi=(300, 300)), "copies: {across: 1000, down: 1}")
    found["1000 copies down, scaled, 4 inks"] = one(
        page_of(4000, 4, samples=4, dpi=(96, 96)), "copies: {across: 1, down: 50, gap: 1 mm}",
        ", resolution: 2400")
    found["line work over 16 inks"] = one(
        page_of(WIDEST, 300, samples=16), "protect: both\nlinework: {file: type.tif, ink: all}",
        files={"type.tif": page_of(WIDEST, 300, bits=1, value=0x55)})
    found["line work on its side"] = one(
        page_of(20000, 2000), "linework: type.tif",
        files={"type.tif": page_of(2000, 20000, bits=1, value=0x55, orientation=6)})
    return found


def inks():
    found = {}
    shares = "to: {" + ", ".join(f"{ink}: 50%" for ink in SIXTEEN[:8]) + "}"
    found["8 inks mixed into 8"] = one(
        page_of(WIDEST, 100, samples=16, bits=16),
        "inks:\n" + "".join(f"  {ink}: {{{shares}}}\n" for ink in SIXTEEN[8:]))
    found["120 plates of one ink"] = one(
        page_of(8000, 600), "inks:\n" + "".join(
            f"  light{i}: {{from: black, tone: {{gamma: 1.{i}}}}}\n" for i in range(1, 120)))
    drops = "drops: [" + ", ".join(str(one_drop) for one_drop in range(16)) + "]"
    for kind in ("planes", "packed"):
        found[f"16 inks of 16 drops, {kind}"] = one(
            page_of(8000, 400, samples=16, bits=16),
            f"halftone: {{method: bayer, order: 6}}\nlevels: {{{drops}, format: {kind}}}\n"
            + per_ink(lambda i: f"tone: {{gamma: 1.{i + 1}}}"))
    found["16 inks of 16 drops, diffused"] = one(
        page_of(WIDEST, 64, samples=16, bits=16), f"levels: {{{drops}, format: packed}}")
    found["an ink limit, many cells"] = one(
        page_of(WIDEST, 200, samples=4, bits=16), "ink_limit: 300%", threads=16)
    return found


def screens():
    found = {}
    largest = "cell_repeats: 32, cell_m: 361, cell_n: 361"
    for threads in (1, 16):
        found[f"am, largest cells, 16 inks, {threads} threads"] = one(
            page_of(4000, 200, samples=16, dpi=(2400, 2400)),
            f"halftone: {{method: am, {largest}, ruling: 150, moire: accept}}\n"
            + per_ink(lambda i: f"halftone: {{minimum_dot: {i + 1}}}"), threads=threads)
        found[f"fm, clusters, 16 inks, {threads} threads"] = one(
            page_of(4000, 200, samples=16), "halftone: {method: fm, size: 512, cluster: 400}",
            threads=threads)
    found["am, 16 inks at 2400 dpi"] = one(
        page_of(20000, 60, samples=16, bits=16, dpi=(2400, 2400)),
        "halftone: {method: am, ruling: 175, moire: accept}")
    for width, height in ((512, 512), (1, 1 << 18), (1 << 18, 1)):
        found[f"a tile of {width} x {height}, 16 inks"] = one(
            page_of(4000, 200, samples=16, bits=16),
            "halftone: {method: tile, file: tile0.tif, values: ranks}\n"
            + per_ink(lambda i: f"halftone: {{file: tile{i}.tif}}"), threads=16,
            files={f"tile{i}.tif": page_of(width, height, bits=16, value=i + 1, compression=NONE)
                   for i in range(16)})
    found["dots of 4 px of pinwheel"] = one(
        page_of(20000, 300, samples=4, bits=16), "halftone: {method: pinwheel, block: 64, dot: 4}")
    found["12 inks diffused together"] = one(
        page_of(WIDEST, 64, samples=12, bits=16),
        "halftone: {method: floyd-steinberg, inks: together}")
    return found


def searches():
    few = "rounds: 1"
    found = {
        "les, 2 inks": one(page_of(1500, 900, samples=2), f"halftone: {{method: les, {few}}}"),
        "pes in slabs, wide": one(
            page_of(20000, 40, samples=2), f"halftone: {{method: pes, {few}, slab_rows: 16}}"),
        "dbs of 6 inks together": one(
            page_of(1000, 1000, samples=6),
            f"halftone: {{method: dbs, {few}, inks: together}}"),
        "dbs apart, 16 inks, 16 threads": one(
            page_of(1000, 700, samples=16, bits=16), f"halftone: {{method: dbs, {few}}}",
            threads=16),
        "les, computed again": one(
            page_of(700, 500), f"halftone: {{method: les, {few}}}", ", verify: recompute")}
    return found


def press(space, **tables):
    return odd_icc.profile(space, **tables)


def colour():
    found = {}
    cmyk = press(b"CMYK", to_lab=9, from_lab=33)
    rgb = page_of(WIDEST, 100, samples=3)
    embedded = {"assume": "colour: {assume: {rgb: sRGB, cmyk: page.icc}, black: profile}\n"}
    found["rgb to 15 inks"] = one(
        rgb, "profile: press.icc\n" + embedded["assume"],
        files={"press.icc": press(b"FCLR", from_lab=33),
               "page.icc": press(b"CMYK", to_lab=9, from_lab=9)})
    found["cmyk by the largest profiles"] = one(
        page_of(20000, 100, samples=4, bits=16), "profile: press.icc\n" + embedded["assume"],
        files={"press.icc": press(b"FCLR", from_lab=70),
               "page.icc": press(b"CMYK", to_lab=45, from_lab=33)})
    found["a device link to 15 inks"] = one(
        page_of(20000, 100, samples=4), "colour: {link: link.icc}",
        files={"link.icc": press(b"CMYK", kind=b"link", to_lab=23, output=b"FCLR")})
    found["CIELAB of 16 bits, apart"] = one(
        page_of(WIDEST, 60, samples=3, bits=16, planar=True, photometric=LAB),
        "profile: press.icc", files={"press.icc": cmyk})
    found["24 pages, each with a profile of its own"] = many_profiles(24)
    found["a limit of ink on 15 inks, scaled"] = one(
        page_of(4000, 16, samples=3, dpi=(96, 96)),
        "profile: press.icc\nink_limit: {most: 300%, count: all}\n" + embedded["assume"],
        ", resolution: 2400",
        files={"press.icc": press(b"FCLR", from_lab=33),
               "page.icc": press(b"CMYK", to_lab=9, from_lab=9)})
    return found


def many_profiles(count):
    files = {"press.icc": press(b"FCLR", from_lab=17)}
    for i in range(count):
        profile = odd_icc.whole(press(b"CMYK", to_lab=5, from_lab=5, words=f"number {i}"))
        files[f"page{i}.tif"] = page_of(300, 200, samples=4, profile=profile)
    pages = "".join(f"  - page{i}.tif\n" for i in range(count))
    return Job(files, "defaults: {profile: press.icc, colour: {black: profile}, "
                      'output: {path: "out/{stem}_{ink}.tif"}}\n' + f"pages:\n{pages}")


def coders():
    found = {}
    for name in ("none", "packbits", "lzw", "deflate", "zstd", "g3", "g4"):
        found[f"{name} of a chequerboard, 4 inks, 16 threads"] = one(
            page_of(WIDEST, 200, samples=4), "halftone: {method: bayer, order: 1}",
            f", compression: {name}", threads=16)
    found["g4 of 2400 dpi, read back by 32 threads"] = one(
        page_of(1500, 3000, dpi=(300, 300)), "halftone: {method: bayer}",
        ", resolution: 2400, compression: g4", threads=32)
    found["g4 of one column"] = one(
        page_of(1, WIDEST, samples=4), "halftone: {method: bayer}", ", compression: g4")
    found["plates of 40 pages"] = Job(
        {"page.tif": (page_of(8000, 100, samples=4), 40)},
        'pages:\n  - {input: page.tif, output: {path: "out/{stem}_{ink}.tif", compression: g4}}\n')
    return found


def inputs():
    found = {
        "tiles of 16, a million of them, 16 threads": one(
            Page(16000, 15000, tile=(16, 16), compression=DEFLATE, bits=1),
            "halftone: {method: threshold}", threads=16),
        "strips of a row, apart, 16 inks": one(
            page_of(8, 60000, samples=16, planar=True, rows=1), threads=16),
        "packbits, 12 bits in one strip": one(
            page_of(40000, 300, samples=4, bits=12, compression=PACKBITS, rows=300), threads=16),
        "tiles as large as the page, 16 threads": one(
            page_of(4096, 4096, samples=4, tile=(4096, 4096)), threads=16),
        "jpeg in one strip": one(
            Page(8000, 2000, compression=JPEG,
                 coder=lambda _: odd_tiff.jpeg(8000, 2000, 1, False)), threads=16)}
    return found


def beside_plates():
    found = {}
    for samples, threads in ((1, 16), (4, 16), (16, 2)):
        found[f"a proof as wide as its plates, {samples} inks, {threads} threads"] = one(
            page_of(WIDEST, 80, samples=samples, dpi=(1200, 1200)),
            'proof: {dpi: 1200, path: "out/{stem}.png"}', threads=threads)
    found["a proof by profile"] = one(
        page_of(20000, 200, samples=3, dpi=(600, 600)),
        "profile: press.icc\ncolour: {assume: {rgb: sRGB}}\n"
        'proof: {dpi: 600, colours: profile, path: "out/{stem}.tif"}',
        files={"press.icc": press(b"CMYK", to_lab=23, from_lab=33)})
    found["a ppf file of 16 inks"] = one(
        page_of(2000, 1500, samples=16, dpi=(52, 52)), 'ppf: {path: "out/{stem}.ppf"}')
    found["a ppf file of a wide page"] = one(
        page_of(WIDEST, 300, samples=4, dpi=(2400, 2400)),
        'ppf: {path: "out/{stem}.ppf"}\nlinework: type.tif',
        files={"type.tif": page_of(WIDEST, 300, bits=1, value=0x55)})
    found["a report of 60 pages"] = Job(
        {"page.tif": (page_of(600, 600, samples=4), 60)},
        'pages:\n  - {input: page.tif, output: {path: "out/{stem}_{page}_{ink}.tif"}}\n',
        options=("--report", "report"))
    return found


def plans():
    """Jobs that are many."""
    found = {}
    found["250 tiles, one a page"] = Job(  # a job may have 256
        {"page.tif": page_of(64, 64),
         **{f"tile{i}.tif": page_of(512, 512, bits=16, value=i % 200 + 1, compression=PACKBITS)
            for i in range(250)}},
        "pages:\n" + "".join(
            f'  - {{input: page.tif, output: {{path: "out/{i}.tif"}}, '
            f"halftone: {{method: tile, file: tile{i}.tif}}}}\n" for i in range(250)))
    found["500 pages of 60 plates each, of one ink"] = Job(
        {"page.tif": (page_of(8, 8), 500)},
        'pages:\n  - input: page.tif\n    output: {path: "out/{stem}_{page}_{ink}.tif"}\n'
        "    inks:\n" + "".join(f"      light{i}: {{from: black}}\n" for i in range(60)))
    found["120 pages with a map of ink each"] = Job(
        {"page.tif": (page_of(1024, 1024, samples=2, compression=DEFLATE), 120)},
        'pages:\n  - {input: page.tif, output: {path: "out/{stem}_{page}_{ink}.tif"}, '
        "halftone: {method: bayer}, ink_limit: 100%}\n")
    return found


def jobs():
    """{name: Job}."""
    found = {}
    for part in (scaling, placing, inks, screens, searches, colour, coders, inputs, beside_plates,
                 plans):
        for name, job in part().items():
            assert name not in found
            found[name] = job
    return found


# A short run draws from these, which take a second or less.
QUICK = ("96 to 2400 dpi, one px wide", "96 to 2400 dpi, one row", "line art, 75 to 2400 dpi",
         "line work on its side", "120 plates of one ink", "16 inks of 16 drops, packed",
         "a tile of 512 x 512, 16 inks", "am, 16 inks at 2400 dpi", "pes in slabs, wide",
         "les, computed again", "a device link to 15 inks", "CIELAB of 16 bits, apart",
         "24 pages, each with a profile of its own", "g4 of one column", "plates of 40 pages",
         "g4 of 2400 dpi, read back by 32 threads", "strips of a row, apart, 16 inks",
         "a ppf file of 16 inks", "a report of 60 pages")


def write(folder, job):
    """Writes the files of a job."""
    for name, content in job.files.items():
        if isinstance(content, list):
            odd_icc.write(folder / name, content)
        else:
            page, directories = content if isinstance(content, tuple) else (content, 1)
            odd_tiff.write(folder / name, page, directories)


def manifest(job, mib):
    return (f"mezzotint: 1\njob: tight\nlimits: {{memory: {mib} MiB, threads: {job.threads}}}\n"
            + job.body)
