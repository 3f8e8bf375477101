#!/usr/bin/env python3
"""The checks of documents find what is wrong: checks_test.py PROGRAM."""

import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM = sys.argv[1]

PAGE = """# A page

```toml
# data.toml
key = 1
```

```console
$ cat data.toml | tail -1
key = 1
$ seq 6
1
...
3
...
6
$ printf 'a\\n' \\
    | cat
a
$ for x in 1 2; do
>   echo $x
> done
1
2

$ false || echo "exit code $?"
exit code 1
```

<!-- not run: there is no such program -->
```console
$ no_such_program
```
"""


def pages(text: str, *options: str) -> tuple[int, str, str]:
    """Exit code, output, and the page afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder) / "page.md"
        page.write_text(text)
        done = subprocess.run([sys.executable, "-B", HERE / "pages.py", "--program", PROGRAM, *options, page],
                              capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr, page.read_text()


def links(text: str) -> tuple[int, str]:
    with tempfile.TemporaryDirectory(dir=HERE) as folder:
        page = pathlib.Path(folder) / "page.md"
        page.write_text(text)
        done = subprocess.run([sys.executable, "-B", HERE / "links.py", page], capture_output=True, text=True)
        return done.returncode, done.stdout


def expect(holds: bool, what: object) -> None:
    if not holds:
        sys.exit(f"checks_test: {what}")


code, output, page = pages(PAGE)
expect(code == 0 and page == PAGE, output)

for right, wrong in [("6\n$ printf", "7\n$ printf"), ("\n3\n", "\n9\n"), ("2\n\n$ false", "\n$ false"), ("key = 1\n$", "key = 2\n$")]:
    changed = PAGE.replace(right, wrong)
    expect(changed != PAGE, wrong)
    code, output, page = pages(changed)
    expect(code == 1 and page == changed and "--- shown" in output, f"{wrong!r} is not found: {output}")

code, output, page = pages(PAGE.replace("key = 1\n$", "key = 2\n$").replace("\n6\n$", "\n7\n$"), "--write")
expect(code == 0 and page == PAGE, f"--write does not mend the page: {output}{page}")
code, output, page = pages(PAGE.replace(' || echo "exit code $?"', ""), "--write")
expect(code == 1 and "exit code 1" in output, "a command that fails is not found")

expect(links("# A heading: `code`\n[one](#a-heading-code) [two](../pages.py) `[three](none.md)` [four](https://example.org)\n")[0] == 0, "links")
for wrong in ["[one](#no-heading)", "[`two`](none.md)", "![three](none.svg)", "[four](../../../README.md#nowhere)"]:
    code, output = links(f"# A heading\n{wrong}\n")
    expect(code == 1 and "page.md:2" in output, f"{wrong} is not found: {output}")
