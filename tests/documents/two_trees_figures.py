#!/usr/bin/env python3
"""Draws the figures of docs/papers/two_trees.md from schedules that the program makes.

    two_trees_figures.py --program build/release/bin/wormcast --check
    two_trees_figures.py --program build/release/bin/wormcast --write

Everything is taken from the messages of `wormcast schedule`: on 16 x 16 nodes the edges inside of 8 x 8 nodes are those
of a cell, but for those of its spares, which send to other cells, too: these are the edges of the join. Exit code 1: a figure in docs/ differs.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "papers"
SIDE = 16
SOURCE = (9, 12)
TREES = ("#0072b2", "#d55e00")  # Okabe and Ito
CONFIG = f"""
topology = {{ kind = "mesh", dims = [{SIDE}, {SIDE}] }}
network = {{ startup = "1us", per_byte = "1ns" }}
algorithm = {{ name = "two_trees", segments = 2, source = [{SOURCE[0]}, {SOURCE[1]}] }}
message = {{ bytes = 2 }}
"""

Node = tuple[int, int]
Edge = tuple[Node, Node, int, int]  # from, to, tree, step


def edges(program: str) -> list[Edge]:
    """Of both trees: with two segments each edge is one message, of the segment that its tree carries."""
    with tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(folder) / "config.toml"
        config.write_text(CONFIG)
        printed = subprocess.run([program, "schedule", str(config)], check=True, capture_output=True, text=True).stdout
    node = lambda number: (number % SIDE, number // SIDE)
    return [(node(message["src"]), node(message["dst"]), message["blocks"][0][0], message["step"])
            for message in json.loads(printed)["messages"]]


def cell(node: Node) -> Node:
    return node[0] // 8, node[1] // 8


def drawn(title: str, chosen: list[Edge], first: Node, last: Node, scale: int) -> str:
    """Nodes as dots, edges as the routes that messages take (first along x), tree 0 solid, tree 1 dashed."""
    width = (last[0] - first[0] + 1) * scale
    height = (last[1] - first[1] + 1) * scale + 24
    at_x = lambda x: (x - first[0] + 0.5) * scale
    at_y = lambda y: (last[1] - y + 0.5) * scale + 24
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
             f'font-family="DejaVu Sans, sans-serif">',
             f'<rect width="{width}" height="{height}" fill="white"/>',
             f'<text x="6" y="16" font-size="12">{title}</text>']
    for source, target, tree, _ in chosen:
        shift = (-0.12, 0.12)[tree] * scale
        points = [(at_x(source[0]) + shift, at_y(source[1]) + shift), (at_x(target[0]) + shift, at_y(source[1]) + shift),
                  (at_x(target[0]) + shift, at_y(target[1]) + shift)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        dashes = ' stroke-dasharray="5 3"' if tree == 1 else ""
        lines.append(f'<polyline points="{path}" fill="none" stroke="{TREES[tree]}" stroke-width="1.6"{dashes}/>')
        lines.append(f'<circle cx="{points[2][0]:.1f}" cy="{points[2][1]:.1f}" r="2.6" fill="{TREES[tree]}"/>')
    for y in range(first[1], last[1] + 1):
        for x in range(first[0], last[0] + 1):
            mark = 'fill="black"' if (x, y) == SOURCE else 'fill="white"'
            lines.append(f'<circle cx="{at_x(x):.1f}" cy="{at_y(y):.1f}" r="{3.5 if (x, y) == SOURCE else 2}" {mark} '
                         'stroke="#444"/>')
    if last[0] - first[0] > 8:
        middle_x, middle_y = width / 2, (height - 24) / 2 + 24
        lines.append(f'<path d="M{middle_x} 24V{height}M0 {middle_y}H{width}" stroke="#999" stroke-dasharray="2 4"/>')
    return "\n".join(lines) + "\n</svg>\n"


def figures(program: str) -> dict[str, str]:
    every = edges(program)
    inside = [edge for edge in every if cell(edge[0]) == cell(edge[1]) == (0, 0)]
    joining = {edge[0] for edge in every if cell(edge[0]) != cell(edge[1])}  # the spares of three cells, and the source
    between = [edge for edge in every if edge[0] in joining]
    last = (SIDE - 1, SIDE - 1)
    return {"two_trees_cell.svg": drawn("a cell: tree 1 solid, tree 2 dashed", inside, (0, 0),
                                        (7, 7), 44),
            "two_trees_join.svg": drawn("edges of the join, and those of the source at (9, 12)", between, (0, 0), last, 30),
            "two_trees_16x16.svg": drawn("both trees on 16 x 16 nodes", every, (0, 0), last, 34)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True)
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument("--check", action="store_true")
    action.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    drawn = figures(arguments.program)
    if arguments.write:
        for name, text in drawn.items():
            (FOLDER / name).write_text(text)
        return 0
    differ = [name for name, text in drawn.items()
              if not (FOLDER / name).exists() or (FOLDER / name).read_text() != text]
    for name in differ:
        print(f"docs/papers/{name} is not what {pathlib.Path(__file__).name} draws: run it with --write")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
