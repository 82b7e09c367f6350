#!/usr/bin/python3
"""Runs the tests of the oracles themselves: all *_test.py beside this."""
import pathlib
import sys
import unittest

import oracle_base  # noqa: F401  (skips without NumPy)

HERE = pathlib.Path(__file__).resolve().parent
found = unittest.TextTestRunner(verbosity=1).run(unittest.defaultTestLoader.discover(HERE, "*_test.py"))
sys.exit(not found.wasSuccessful() or found.testsRun == 0)
