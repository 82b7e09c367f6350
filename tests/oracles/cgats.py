"""CGATS files: keywords, and tables of named fields. A plain reader and writer for tests."""
import re

TOKEN = re.compile(r'"((?:[^"]|"")*)"|(\S+)')
NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$")


class Cgats:
    """`keywords`, with comments left out; `fields`, and `rows` as dicts of texts, of the first table."""

    def __init__(self, keywords=None, fields=None, rows=None, kind="CGATS.17"):
        self.kind = kind
        self.keywords = dict(keywords or {})
        self.fields = list(fields or [])
        self.rows = list(rows or [])

    @staticmethod
    def read(path):
        with open(path, encoding="utf-8") as file:
            lines = [line.split("#")[0] if '"' not in line else line for line in file]
        found = Cgats(kind=lines[0].strip() if lines else "")
        inside = None
        words = []
        for line in lines[1:]:
            tokens = [quoted.replace('""', '"') if bare == "" else bare for quoted, bare in TOKEN.findall(line)]
            if not tokens or line.lstrip().startswith("#"):
                continue
            if tokens[0] in ("BEGIN_DATA_FORMAT", "BEGIN_DATA"):
                inside = tokens[0]
            elif tokens[0] == "END_DATA_FORMAT":
                inside, found.fields, words = None, words, []
            elif tokens[0] == "END_DATA":
                break
            elif inside:
                words += tokens
            elif tokens[0] == "KEYWORD":
                continue
            else:
                found.keywords[tokens[0]] = " ".join(tokens[1:])
        width = len(found.fields)
        if not width or len(words) % width:
            raise SystemExit(f"{path}: {len(words)} values are no rows of {width} fields")
        found.rows = [dict(zip(found.fields, words[at:at + width])) for at in range(0, len(words), width)]
        return found

    def text(self):
        lines = [self.kind, ""]
        lines += [f'{key}\t{quote(value)}' for key, value in self.keywords.items()]
        lines += [f"NUMBER_OF_FIELDS\t{len(self.fields)}", "BEGIN_DATA_FORMAT", "\t".join(self.fields),
                  "END_DATA_FORMAT", "", f"NUMBER_OF_SETS\t{len(self.rows)}", "BEGIN_DATA"]
        lines += ["\t".join(cell(row[field]) for field in self.fields) for row in self.rows]
        return "\n".join([*lines, "END_DATA", ""])

    def column(self, *names):
        """The first of these fields that the table has; None without any."""
        return next((name for name in names if name in self.fields), None)


def quote(value):
    text = str(value)
    return text if NUMBER.match(text) else '"' + text.replace('"', '""') + '"'


def cell(value):
    text = str(value)
    return text if text and not re.search(r'[\s"#]', text) else quote(text)
