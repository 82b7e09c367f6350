"""Makes the guide: static pages of the project's Markdown, a gallery, and a search that needs no server.

usage: guide.py PROGRAM FOLDER    PROGRAM draws and halftones the pictures; FOLDER is made anew
"""
import html
import json
import os
import posixpath
import shutil
import string
import sys
import tempfile
from pathlib import Path

import pages
from gallery import Gallery, image

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
START = "tools/guide/start.md"
GALLERY = "tools/guide/gallery.md"
NO_PAGES = "tools/words/"  # parts of manual pages
MARK = "guide-of-mezzotint"  # a file in each guide: nothing else is ever removed

# The order of the pages. A page that is not named goes to the end of the last chapter.
CHAPTERS = {
    "Start": [START, "tools/guide/one-tiff.md", "tools/guide/press-room.md", "tools/guide/software.md",
              "tools/guide/research.md", GALLERY],
    "Making plates": ["README.md", "manifests/README.md", "manifests/keys.md", "pipeline/run/README.md",
                      "pipeline/watch/README.md", "pipeline/cluster/README.md", "tools/service/README.md",
                      "tools/cli/README.md"],
    "Methods": ["kernels/README.md", "tools/compare/README.md", "tools/lab/bench/README.md"],
    "In a program": ["tools/library/README.md"],
    "In the code": ["CONTRIBUTING.md", "pipeline/README.md", "stages/README.md"],
}
# Names in the menu that are shorter than the page's title, or say more.
SHORT = {START: "Welcome", "README.md": "mezzotint at a glance", "manifests/keys.md": "All keys",
         "kernels/README.md": "Methods and engines", "pipeline/README.md": "Architecture",
         "tools/lab/bench/README.md": "Measuring",
         "tools/library/README.md": "C, C++ and Python", "CHANGELOG.md": "Changes"}

# Pictures of the gallery on the first page.
STRIP = '<div class="strip">\n' + "".join(
    image(stem, "scene", alt)
    for stem, alt in [("page", "A page: the sun above mountains"), ("floyd-steinberg", "Its plate in fine grain"),
                      ("am-ruling-240", "Its plate in round dots"), ("fm", "Its plate by a stochastic screen")]
) + "</div>"


def html_name(source):
    """The name of a source's page: pipeline/watch/README.md becomes pipeline-watch.html."""
    if source == START:
        return "index.html"
    stem = source.removesuffix(".md").removesuffix("README").rstrip("/") or "about"
    return stem.removeprefix("tools/guide/").replace("/", "-").replace(".", "-").lower() + ".html"


