"""Digests of plates: methods, parameters, schedules and manifests on made-up pages, and a corpus.

A digest is the beginning of the SHA-256 of the plates' files, with the version of the program in
their Software tag left out. Engines and schedules do not change plates, so there is one digest for
all of them.
"""

import hashlib
import json
import os
import pathlib
import re
import shutil
import struct

import support

DIGITS = 16
VERSION = re.compile(rb"mezzotint \d+\.\d+\.\d+")
EXAMPLES = support.SOURCE / "manifests/examples"

# Made-up pages: name, width and height in pixels, options of `synth`.
PAGES = {
    "grey": (211, 130, "--seed", 1),
    "deep": (97, 64, "--seed", 2, "--bits", 16),
    "ink": (70, 45, "--seed", 3, "--colour", "cmyk"),
    "rgb": (65, 33, "--seed", 4, "--colour", "rgb", "--compression", "lzw"),
    "wide": (3001, 700, "--seed", 5, "--compression", "packbits"),
    "small": (48, 32, "--seed", 6, "--compression", "deflate"),
}
FAST = ("floyd-steinberg", "ostromoukhov", "zhou-fang", "tone-dependent", "green-noise", "pinwheel",
        "threshold", "bayer", "am", "fm", "random")
SLOW = ("les", "pes")
METHODS = (*FAST, "dbs", *SLOW)
TILE = "tile"  # the method that takes a file
# Options without which a method does not take these pages.
NEEDED = {"am": ("--ruling=60",)}
COMPRESSIONS = ("auto", "none", "packbits", "lzw", "deflate", "g3", "g4", "zstd")

# Settings beside the defaults, each with the page that it is tried on.
VARIANTS = [
    *(("grey", "floyd-steinberg", f"--compression={name}") for name in COMPRESSIONS),
    *(("wide", "bayer", f"--compression={name}") for name in ("auto", "none", "g4")),
    *((page, method, setting) for page, method in (("grey", "floyd-steinberg"), ("ink", "pinwheel"))
      for setting in ("--curve=0:0,50:54,100:100", "--curve=0:5,30:40,80:70,100:95",
                      "--gamma=0.9", "--gamma=2.2", "--invert", "--invert --gamma=1.5")),
    *(("grey", "threshold", f"--level={level}%") for level in (1, 33, 100)),
    *(("grey", "bayer", f"--order={order}") for order in (1, 4, 6)),
    ("grey", "fm", "--cluster=36"),
    ("ink", "fm", "--size=64 --dot=2"),
    *(("deep", "floyd-steinberg", f"--dot={side}") for side in (2, 3, 4)),
    ("grey", "bayer", "--page=1"),
    ("grey", "am", "--angle=15 --dot=round"), ("ink", "am", "--resolution=2400"),
    ("ink", "am", "--resolution=1200 --dot=ellipse --minimum_dot=6"),
    ("deep", "am", "--resolution=2540 --cell_repeats=4 --cell_m=41 --cell_n=41 --dot=line"),
    ("grey", TILE, "--shift=5"), ("ink", TILE, "--values=ranks"),
    *(("grey", "floyd-steinberg", f"--assume-resolution=300 --resolution={dpi} --scale={scale}")
      for dpi, scale in ((2400, "linear"), (2540, "cubic"), (100, "area"), (450, "nearest"),
                         (2400, "edges"), (2540, "edges"))),
    ("deep", "bayer", "--assume-resolution=300 --resolution=1200 --mirror"),
    ("grey", "floyd-steinberg", "--crop=1,0.5,12,8 --rotate=90"),
    ("deep", "bayer", "--trim=0.7 --copies=3x2 --gap=1.5 --invert"),
    ("ink", "pinwheel", "--rotate=180 --resolution=254 --copies=2x2 --gap=1"),
    ("ink", "pinwheel", "--protect=both"), ("ink", "floyd-steinberg", "--mirror --negative"),
    ("grey", "random", "--seed=7"), ("grey", "zhou-fang", "--seed=7"),
    ("grey", "tone-dependent", "--seed=7"), ("grey", "green-noise", "--dot_size=5 --seed=7"),
    *(("grey", "pinwheel", f"--block={block} --path={path}")
      for block in (8, 16, 32) for path in ("spiral", "serpentine")),
    ("grey", "pinwheel", "--threshold_noise=20 --seed=3"),
    ("grey", "pinwheel", "--start_noise=20 --weight_noise=30"),
    ("small", "les", "--start=random --seed=5 --rounds=2"), ("small", "les", "--eye=published --window=3 --radius=2"),
    ("small", "pes", "--eye=published --until=settled --sigma=1.5"), ("small", "pes", "--slab_rows=16"),
    ("grey", "dbs", "--target=original"), ("grey", "dbs", "--start=random --rounds=3"),
    ("small", "les", "--eye=published"), ("small", "pes", "--eye=published --slab_rows=16"),
    ("grey", "dbs", "--eye=tone"), ("grey", "dbs", "--eye=gaussian --sigma=1.2"), ("grey", "dbs", "--slab_rows=64 --until=settled"),
]


