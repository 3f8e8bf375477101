#!/usr/bin/env python3
"""Compares the pages of studies, docs/studies/*.md, with what the program says of the runs that are stored beside them.

    tests/documents/studies.py                     check all pages
    tests/documents/studies.py --write FOLDER...   take the pages, runs and pictures of folders that `wormcast study` has written

NAME.csv has the runs (runs.csv of `wormcast study NAME`), from which the program answers the questions of the study anew
without simulating. Exit codes: 0 the pages are right; 1 a page differs, which is shown.
"""

import argparse
import difflib
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
STUDIES = ROOT / "docs/studies"


def take(folder: pathlib.Path) -> None:
    """Takes what a folder has as the stored state of its study."""
    name = json.loads((folder / "study.json").read_text())["study"]
    STUDIES.mkdir(exist_ok=True)
    shutil.copy(folder / "runs.csv", STUDIES / f"{name}.csv")
    shutil.copy(folder / "study.md", STUDIES / f"{name}.md")
    for picture in folder.glob(f"{name}.*.svg"):
        shutil.copy(picture, STUDIES)


def is_right(program: pathlib.Path, runs: pathlib.Path) -> bool:
    page = runs.with_suffix(".md").read_text()
    scale = "full" if "\nScale full." in page else "quick"
    with tempfile.TemporaryDirectory(prefix="study.") as folder:
        subprocess.run([program, "study", runs.stem, "--runs", runs, "--scale", scale, "--out", folder], check=True,
                       stdout=subprocess.DEVNULL)
        made = (pathlib.Path(folder) / "study.md").read_text()
    sys.stdout.writelines(difflib.unified_diff(page.splitlines(True), made.splitlines(True), "stored", "made", n=1))
    return page == made


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build/release/bin/wormcast")
    parser.add_argument("--write", nargs="+", type=pathlib.Path, metavar="FOLDER")
    arguments = parser.parse_args()
    if arguments.write:
        for folder in arguments.write:
            take(folder)
        return 0
    stored = sorted(STUDIES.glob("*.csv"))
    return 0 if stored and all([is_right(arguments.program.resolve(), runs) for runs in stored]) else 1


if __name__ == "__main__":
    sys.exit(main())
