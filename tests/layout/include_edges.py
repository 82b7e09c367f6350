#!/usr/bin/env python3
"""Walks the #include edges of the sources and fails on one that points the wrong way.

usage: include_edges.py ROOT        checks the tree
       include_edges.py --self-test plants edges in a temporary tree and must judge each rightly
"""
import pathlib
import re
import sys
import tempfile

# Folder -> folders of the project whose headers it may include. Manifests are small files, and are
# read by the means that every other file is; of TIFF they know names alone.
ALLOWED = {
    "kernels": {"kernels"},
    "stages": {"stages", "kernels"},
    "manifests": {"manifests", "kernels", "stages/files", "stages/tiff/compression.h",
                  "stages/tiff/verify_level.h"},
    "pipeline": {"pipeline", "stages", "manifests", "kernels"},
    "tools": {"tools", "pipeline", "stages", "manifests", "kernels"},
}
ALLOWED["tests"] = set(ALLOWED) | {"tests"}

# Library headers and the files that may include them; tests may include anything.
CONFINED = [
    ("libtiff", r"tiff(io|vers|conf)?\.h(xx)?", r"stages/tiff/.*"),
    ("lcms2", r"lcms2(_plugin)?\.h", r"stages/icc/.*"),
    ("libpng", r"png\.h", r"pipeline/report/page_png\.cpp"),
    ("libjpeg", r"j(peglib|error|config|morecfg)\.h|turbojpeg\.h", r"pipeline/report/page_jpeg\.cpp"),
    ("yaml-cpp", r"yaml-cpp/.*", r"manifests/.*"),
    ("oneTBB", r"(tbb|oneapi)/.*", r"pipeline/.*"),
    ("CUDA",
     r"(cuda\w*|device_launch_parameters|cooperative_groups|nvrtc)\.h"
     r"|(cub|thrust|cuda|cooperative_groups|nvtx3)/.*",
     r".*\.cuh?|kernels/(.*/)?gpu/.*\.cpp|kernels/gpu_timing\.cpp"),
    ("kissfft", r"kiss_?fft.*", r"kernels/quality/.*"),
    ("utf8proc", r"utf8proc\.h", r"kernels/prepress/folded_name\.cpp"),
    ("Boost", r"boost/.*", r"pipeline/watch/status/status_server\.cpp"),
    ("nlohmann-json", r"nlohmann/.*", r"manifests/(json/value\.cpp|kinds/.*|schema(_values)?\.(cpp|h))|tools/.*"),
    ("CLI11", r"CLI/.*|CLI11\.hpp", r"tools/cli/parser\.cpp"),
]

