#!/usr/bin/env python3
"""Runs the commands that pages of the documentation show, and compares what they print and draw with the page.

    tests/documents/pages.py                       check all pages
    tests/documents/pages.py --write               write what the commands print now into all pages
    tests/documents/pages.py --write docs/faq.md   ... into this page

A page starts in an empty folder (with the folders that FOLDERS lists) and is read from top to bottom:

- A fenced block `console` or `sh` holds commands, one after `$ ` each (it goes on in lines after `> `, and behind a line that
  ends in a backslash), and below each command what it prints on both outputs. A line `...` stands for any lines left out.
- A fenced block whose first line is a comment with the name of a file is written into the folder.
- A picture is compared with the file of its name in the folder, if a command has made one.
- Fenced blocks after a line `<!-- not run: REASON -->`, and other fenced blocks, are left alone.

A command that ends with an exit code other than 0 is an error: pages print expected ones by `|| echo "exit code $?"`.
Exit codes: 0 the pages are right; 1 a page differs, which is shown; 77 the page needs what is not installed.
"""

import argparse
import dataclasses
import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIME_LIMIT = 600  # seconds for one command
LEFT_OUT = "..."

# Pages that show commands.
PATTERNS = ["README.md", "docs/tutorial/*.md", "docs/concepts.md", "docs/gallery.md", "docs/faq.md", "docs/load.md",
            "docs/topologies.md", "docs/exercises*.md", "docs/mpi.md", "docs/validation.md"]
# Folders of the source tree that a page's commands use; other pages begin in an empty folder.
FOLDERS = {"docs/gallery.md": ["configs"], "docs/load.md": ["configs"], "docs/topologies.md": ["configs"],
           "docs/mpi.md": ["examples"], "docs/validation.md": ["examples"]}
# What a page needs besides the program: commands, or the module of Python.
NEEDS = {"docs/mpi.md": ["smpicxx"], "docs/tutorial/4-mpi-program.md": ["smpicxx"],
         "docs/tutorial/5-own-algorithm.md": ["module wormcast"]}

FILE_NAME = re.compile(r"^(?:#|//|/\*|--|%|<!--)\s*([\w.-]+\.\w+)\s*(?:\*/|-->)?$")
PICTURE = re.compile(r"!\[[^\]]*\]\(([^)\s]+)\)|<img[^>]*src=\"([^\"]+)\"")
CONTINUED = "\\"


@dataclasses.dataclass
class Fence:
    """A fenced block: its language, and the lines between its marks."""

    language: str
    begin: int
    end: int
    run: bool


def fences(lines: list[str]) -> list[Fence]:
    """The fenced blocks of a page, in their order."""
    found = []
    begin = None
    for number, line in enumerate(lines):
        if not line.startswith("```"):
            continue
        if begin is None:
            begin = number
            continue
        above = lines[begin - 1] if begin > 0 else ""
        found.append(Fence(lines[begin][3:].strip(), begin + 1, number, not above.startswith("<!-- not run:")))
        begin = None
    if begin is not None:
        raise RuntimeError(f"line {begin + 1}: the block has no end")
    return found


@dataclasses.dataclass
class Step:
    """One command of a block, the output that the page shows below it, and the empty lines before the next one."""

    command: list[str]  # its lines
    output: list[str]
    empty: int = 0

    def text(self) -> str:
        return "\n".join(line[2:] if line.startswith(("$ ", "> ")) else line for line in self.command)


def steps_of(lines: list[str]) -> list[Step]:
    steps: list[Step] = []
    continued = False
    for line in lines:
        if continued or (line.startswith("> ") and steps and not steps[-1].output):
            steps[-1].command.append(line)
        elif line.startswith("$ "):
            steps.append(Step([line], []))
        elif steps:
            steps[-1].output.append(line)
        else:
            raise RuntimeError(f'a block of commands begins with "$ ", not with "{line}"')
        continued = (continued or line.startswith("$ ")) and line.endswith(CONTINUED)
    for step in steps:
        while step.output and step.output[-1] == "":
            step.output.pop()
            step.empty += 1
    return steps


