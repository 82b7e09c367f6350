"""Checks, before anything else is imported, that this is a Python for which the module was built, and has NumPy."""

import importlib.machinery
import importlib.util
import pathlib
import sys


def check(folder: pathlib.Path) -> None:
    """Raises ImportError when `folder` has no _native module for this Python, or this Python has no NumPy."""
    suffixes = importlib.machinery.EXTENSION_SUFFIXES
    if any((folder / ("_native" + suffix)).exists() for suffix in suffixes):
        if importlib.util.find_spec("numpy") is None:
            raise ImportError(f"mezzotint needs NumPy, which {sys.executable} does not have: install it there, or run "
                              "a Python that has it")
        return
    found = [path.name.split(".")[1] for path in folder.glob("_native.*.so")]
    raise ImportError(f"mezzotint in {folder} is built for {' and '.join(found) or 'no Python'}, and this is "
                      f"{sys.implementation.cache_tag}, {sys.executable}: run the other Python, or configure the build "
                      f"with -DPython3_EXECUTABLE={sys.executable}")


check(pathlib.Path(__file__).parent)
