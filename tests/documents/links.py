#!/usr/bin/env python3
"""Checks all links within the project in all Markdown files: the file, and the heading that an anchor names.

    tests/documents/links.py [FILE...]      exit code 1: a link leads nowhere; each is printed

Headings get the anchors that GitHub gives them. Links to other sites are not followed.
"""

import os
import pathlib
import re
import subprocess
import sys
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINK = re.compile(r"(?<!\\)\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)")
HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*$")
CODE = re.compile(r"(`+).*?\1")


def without_code(text: str) -> list[str]:
    """The lines of a page; those in fenced blocks are empty."""
    lines = []
    fence = None
    for line in text.split("\n"):
        mark = re.match(r"^\s*(```+|~~~+)", line)
        if mark and fence is None:
            fence = mark[1]
        elif mark and mark[1].startswith(fence):
            fence = None
        elif fence is None:
            lines.append(line)
            continue
        lines.append("")
    return lines


def anchor_of(heading: str) -> str:
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    text = re.sub(r"\\(.)", r"\1", text).replace("`", "").replace("*", "")
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


def anchors(path: pathlib.Path) -> set[str]:
    found: dict[str, int] = {}
    names = set()
    for line in without_code(path.read_text()):
        if heading := HEADING.match(line):
            name = anchor_of(heading[1])
            names.add(f"{name}-{found[name]}" if name in found else name)
            found[name] = found.get(name, 0) + 1
        names.update(re.findall(r"<a (?:id|name)=\"([^\"]+)\"", line))
    return names


def pages() -> list[pathlib.Path]:
    """All Markdown files of the source tree, without those that git ignores where there is git."""
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "--cached", "--others", "--exclude-standard", "*.md"],
                            capture_output=True, text=True)
    if listed.returncode == 0 and listed.stdout:
        return [path for name in listed.stdout.split("\n") if name and (path := ROOT / name).exists()]
    return [path for path in ROOT.rglob("*.md") if "build" not in path.relative_to(ROOT).parts]


def main() -> int:
    known: dict[pathlib.Path, set[str]] = {}
    wrong = 0
    count = 0
    for page in [pathlib.Path(name).resolve() for name in sys.argv[1:]] or pages():
        for number, line in enumerate(without_code(page.read_text()), 1):
            for link in LINK.findall(CODE.sub("", line)):
                if re.match(r"^[a-z][a-z+.-]*:", link):
                    continue
                count += 1
                name, _, anchor = link.partition("#")
                target = (page.parent / urllib.parse.unquote(name)).resolve() if name else page.resolve()
                problem = None
                if not target.exists():
                    problem = "no such file"
                elif not target.is_relative_to(ROOT):
                    problem = "outside of the source tree"
                elif anchor and target.suffix == ".md":
                    known.setdefault(target, anchors(target))
                    if anchor not in known[target]:
                        problem = "no such heading"
                if problem:
                    print(f"{os.path.relpath(page, ROOT)}:{number}: {link}: {problem}")
                    wrong += 1
    print(f"{count} links, {wrong} of them wrong")
    return 1 if wrong or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
