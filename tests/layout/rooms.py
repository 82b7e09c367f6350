#!/usr/bin/env python3
"""Holds the shape of the tree: arrows that point down only, a namespace for each folder and for each
test, a header for each source, few names that everybody sees, and no links that lead away.

usage: rooms.py ROOT        checks the tree
       rooms.py --self-test plants mistakes in a temporary tree and must find each
"""
import pathlib
import re
import sys
import tempfile

import tree

# Folder -> the namespace of all that lies in it and below. The longest match counts.
NAMESPACES = {
    "kernels": "mezzo",
    "kernels/codec": "mezzo::codec",
    "kernels/device_chain": "mezzo::device_chain",
    "kernels/diffusion": "mezzo::diffusion",
    "kernels/diffusion/together": "mezzo::diffusion::together",
    "kernels/gpu": "mezzo::gpu",
    "kernels/pinwheel": "mezzo::pinwheel",
    "kernels/prepress": "mezzo::prepress",
    "kernels/proof": "mezzo::proof",
    "kernels/quality": "mezzo::quality",
    "kernels/screen": "mezzo::screen",
    "kernels/search": "mezzo::search",
    "kernels/spelling": "mezzo::spelling",
    "kernels/together": "mezzo::together",
    "manifests": "mezzo::manifests",
    "manifests/curve": "mezzo::curve",
    "manifests/json": "mezzo::json",
    "pipeline": "mezzo",
    "pipeline/cluster": "mezzo::cluster",
    "pipeline/log": "mezzo::log",
    "pipeline/plan": "mezzo::plan",
    "pipeline/process": "mezzo::process",
    "pipeline/report": "mezzo::report",
    "pipeline/resume": "mezzo::resume",
    "pipeline/run": "mezzo::run",
    "pipeline/watch": "mezzo::watch",
    "stages": "mezzo",
    "stages/chain": "mezzo::chain",
    "stages/colour": "mezzo::colour",
    "stages/files": "mezzo::files",
    "stages/icc": "mezzo::icc",
    "stages/proof": "mezzo::proof",
    "stages/screen": "mezzo::screen",
    "stages/tiff": "mezzo::tiff",
    "tools": "mezzo",
    "tools/lab/bench": "mezzo::bench",
    "tools/cli": "mezzo::cli",
    "tools/commands": "mezzo::commands",
    "tools/compare": "mezzo::compare",
    "tools/gallery": "mezzo::gallery",
    "tools/library": "mezzo::library",
    "tools/library/mezzotint": "mezzo",
    "tools/synth": "mezzo::synth",
    "tools/lab/train": "mezzo::train",
    "tools/wedge": "mezzo::wedge",
    "tools/words": "mezzo::words",
}

MOST_SHARED_NAMES = 150

COMMENT_OR_TEXT = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', re.DOTALL)
NAMESPACE = re.compile(r"^(?:inline )?namespace (mezzo[\w:]*) \{", re.MULTILINE)
FORWARD = re.compile(r"(?:enum )?(?:class|struct) \w+(?: : [\w:]+)?;\s*|template <[^>]*>\s*")


def namespace_of(path):
    folder = path.rpartition("/")[0]
    while folder not in NAMESPACES and folder:
        folder = folder.rpartition("/")[0]
    return NAMESPACES.get(folder, "mezzo")


def code_of(root, path):
    text = (pathlib.Path(root) / path).read_text(encoding="utf-8")
    return COMMENT_OR_TEXT.sub(lambda found: '""' if found[0][0] in "\"'R" else "", text)


def blocks(code):
    """(namespace, what stands in its braces) for each namespace at the top of a source."""
    for found in NAMESPACE.finditer(code):
        depth, end = 1, found.end()
        while depth and end < len(code):
            depth += {"{": 1, "}": -1}.get(code[end], 0)
            end += 1
        yield found[1], code[found.end():end - 1]


def wrong_namespaces(root):
    for path in tree.sources(root):
        wanted = namespace_of(path)
        for name, body in blocks(code_of(root, path)):
            name = name.removesuffix("::HWY_NAMESPACE")  # Highway's, one a SIMD target
            inside = name == wanted or (wanted != "mezzo" and name.startswith(wanted + "::"))
            if not inside and FORWARD.sub("", body).strip():
                yield f"{path}: is in namespace {name}; its folder's is {wanted}"


def shared_test_namespaces(root):
    """Many tests are compiled as one source, where what one defines must not meet what another does."""
    for path in tree.sources(root, ("tests",)):
        stem = re.sub(r".*/|\.\w+$", "", path)
        if path.endswith("_test.cpp"):
            for name, _ in blocks(code_of(root, path)):
                if not name.endswith("::" + stem):
                    yield f"{path}: is in namespace {name}, which others share; make it {name}::{stem}"


def wrong_arrows(root):
    found = tree.edges(root)
    units = {name for edge in found for name in edge}
    for folder in tree.folders(units):
        graph = tree.children(folder, found)
        for circle in tree.circles(graph):
            lines = [f"    {one} -> {other}: {file} includes {header}"
                     for one in circle for other in circle if one != other
                     for file, header in sorted(graph[one].get(other, ()))[:1]]
            yield "\n".join([f"{folder or 'the top'}: {', '.join(circle)} include each other"] + lines)


def headerless(root):
    """A source has a header of its name, or is one of several that a header beside it lists."""
    files = set(tree.sources(root))
    for path in sorted(files):
        if not path.endswith((".cpp", ".cu")) or path.endswith("main.cpp"):
            continue
        if {tree.unit(path) + end for end in (".h", ".cuh")} & files:
            continue
        folder, _, name = path.rpartition("/")
        beside = [header for header in files
                  if header.rpartition("/")[0] == folder and header.endswith((".h", ".cuh"))]
        if not any(lists(root, header, name) for header in beside):
            yield f"{path}: has no header of its name, and no header in its folder lists it"