def digest(paths):
    """Of the plates' names and bytes, in the order of their names."""
    whole = hashlib.sha256()
    for path in sorted(paths):
        whole.update(path.name.encode() + b"\0" + VERSION.sub(b"mezzotint", path.read_bytes()))
    return whole.hexdigest()[:DIGITS]


def take(folder):
    """The digest of the plates in a folder, which is then removed."""
    found = digest(folder.iterdir())
    shutil.rmtree(folder)
    return found


def schedules(scene):
    """{(method, engine): [schedule]} as `mezzotint info` lists them."""
    found = {}
    for line in scene.make("info").splitlines():
        row = re.fullmatch(r" {13}(\w+) +(\S+) +.*\((.*?)\)", line)
        for method in row[3].split(", ") if row else ():
            found.setdefault((method, row[1]), []).append(row[2])
    return found


def halftone(scene, page, method, *more):
    """The digest of the plates of a page."""
    folder = scene.work / "out"
    needed = ("--tile", scene.work / "tile.tif") if method == TILE else NEEDED.get(method, ())
    scene.make("halftone", "-q", "--method", method, *needed, *more, scene.work / f"{page}.tif",
               folder / "plate_{ink}.tif")
    return take(folder)


def made_up(scene, engine):
    """{row: digest} of methods on all pages, and of variants."""
    rows = {}
    engines = ("--engine", engine) if engine else ()
    known = schedules(scene)
    for page, (width, height, *more) in PAGES.items():
        scene.synth(f"{page}.tif", width, height, *more)
    scene.synth("tile.tif", 67, 41, "--seed", 7)
    plain = [(page, method, "") for page in PAGES for method in (*METHODS, TILE)
             if page != "wide" or method in FAST]
    for page, method, settings in plain + VARIANTS:
        if method in SLOW and page != "small":
            continue
        if not engine or (method, engine) in known:
            row = f"{page} {method} {settings}".strip()
            rows[row] = halftone(scene, page, method, *settings.split(), *engines)
    return rows


def of_schedules(scene, engine, rows):
    """Differences between what a schedule makes and what its method makes by default."""
    for (method, where), names in sorted(schedules(scene).items()):
        if where != (engine or "cpu"):
            continue
        for name in names:
            if f"small {method}" not in rows:
                yield f"{method}: not among the methods of plates.py\n"
                break
            for page in ("small",) if method in SLOW else ("grey", "deep", "ink"):
                found = halftone(scene, page, method, "--engine", where, "--schedule", name)
                if found != rows[f"{page} {method}"]:
                    yield f"{page} {method}: schedule {name} of {where} makes another plate\n"


def write_pages(path, count):
    """A TIFF of some grey pages of 40 x 24 px, which `synth` does not make."""
    width, height = 40, 24
    data = bytearray(struct.pack("<2sHI", b"II", 42, 0))
    link = 4
    for page in range(count):
        strip = len(data)
        data += bytes((3 * x + 7 * y + 31 * page) % 256 for y in range(height) for x in range(width))
        struct.pack_into("<I", data, link, len(data))
        tags = [(256, 4, width), (257, 4, height), (258, 3, 8), (259, 3, 1), (262, 3, 1),
                (273, 4, strip), (277, 3, 1), (278, 4, height), (279, 4, width * height)]
        data += struct.pack("<H", len(tags))
        for tag, kind, value in tags:
            data += struct.pack("<HHII", tag, kind, 1, value)
        link = len(data)
        data += struct.pack("<I", 0)
    path.write_bytes(data)


def with_digests(text, folder):
    """A manifest with the digests that its inputs have here."""
    def actual(match):
        found = hashlib.sha256((folder / match[2]).read_bytes()).hexdigest()
        return f"{match[1]}{found}"
    return re.sub(r"(input: (\S+)\n\s+sha256: )[0-9a-f]{64}", actual, text)


def of_examples(scene):
    """{row: digest} of each plate of the manifests in manifests/examples."""
    folder = scene.work / "examples"
    grey = ("scans/cover.tif", "scans/map.tif", "scans/chapters/1.tif", "scans/chapters/2.tiff",
            "48213_front.tif", "48213_label.tif", "side_1.tif", "side_2.tif", "leaflet.tif",
            "lid.tif", "cover.tif")
    inks = ("48213_back.tif", "front.tif", "back.tif")
    for seed, name in enumerate(grey + inks):
        scene.synth(f"examples/{name}", 60 + seed, 40, "--seed", seed,
                    "--colour", "cmyk" if name in inks else "grey")
    write_pages(folder / "scans/appendix.tif", 7)
    shutil.copytree(EXAMPLES / "presses", folder / "presses")
    rows = {}
    for example in sorted(EXAMPLES.glob("*.yaml")):
        if example.name == "folder.yaml":
            continue
        manifest = folder / example.name
        text = with_digests(example.read_text(encoding="utf-8"), folder)
        manifest.write_text(text, encoding="utf-8")
        scene.make("run", "-q", manifest)
        for plate in sorted((folder / "plates").rglob("*.tif")):
            rows[f"{example.name} {plate.relative_to(folder / 'plates')}"] = digest([plate])
        shutil.rmtree(folder / "plates")
    return rows