SUFFIXES = {".h", ".hpp", ".cpp", ".cu", ".cuh"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def complaint(path, bracket, included):
    """What is wrong with `path` (relative to the root) including `included`, or None."""
    folder = path.split("/")[0]
    target = included.split("/")[0]
    if target in ALLOWED and "/" in included:
        if not any((included + "/").startswith(place + "/") for place in ALLOWED[folder]):
            return f"{folder} may include {', '.join(sorted(ALLOWED[folder]))}, not {target}"
        return None
    if folder == "tests":
        return None
    for library, header, place in CONFINED:
        if re.fullmatch(header, included):
            return None if re.fullmatch(place, path) else f"{library} is confined to {place}"
    if bracket == '"':
        return "name a header by its path from the top of the tree"
    return None


def bad_edges(root):
    """All complaints about the tree, and the number of files looked at."""
    complaints, files = [], 0
    for folder in sorted(ALLOWED):
        for file in sorted((root / folder).rglob("*")):
            if file.suffix not in SUFFIXES or not file.is_file():
                continue
            files += 1
            path = file.relative_to(root).as_posix()
            lines = file.read_text(encoding="utf-8").splitlines()
            for number, line in enumerate(lines, start=1):
                match = INCLUDE.match(line)
                trouble = match and complaint(path, *match.groups())
                if trouble:
                    complaints.append(f"{path}:{number}: {line.strip()}: {trouble}")
    return complaints, files


# File, its text, and whether the edge is allowed.
PLANTED = [
    ("kernels/a.h", '#include "kernels/band/bands.h"', True),
    ("kernels/b.h", '#include "stages/page_info.h"', False),
    ("kernels/c.cpp", "#include <tiffio.h>", False),
    ("kernels/base/d.h", "#include <cuda_runtime.h>", False),
    ("kernels/base/e.cu", "#include <cuda_runtime.h>", True),
    ("kernels/base/f.cuh", "#include <cub/cub.cuh>", True),
    ("kernels/search/gpu/g.cpp", "#include <cuda_runtime.h>", True),
    ("kernels/search/g.cpp", "#include <cuda_runtime.h>", False),
    ("kernels/g.cpp", "  #  include <oneapi/tbb/flow_graph.h>", False),
    ("kernels/quality/h.cpp", "#include <kissfft/kissfft.hh>", True),
    ("kernels/base/i.cpp", "#include <kissfft/kissfft.hh>", False),
    ("kernels/prepress/folded_name.cpp", "#include <utf8proc.h>", True),
    ("manifests/h.cpp", "#include <utf8proc.h>", False),
    ("stages/a.cpp", '#include "manifests/job.h"', False),
    ("stages/b.cpp", '#include "pipeline/plan/plan.h"', False),
    ("stages/tiff/read/c.cpp", "#include <tiffio.h>", True),
    ("stages/d.cpp", '#include "tiffio.h"', False),
    ("stages/e.cpp", '#include "page_info.h"', False),
    ("stages/icc/f.cpp", "#include <lcms2.h>", True),
    ("stages/chain/f.cpp", "#include <lcms2.h>", False),
    ("manifests/a.cpp", "#include <yaml-cpp/yaml.h>", True),
    ("manifests/b.cpp", '#include "stages/page_info.h"', False),
    ("manifests/b.cpp", '#include "stages/files/descriptor.h"', True),
    ("manifests/b.cpp", '#include "stages/tiff/compression.h"', True),
    ("manifests/b.cpp", '#include "stages/tiff/plate/plate.h"', False),
    ("pipeline/a.cpp", "#include <tbb/flow_graph.h>", True),
    ("pipeline/b.cpp", "#include <yaml-cpp/yaml.h>", False),
    ("pipeline/c.cpp", '#include "tools/program.h"', False),
    ("pipeline/d.cpp", "#include <CLI/CLI.hpp>", False),
    ("tools/cli/parser.cpp", "#include <CLI/CLI.hpp>", True),
    ("tools/commands/a.cpp", "#include <CLI/CLI.hpp>", False),
    ("tools/a.cpp", "#include <png.h>", False),
    ("pipeline/report/page_png.cpp", "#include <png.h>", True),
    ("pipeline/e.cpp", "#include <jpeglib.h>", False),
    ("pipeline/report/page_jpeg.cpp", "#include <jpeglib.h>", True),
    ("tools/b.cpp", '#include "pipeline/plan/plan.h"', True),
    ("tools/c.cpp", '#include "tests/support.h"', False),
    ("tests/cli/a.cpp", "#include <tiffio.h>", True),
    ("manifests/json/value.cpp", "#include <nlohmann/json.hpp>", True),
    ("pipeline/f.cpp", "#include <nlohmann/json.hpp>", False),
    ("manifests/json/value.h", "#include <nlohmann/json_fwd.hpp>", False),
]


def self_test():
    """Each planted edge, alone in a tree, is judged as it should be."""
    good = True
    for path, text, allowed in PLANTED:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            file = root / path
            file.parent.mkdir(parents=True)
            file.write_text(text + "\n", encoding="utf-8")
            complaints, files = bad_edges(root)
            if files != 1 or bool(complaints) == allowed:
                print(f"{path}: {text}: expected {'no' if allowed else 'a'} complaint",
                      file=sys.stderr)
                good = False
    return good


def main(arguments):
    if arguments == ["--self-test"]:
        return 0 if self_test() else 1
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 64
    complaints, files = bad_edges(pathlib.Path(arguments[0]))
    if files == 0:
        print(f"{arguments[0]}: no sources found there", file=sys.stderr)
        return 1
    for text in complaints:
        print(text, file=sys.stderr)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
