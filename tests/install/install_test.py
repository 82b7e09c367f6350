#!/usr/bin/env python3
"""Users' programs of ten lines, built with nothing but what an install leaves.

usage: install_test.py installed BUILD CMAKE SETTINGS..     the kernels, by `cmake --install` of a build
       install_test.py subfolder SOURCE CMAKE SETTINGS..    the kernels' sources, as a folder of its own;
                                                            compiled and not linked
       install_test.py library BUILD CMAKE SETTINGS..       the shared library from C and C++, by CMake and
                                                            by pkg-config, and from Python: what is run finds
                                                            it, and no environment says where
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def floyd_steinberg(rows):
    """The dots of 8-bit greys, 255 paper, from the definition in floyd_steinberg.h."""
    width, above, text = len(rows[0]), [0] * (len(rows[0]) + 2), []
    for row in rows:
        errors, line = [0] * (width + 2), ""
        for x, grey in enumerate(row, start=1):
            tone = ((255 - grey) * 4096 * 2 + 255) // (2 * 255)
            collected = 7 * errors[x - 1] + above[x - 1] + 5 * above[x] + 3 * above[x + 1]
            s = tone + ((collected + 8) >> 4)
            errors[x] = s - 4096 if s >= 2048 else s
            line += "#" if s >= 2048 else "."
        above = errors
        text.append(line)
    return text


def run(*words):
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))} failed:\n{done.stdout}")
    return done.stdout


def expect(what, expected, found):
    if expected != found:
        sys.exit(f"{what}\nexpected: {expected}\nfound:    {found}")


RAMP = floyd_steinberg([[x * 17 for x in range(16)]] * 4)


def search_path(file):
    """The folders in which the loader looks for the libraries of an ELF file; an empty one is the folder in hand."""
    found = re.search(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]", run("readelf", "--dynamic", "--wide", file))
    return found[1].split(":") if found else []


def try_library(place, cmake, settings):
    os.environ.pop("LD_LIBRARY_PATH", None)
    with tempfile.TemporaryDirectory() as scratch:
        tree, build = pathlib.Path(scratch, "installed"), pathlib.Path(scratch, "build")
        run(cmake, "--install", place, "--prefix", tree)
        program = tree / "bin/mezzotint"
        run(program, "--version")
        for file in [program, *tree.rglob("lib*.so.?.*"), *tree.rglob("_native*.so")]:
            expect(f"folders that {file.name} looks in and that do not move with it", [],
                   [folder for folder in search_path(file) if not folder.startswith("$ORIGIN/")])
        run(cmake, "-S", HERE, "-B", build, "-DMEZZOTINT_SHARED=ON", f"-DCMAKE_PREFIX_PATH={tree}",
            *settings)
        run(cmake, "--build", build, "--parallel", "2")
        for program in ("page_c", "page_cpp"):
            expect(f"dots of {program}", RAMP, run(build / program).splitlines())
        os.environ["PKG_CONFIG_PATH"] = str(next(tree.rglob("mezzotint.pc")).parent)
        flags = run("pkg-config", "--cflags", "--libs", "mezzotint").split()
        run("cc", HERE / "page.c", "-o", build / "by_pkg_config", *flags)
        expect("dots by pkg-config", RAMP, run(build / "by_pkg_config").splitlines())
        modules = list(tree.rglob("mezzotint/__init__.py"))
        if modules:
            os.environ["PYTHONPATH"] = str(modules[0].parents[1])
            expect("dots of Python", RAMP, run("/usr/bin/python3", HERE / "page.py").splitlines())
    print(f"library: good, {'with' if modules else 'without'} Python")


def main():
    kind, place, cmake, *settings = sys.argv[1:]
    if kind == "library":
        try_library(place, cmake, settings)
        return
    with tempfile.TemporaryDirectory() as scratch:
        tree, build = pathlib.Path(scratch, "installed"), pathlib.Path(scratch, "build")
        if kind == "installed":
            run(cmake, "--install", place, "--prefix", tree, "--component", "kernels")
            settings.append(f"-DCMAKE_PREFIX_PATH={tree}")
        else:
            settings += [f"-DMEZZOTINT_SOURCE={place}", "-DMEZZOTINT_CUDA=OFF"]
        run(cmake, "-S", HERE, "-B", build, *settings)
        expect("options that the library pushes on its user", "",
               (build / "options").read_text(encoding="utf-8").strip())
        if kind == "subfolder":  # the sources themselves are compiled elsewhere: the user's finds its headers
            run(cmake, "--build", build, "--target", "dots_object")
        else:
            run(cmake, "--build", build, "--target", "dots")
            expect("dots", RAMP, run(build / "dots").splitlines())
    print(f"{kind}: good")


main()