class Place:
    """The folder in which a page's commands run."""

    def __init__(self, program: pathlib.Path, page: str):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="page."))
        for name in FOLDERS.get(page, []):
            shutil.copytree(ROOT / name, self.folder / name)
        paths = [str(program.parent), os.environ.get("PATH", "")]
        module = program.parents[1] / "python"
        self.environment = os.environ | {
            "PATH": ":".join(paths),
            "PYTHONPATH": ":".join(filter(None, [str(module), os.environ.get("PYTHONPATH", "")])),
            "PYTHONDONTWRITEBYTECODE": "1",
            "LC_ALL": "C.UTF-8",
            "NO_COLOR": "1",
            "COLUMNS": "80",
        }

    def run(self, command: str) -> tuple[int, list[str]]:
        """Exit code and lines of output."""
        done = subprocess.run(["bash", "-c", "set -o pipefail\n" + command], cwd=self.folder, env=self.environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=TIME_LIMIT)
        text = done.stdout.decode("utf-8", "replace")
        return done.returncode, [line.rstrip() for line in text.rstrip().split("\n")] if text.rstrip() else []


def fits(shown: list[str], printed: list[str]) -> bool:
    """Whether the output is what the page shows, where `...` stands for any lines."""
    parts: list[list[str]] = [[]]
    for line in shown:
        if line == LEFT_OUT:
            parts.append([])
        else:
            parts[-1].append(line)
    first, last = parts[0], parts[-1]
    if len(parts) == 1:
        return first == printed
    if printed[: len(first)] != first:
        return False
    at = len(first)
    for part in parts[1:-1]:
        while printed[at : at + len(part)] != part:
            at += 1
            if at > len(printed):
                return False
        at += len(part)
    end = len(printed) - len(last)
    return end >= at and printed[end:] == last


def likeness(one: str, other: str) -> float:
    if one == other:
        return 1.5
    matcher = difflib.SequenceMatcher(None, one, other, autojunk=False)
    if matcher.quick_ratio() < 0.5:
        return 0
    return matcher.ratio()


def adopted(shown: list[str], printed: list[str]) -> list[str]:
    """The output as the page is to show it: all of it, or the lines nearest to those that the page shows now."""
    if LEFT_OUT not in shown:
        return printed
    rows = [line for line in shown if line != LEFT_OUT]
    # best[i][j]: the largest sum of likenesses of the first i rows among the first j lines.
    best = [[0.0] * (len(printed) + 1) for _ in range(len(rows) + 1)]
    same = [[likeness(row, line) for line in printed] for row in rows]
    for i in range(1, len(rows) + 1):
        for j in range(1, len(printed) + 1):
            best[i][j] = max(best[i - 1][j], best[i][j - 1], best[i - 1][j - 1] + same[i - 1][j - 1])
    pairs = {}
    i, j = len(rows), len(printed)
    while i and j:
        if best[i][j] == best[i - 1][j]:
            i -= 1
        elif best[i][j] == best[i][j - 1]:
            j -= 1
        else:
            pairs[i - 1] = j - 1
            i, j = i - 1, j - 1
    result: list[str] = []
    row = 0
    groups: list[list[int]] = [[]]
    for line in shown:
        if line == LEFT_OUT:
            groups.append([])
        else:
            groups[-1].append(row)
            row += 1
    for number, group in enumerate(groups):
        if number:
            result.append(LEFT_OUT)
        found = [pairs[index] for index in group if index in pairs]
        if found:
            begin = 0 if number == 0 else min(found)
            end = len(printed) if number == len(groups) - 1 else max(found) + 1
            result += printed[begin:end]
        elif number == 0:  # nothing is like it: as many lines of the beginning, or of the end
            result += printed[: len(group)]
        elif number == len(groups) - 1:
            result += printed[max(0, len(printed) - len(group)) :]
    return result


def same_picture(made: pathlib.Path, stored: pathlib.Path) -> bool:
    return stored.is_file() and made.read_bytes() == stored.read_bytes()


