#!/usr/bin/env python3
"""Checks the spelling of all that users read: pages, helps, man pages, schemas, public headers, Python.

usage: spelling.py PROGRAM [BUILD]    man pages are looked for in BUILD

British English by hunspell. Names are not words: what has digits, or capitals behind its first letter.
Words of the field that the dictionary lacks are in words.txt, sorted; the test names those that no text
has any more. Status 77, skipped, without hunspell, its dictionary en_GB, or markdown-it-py.
"""
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools/guide"))
import pages  # noqa: E402

WORDS = Path(__file__).with_name("words.txt")
HEADERS = ["kernels/halftone.h", *(str(p.relative_to(ROOT)) for p in ROOT.glob("tools/library/mezzotint/*.h*"))]
# What is no prose in helps and comments: options, placeholders, code, paths, addresses.
CODE = re.compile(r"`[^`]*`|'[^']*'|\{[^}]*\}|https?:\S+|\$\S+|(?<!\w)--?[\w-]+|\S*[_/()=<>\[\]]\S*|[\w-]+\.\w+|\w+::\w+")


def words(name, page, manual=False):
    """Text without code; in manual pages commands are bold, and files in italics."""
    for token in page.tokens:
        styled = 0
        for child in token.children or []:
            if child.type in ("strong_open", "em_open", "strong_close", "em_close"):
                styled += child.nesting
            elif child.type == "text" and not (manual and styled):
                yield name, CODE.sub(" ", child.content)


def prose(build):
    for name in pages.find(ROOT):
        yield from words(name, pages.read(ROOT, name))
    for name, page in pages.manual(build) if build else []:
        yield from words(name, page, manual=True)


def methods(program):
    said = subprocess.run([program, "info", "--json"], check=True, stdout=subprocess.PIPE).stdout
    return json.loads(said)["methods"]


def helps(program):
    def said(*arguments):
        text = subprocess.run([program, *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout
        return " ".join(arguments), CODE.sub(" ", re.sub(r"^  \S+|mezzotint .*|Usage.*", "", text, flags=re.M))

    start = subprocess.run([program, "--help"], check=True, stdout=subprocess.PIPE, text=True).stdout
    commands, _, rest = start.partition("\nOptions")
    for command in re.findall(r"^  ([a-z]+) ", commands, re.M):
        yield said(command, "--help")
    topics = rest.partition("\nTopics:")[2].partition("\n\n")[0]
    for topic in re.findall(r"^  ([a-z-]+) ", topics, re.M):
        yield said("help", topic)
    for method in methods(program):
        yield said("halftone", "--method", method, "--help")


def descriptions(node):
    if isinstance(node, dict):
        for key, value in node.items():
            if key in ("description", "title") and isinstance(value, str):
                yield value
            else:
                yield from descriptions(value)
    elif isinstance(node, list):
        for value in node:
            yield from descriptions(value)


def schemas():
    for path in sorted((ROOT / "manifests/schema").glob("*.json")):
        for text in descriptions(json.loads(path.read_text(encoding="utf-8"))):
            yield path.name, CODE.sub(" ", text)


def keys(node):
    """The keys of manifests, which messages and descriptions name."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "properties":
                yield from value
            yield from keys(value)


def comments():
    for name in HEADERS:
        text = (ROOT / name).read_text(encoding="utf-8")
        for comment in re.findall(r"//+([^\n]*)|/\*(.*?)\*/", text, re.S):
            yield name, CODE.sub(" ", " ".join(comment))
    for path in sorted((ROOT / "tools/python/mezzotint").glob("*.py")):
        for text in re.findall(r'"""(.*?)"""', path.read_text(encoding="utf-8"), re.S):
            prose = re.sub(r"^    +\S.*", "", text, flags=re.M) if path.name == "__init__.py" else text
            yield path.name, CODE.sub(" ", prose)


def unknown(texts):
    """The words that hunspell does not know."""
    text = "\n".join(text for _, text in texts).replace("\u2019", "'")
    done = subprocess.run(["hunspell", "-i", "utf-8", "-d", "en_GB", "-l"], input=text, text=True,
                          capture_output=True, encoding="utf-8")
    if done.returncode or "Can't open" in done.stderr:
        print("skipped: hunspell has no dictionary en_GB; Debian has it in hunspell-en-gb", file=sys.stderr)
        sys.exit(77)
    words = {word.removesuffix("'s").strip("'") for word in done.stdout.split()}
    # A capital at the beginning is that of a sentence, or of a name: one word of the list is for both.
    words = {word for word in words if not re.search(r"\d|(?<=.)[A-Z]", word)}
    return {word for word in words if word == word.lower() or word.lower() not in words}


def main(arguments):
    if not arguments:
        print(__doc__, file=sys.stderr)
        return 64
    if not shutil.which("hunspell"):
        print("skipped: there is no hunspell", file=sys.stderr)
        return 77
    build = arguments[1] if arguments[1:] else None
    texts = [*prose(build), *helps(arguments[0]), *schemas(), *comments()]
    listed = WORDS.read_text(encoding="utf-8").split()
    wrong = []
    if listed != sorted(set(listed), key=str.lower):
        wrong.append("words.txt is not sorted, or has a word twice")
    names = {word for method in methods(arguments[0]) for word in method.split("-")}
    for path in (ROOT / "manifests/schema").glob("*.json"):
        names.update(word for key in keys(json.loads(path.read_text(encoding="utf-8"))) for word in key.split("_"))
    found = unknown(texts) - names
    for word in sorted(found - set(listed)):
        where = {name for name, text in texts if re.search(rf"\b{re.escape(word)}\b", text)}
        wrong.append(f"{word}: {', '.join(sorted(where))}")
    for word in sorted(set(listed) - found):
        print(f"words.txt: {word} is in no text, or in the dictionary")
    for text in wrong:
        print(text, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
