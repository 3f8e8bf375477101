#!/usr/bin/env python3
"""Reads what Doxygen warned of, prints what is an error, and fails where there is something.

An error is everything but what is undocumented, and of that types and functions that are no members. A comment counts for
all declarations below it up to the next blank line. Members are left to their types: most say it with their names.
"""

import pathlib
import re
import sys

UNDOCUMENTED = re.compile(
    r"(?P<file>.+):(?P<line>\d+): warning: "
    r"(?:Compound|Member (?P<name>.*) \((?P<kind>[a-z ]+)\) of (?P<of>[a-z]+)) \S+ is not documented\."
)


def is_commented(file, line):
    """Whether the paragraph in which the declaration stands has a comment for it."""
    lines = pathlib.Path(file).read_text().splitlines()
    place = int(line) - 1
    while place > 0 and lines[place - 1].strip():
        place -= 1
        if lines[place].lstrip().startswith("///"):
            return True
    return False


def is_error(warning):
    found = UNDOCUMENTED.fullmatch(warning)
    if not found:
        return True
    is_type = found["kind"] in (None, "enumeration", "typedef")
    is_function = found["kind"] == "function" and found["of"] == "namespace"
    return (is_type or is_function) and not is_commented(found["file"], found["line"])


def main(log):
    warnings = pathlib.Path(log).read_text().splitlines()
    errors = [warning for warning in warnings if warning and is_error(warning)]
    for error in errors:
        print(error)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
