#!/usr/bin/env python3
"""Finds links and names of sources in the project's pages that lead nowhere.

usage: links.py ROOT          checks all *.md; CHANGELOG.md speaks of older trees, so its links alone
       links.py ROOT --web    asks for the pages of others, too
       links.py --self-test   plants links in a temporary tree and must judge each rightly

Status 77, skipped, without markdown-it-py.
"""
import pathlib
import posixpath
import re
import sys
import tempfile
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools/guide"))
import pages  # noqa: E402

SOURCE = re.compile(r"[\w.-]+(?:/[\w.-]+)+\.(?:cpp|cuh?|h|py|md|ya?ml|json)")


def dead_links(root, name, page, web):
    for line, target in page.links():
        path, _, anchor = target.partition("#")
        if "://" in target:
            if web and not answers(target):
                yield f"{name}:{line}: {target} does not answer"
            continue
        path = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
        if not (root / path).exists():
            yield f"{name}:{line}: the link {target} leads nowhere"
        elif anchor and anchor not in anchors(root, path):
            yield f"{name}:{line}: {path} has no section #{anchor}"


def anchors(root, path):
    return {heading.anchor for heading in pages.read(root, path).headings}


def answers(address):
    request = urllib.request.Request(address, headers={"User-Agent": "links.py"})
    try:
        with urllib.request.urlopen(request, timeout=20) as reply:
            return reply.status == 200
    except OSError:
        return False


def dead_ends(root, web=False):
    for name in pages.find(root):
        page = pages.read(root, name)
        yield from dead_links(root, name, page, web)
        for line, _, source in page.inline_code() if name != "CHANGELOG.md" else []:
            if SOURCE.fullmatch(source) and "NAME" not in source and \
                    not (root / source).exists() and not (root / name).parent.joinpath(source).exists():
                yield f"{name}:{line}: there is no {source}"


# Text of a page, and the number of dead ends in it.
PLANTED = [
    ("[a](there.md) and [b](../top/there.md#section-one)", 0),
    ("[a](there.md#section-two)", 1),
    ("# Here\n\n[a](#here) and [b](#there)", 1),
    ("# Twice\n\n# Twice\n\n[a](#twice-1)", 0),
    ("[a](gone.md)", 1),
    ("![a](gone.png)", 1),
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
            (root / "top/there.md").write_text("# Section *one*\n", encoding="utf-8")
            (root / "top/page.md").write_text(text + "\n", encoding="utf-8")
            found = list(dead_ends(root))
            if len(found) != wanted:
                print(f"{text!r}: found {found}", file=sys.stderr)
                good = False
    return good


def main(arguments):
    if arguments == ["--self-test"]:
        return 0 if self_test() else 1
    web = arguments[1:] == ["--web"]
    if len(arguments) != 1 + web or arguments[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 64
    wrong = list(dead_ends(pathlib.Path(arguments[0]), web))
    for text in wrong:
        print(text, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
