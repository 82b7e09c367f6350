"""Checks, before anything else is imported, that the module was built for the Python that runs."""

import importlib.machinery
import pathlib
import sys


def check(folder: pathlib.Path) -> None:
    """Raises ImportError with the names of both Pythons when `folder` has no _native module for this one."""
    suffixes = importlib.machinery.EXTENSION_SUFFIXES
    if any((folder / ("_native" + suffix)).exists() for suffix in suffixes):
        return
    found = [path.name.split(".")[1] for path in folder.glob("_native.*.so")]
    raise ImportError(f"mezzotint in {folder} is built for {' and '.join(found) or 'no Python'}, and this is "
                      f"{sys.implementation.cache_tag}, {sys.executable}: run the other Python, or configure the build "
                      f"with -DPython3_EXECUTABLE={sys.executable}")


check(pathlib.Path(__file__).parent)
