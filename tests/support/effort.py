"""How much a test does: the short form by default, the long one when MEZZOTINT_TESTS is `full`.

`tools/check` runs the short forms, `tools/check --all` sets the variable.
"""

import os


def full():
    """Whether the long form is asked for."""
    return os.environ.get("MEZZOTINT_TESTS") == "full"


def choose(short, long):
    """`long` in the long form, `short` otherwise."""
    return long if full() else short


def form():
    """The name of the form, to be printed."""
    return "long form" if full() else "short form (MEZZOTINT_TESTS=full for the long one)"