class Page:
    """A page of the source tree, checked or rewritten."""

    def __init__(self, name: str, program: pathlib.Path, write: bool):
        self.name = name
        self.path = ROOT / name
        self.program = program
        self.write = write
        self.lines = self.path.read_text().split("\n")
        self.right = True

    def fail(self, *text: str) -> None:
        self.right = False
        print(f"{self.name}:", *text, sep="\n")

    def file_of(self, fence: Fence, place: Place) -> None:
        """Writes the file that a block names in its first line."""
        named = FILE_NAME.match(self.lines[fence.begin]) if fence.begin < fence.end else None
        if named:
            (place.folder / named[1]).write_text("\n".join(self.lines[fence.begin : fence.end]) + "\n")

    def block(self, fence: Fence, place: Place) -> list[str]:
        """Runs a block of commands; its lines as they are to be."""
        result: list[str] = []
        for step in steps_of(self.lines[fence.begin : fence.end]):
            code, printed = place.run(step.text())
            shown = step.output
            result += step.command
            if code != 0:
                self.fail(f"$ {step.text()}", f"exit code {code}", *printed[-20:])
            if fits(shown, printed):
                result += shown
            elif self.write and code == 0:
                result += adopted(shown, printed)
            else:
                difference = difflib.unified_diff(shown, printed, "shown", "printed", lineterm="", n=2)
                self.fail(f"$ {step.text()}", *difference)
                result += shown
            result += [""] * step.empty
        return result

    def pictures(self, place: Place) -> None:
        """Compares the pictures that commands have made with those that the page shows."""
        for named in PICTURE.finditer("\n".join(self.lines)):
            link = named[1] or named[2]
            made = place.folder / pathlib.PurePath(link).name
            stored = self.path.parent / link
            if not made.is_file() or same_picture(made, stored):
                continue
            if self.write:
                stored.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(made, stored)
            else:
                self.fail(f"{link} is not what the commands draw; tests/documents/pages.py --write {self.name}")

    def run(self) -> bool:
        place = Place(self.program, self.name)
        try:
            result: list[str] = []
            after = 0
            for fence in fences(self.lines):
                result += self.lines[after : fence.begin]
                after = fence.begin
                if not fence.run:
                    continue
                if fence.language in ("console", "sh"):
                    result += self.block(fence, place)
                    after = fence.end
                else:
                    self.file_of(fence, place)
            result += self.lines[after:]
            self.pictures(place)
            if self.write and result != self.lines:
                self.path.write_text("\n".join(result))
                print(f"{self.name}: written")
        finally:
            shutil.rmtree(place.folder, ignore_errors=True)
        return self.right


def missing(page: str, program: pathlib.Path) -> str | None:
    """What a page needs and is not there."""
    for need in NEEDS.get(page, []):
        if need.startswith("module "):
            if not (program.parents[1] / "python/wormcast/__init__.py").exists():
                return f"Python's {need}"
        elif not shutil.which(need):
            return need
    return None


def newest_program() -> pathlib.Path:
    """The program that was built last."""
    built = list(ROOT.glob("build/*/bin/wormcast"))
    if not built:
        sys.exit("no program in build/*/bin: run ./dev build, or name one by --program")
    return max(built, key=lambda path: path.stat().st_mtime)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, help="the program wormcast (default: the one built last)")
    parser.add_argument("--write", action="store_true", help="write what the commands print into the pages")
    parser.add_argument("--list", action="store_true", help="only print the names of the pages")
    parser.add_argument("pages", nargs="*", metavar="PAGE", help="from the top of the source tree (default: all)")
    arguments = parser.parse_args()
    pages = arguments.pages or [str(path.relative_to(ROOT)) for pattern in PATTERNS for path in sorted(ROOT.glob(pattern))]
    if arguments.list:
        print("\n".join(pages))
        return 0
    program = (arguments.program or newest_program()).resolve()
    right = True
    for name in pages:
        if need := missing(name, program):
            print(f"{name}: not run, as {need} is not there")
            if len(pages) == 1:
                return 77
            continue
        try:
            right = Page(name, program, arguments.write).run() and right
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            print(f"{name}: {error}")
            right = False
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
