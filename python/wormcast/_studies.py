"""Sweeps, latency-load curves, comparisons and series, which a process of their own carries out: it forks, and this one
may have threads."""

from __future__ import annotations

import csv
import fractions
import io
import itertools
import json
import os
import subprocess
import sys
import tempfile
import warnings
from typing import Any, Callable, Iterable, Mapping, Optional, Union

from . import _configuration, _core, _display, _errors, _points, _values

_WORKER = """
import json, os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
sys.path.insert(0, sys.argv[1])
import wormcast._core as core
sys.path.pop(0)
given = json.loads(sys.stdin.readline())


def exchange(basis, tasks):
    print(json.dumps({"basis": basis, "tasks": tasks}), flush=True)
    for _ in tasks:
        yield json.loads(sys.stdin.readline() or "[]")


if given.pop("mapped", False):
    given["exchange"] = exchange
try:
    print(getattr(core, "work_on_" + sys.argv[2])(given), flush=True)
except BrokenPipeError:  # who asked has ended
    os._exit(1)
"""


def _started(study):
    if not sys.executable:
        raise _errors.Error("there is no Python program (sys.executable) that a process for the study could be made of")
    folder = os.path.dirname(os.path.dirname(os.path.abspath(_core.__file__)))
    return subprocess.Popen([sys.executable, "-I", "-B", "-c", _WORKER, folder, study], stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE, text=True, encoding="utf-8")


def _ended(worker):
    """Ends a process that is not to go on: it keeps what is finished."""
    worker.terminate()
    for pipe in (worker.stdin, worker.stdout):  # else it could wait for ever to write more than a pipe holds
        try:
            pipe.close()
        except OSError:
            pass
    worker.wait()


def _report(worker, output):
    if worker.returncode != 0:
        raise _errors.Error(f"the process of the study ended with exit code {worker.returncode}")
    report = json.loads(output)
    if "error" in report:
        raise getattr(_errors, report["type"])(report["error"])
    return report


def _work(study, given, map=None):
    text = json.dumps({**given, "mapped": map is not None})
    with _started(study) as worker:
        try:
            if map is None:
                output, _ = worker.communicate(text + "\n")
            else:
                output = _served(worker, study, given, text, map)
        except BaseException:
            _ended(worker)
            raise
    report = _report(worker, output)
    for warning in report["warnings"]:
        warnings.warn(warning, stacklevel=4 if study in ("sweep", "load") else 3)  # the caller's line
    return report


def _served(worker, study, given, text, map):
    """Has the points of a study computed by `map`, and hands each outcome to the study's process."""
    worker.stdin.write(text + "\n")
    worker.stdin.flush()
    told = json.dumps({**_configured(given), "study": study, "repeat": given["repeat"]})
    for line in worker.stdout:
        batch = json.loads(line)
        if "tasks" not in batch:
            worker.wait()
            return line
        tasks = [(told, os.getcwd(), batch["basis"], number, parameters) for number, parameters in batch["tasks"]]
        count = 0
        for outcome in itertools.islice(map(_points.compute, tasks), len(tasks)):
            if not (isinstance(outcome, (tuple, list)) and len(outcome) == 3 and outcome[0] == tasks[count][3]):
                raise _errors.Error(f"map: found {_values.shown(outcome)}, expected what wormcast's function returned, in "
                                    "the order of its arguments")
            count += 1
            try:
                worker.stdin.write(json.dumps(outcome) + "\n")
                worker.stdin.flush()
            except OSError:  # it has ended, with a report that says why
                break
        if count < len(tasks) and worker.poll() is None:
            raise _errors.Error(f"map: found {count} outcomes of {len(tasks)} points, expected one for each")
    worker.wait()
    return "{}"


def _configured(given):
    """What of a study a process needs to plan it: the text of its configuration, so that it need not find the file."""
    source = {name: given[name] for name in ("file", "text", "overrides", "removals")}
    if source["text"] is None:
        try:
            with open(source["file"], encoding="utf-8", newline="") as file:
                source["text"] = file.read()
        except (OSError, ValueError):
            pass  # whoever plans it says what is wrong
    return source


