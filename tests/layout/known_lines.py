"""A search for lines that are wrong unless a list says why they are right: names.py, waits.py, clocks.py.

The list names the file, or a folder that ends in '/', a part of the line, and the reason. An entry that fits no
line any longer is a mistake, too.
"""

import pathlib
import sys


class Search:
    def __init__(self, places, suffixes, finds, right, planted, complaint):
        self.places, self.suffixes = places, suffixes  # folders, from the root of the tree; of files
        self.finds = finds          # whether a line has what is looked for
        self.right = right          # (file or folder, part of the line, reason)
        self.planted = planted      # (line, whether it is to be found), for the test of the search itself
        self.complaint = complaint  # what is wrong with a line that no entry fits, and what to do

    def files(self, root):
        for place in self.places:
            for file in sorted((root / place).rglob("*")):
                if file.suffix in self.suffixes and "node_modules" not in file.parts and file.is_file():
                    yield file

    def unknown(self, root):
        """Lines that are found and not known, and entries of the list that fit no line."""
        lines, unused = [], list(self.right)
        for file in self.files(root):
            path = file.relative_to(root).as_posix()
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
                if not self.finds(line):
                    continue
                fitting = [entry for entry in self.right
                           if (path.startswith(entry[0]) if entry[0].endswith("/") else path == entry[0])
                           and entry[1] in line]
                unused = [entry for entry in unused if entry not in fitting]
                if not fitting:
                    lines.append(f"{path}:{number}: {line.strip()}")
        return lines, unused

    def self_test(self):
        wrong = [line for line, bad in self.planted if bool(self.finds(line)) != bad]
        print("\n".join(wrong) or f"{len(self.planted)} planted lines are told apart")
        return 1 if wrong else 0

    def main(self):
        if sys.argv[1] == "--self-test":
            return self.self_test()
        lines, unused = self.unknown(pathlib.Path(sys.argv[1]))
        for line in lines:
            print(f"{line}\n  {self.complaint}")
        for path, part, _ in unused:
            print(f"{path}: no line has '{part}': take it out of {pathlib.Path(sys.argv[0]).name}")
        print(f"{len(self.right)} entries are known, {len(lines)} lines are not")
        return 1 if lines or unused else 0