def compare(name, found, update):
    """Compares {row: value} with the table of this name, or writes it; the differences."""
    path = support.HERE / "expected" / name
    if update:
        path.write_text("".join(f"{row}\t{value}\n" for row, value in found.items()),
                        encoding="utf-8")
        return []
    lines = path.read_text(encoding="utf-8").splitlines()
    expected = dict(line.split("\t", 1) for line in lines)
    return [f"{name}: {row}: expected {expected.get(row, 'nothing')}, found {value}\n"
            for row, value in found.items() if value != expected.get(row)]


def check(program, engine, update):
    """The part `plates`: its differences, and a line that says what was held."""
    with support.Scene(program) as scene:
        rows = made_up(scene, engine)
        wrong = list(of_schedules(scene, engine, rows))
        rows.update(of_examples(scene))
    wrong += compare("plates.tsv", rows, update)
    if not engine:
        expected = (support.HERE / "expected/plates.tsv").read_text(encoding="utf-8")
        missing = {line.split("\t")[0] for line in expected.splitlines()} - rows.keys()
        wrong += [f"plates.tsv: {row}: not made\n" for row in sorted(missing)]
    return wrong, f"{len(rows)} digests" + (f" with engine {engine}" if engine else "")


# ---- A corpus of real files --------------------------------------------------------------------

FEW_PIXELS = 400_000  # of files that every fast method and dbs is tried on
VERY_FEW_PIXELS = 5_000  # of files that les and pes are tried on


def corpus_files():
    """The files, by name with folder; raises Skip where there is no corpus."""
    corpus = os.environ.get("MEZZOTINT_CORPUS")
    if not corpus:
        raise support.Skip("set MEZZOTINT_CORPUS to a folder of real TIFFs to run this")
    root = pathlib.Path(corpus).resolve()
    paths = {f"{folder}/{path.name}": path for folder in ("good", "photos")
             for path in sorted((root / folder).iterdir())}
    if not paths:
        raise support.Skip(f"{corpus} has no files in good and photos")
    return paths


def make_all(scene, files, method, engine):
    """{name: digest or kind of the error} of all the files, with one method, as one job."""
    pages = "".join(f"  - input: {json.dumps(str(path))}\n"
                    f"    output: {{path: {json.dumps('out/' + name + '/plate_{page}_{ink}.tif')}}}\n"
                    for name, path in files.items())
    of_engine = f", engine: {engine}" if engine else ""
    manifest = scene.write(f"{method}.yaml", f"mezzotint: 1\njob: {method}\ndefaults: {{extra_channels: ignore, "
                           f"halftone: {{method: {method}{of_engine}}}}}\npages:\n{pages}")
    result = scene.call("run", "--json", manifest)
    kinds = {}
    for line in result.stdout.decode(errors="replace").splitlines():
        sheet = json.loads(line)
        if sheet["type"] == "sheet" and not sheet["ok"]:
            kinds[sheet["input"]] = sheet["error"]["kind"]
    if result.returncode not in (0, 1):
        raise RuntimeError(f"{method}: status {result.returncode}\n{result.stderr.decode()}")
    found = {}
    for name, path in files.items():
        folder = scene.work / "out" / name
        found[name] = kinds.get(str(path)) or take(folder)
    return found


def pixels_of(scene, path):
    """Of all pages of a file; none when it is refused."""
    text = scene.call("halftone", "--dry-run", "--json", "--extra-channels", "ignore", path,
                      "plate_{page}_{ink}.tif")
    plans = [json.loads(line) for line in text.stdout.decode(errors="replace").splitlines()]
    return sum(plan["pixels"] for plan in plans if plan["type"] == "plan")


def methods_of(pixels):
    if not pixels:
        return ("floyd-steinberg",)
    return (METHODS if pixels <= VERY_FEW_PIXELS else (*FAST, "dbs") if pixels <= FEW_PIXELS
            else ("floyd-steinberg", "pinwheel", "bayer"))


def check_corpus(program, engine, update):
    """The part `corpus`: its differences, and a line that says what was held."""
    files = corpus_files()
    with support.Scene(program) as scene:
        wanted = {name: methods_of(pixels_of(scene, path)) for name, path in files.items()}
        known = schedules(scene)
        methods = [one for one in METHODS
                   if one not in NEEDED and (not engine or (one, engine) in known)]
        found = {method: make_all(scene, {name: path for name, path in files.items()
                                          if method in wanted[name]}, method, engine)
                 for method in methods}
        rows = {f"{name} {method}": found[method][name] for name in files for method in wanted[name]
                if method in methods}
        for name, path in files.items():
            status = scene.call("halftone", "-q", path, scene.work / "status.tif").returncode
            if status:
                rows[f"{name} status"] = str(status)
    return compare("corpus.tsv", rows, update), f"{len(rows)} digests of {len(files)} files"
