"""The points of a sweep or of latency-load curves, computed by whoever maps `compute` over them."""

import functools
import json
import os
import threading
import time

from . import _core, _errors

_planning = threading.Lock()


@functools.lru_cache(maxsize=4)
def _planned(given):
    return _core.points({**json.loads(given), "own_process": False})


def _points(given):
    with _planning:  # so that threads do not plan the same side by side
        return _planned(given)


def _located(given, folder):
    """The study as this process finds its files: relative paths begin in the folder of the process that asks."""
    if os.getcwd() == folder:
        return given
    study = json.loads(given)
    study["file"] = os.path.join(folder, study["file"])
    return json.dumps(study)


def compute(task):
    """One point. `task` is plain data: (study, folder, basis, number, parameters): the configuration with what changes
    it, as JSON; the folder in which relative paths begin; what all processes must agree on; and which point, as JSON.
    Returns (number, report, seconds), of which the report is JSON: plain data, too."""
    given, folder, basis, number, parameters = task
    begin = time.monotonic()
    given = _located(given, folder)
    points = _points(given)
    if points.basis != basis:
        raise _errors.Error("a process of the executor finds another version of wormcast, or other files, than the one "
                            "that asks")
    if points.needs_own_process(parameters):
        from . import _studies

        report = _studies.compute_in_own_process(json.loads(given), parameters)
    else:
        report = points.compute(parameters)
    return number, report, time.monotonic() - begin