class Guide:
    def __init__(self, folder, figures):
        self.folder = folder
        self.sources = {name: pages.read(ROOT, name) for name in pages.find(ROOT)
                        if not name.startswith(NO_PAGES)}
        self.chapters = {chapter: list(names) for chapter, names in CHAPTERS.items()}
        named = {name for names in CHAPTERS.values() for name in names}
        lost = named - set(self.sources)
        if lost:
            raise SystemExit(f"tools/guide/guide.py: CHAPTERS names {', '.join(sorted(lost))}, "
                             "which there is not")
        last = list(CHAPTERS)[-1]
        self.chapters[last] += [name for name in self.sources if name not in named]
        self.figures = figures
        self.examples = {}  # YAML files that pages link to
        self.sections = []  # what is searched: page, its title, anchor, heading, text
        self.template = string.Template((HERE / "page.html").read_text(encoding="utf-8"))

    def title(self, source):
        return SHORT.get(source) or self.sources[source].title

    def menu(self, current):
        out = []
        for chapter, names in self.chapters.items():
            out.append(f"<h2>{chapter}</h2>\n<ul>")
            for name in names:
                here = ' aria-current="page"' if name == current else ""
                out.append(f'<li><a href="{html_name(name)}"{here}>{html.escape(self.title(name))}</a></li>')
            out.append("</ul>")
        return "\n".join(out)

    def write(self, source, name, title, body, headings):
        """A page around `body`; headings are (anchor, text) of its sections."""
        inside = "".join(f'<li><a href="#{anchor}">{html.escape(text)}</a></li>\n'
                         for anchor, text in headings)
        contents = f'<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>\n{inside}</ul></nav>'
        text = self.template.substitute(
            title=html.escape(title), menu=self.menu(source), body=body,
            contents=contents if len(headings) > 1 else "",
            kind=name.removesuffix(".html"))
        (self.folder / name).write_text(text, encoding="utf-8")

    def target(self, source, href):
        """Where a link of `source` leads in the guide; None for a file that is not part of it."""
        if "://" in href or href.startswith("#"):
            return href
        path, hash_sign, anchor = href.partition("#")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
        if path in self.sources:
            return html_name(path) + hash_sign + anchor
        if posixpath.join(path, "README.md") in self.sources:
            return html_name(posixpath.join(path, "README.md"))
        if path.endswith(".yaml") and (ROOT / path).is_file():
            self.examples[path] = html_name(path.removesuffix(".yaml"))
            return self.examples[path]
        return None

    def picture(self, source, src):
        """Copies a picture of a page; returns its new name."""
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), src))
        name = "pictures/" + path.replace("/", "-")
        shutil.copyfile(ROOT / path, self.folder / name)
        return name

    def lead(self, source, inline):
        """Turns the links and pictures of an inline token to the guide."""
        closing = []
        for child, text in zip(inline.children, [*inline.children[1:], None]):
            if child.type == "link_open":
                href = child.attrGet("href")
                target = self.target(source, href)
                closing.append(target is None)
                if target is None:  # the name of a source
                    path = posixpath.normpath(posixpath.join(posixpath.dirname(source), href))
                    child.type, child.content = "html_inline", f'<span class="file" title="{html.escape(path)}">'
                else:
                    child.attrSet("href", target)
                    name = posixpath.normpath(posixpath.join(posixpath.dirname(source), href))
                    if name in self.sources and text.content.endswith(".md"):
                        text.content = self.title(name)  # readers of the guide see no files
            elif child.type == "link_close" and closing.pop():
                child.type, child.content = "html_inline", "</span>"
            elif child.type == "image":
                child.attrSet("src", self.picture(source, child.attrGet("src")))

    def page(self, source):
        page = self.sources[source]
        section = [html_name(source), self.title(source), "", "", []]
        self.sections.append(section)
        for token in page.tokens:
            if token.type == "heading_open":
                section = [*section[:2], token.attrGet("id"), "", []]
                self.sections.append(section)
            elif token.type == "inline":
                words = pages.plain(token)
                if section[2] and not section[3]:
                    section[3] = words
                else:
                    section[4].append(words)
                self.lead(source, token)
            elif token.type in ("fence", "code_block"):
                section[4].append(token.content)
        body = pages.parser.renderer.render(page.tokens, pages.parser.options, {})
        if source == GALLERY:
            body += f'<div class="gallery">\n{"".join(self.figures)}</div>\n'
        elif source == START:
            body = body.replace("</p>", f"</p>\n{STRIP}", 1)
        self.write(source, html_name(source), page.title, framed(body),
                   [(h.anchor, h.text) for h in page.headings if h.level == 2])

    def example(self, path, name):
        text = (ROOT / path).read_text(encoding="utf-8")
        self.sections.append([name, path, "", path, [text]])
        body = f"<h1>{path}</h1>\n<pre><code>{html.escape(text)}</code></pre>\n"
        self.write(path, name, path, framed(body), [])

    def search_index(self):
        rows = [[*row[:4], " ".join(" ".join(row[4]).split())] for row in self.sections if any(row[3:])]
        (self.folder / "sections.js").write_text(
            f"const kSections = {json.dumps(rows, ensure_ascii=False)};\n", encoding="utf-8")


def framed(body):
    """Tables and code that are wider than a narrow window scroll by themselves, also by keyboard."""
    return (body.replace("<table>", '<div class="table" tabindex="0" role="group" aria-label="Table"><table>')
            .replace("</table>", "</table></div>").replace("<pre>", '<pre tabindex="0">'))


def empty(folder):
    """An empty folder; one that is not a guide is left alone."""
    if folder.exists():
        if any(folder.iterdir()) and not (folder / MARK).exists():
            raise SystemExit(f"guide.py: {folder} exists and is not a guide; name another folder")
        shutil.rmtree(folder)
    (folder / "pictures").mkdir(parents=True)
    (folder / MARK).touch()


def main(arguments):
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 64
    program, folder = os.path.abspath(arguments[0]), Path(arguments[1])
    empty(folder)
    with tempfile.TemporaryDirectory() as scratch:
        figures = list(Gallery(program, folder / "pictures", scratch).figures())
    guide = Guide(folder, figures)
    for source in guide.sources:
        guide.page(source)
    for path, name in guide.examples.items():
        guide.example(path, name)
    guide.search_index()
    for name in ("style.css", "search.js"):
        shutil.copyfile(HERE / name, folder / name)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
