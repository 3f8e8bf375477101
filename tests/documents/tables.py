#!/usr/bin/env python3
"""Makes the tables of docs/ that the program measures, and checks them.

    tables.py --program build/release/bin/wormcast --list
    tables.py --program build/release/bin/wormcast --check [--rows N] [NAME...]
    tables.py --program build/release/bin/wormcast --write [NAME...]

A table stands in its page below the line

    <!-- Made by tests/documents/tables.py: NAME. -->

--check measures the first N rows (all without --rows), of tables over patterns only their columns of the first pattern,
and compares them with the page; --write replaces all rows, and the figures that stand beside the tables. What is
measured is deterministic, so that cells are compared as text. Exit code 1: a row differs.
"""

import argparse
import dataclasses
import json
import pathlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ""  # set by main()
Rows = list[list[str]]


def measured(command: str, config: str, *options: str, figure: str | None = None) -> dict:
    """The JSON result of a command on the text of a configuration; of loads also the figure into docs/."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        (path / "config.toml").write_text(config)
        of_load = ["--out", "out", "--jobs", str(os.cpu_count())] if command == "load" else []
        call = [PROGRAM, command, "config.toml", *options, *of_load, "--json", "result.json", "--quiet"]
        done = subprocess.run(call, cwd=path, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(call)}: exit code {done.returncode}\n{done.stderr}")
        if figure:
            shutil.copy(path / "out/latency_load.svg", ROOT / "docs" / figure)
        return json.loads((path / "result.json").read_text())


def config(name: str) -> str:
    return (ROOT / "configs" / name).read_text()


# Curves of load ------------------------------------------------------------------------------------------------------

CASE = "[[case]]\n"


def curves(name: str, rows: int | None, *options: str, figure: str | None = None) -> list[dict]:
    """The curves of a configuration's first cases; of all with the figure."""
    head, *blocks = config(name).split(CASE)
    text = head + "".join(CASE + block for block in blocks[:rows])
    return measured("load", text, *options, figure=figure if rows is None else None)["curves"]


def name_of(curve: dict) -> str:
    return curve["setting"]["case"]


def cycles(microseconds: float) -> str:
    return f"{microseconds * 1000 / 8:.1f}"  # all configurations of loads have cycles of 8 ns


