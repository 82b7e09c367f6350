"""The project's pages, in Markdown, and its manual pages: their tokens, headings, links and blocks of code.

CommonMark with tables, as GitHub shows it, by markdown-it-py (Debian: python3-markdown-it). Whoever
imports this without it ends with 77, the status of a test that is skipped.
"""
import os
import re
import shutil
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

try:
    from markdown_it import MarkdownIt
except ImportError:
    print("skipped: there is no markdown_it; Debian has it in python3-markdown-it", file=sys.stderr)
    sys.exit(77)

Heading = namedtuple("Heading", "level text anchor")
Code = namedtuple("Code", "line language text")
Link = namedtuple("Link", "line target")

parser = MarkdownIt("commonmark").enable("table")
LEFT_OUT = {"build", "node_modules", "install", "uplot"}


def find(root):
    """All *.md below `root`, in order, but those of builds and of other people's work."""
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(f for f in folders if f not in LEFT_OUT and not f.startswith("."))
        yield from (os.path.relpath(os.path.join(folder, f), root)
                    for f in sorted(files) if f.endswith(".md"))


def plain(inline):
    """The words of an inline token."""
    return "".join(" " if child.type in ("softbreak", "hardbreak") else child.content
                   for child in inline.children if child.type != "html_inline")


def slug(text):
    """The anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


class Page:
    """A page and its tokens; headings have their anchor as `id`."""

    def __init__(self, text):
        self.tokens = parser.parse(text)
        self.headings = []
        taken = {}
        for token, inline in zip(self.tokens, self.tokens[1:]):
            if token.type == "heading_open":
                words = plain(inline)
                anchor = slug(words)
                count = taken[anchor] = taken.get(anchor, -1) + 1
                anchor += f"-{count}" if count else ""
                token.attrSet("id", anchor)
                self.headings.append(Heading(int(token.tag[1]), words, anchor))

    @property
    def title(self):
        return self.headings[0].text

    def code(self):
        """Blocks of code, indented or fenced."""
        for token in self.tokens:
            if token.type in ("fence", "code_block"):
                first = token.map[0] + (2 if token.type == "fence" else 1)
                yield Code(first, token.info.strip(), token.content)

    def inline_code(self):
        """Code between words, a line each; that of tables included."""
        for token in self.tokens:
            for child in token.children or []:
                if child.type == "code_inline":
                    yield Code((token.map or [0])[0] + 1, "", child.content)

    def links(self):
        """What links and pictures lead to."""
        line = 1
        for token in self.tokens:
            line = token.map[0] + 1 if token.map else line
            for child in token.children or []:
                if child.type == "link_open":
                    yield Link(line, child.attrGet("href"))
                elif child.type == "image":
                    yield Link(line, child.attrGet("src"))


def read(root, name):
    with open(os.path.join(root, name), encoding="utf-8") as file:
        return Page(file.read())


def manual(build):
    """The manual pages of a build and their names, as Markdown by mandoc; none without mandoc."""
    if not shutil.which("mandoc"):
        print("without manual pages: there is no mandoc", file=sys.stderr)
        return
    for path in sorted(Path(build).glob("generated/share/*/man/man*/*.[1-8]")):
        text = subprocess.run(["mandoc", "-T", "markdown", path], check=True, stdout=subprocess.PIPE,
                              encoding="utf-8").stdout
        yield path.name, Page(text)
