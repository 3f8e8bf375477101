"""Functions that the program `wormcast` itself carries out, as they need what is installed with it: MPI's tools, or the
measurements of the papers' claims."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping as _Mapping
from typing import Any, Iterable, Mapping, Optional, Union

from . import _configuration, _core, _display, _errors, _studies, _values

_EXCEPTIONS = {2: _errors.InputError, 3: _errors.IncompleteSchedule, 4: _errors.Deadlock}


def _program():
    """The program: beside Python (in a virtual environment), beside a module that was built and not installed, or in
    PATH. Raises Error where there is none, or one of another version."""
    built = os.path.join(os.path.dirname(os.path.abspath(_core.__file__)), "..", "..", "bin")
    folders = [os.path.dirname(sys.executable or ""), built, *os.environ.get("PATH", os.defpath).split(os.pathsep)]
    found = shutil.which("wormcast", path=os.pathsep.join(folder for folder in folders if folder))
    if found is None:
        raise _errors.Error("the program wormcast is not there, but this function runs it; it is installed with wormcast")
    version = subprocess.run([found, "--version"], capture_output=True, text=True, stdin=subprocess.DEVNULL).stdout
    if _core.version not in version.split():
        raise _errors.Error(f"{found}: found version {version.strip()}, expected that of the module, {_core.version}")
    return found


def _run(words, folder=None):
    """The program's standard output. Its error is raised with the text that it prints."""
    with subprocess.Popen([_program(), *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, encoding="utf-8", errors="replace", cwd=folder) as process:
        try:
            output, messages = process.communicate()
        except BaseException:
            process.send_signal(signal.SIGTERM)
            process.wait()
            raise
    if process.returncode != 0:
        errors = [line.split("wormcast: error: ", 1)[1] for line in messages.splitlines() if "wormcast: error: " in line]
        text = errors[-1] if errors else f"wormcast {words[0]} ended with exit code {process.returncode}"
        if process.returncode == 4:
            raise _errors.Deadlock(text, None)
        raise _EXCEPTIONS.get(process.returncode, _errors.Error)(text)
    return output


def _configured_words(config, set, unset, folder):
    """The words that name a configuration; one that is a dictionary is written to `folder`."""
    given = _configuration.source(config, set, unset)
    file = given["file"]
    if isinstance(config, _Mapping):
        file = os.path.join(folder, "configuration.toml")
        content = dict(config)
        topology = content.get("topology")
        if isinstance(topology, _Mapping) and "file" in topology:  # relative to where the caller is
            content["topology"] = {**topology, "file": os.path.abspath(_values.file_text(topology["file"]))}
        with open(file, "w", encoding="utf-8") as out:
            out.write(_configuration.toml(content))
    words = [os.path.abspath(file)]
    for text in given["overrides"]:
        words += ["--set", text]
    for name in given["removals"]:
        words += ["--unset", name]
    return words


def _read(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8", newline="") as file:
        return file.read()


class Collectives(_studies._Table):
    """Algorithms for a collective operation of MPI side by side: the table of `wormcast collectives --csv`."""

    def __init__(self, report):
        super().__init__({"axes": ["algorithm", "parameters", "bytes"], **report})
        self._document = json.loads(report["json"])
        self._text = report["text"]

    def as_dict(self) -> dict[str, Any]:
        """The object of `wormcast collectives --json`, format wormcast-collectives/1."""
        return self._document

    def __str__(self):
        return self._text

    _repr_html_ = _display.text_as_html


class Contention:
    """Who waited for whom, where and how long, from a trace."""

    def __init__(self, report):
        self._document = json.loads(report["json"])
        self._text = report["text"]

    def as_dict(self) -> dict[str, Any]:
        """The object of `wormcast contention --json`, format wormcast-contention/1."""
        return self._document

    def __str__(self):
        return self._text

    def __repr__(self):
        return "<wormcast.Contention: who waited for whom in a trace>"

    _repr_html_ = _display.text_as_html


class Reproduction(_studies._Table):
    """Claims of the papers with what was claimed, what was measured and the verdict: the table claims.csv."""

    _things = "claims"

    def __init__(self, report):
        super().__init__({"axes": ["name"], **report})
        self._document = json.loads(report["json"])

    @property
    def failed(self) -> list[dict[str, Any]]:
        """Rows of the claims whose verdict is another one than expected."""
        return [row for row in self.rows if row["verdict"] != row["recorded"]]

    def check(self):
        """Raises Error where a verdict is another one than expected; returns the reproduction itself otherwise."""
        if self.failed:
            raise _errors.Error(f"{len(self.failed)} of {len(self.rows)} claims have another verdict than expected; the "
                                f"first: {self.failed[0]['name']}")
        return self

    def as_dict(self) -> dict[str, Any]:
        """The object of reproduction.json, format wormcast-reproduction/1."""
        return self._document


def collectives(config: Union[str, "os.PathLike[str]", Mapping[str, Any]], *, set: _configuration.Set = None,
                unset: Union[str, Iterable[str]] = (), collective: str = "bcast", algorithms: Iterable[str] = (),
                lengths: str = "64..64KiB", ranks: Optional[int] = None, map: str = "block",
                jobs: Optional[int] = None) -> Collectives:
    """Times the algorithms for a collective operation of MPI, SMPI's and wormcast's own, as `wormcast collectives` does.

    config, set, unset, jobs: as for sweep
    collective: "bcast", "all_reduce", ...
    algorithms: only these, SMPI's names and "wormcast:NAME"; none: all of them
    lengths: each twice the one before ("64..64KiB"), or a list ("64,4KiB")
    ranks, map: number of ranks (default: one for each node), and how they are placed on nodes

    Runs the program `wormcast`, which has to be installed. Raises InputError, FileError, Error.
    """
    names = _studies.listed_names(algorithms)
    with tempfile.TemporaryDirectory(prefix="wormcast-") as folder:
        words = ["collectives", *_configured_words(config, set, unset, folder), "--collective",
                 _values.text("collective", collective), "--lengths", _values.text("lengths", lengths), "--map",
                 _values.text("map", map)]
        words += ["--algorithms", ",".join(names)] if names else []
        words += _studies.number_words(ranks=ranks, jobs=jobs)
        text = _run([*words, "--json", f"{folder}/out.json", "--csv", f"{folder}/out.csv"])
        return Collectives({"text": text, "json": _read(folder, "out.json"), "csv": _read(folder, "out.csv")})


def contention(trace: Union[str, "os.PathLike[str]"], *, top: int = 10, kind: Optional[str] = None,
               channel: Union[int, str, None] = None, message: Optional[int] = None,
               between: Optional[tuple[str, str]] = None) -> Contention:
    """Sums up who waited for whom, as `wormcast contention` does.

    trace: a file of `wormcast run --trace`
    top: length of the lists
    kind, channel, message, between: only waits of a kind, for a channel, of a message or for it, or between two times

    The waits of a run in memory are Result.contention. Runs the program `wormcast`, which has to be installed. Raises
    InputError, FileError, Error.
    """
    words = ["contention", os.path.abspath(_values.file_text(trace)), "--top", str(_values.whole("top", top, 1))]
    words += [] if kind is None else ["--kind", _values.text("kind", kind)]
    words += [] if channel is None else ["--channel", str(channel)]
    words += _studies.number_words(message=message)
    words += [] if between is None else ["--between", *(_values.text("between", time) for time in between)]
    with tempfile.TemporaryDirectory(prefix="wormcast-") as folder:
        text = _run([*words, "--json", f"{folder}/out.json"])
        return Contention({"text": text, "json": _read(folder, "out.json")})


def reproduce(*names: str, out: Union[str, "os.PathLike[str]", None] = None, jobs: Optional[int] = None) -> Reproduction:
    """Measures the papers' claims, as `wormcast reproduce` does.

    names: claims or papers; none: all, which takes long
    out: folder for the report and the data of each claim; None: they are kept nowhere
    jobs: claims measured at the same time

    A verdict other than the expected one is in Reproduction.failed. Runs the program `wormcast`, which has to be
    installed. Raises InputError, OutputError, Error.
    """
    words = [_values.text("names", name) for name in names]
    with tempfile.TemporaryDirectory(prefix="wormcast-") as scratch:
        folder = scratch if out is None else os.path.abspath(_values.file_text(out))
        words = ["reproduce", *words, "--out", folder, *_studies.number_words(jobs=jobs)]
        try:
            _run(words)
        except _errors.IncompleteSchedule:  # exit code 3: verdicts differ, and the files say which
            pass
        return Reproduction({"json": _read(folder, "reproduction.json"), "csv": _read(folder, "claims.csv")})
