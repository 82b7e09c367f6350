#!/usr/bin/env python3
"""Draws the layers of the project and the rooms in each, as the #include lines have them.

usage: architecture.py ROOT          writes ROOT/pipeline/architecture.svg
       architecture.py ROOT --check  fails when that file is not what the includes give
       architecture.py --self-test   draws made-up trees and must notice a new arrow

An arrow points from a room to one that it includes. Arrows that follow from others are left out, and
so are those between rooms of different layers: every room may include what lies in a lower layer.
"""
import html
import pathlib
import sys
import tempfile
import textwrap

import tree

PICTURE = "pipeline/architecture.svg"
SHELVES = (("tools",), ("pipeline",), ("stages", "manifests"), ("kernels",))
CAPTIONS = {
    "tools": "the programs: command lines and their output",
    "pipeline": "jobs: from a manifest to plates on disk",
    "stages": "a band of a page: files in and out",
    "manifests": "the text of a job",
    "kernels": "tones become dots: no files, no threads",
}
WIDTH, MARGIN, GAP = 980, 20, 34
ROW, BOX, LINE, SPACE = 86, 40, 14, 18
INK, PAPER, PANEL, ROOM, LOOSE, ARROW, WRONG = (
    "#1b2733", "#ffffff", "#eef2f6", "#ffffff", "#e3e9ef", "#5d7186", "#c0392b")


def layer_graph(root, layer):
    """child -> children it includes; loose units as they are, rooms with a '/'."""
    graph = {}
    for path in tree.sources(root, (layer,)):
        first, _, rest = tree.unit(path)[len(layer) + 1:].partition("/")
        graph.setdefault(first + "/" if rest else first, set())
    for child, others in tree.children(layer, tree.edges(root)).items():
        graph[child] = set(others)
    return graph


def levels(graph):
    """How many steps of includes lie below each node; nodes that reach each other share a level."""
    below = {node: tree.reachable(graph, node) for node in graph}
    found = {}

    def level(node):
        if node not in found:
            circle = {other for other in below[node] if node in below[other]} | {node}
            deeper = {other for member in circle for other in graph[member]} - circle
            found.update(dict.fromkeys(circle, 1 + max(map(level, deeper), default=-1)))
        return found[node]

    for node in sorted(graph):
        level(node)
    return found


def gathered(graph):
    """The graph with loose units gathered, a line of them for each level: of a name, a tuple of lines.

    Levels that follow each other and have no rooms become one node.
    """
    level = levels(graph)
    with_rooms = {level[node] for node in graph if node.endswith("/")}
    name = {node: (node,) for node in graph if node.endswith("/")}
    for depth in sorted(set(level.values())):
        last = depth
        while depth not in with_rooms and last + 1 in level.values() and last + 1 not in with_rooms:
            last += 1
        lines = [", ".join(sorted(node for node in graph if node not in name and level[node] == each))
                 for each in range(last, depth - 1, -1)]
        name |= {node: tuple(lines) for node in graph
                 if node not in name and depth <= level[node] <= last}
    edges = {(name[node], name[other]) for node in graph for other in graph[node]}
    return {one: {other for start, other in edges if start == one != other} for one in name.values()}


def reduced(graph):
    """The graph without edges that follow from others."""
    graph = {node: set(others) for node, others in graph.items()}
    for node in sorted(graph):
        for other in sorted(graph[node]):
            graph[node].remove(other)
            if other not in tree.reachable(graph, node):
                graph[node].add(other)
    return graph


def nested(root, layer, room):
    """Names of the folders inside a room that have sources."""
    top = f"{layer}/{room}"
    inside = {path[len(top):].split("/")[0] for path in tree.sources(root, (layer,))
              if path.startswith(top) and "/" in path[len(top):]}
    return sorted(inside)


class Node:
    """A box, or a place in a row through which an arrow passes."""

    def __init__(self, name=None, lines=()):
        self.name, self.lines = name, list(lines)
        self.width = max([7.2 * len(line) + 24 for line in self.lines] or [10])
        self.x = self.y = self.row_height = 0.0

    def height(self):
        return BOX - LINE + LINE * len(self.lines) if self.lines else 0