def compute_in_own_process(given, task):
    """A point that its process computes alone: its report, as JSON."""
    with _started("point") as worker:
        try:
            output, _ = worker.communicate(json.dumps({**given, "task": task}) + "\n")
        except BaseException:
            _ended(worker)
            raise
    return _report(worker, output)["report"]


def _study(study, config, set, unset, out, resume, jobs, map, repeat=None, unchecked=False):
    given = _configuration.source(config, set, unset, unchecked)
    given.update(resume=_values.flag("resume", resume), jobs=_whole("jobs", jobs), repeat=_whole("repeat", repeat))
    if map is not None and not callable(map):
        raise _errors.InputError(f"map: found {_values.shown(map)}, expected a function such as an executor's map")
    if map is not None and jobs is not None:
        raise _errors.InputError("jobs: found beside map, which decides how many points are computed at a time")
    if out is not None:
        return _work(study, {**given, "folder": _values.file_text(out)}, map)
    if resume:
        raise _errors.InputError("resume: found without out, expected the folder in which the results are")
    with tempfile.TemporaryDirectory(prefix="wormcast-") as folder:
        return _work(study, {**given, "folder": folder}, map)


def _whole(name, value):
    return None if value is None else _values.whole(name, value)


def _number(cell):
    """What a cell of a table stands for: None, a truth value, an int, a float, a Fraction, or its text."""
    if cell in ("", "true", "false"):
        return {"": None, "true": True, "false": False}[cell]
    for kind in (int, float, fractions.Fraction):
        try:
            return kind(cell)
        except (ValueError, ZeroDivisionError):
            pass
    return cell


class _Table:
    """Rows of named values."""

    def __init__(self, report):
        lines = csv.reader(io.StringIO(report["csv"]))
        texts = ("state", "error")
        #: names of the columns; those of the sweep's axes come first
        self.columns = next(lines)
        #: keys that the sweep varies
        self.axes = report["axes"]
        #: a dict for each point, in the order of the configuration
        self.rows = [{name: cell if name in texts else _number(cell) for name, cell in zip(self.columns, line)}
                     for line in lines]

    def __len__(self):
        return len(self.rows)

    def __repr__(self):
        failed = f", {len(self.failed)} failed" if self.failed else ""
        over = f" over {', '.join(self.axes)}" if self.axes else ""
        things = self._things if len(self) != 1 else self._things[:-1]
        return f"<wormcast.{type(self).__name__}: {len(self)} {things}{over}{failed}>"

    def _repr_html_(self):
        return _display.table_as_html(self.columns, self.rows, repr(self)[1:-1])

    _things = "rows"

    def column(self, name: str) -> list[Any]:
        """The values of a column, None where a point has none. Raises InputError."""
        if name not in self.columns:
            raise _errors.InputError(f"found \"{name}\", expected one of the columns {', '.join(self.columns)}")
        return [row[name] for row in self.rows]

    @property
    def failed(self) -> list[dict[str, Any]]:
        """Rows of the points that have no answer; their column error says why. A saturated point has one: that the
        network does not carry its load."""
        return [row for row in self.rows if row["state"] not in ("done", "saturated")]

    def check(self):
        """Raises the first failed point's error; returns the study itself where there is none."""
        if self.failed:
            first = self.failed[0]
            kinds = {"bad_input": _errors.InputError, "deadlock": _errors.Deadlock,
                     "incomplete": _errors.IncompleteSchedule}
            raise kinds.get(first["state"], _errors.Error)(
                f"{len(self.failed)} of {len(self.rows)} points failed; the first: {first['error']}")
        return self

    def frame(self):
        """The rows as a pandas.DataFrame. Raises ImportError where there is no pandas."""
        try:
            import pandas
        except ImportError:
            raise ImportError("a frame needs pandas (Debian: python3-pandas), which is not installed; rows and "
                              "column() work without") from None
        return pandas.DataFrame(self.rows, columns=self.columns)