def load(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def latency(point: dict) -> str:
    """The mean latency with half its 95 % interval."""
    mean, high = point["latency_us"]["mean"], point["latency_us"]["high"]
    return cycles(mean) if high is None else f"{cycles(mean)} +- {cycles(high - mean)}"


def curve_rows(name: str, figure: str, rows: int | None) -> Rows:
    table = []
    for curve in curves(name, rows, figure=figure):
        saturation = curve["saturation"]
        stable = [point for point in curve["points"] if point["stable"]]
        half = min(stable, key=lambda point: abs(point["offered"] - saturation["offered"] / 2))
        table.append([name_of(curve), cycles(curve["zero_load_us"]), load(saturation["offered"]),
                      load(saturation["unstable_at"]), load(saturation["accepted"]),
                      f"{latency(half)} at {load(half['offered'])}"])
    return table


def saturation_rows(name: str, patterns: dict[str, str | None], with_accepted: bool, rows: int | None) -> Rows:
    """For each pattern, with the figure to draw: zero load, the largest stable load, and what was accepted at most. Of the
    first pattern alone where only some rows are asked for."""
    by_pattern = [curves(name, rows, "--set", f"traffic.pattern={pattern}", figure=figure)
                  for pattern, figure in list(patterns.items())[: None if rows is None else 1]]
    table = []
    for same_case in zip(*by_pattern):
        row = [name_of(same_case[0])]
        for curve in same_case:
            row += [cycles(curve["zero_load_us"]), load(curve["saturation"]["offered"])]
            row += [load(curve["saturation"]["accepted"])] if with_accepted else []
        table.append(row)
    return table


# Broadcasts among a load ---------------------------------------------------------------------------------------------

BROADCASTS = ["minimum_tcd", "recursive_halving_tcd", "recursive_doubling", "binomial_tree", "recursion_based",
              "scatter_collect"]


def half_width(interval: dict) -> float:
    return interval["high"] - interval["mean"]


def broadcast_rows(rows: int | None) -> Rows:
    text = config("broadcast_under_load.toml").split("[sweep]")[0]
    table = []
    for algorithm in BROADCASTS[:rows]:
        chosen = ("--set", f"algorithm.name={algorithm}")
        alone = measured("run", text.split("[broadcast]")[0], *chosen)
        row = [f"`{algorithm}`", str(alone["tcd"]), str(alone["alpha"]), f"{alone['latency_us']:.2f}"]
        for offered in (0.02, 0.08, 0.14):
            series = measured("run", text, *chosen, "--set", f"traffic.load={offered}")
            row.append(f"{series['slowdown']['mean']:.2f} +- {half_width(series['slowdown']):.2f}")
        cost = series["load"]["difference_us"]
        messages = series["load"]["messages"] / len(series["broadcasts"])
        row.append(f"{cost['mean']:.2f} +- {half_width(cost):.2f}")
        row.append(f"{cost['mean'] * messages:.0f} +- {half_width(cost) * messages:.0f}")
        table.append(row)
    return table


# Requests and replies ------------------------------------------------------------------------------------------------


def request_rows(rows: int | None) -> Rows:
    text = config("requests_and_replies.toml").split("[sweep]")[0]
    table = []
    for outstanding in (1, 2, 4, 8, 16)[:rows]:
        row = [str(outstanding)]
        for pattern in ("uniform", "transpose"):
            trips = measured("run", text, "--set", f"algorithm.outstanding={outstanding}", "--set",
                             f"algorithm.pattern={pattern}")["round_trips"]
            row += [f"{trips['mean_us'] * 1000:.0f}", f"{trips['p99_us'] * 1000:.0f}", f"{trips['accepted']:.3f}"]
        table.append(row)
    return table


# All of them ---------------------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Table:
    page: str  # in docs/
    rows: Callable[[int | None], Rows]  # the first of them, or all


TABLES = {
    "load_patterns": Table("load.md", lambda rows: curve_rows("load_patterns.toml", "load_patterns.svg", rows)),
    "load_routers": Table("load.md", lambda rows: curve_rows("load_routers.toml", "load_routers.svg", rows)),
    "load_internal_speedup": Table(
        "routers.md", lambda rows: curve_rows("load_internal_speedup.toml", "load_internal_speedup.svg", rows)),
    "load_routings": Table("load.md", lambda rows: saturation_rows(
        "load_routings.toml", {"uniform": None, "transpose": "load_routings.svg"}, True, rows)),
    "load_torus_routings": Table("load.md", lambda rows: saturation_rows(
        "load_torus_routings.toml", {"uniform": None, "transpose": None, "tornado": "load_torus_routings.svg"}, False,
        rows)),
    "broadcast_under_load": Table("load.md", broadcast_rows),
    "requests_and_replies": Table("load.md", request_rows),
}


def line_of(row: list[str]) -> str:
    return f"| {' | '.join(row)} |"


class Page:
    """A page, and where a table's rows stand in it."""

    def __init__(self, name: str):
        self.path = ROOT / "docs" / name
        self.lines = self.path.read_text().split("\n")

    def rows_of(self, table: str) -> slice:
        mark = f"<!-- Made by tests/documents/tables.py: {table}. -->"
        if mark not in self.lines:
            raise RuntimeError(f"{self.path}: the line {mark} is missing")
        begin = self.lines.index(mark) + 1
        while not self.lines[begin].startswith("|"):
            begin += 1
        begin += 2  # heads and the rule below them
        end = begin
        while self.lines[end].startswith("|"):
            end += 1
        return slice(begin, end)


def cells_of(line: str) -> list[str]:
    return line.removeprefix("| ").removesuffix(" |").split(" | ")


def check(name: str, table: Table, most: int | None) -> bool:
    page = Page(table.page)
    printed = [cells_of(line) for line in page.lines[page.rows_of(name)]][:most]
    rows = table.rows(most)
    if len(printed) == len(rows) and all(cells[: len(row)] == row for cells, row in zip(printed, rows)):
        return True
    print(f"docs/{table.page}, {name}, printed:", *map(line_of, printed), "measured:", *map(line_of, rows), sep="\n")
    return False


def write(name: str, table: Table) -> None:
    rows = [line_of(row) for row in table.rows(None)]
    page = Page(table.page)
    page.lines[page.rows_of(name)] = rows
    page.path.write_text("\n".join(page.lines))
    print("\n".join(rows), flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="the program wormcast")
    parser.add_argument("--rows", type=int, help="compare only the first rows")
    action = parser.add_mutually_exclusive_group(required=True)
    for name in ("list", "check", "write"):
        action.add_argument(f"--{name}", action="store_true")
    parser.add_argument("names", nargs="*", metavar="NAME", help="all tables without it")
    arguments = parser.parse_args()
    global PROGRAM
    PROGRAM = str(pathlib.Path(arguments.program).resolve())
    chosen = arguments.names or list(TABLES)
    if unknown := [name for name in chosen if name not in TABLES]:
        parser.error(f"no table {unknown[0]}, expected one of {', '.join(TABLES)}")
    if arguments.list:
        print("\n".join(chosen))
        return 0
    if arguments.write:
        for name in chosen:
            write(name, TABLES[name])
        return 0
    return 0 if all([check(name, TABLES[name], arguments.rows) for name in chosen]) else 1


if __name__ == "__main__":
    sys.exit(main())