def boxes(root, layer, graph):
    for name in sorted(graph):
        if name[0].endswith("/"):
            inside = "\u00a0· ".join(nested(root, layer, name[0]))
            box = Node(name, [name[0].rstrip("/")] + textwrap.wrap(inside, 30))
            box.width = max(box.width, 9.5 * len(box.lines[0]) + 24)  # it is bold
            yield box
        else:
            yield Node(name, [line for words in name for line in textwrap.wrap(words, 46)])


def rows_of(root, layer):
    """Rows of nodes from the top down, and arrows as lists of nodes that they pass through."""
    graph = reduced(gathered(layer_graph(root, layer)))
    level = levels(graph)
    node = {box.name: box for box in boxes(root, layer, graph)}
    rows = [[node[name] for name in sorted(graph) if level[name] == depth]
            for depth in range(max(level.values()), -1, -1)]
    arrows = []
    for name in sorted(graph):
        for other in sorted(graph[name]):
            way = [node[name]]
            for depth in range(level[name] - 1, level[other], -1):
                way.append(Node())
                rows[len(rows) - 1 - depth].append(way[-1])
            arrows.append(way + [node[other]])
    return rows, arrows


def spread(row, middle):
    x = middle - (sum(node.width for node in row) + SPACE * (len(row) - 1)) / 2
    for node in row:
        node.x = x + node.width / 2
        x += node.width + SPACE


def arrange(rows, arrows, left, top, width):
    """Places all nodes; a few sweeps bring each near the nodes that it is joined to."""
    near = {}
    for way in arrows:
        for one, other in zip(way, way[1:]):
            near.setdefault(id(one), []).append(other)
            near.setdefault(id(other), []).append(one)
    y = top
    for row in rows:
        tallest = max(node.height() for node in row)
        for node in row:
            node.y, node.row_height = y + tallest / 2, tallest
        y += tallest + ROW - BOX
        spread(row, left + width / 2)
    for sweep in range(24):
        for row in rows if sweep % 2 else reversed(rows):
            wanted = {id(node): sum(other.x for other in near[id(node)]) / len(near[id(node)])
                      if id(node) in near else node.x for node in row}
            row.sort(key=lambda node: wanted[id(node)])
            spread(row, left + width / 2)
    return y - (ROW - BOX)


def text(x, y, words, size, more=""):
    return (f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size}"{more}>{html.escape(words)}</text>')


def draw_box(node):
    loose = not node.name[0].endswith("/")
    height = node.height()
    yield (f'<rect x="{node.x - node.width / 2:.0f}" y="{node.y - height / 2:.0f}" '
           f'width="{node.width:.0f}" height="{height:.0f}" rx="6" '
           f'fill="{LOOSE if loose else ROOM}" stroke="{ARROW}"/>')
    first = node.y - LINE * (len(node.lines) - 1) / 2 + 5
    for number, line in enumerate(node.lines):
        bold = ' font-weight="bold"' if not loose and number == 0 else ""
        yield text(node.x, first + LINE * number, line, 12 if loose or number else 14,
                   ' text-anchor="middle"' + bold)


def draw_arrow(way):
    wrong = way[0].y >= way[-1].y
    path = f"M{way[0].x:.0f} {way[0].y + way[0].height() / 2:.0f}"
    for one, other in zip(way, way[1:]):
        y = one.y + (one.height() or one.row_height) / 2
        to_y = other.y - (other.height() + 4 if other.lines else other.row_height) / 2
        middle = (y + to_y) / 2
        path += f" C{one.x:.0f} {middle:.0f} {other.x:.0f} {middle:.0f} {other.x:.0f} {to_y:.0f}"
        if not other.lines:
            path += f" v{other.row_height:.0f}"  # straight past the boxes of its row
    colour = WRONG if wrong else ARROW
    return (f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.4" '
            f'marker-end="url(#{"wrong" if wrong else "tip"})"/>')


