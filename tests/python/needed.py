"""What tests of the module share; a test program without NumPy is left out by ctest."""

import sys
import unittest

try:
    import numpy
except ImportError:
    print("skipped: NumPy (Debian: python3-numpy) is missing")
    sys.exit(77)

COSTS = {"startup": "10us", "per_byte": "10ns"}


def mesh(**changes):
    """A configuration as a dictionary."""
    return {
        "topology": {"kind": "mesh", "dims": [8, 8]},
        "network": {**COSTS, **changes},
        "algorithm": {"name": "recursive_doubling", "source": 0},
        "message": {"bytes": 1000},
    }


class Case(unittest.TestCase):
    """A test case that looks at the texts of errors."""

    def fails(self, kind, text, call, *arguments, **named):
        with self.assertRaises(kind) as caught:
            call(*arguments, **named)
        self.assertIs(type(caught.exception), kind)
        self.assertIn(text, str(caught.exception))
        return caught.exception
