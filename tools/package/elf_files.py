"""What ELF files need, by readelf (binutils)."""
import pathlib
import re
import subprocess


def is_elf(path):
    path = pathlib.Path(path)
    if path.is_symlink() or not path.is_file():
        return False
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def needed(path):
    """The names of the shared libraries that a program or library asks for."""
    dynamic = subprocess.run(["readelf", "--dynamic", "--wide", path], capture_output=True, text=True,
                             check=True).stdout
    return re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic)


def loader(path):
    """The path of the dynamic loader of a program; None of a library."""
    headers = subprocess.run(["readelf", "--program-headers", "--wide", path], capture_output=True,
                             text=True, check=True).stdout
    found = re.search(r"program interpreter: (\S+)\]", headers)
    return found[1] if found else None


def closure(path, find):
    """All libraries that a file needs, directly or not: {name: path}. `find` gives the path of a name."""
    found = {}
    waiting = [path]
    while waiting:
        for name in needed(waiting.pop()):
            if name not in found:
                found[name] = find(name)
                if found[name] is not None:
                    waiting.append(found[name])
    return found