def draw_panel(root, layer, left, top, width):
    """The lines of a panel, and its lower edge."""
    rows, arrows = rows_of(root, layer)
    bottom = arrange(rows, arrows, left, top + 46, width) + 16
    lines = [text(left + 14, top + 25, layer, 17, ' font-weight="bold"'),
             text(left + 26 + 10 * len(layer), top + 25, CAPTIONS[layer], 13, ' fill="#4a5a6a"')]
    lines += [draw_arrow(way) for way in arrows]
    lines += [line for row in rows for node in row if node.name for line in draw_box(node)]
    return lines, bottom


def frame(left, top, width, bottom):
    return (f'<rect x="{left:.0f}" y="{top:.0f}" width="{width:.0f}" height="{bottom - top:.0f}" '
            f'rx="10" fill="{PANEL}" stroke="#b9c5d1"/>')


def picture(root):
    lines, y = [], MARGIN
    for number, shelf in enumerate(SHELVES):
        width = (WIDTH - 2 * MARGIN - GAP * (len(shelf) - 1)) / len(shelf)
        panels = [(MARGIN + (width + GAP) * place, layer) for place, layer in enumerate(shelf)]
        drawn = [(left, *draw_panel(root, layer, left, y, width)) for left, layer in panels]
        bottom = max(edge for _, _, edge in drawn)
        for left, panel, _ in drawn:
            lines += [frame(left, y, width, bottom)] + panel
        if number + 1 < len(SHELVES):
            ways = max(len(shelf), len(SHELVES[number + 1]))
            lines += [f'<path d="M{WIDTH * (2 * way + 1) / (2 * ways):.0f} {bottom:.0f} v{GAP - 6}" '
                      f'stroke="{INK}" stroke-width="3" marker-end="url(#layer)"/>'
                      for way in range(ways)]
        y = bottom + GAP
    tips = "".join(
        f'<marker id="{name}" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="{size}" '
        f'markerHeight="{size}" orient="auto"><path d="M0 0 8 4 0 8z" fill="{colour}"/></marker>'
        for name, size, colour in (("tip", 7, ARROW), ("wrong", 7, WRONG), ("layer", 4, INK)))
    height = y - GAP + MARGIN
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" '
            f'width="{WIDTH}" height="{height:.0f}" font-family="Helvetica, Arial, sans-serif" '
            f'fill="{INK}">')
    return "\n".join(
        [head, "<title>Layers and rooms of mezzotint, from its includes</title>",
         f"<defs>{tips}</defs>", f'<rect width="{WIDTH}" height="{height:.0f}" rx="12" fill="{PAPER}"/>']
        + lines + ["</svg>", ""])


def check(root):
    file = pathlib.Path(root) / PICTURE
    if file.is_file() and file.read_text(encoding="utf-8") == picture(root):
        return True
    print(f"{PICTURE} is not what the includes give; draw it anew:\n"
          "  python3 tests/layout/architecture.py .", file=sys.stderr)
    return False


def self_test():
    with tempfile.TemporaryDirectory() as root:
        def plant(path, content=""):
            file = pathlib.Path(root) / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content + "\n", encoding="utf-8")

        for layer in CAPTIONS:
            plant(f"{layer}/a/a.h")
            plant(f"{layer}/b/b.h", f'#include "{layer}/a/a.h"')
        plant("tools/c/c.h")
        before = picture(root)
        plant("tools/c/c.h", '#include "tools/b/b.h"')
        after = picture(root)
        plant("tools/c/c.h", '#include "tools/b/b.h"\n#include "tools/a/a.h"')
        return before != after and picture(root) == after


def main(arguments):
    if arguments == ["--self-test"]:
        return 0 if self_test() else 1
    if arguments[1:] == ["--check"]:
        return 0 if check(arguments[0]) else 1
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 64
    (pathlib.Path(arguments[0]) / PICTURE).write_text(picture(arguments[0]), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