class _Study(_Table):
    _things = "points"

    def __init__(self, report):
        super().__init__(report)
        #: points computed now, and those whose results were there
        self.computed, self.kept = report["computed"], report["kept"]


class Sweep(_Study):
    """What a sweep came to: the table results.csv, whose times are microseconds."""


class Load(_Study):
    """Latency-load curves: the points of all of them, as in results.csv, whose times are microseconds."""

    def __init__(self, report):
        super().__init__(report)
        self._document = json.loads(report["json"])

    @property
    def curves(self) -> list[dict[str, Any]]:
        """A dict for each curve: setting, zero_load_us, capacity, saturation, points; or setting and error."""
        return self._document["curves"]

    @property
    def repetitions(self) -> list[dict[str, Any]]:
        """A dict for each curve that was measured with several seeds: setting, seeds, saturation, points with means and
        their intervals over the seeds. Empty where each was measured with one."""
        return self._document.get("repetitions", [])

    def as_dict(self) -> dict[str, Any]:
        """The object of `wormcast load --json`, format wormcast-load/1."""
        return self._document


class Comparison(_Table):
    """Algorithms side by side: the table of `wormcast compare --csv`, whose times are microseconds."""

    _things = "algorithms"

    def __init__(self, report):
        super().__init__(report)
        self._document = json.loads(report["json"])
        self._text = report["text"]

    @property
    def fastest(self) -> list[dict[str, Any]]:
        """Which algorithm is the fastest from which message length on, by the formulas that are proved to hold."""
        return self._document["fastest"]

    @property
    def fastest_measured(self) -> list[dict[str, Any]]:
        """The same by simulation."""
        return self._document["fastest_measured"]

    def as_dict(self) -> dict[str, Any]:
        """The object of `wormcast compare --json`, format wormcast-compare/1."""
        return self._document

    def __str__(self):
        return self._text


class Choice(_Table):
    """Which algorithm is the fastest at which message length: the table of `wormcast choose --csv`."""

    _things = "pieces"

    def __init__(self, report):
        super().__init__(report)
        self._document = json.loads(report["json"])
        self._text = report["text"]

    @property
    def failed(self) -> list[dict[str, Any]]:
        """Rows of the ranges for which no algorithm is decided to be the fastest."""
        return [row for row in self.rows if not row["algorithm"]]

    def check(self):
        """Raises Error where a range is not decided; returns the choice itself otherwise."""
        if self.failed:
            raise _errors.Error(f"from {self.failed[0]['from_bytes']} bytes on no algorithm is decided to be the fastest")
        return self

    def as_dict(self) -> dict[str, Any]:
        """The object of `wormcast choose --json`, format wormcast-choice/1."""
        return self._document

    def __str__(self):
        return self._text