def lists(root, header, name):
    """Whether the header's comments name a source."""
    comments = re.findall(r"//[^\n]*", (pathlib.Path(root) / header).read_text(encoding="utf-8"))
    return re.search(rf"(?<![\w/]){re.escape(name)}\b", " ".join(comments)) is not None


def declared_names(body):
    """Names that a namespace's body declares at its own level, roughly."""
    flat, depth = [], 0
    for character in body:
        depth -= character == "}"
        if depth == 0:
            flat.append(character)
        depth += character == "{"
    names = set()
    for statement in re.split(r"[;}]|\{", "".join(flat)):
        statement = re.sub(r"\[\[.*?\]\]|template <[^>]*>|^\s*#.*$", "", statement, flags=re.MULTILINE)
        found = (re.search(r"\b(?:class|struct|enum class|enum|using|concept) (\w+)", statement)
                 or re.search(r"(\w+)\s*\(", statement) or re.search(r"(\w+)\s*(?:\[[^]]*\]\s*)?=", statement)
                 or re.search(r"\s(\w+)\s*$", statement))
        if found and not found[1].startswith("operator"):
            names.add(found[1])
    return names


def shared_names(root):
    """All names that headers put into namespace mezzo itself."""
    names = set()
    for path in tree.sources(root):
        if not path.endswith((".h", ".cuh")):
            continue
        for name, body in blocks(code_of(root, path)):
            if name == "mezzo" and FORWARD.sub("", body).strip():
                names |= declared_names(body)
    return names


def too_many_names(root):
    names = shared_names(root)
    if len(names) > MOST_SHARED_NAMES:
        yield (f"namespace mezzo has {len(names)} names, at most {MOST_SHARED_NAMES} may be seen "
               f"everywhere: {' '.join(sorted(names))}")


def links_away(root):
    """No symbolic link leads out of the tree, or to nothing; .gitignore names those on top that may."""
    top = pathlib.Path(root).resolve()
    ours = [path for path in top.iterdir() if path.name not in ("build", "install", "compile_commands.json")]
    for folder in (*tree.LAYERS, "tests"):
        ours += (top / folder).rglob("*")
    for path in sorted(ours):
        if path.is_symlink() and not (path.exists() and path.resolve().is_relative_to(top)):
            yield f"{path.relative_to(top)}: leads to {path.readlink()}, which is not in the tree"


CHECKS = (wrong_arrows, wrong_namespaces, shared_test_namespaces, headerless, too_many_names, links_away)


def complaints(root, checks=CHECKS):
    return [text for check in checks for text in check(root)]


# What is planted, and the one check that must find it.
PLANTED = [
    ({"kernels/a.h": '#include "kernels/b.h"', "kernels/b.h": '#include "kernels/a.h"'}, wrong_arrows),
    ({"stages/files/a.h": '#include "stages/tiff/b.h"', "stages/tiff/b.h": "",
      "stages/tiff/c.h": '#include "stages/files/d.h"', "stages/files/d.h": ""}, wrong_arrows),
    ({"stages/files/a.h": "namespace mezzo::tiff {\nint a();\n}"}, wrong_namespaces),
    ({"stages/a.h": "namespace mezzo::tiff {\nclass B;\nint a();\n}"}, wrong_namespaces),
    ({"tests/kernels/a_test.cpp": "namespace mezzo::test {\n}"}, shared_test_namespaces),
    ({"manifests/a.cpp": "", "manifests/b.h": "// Also in ba.cpp."}, headerless),
    ({"kernels/a.h": "namespace mezzo {\n" + "".join(f"int a{i}();\n" for i in range(151)) + "}"},
     too_many_names),
    ({"gone": "-> /nowhere"}, links_away),
    ({"tests/tools/away": "-> /"}, links_away),
]
# What must pass.
HARMLESS = {
    "kernels/a.h": "namespace mezzo {\nclass B;\n}\nnamespace mezzo {\nint a(int);  // namespace mezzo::x {\n}",
    "kernels/a.cpp": '#include "kernels/a.h"',
    "manifests/c.h": "// The reader is in d.cpp,\n// the writer in e.cpp.",
    "manifests/d.cpp": "",
    "manifests/e.cpp": "",
    "stages/files/b.h": "namespace mezzo::tiff {\nclass C;\n}\nnamespace mezzo::files {\n}",
    "tests/kernels/a_test.cpp": "namespace mezzo::test::a_test {\n}",
    "tools/main.cpp": "",
    "tests/tools/link": "-> ../../tools/main.cpp",
    "build": "-> /nowhere",
}


def plant(root, files):
    """Writes the files; a text that begins with an arrow is where a symbolic link leads."""
    for path, text in files.items():
        file = pathlib.Path(root) / path
        file.parent.mkdir(parents=True, exist_ok=True)
        if text.startswith("-> "):
            file.symlink_to(text.removeprefix("-> "))
        else:
            file.write_text(text + "\n", encoding="utf-8")


def self_test():
    good = True
    for files, check in PLANTED + [(HARMLESS, None)]:
        with tempfile.TemporaryDirectory() as root:
            plant(root, files)
            found = [each for each in CHECKS if list(each(root))]
            if found != ([check] if check else []):
                print(f"{sorted(files)}: found by {[each.__name__ for each in found]}", file=sys.stderr)
                good = False
    return good


def main(arguments):
    if arguments == ["--self-test"]:
        return 0 if self_test() else 1
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 64
    if not tree.sources(arguments[0]):
        print(f"{arguments[0]}: no sources found there", file=sys.stderr)
        return 1
    wrong = complaints(arguments[0])
    for text in wrong:
        print(text, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
