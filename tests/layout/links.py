#!/usr/bin/env python3
"""Finds links and names of sources in the project's pages that lead nowhere.

usage: links.py ROOT        checks all *.md but CHANGELOG.md, which speaks of older trees
       links.py --self-test plants links in a temporary tree and must judge each rightly
"""
import pathlib
import re
import sys
import tempfile

CODE = re.compile(r"^( {4,}|\t)[^\n]*|```.*?```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(\s*([^)\s#]+)[^)\s]*\s*\)")
SOURCE = re.compile(r"`([\w.-]+(?:/[\w.-]+)+\.(?:cpp|cuh?|h|py|md|ya?ml|json))`")


def pages(root):
    return sorted(page for page in root.rglob("*.md")
                  if page.name != "CHANGELOG.md"
                  and not {"build", ".git", "node_modules"} & set(page.relative_to(root).parts))


def dead_ends(root):
    for page in pages(root):
        text = CODE.sub("", page.read_text(encoding="utf-8"))
        for link in LINK.findall(text):
            if "://" not in link and not (page.parent / link).exists():
                yield f"{page.relative_to(root)}: the link {link} leads nowhere"
        for name in SOURCE.findall(text):
            if "NAME" not in name and not (root / name).exists() and not (page.parent / name).exists():
                yield f"{page.relative_to(root)}: there is no {name}"


# Text of a page, and the number of dead ends in it.
PLANTED = [
    ("[a](there.md) and [b](../top/there.md#section)", 0),
    ("[a](gone.md)", 1),
    ("[a\nb](gone.md#section)", 1),
    ("[a](https://example.org/gone.md)", 0),
    ("`top/there.md` and `gone.h`", 0),
    ("`top/gone.cpp`", 1),
    ("    cmake `top/gone.cpp`", 0),
]


def self_test():
    good = True
    for text, wanted in PLANTED:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "top").mkdir()
            (root / "top/there.md").write_text("\n", encoding="utf-8")
            (root / "top/page.md").write_text(text + "\n", encoding="utf-8")
            found = list(dead_ends(root))
            if len(found) != wanted:
                print(f"{text!r}: found {found}", file=sys.stderr)
                good = False
    return good


def main(arguments):
    if arguments == ["--self-test"]:
        return 0 if self_test() else 1
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 64
    wrong = list(dead_ends(pathlib.Path(arguments[0])))
    for text in wrong:
        print(text, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
