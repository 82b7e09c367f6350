#!/usr/bin/env python3
"""Finds dead ends in the guide as it was built: addresses in its pages and in its search.

usage: site.py GUIDE
"""
import json
import sys
from html.parser import HTMLParser
from pathlib import Path


class Addresses(HTMLParser):
    def __init__(self):
        super().__init__()
        self.ids = []
        self.targets = []

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                self.ids.append(value)
            elif name in ("href", "src"):
                self.targets.append((tag, value))


def dead_ends(guide):
    found = {}
    for path in guide.glob("*.html"):
        found[path.name] = Addresses()
        found[path.name].feed(path.read_text(encoding="utf-8"))
    index = (guide / "sections.js").read_text(encoding="utf-8")
    sections = json.loads(index.removeprefix("const kSections = ").rstrip().rstrip(";"))
    targets = [("search", "a", f"{page}#{anchor}") for page, _, anchor, _, _ in sections]
    for name, page in found.items():
        targets += [(name, tag, target) for tag, target in page.targets]
        twice = {one for one in page.ids if page.ids.count(one) > 1}
        yield from (f"{name}: the id {one} stands twice" for one in sorted(twice))
    for name, tag, target in targets:
        path, _, anchor = target.partition("#")
        if target.startswith("data:") or (tag == "a" and target.startswith("https://")):
            continue
        if not (guide / (path or name)).is_file():
            yield f"{name}: {target} leads nowhere"
        elif anchor and anchor not in found[path or name].ids:
            yield f"{name}: {target}: there is no such section"
    if len(sections) < 100 or len(found) < 20:
        yield f"{len(found)} pages and {len(sections)} sections are too few"


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 64
    wrong = list(dead_ends(Path(arguments[0])))
    for text in wrong:
        print(text, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
