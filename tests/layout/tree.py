"""The sources of the project and the #include edges between them, for the tests of the layout."""
import collections
import pathlib
import re

LAYERS = ("kernels", "manifests", "stages", "pipeline", "tools")
SUFFIXES = {".h", ".hpp", ".cpp", ".cu", ".cuh"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def sources(root, folders=LAYERS):
    """Paths of all sources below the folders, relative to the root."""
    root = pathlib.Path(root)
    return sorted(file.relative_to(root).as_posix()
                  for folder in folders for file in (root / folder).rglob("*")
                  if file.suffix in SUFFIXES and file.is_file())


def unit(path):
    """The name that a header and its source share."""
    return re.sub(r"(-inl)?\.\w+$", "", path)


def edges(root):
    """(unit, unit it includes) -> the lines of it, as pairs of files."""
    root = pathlib.Path(root)
    files = sources(root)
    known = set(files)
    found = collections.defaultdict(set)
    for file in files:
        for _, header in INCLUDE.findall((root / file).read_text(encoding="utf-8")):
            if header in known and unit(header) != unit(file):
                found[unit(file), unit(header)].add((file, header))
    return found


def folders(units):
    """Every folder that holds a unit, at any depth; '' is the top."""
    return sorted({"/".join(name.split("/")[:depth])
                   for name in units for depth in range(name.count("/") + 1)})


def children(folder, found):
    """The graph of what lies in one folder: units and, with a '/', subfolders."""
    prefix = folder + "/" if folder else ""
    graph = collections.defaultdict(lambda: collections.defaultdict(set))

    def child(name):
        first, _, rest = name[len(prefix):].partition("/")
        return first + "/" if rest else first

    for (one, other), lines in found.items():
        if one.startswith(prefix) and other.startswith(prefix) and child(one) != child(other):
            graph[child(one)][child(other)] |= lines
    return graph


def circles(graph):
    """Sets of two or more nodes that reach each other."""
    below = {node: reachable(graph, node) for node in graph}
    found = {frozenset(other for other in below[node] if node in below.get(other, ()))
             for node in graph if node in below[node]}
    return sorted(sorted(circle) for circle in found)


def reachable(graph, start):
    seen, waiting = set(), [start]
    while waiting:
        for node in graph.get(waiting.pop(), ()):
            if node not in seen:
                seen.add(node)
                waiting.append(node)
    return seen