class View:
    """A page that plays a run; a notebook shows it."""

    def __init__(self, report):
        #: the page, HTML that needs no other file
        self.html = report["page"]
        #: what is run, in a line
        self.title = report["title"]
        #: what the page leaves out, and the deadlock in which the run ends; empty: nothing of both
        self.notes = report["notes"] + ([report["deadlock"]] if report["deadlock"] else [])

    def write(self, file: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the page to a file. Raises OutputError."""
        try:
            with open(_values.file_name(file), "w", encoding="utf-8") as out:
                out.write(self.html)
        except OSError as error:
            raise _errors.OutputError(f"{_values.file_text(file)}: cannot write: {error.strerror}") from None

    def __repr__(self):
        return f"<wormcast.View: {self.title}>"

    def _repr_html_(self):
        return _display.page_as_html(self.html)


class Series:
    """An operation again and again, alone or among traffic. Times are microseconds."""

    def __init__(self, report):
        self._document = json.loads(report["json"])
        self._text = report["text"]
        #: where the time of the broadcasts went, as run --explain=all prints it; empty where not asked for
        self.explanation = report["explanation"]

    @property
    def latency_us(self) -> Optional[float]:
        """Mean from the start of a broadcast's round to its last delivery; None where the load is more than the network
        carries."""
        return self._document["latency_us"]

    @property
    def latency_from_source_us(self) -> Optional[float]:
        """The mean from the sources' own starts (run.start_jitter); None where latency_us is."""
        return self._document["latency_from_source_us"]

    @property
    def slowdown(self) -> dict[str, Any]:
        """mean, low and high of the latencies' quotients with those on the empty network."""
        return self._document["slowdown"]

    @property
    def saturated(self) -> bool:
        """Whether the load was more than the network carries: then there are no latencies."""
        load = self._document["load"]
        return load is not None and load["saturated"]

    @property
    def broadcasts(self) -> list[dict[str, Any]]:
        """A dict for each one: number, round, source, seed, start_us, latency_us, alone_us."""
        return self._document["broadcasts"]

    def as_dict(self) -> dict[str, Any]:
        """The object of `wormcast run --json`, format wormcast-series/1."""
        return self._document

    def __str__(self):
        return self._text

    def __repr__(self):
        return f"<wormcast.Series: {len(self.broadcasts)} broadcasts{', saturated' if self.saturated else ''}>"

    _repr_html_ = _display.text_as_html


def sweep(config: Union[str, "os.PathLike[str]", Mapping[str, Any]], *, set: _configuration.Set = None,
          unset: Union[str, Iterable[str]] = (), repeat: Optional[int] = None, jobs: Optional[int] = None,
          map: Optional[Callable[..., Iterable[Any]]] = None, out: Union[str, "os.PathLike[str]", None] = None,
          resume: bool = False, unchecked: bool = False) -> Sweep:
    """Runs every combination of the values in [sweep], as `wormcast sweep` does.

    config, set, unset: as for run
    repeat: run everything with `repeat` seeds, from run.seed on
    jobs: points computed at the same time; None: one for each core
    map: computes the points in place of processes of this machine: an executor's map (concurrent.futures, mpi4py.futures,
        ...), or anything that is called like the built-in map and returns the outcomes in order
    out: folder for the results, for resume and `wormcast plot`; None: they are stored nowhere else
    resume: keep the results that are in `out` and compute what is missing
    unchecked: also simulate schedules that do not do their operation; the state of such points is "incomplete"

    Points that fail have a state and an error in their rows; Sweep.check() raises the first one. Raises InputError,
    FileError, OutputError.
    """
    return Sweep(_study("sweep", config, set, unset, out, resume, jobs, map, repeat, unchecked))


def load(config: Union[str, "os.PathLike[str]", Mapping[str, Any]], *, set: _configuration.Set = None,
         unset: Union[str, Iterable[str]] = (), repeat: Optional[int] = None, jobs: Optional[int] = None,
         map: Optional[Callable[..., Iterable[Any]]] = None, out: Union[str, "os.PathLike[str]", None] = None,
         resume: bool = False) -> Load:
    """Measures latency-load curves, as `wormcast load` does. Arguments and errors are those of sweep, but that `repeat`
    takes the seeds from run.seed on."""
    return Load(_study("load", config, set, unset, out, resume, jobs, map, repeat))


def listed_names(algorithms):
    """A list of names of algorithms."""
    if isinstance(algorithms, str):
        raise _errors.InputError(f"algorithms: found {_values.shown(algorithms)}, expected a list of names")
    return [_values.text("algorithms", name) for name in _values.listed("algorithms", algorithms)]


def number_words(**options):
    """Options of the program whose values are whole numbers; those that are None are left out."""
    given = {name: _values.whole(name, value) for name, value in options.items() if value is not None}
    return [word for name, value in given.items() for word in (f"--{name}", str(value))]


def _with_schedule(config, set, unset, algorithms):
    """What is compared: where a Schedule is among the algorithms, it is the configured one."""
    if isinstance(algorithms, str):
        listed_names(algorithms)  # raises
    listed = _values.listed("algorithms", algorithms)
    schedules = [one for one in listed if isinstance(one, _core.Schedule)]
    names = listed_names(one for one in listed if not isinstance(one, _core.Schedule))
    given = _configuration.source(config, set, unset)
    if len(schedules) > 1:
        raise _errors.InputError(f"algorithms: found {len(schedules)} schedules, expected one, and names of algorithms")
    if schedules:
        given["overrides"] += ['algorithm.name="schedule"',
                               "algorithm.text=" + _configuration.toml_text(schedules[0].text())]
        given["removals"].append("algorithm")
    return given, names


def compare(config: Union[str, "os.PathLike[str]", Mapping[str, Any]], *, set: _configuration.Set = None,
            unset: Union[str, Iterable[str]] = (), algorithms: Iterable[Union[str, _core.Schedule]] = (),
            lengths: Optional[str] = "64..1MiB", fluid: bool = False, repeat: Optional[int] = None,
            jobs: Optional[int] = None) -> Comparison:
    """Runs all algorithms for the configured operation side by side, as `wormcast compare` does.

    config, set, unset, jobs: as for sweep
    repeat: where something is random, how many seeds each algorithm runs with (default: 20)
    algorithms: only these; none: all of them. A Schedule among them is compared with the others, instead of the
        configured algorithm
    lengths: message lengths among which to find the fastest by simulation, or None
    fluid: also on SimGrid's fluid network models

    Algorithms that fail or do not fit have a state and an error in their rows. Raises InputError, FileError.
    """
    given, names = _with_schedule(config, set, unset, algorithms)
    given.update(algorithms=names, lengths=None if lengths is None else _values.text("lengths", lengths),
                 fluid=_values.flag("fluid", fluid), repeat=_whole("repeat", repeat), jobs=_whole("jobs", jobs))
    return Comparison(_work("compare", given))


def choose(config: Union[str, "os.PathLike[str]", Mapping[str, Any]], *, set: _configuration.Set = None,
           unset: Union[str, Iterable[str]] = (), algorithms: Iterable[str] = (), lengths: str = "64..1MiB",
           repeat: Optional[int] = None, jobs: Optional[int] = None) -> Choice:
    """Finds which algorithm is the fastest at which message length, as `wormcast choose` does.

    config, set, unset, jobs: as for sweep
    algorithms: only these; none: all of them
    lengths: message lengths to choose for
    repeat: where something is random, how many seeds each algorithm runs with (default: 20)

    Raises InputError, FileError.
    """
    given = _configuration.source(config, set, unset)
    given.update(algorithms=listed_names(algorithms), lengths=_values.text("lengths", lengths),
                 repeat=_whole("repeat", repeat), jobs=_whole("jobs", jobs))
    return Choice(_work("choose", given))


def view(config: Union[str, "os.PathLike[str]", Mapping[str, Any]], out: Union[str, "os.PathLike[str]", None] = None, *,
         set: _configuration.Set = None, unset: Union[str, Iterable[str]] = (), round: Optional[int] = None,
         unchecked: bool = False) -> View:
    """Simulates one configuration and makes the page that plays it, as `wormcast view` does. A notebook shows the page.

    config, set, unset, unchecked: as for run, or a configuration of series
    out: file to which the page is written; None: it is View.html alone
    round: of a series, the round to show, from 0; None: the one with the slowest broadcast

    Raises InputError, FileError, IncompleteSchedule, OutputError.
    """
    given = _configuration.source(config, set, unset, unchecked)
    page = View(_work("view", {**given, "round": _whole("round", round)}))
    if out is not None:
        page.write(out)
    return page


def series(config: Union[str, "os.PathLike[str]", Mapping[str, Any]], *, set: _configuration.Set = None,
           unset: Union[str, Iterable[str]] = (), explain: bool = False, unchecked: bool = False) -> Series:
    """Simulates an operation again and again, alone or among traffic, as `wormcast run` does of a configuration with
    [broadcast], or with [traffic] beside [algorithm].

    config, set, unset: as for run
    explain: follow every broadcast back from its end, for Series.explanation
    unchecked: also simulate a schedule that does not do its operation

    Raises InputError, FileError, IncompleteSchedule, and Deadlock.
    """
    report = _work("series", {**_configuration.source(config, set, unset, unchecked), "explain": _values.flag("explain", explain)})
    if report["deadlock"] is not None:
        raise _errors.Deadlock(report["deadlock"], Series(report))
    return Series(report)
