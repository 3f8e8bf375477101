"""Sweeps and latency-load curves."""

import builtins
import csv
import fractions
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
from unittest import mock

from needed import Case, mesh

import wormcast as wc

PROGRAM = os.environ["WORMCAST_PROGRAM"]
SWEEP = {**mesh(), "sweep": {"algorithm.name": ["recursive_doubling", "recursion_based"], "message.bytes": [64, 4096]}}
LOAD = {
    "topology": {"kind": "mesh", "dims": [4, 4]},
    "network": {"startup": "0us", "per_byte": "1ns", "virtual_channels": 2},
    "traffic": {"pattern": "uniform", "arrival": "bernoulli", "bytes": 16},
    "load": {"points": [0.1, 0.2]},
}


class Sweeps(Case):
    def test_rows_are_those_of_the_program(self):
        sweep = wc.sweep(SWEEP, jobs=2)
        with tempfile.TemporaryDirectory() as folder:
            with open(f"{folder}/c.toml", "w") as file:
                file.write(wc.toml(SWEEP))
            subprocess.run([PROGRAM, "--quiet", "sweep", f"{folder}/c.toml", "--out", f"{folder}/out"], check=True,
                           stdout=subprocess.DEVNULL)
            with open(f"{folder}/out/results.csv", newline="") as file:
                lines = list(csv.reader(file))
        self.assertEqual(sweep.columns, lines[0])
        self.assertEqual(len(sweep), 4)
        for row, line in zip(sweep.rows, lines[1:]):
            for value, cell in zip(row.values(), line):
                if isinstance(value, float):
                    self.assertEqual(value, float(cell))
                elif isinstance(value, bool):
                    self.assertEqual(str(value).lower(), cell)
                else:
                    self.assertEqual("" if value is None else str(value), cell)

    def test_values_have_types(self):
        sweep = wc.sweep(SWEEP, jobs=1)
        self.assertEqual(sweep.axes, ["algorithm.name", "message.bytes"])
        self.assertEqual(sweep.column("message.bytes"), [64, 4096, 64, 4096])
        self.assertEqual(sweep.column("latency_us")[0], 63.84)
        self.assertEqual({type(value) for value in sweep.column("beta")}, {int, fractions.Fraction})
        self.assertEqual(sweep.column("deadlock_us"), [None] * 4)
        self.fails(wc.InputError, "found \"latency\", expected one of the columns", sweep.column, "latency")

    def test_jobs_and_threads_change_nothing(self):
        rows = wc.sweep(SWEEP, jobs=1).rows
        others = [None] * 3

        def run(place):
            others[place] = wc.sweep(SWEEP, jobs=place + 1).rows

        threads = [threading.Thread(target=run, args=(place,)) for place in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(others, [rows] * 3)

    def test_results_are_kept_and_gone_on_with(self):
        with tempfile.TemporaryDirectory() as folder:
            out = f"{folder}/out"
            first = wc.sweep(SWEEP, out=out)
            self.assertEqual((first.computed, first.kept), (4, 0))
            self.fails(wc.InputError, "holds the results of an earlier sweep", wc.sweep, SWEEP, out=out)
            again = wc.sweep(SWEEP, out=out, resume=True)
            self.assertEqual((again.computed, again.kept), (0, 4))
            self.assertEqual(again.rows, first.rows)
            subprocess.run([PROGRAM, "--quiet", "plot", out], check=True, stdout=subprocess.DEVNULL)

    def test_repetitions_are_seeds(self):
        sweep = wc.sweep(SWEEP, repeat=3, set={"run.start_jitter": "5us", "message.bytes": 64})
        self.assertEqual(sweep.column("run.seed"), [1, 2, 3] * 2)
        self.assertEqual(len(set(sweep.column("latency_us"))), 6)

    def test_failed_points_are_rows_and_errors_when_asked(self):
        sweep = wc.sweep({**SWEEP, "sweep": {"algorithm.name": ["recursive_doubling", "petersen_broadcast"]}})
        self.assertEqual(sweep.column("state"), ["done", "bad_input"])
        self.assertEqual([row["algorithm.name"] for row in sweep.failed], ["petersen_broadcast"])
        self.fails(wc.InputError, "1 of 2 points failed; the first: ", sweep.check)
        good = wc.sweep(SWEEP)
        self.assertIs(good.check(), good)

    def test_fluid_models_have_processes_of_their_own(self):
        sweep = wc.sweep(SWEEP, set={"run.model": "fluid"}).check()
        self.assertEqual(set(sweep.column("engine")), {"CM02 without cross traffic"})

    def test_bad_input_is_said_as_the_program_says_it(self):
        self.fails(wc.InputError, "configuration: a sweep needs a section [sweep]", wc.sweep, mesh())
        self.fails(wc.InputError, "network.startup: found 5 without a unit", wc.sweep, SWEEP, set={"network.startup": 5})
        self.fails(wc.InputError, "--jobs: found 0, expected a whole number from 1 to 4096", wc.sweep, SWEEP, jobs=0)
        self.fails(wc.InputError, "--repeat: found 0", wc.sweep, SWEEP, repeat=0)
        self.fails(wc.InputError, "resume: found without out", wc.sweep, SWEEP, resume=True)
        self.fails(wc.FileError, "cannot read no.toml: No such file", wc.sweep, "no.toml")
        self.fails(wc.OutputError, "/proc/1/no", wc.sweep, SWEEP, out="/proc/1/no")

    def test_without_a_python_program_it_says_so(self):
        with mock.patch.object(sys, "executable", ""):
            self.fails(wc.Error, "sys.executable", wc.sweep, SWEEP)

    def test_an_interrupt_ends_a_sweep_and_keeps_what_is_finished(self):
        # 200 points of some tenths of a second each: ctest's limit ends a sweep that goes on.
        script = """
import sys, threading, time, pathlib, os, signal
import wormcast as wc
out = pathlib.Path(sys.argv[1])
def interrupt():
    while not (out / "results.sqlite").exists():
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt).start()
try:
    wc.sweep({"topology": {"kind": "mesh", "dims": [12, 12]}, "network": {"startup": "1us", "per_byte": "1ns"},
              "algorithm": {"name": "pairwise_exchange"}, "message": {"bytes": 1000},
              "run": {"engine": "flit"}, "sweep": {"run.seed": list(range(1, 2000))}}, out=out, jobs=1)
except KeyboardInterrupt:
    print("interrupted")
"""
        with tempfile.TemporaryDirectory() as folder:
            ended = subprocess.run([sys.executable, "-c", script, f"{folder}/out"], stdout=subprocess.PIPE, text=True)
            self.assertEqual(ended.stdout, "interrupted\n")
            self.assertEqual(ended.returncode, 0)
            # Nobody works in the folder any more.
            wc.sweep(SWEEP, out=f"{folder}/out", resume=True)


class Frames(Case):
    def test_a_sweep_is_a_frame(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas (Debian: python3-pandas) is missing")
        sweep = wc.sweep(SWEEP)
        frame = sweep.frame()
        self.assertIsInstance(frame, pandas.DataFrame)
        self.assertEqual(list(frame.columns), sweep.columns)
        self.assertEqual(frame["message.bytes"].dtype, "int64")
        best = frame.loc[frame.groupby("message.bytes")["latency_us"].idxmin(), "algorithm.name"]
        self.assertEqual(len(best), 2)

    def test_without_pandas_the_error_says_what_is_missing(self):
        sweep = wc.sweep(SWEEP)
        real = builtins.__import__

        def without_pandas(name, *arguments, **named):
            if name == "pandas":
                raise ImportError(name)
            return real(name, *arguments, **named)

        with mock.patch.object(builtins, "__import__", without_pandas):
            with self.assertRaisesRegex(ImportError, "a frame needs pandas .*rows and column"):
                sweep.frame()
        self.assertEqual(len(sweep.rows), 4)


class Loads(Case):
    def test_curves_are_those_of_the_program(self):
        load = wc.load(LOAD, jobs=2)
        with tempfile.TemporaryDirectory() as folder:
            with open(f"{folder}/c.toml", "w") as file:
                file.write(wc.toml(LOAD))
            printed = subprocess.run([PROGRAM, "--quiet", "load", f"{folder}/c.toml", "--out", f"{folder}/out", "--json",
                                      "-"], check=True, capture_output=True, text=True)
        self.assertEqual(load.as_dict(), json.loads(printed.stdout))
        self.assertEqual(load.column("offered"), [0.1, 0.2])
        self.assertEqual(load.column("stable"), [True, True])
        self.assertEqual(len(load.curves), 1)
        self.assertEqual(len(load.curves[0]["points"]), 2)
        self.assertGreater(load.column("latency_us.mean")[1], load.column("latency_us.mean")[0])

    def test_bad_input_is_said_as_the_program_says_it(self):
        self.fails(wc.InputError, "traffic", wc.load, {**LOAD, "traffic": {"pattern": "unifrom"}})
        self.fails(wc.InputError, '"wormcast load" runs [traffic] alone', wc.load, mesh())


class Comparisons(Case):
    def test_a_comparison_is_that_of_the_program(self):
        comparison = wc.compare(mesh(), algorithms=["recursive_doubling", "recursion_based"], lengths="64..4KiB", jobs=2)
        with tempfile.TemporaryDirectory() as folder:
            with open(f"{folder}/c.toml", "w") as file:
                file.write(wc.toml(mesh()))
            command = [PROGRAM, "--quiet", "compare", f"{folder}/c.toml", "--algorithms",
                       "recursive_doubling,recursion_based", "--lengths", "64..4KiB"]
            printed = subprocess.run([*command, "--json", "-"], check=True, capture_output=True, text=True)
            table = subprocess.run(command, check=True, capture_output=True, text=True)
        self.assertEqual(comparison.as_dict(), json.loads(printed.stdout))
        self.assertEqual(str(comparison), table.stdout)
        self.assertEqual(comparison.column("algorithm"), ["recursive_doubling", "recursion_based"])
        self.assertEqual(comparison.column("valid"), [True, True])
        self.assertEqual(comparison.fastest[0]["algorithm"], "recursive_doubling")
        self.assertEqual(comparison.fastest_measured, comparison.as_dict()["fastest_measured"])
        self.assertEqual(wc.compare(mesh(), algorithms=["recursive_doubling"], lengths=None).fastest_measured, [])

    def test_bad_input_is_said_as_the_program_says_it(self):
        self.fails(wc.InputError, "expected a list of names", wc.compare, mesh(), algorithms="ring")
        self.fails(wc.InputError, 'no algorithm "rings"', wc.compare, mesh(), algorithms=["rings"])
        self.fails(wc.InputError, "lengths: ", wc.compare, mesh(), lengths="64..")
        self.fails(wc.InputError, "found a sweep", wc.compare, SWEEP)


class SeriesOfBroadcasts(Case):
    CONFIG = {
        "topology": {"kind": "mesh", "dims": [4, 4]},
        "network": {"startup": "1us", "per_byte": "10ns", "buffer_flits": 4},
        "algorithm": {"name": "recursive_doubling", "source": 5},
        "message": {"bytes": 128},
        "broadcast": {"repeat": 4, "pause": "3us"},
        "traffic": {"bytes": 32, "load": 0.1, "warm_up": "300us"},
    }

    def test_a_series_is_that_of_the_program(self):
        series = wc.series(self.CONFIG, explain=True)
        with tempfile.TemporaryDirectory() as folder:
            with open(f"{folder}/c.toml", "w") as file:
                file.write(wc.toml(self.CONFIG))
            command = [PROGRAM, "--quiet", "run", f"{folder}/c.toml", "--explain=all"]
            printed = subprocess.run([*command, "--json", "-"], check=True, capture_output=True, text=True)
            table = subprocess.run(command, check=True, capture_output=True, text=True)
        self.assertEqual(series.as_dict(), json.loads(printed.stdout))
        self.assertEqual(f"{series}\n{series.explanation}", table.stdout)
        self.assertEqual(len(series.broadcasts), 4)
        self.assertGreater(series.slowdown["mean"], 1)
        self.assertGreater(series.latency_us, 0)
        self.assertEqual(series.latency_from_source_us, series.latency_us)
        self.assertFalse(series.saturated)
        self.assertEqual(wc.series(self.CONFIG).explanation, "")

    def test_too_much_load_has_no_latency(self):
        series = wc.series(self.CONFIG, set={"traffic.load": 3}, explain=True)
        self.assertTrue(series.saturated)
        self.assertIsNone(series.latency_us)
        self.assertIsNone(series.latency_from_source_us)
        self.assertEqual(series.explanation, "")

    def test_a_sweep_says_which_loads_saturate(self):
        sweep = wc.sweep({**self.CONFIG, "sweep": {"traffic.load": [0.05, 3]}})
        self.assertEqual(sweep.column("state"), ["done", "saturated"])
        self.assertEqual(sweep.failed, [])
        self.assertIs(sweep.check(), sweep)
        self.assertIsNone(sweep.column("latency_from_source_us")[1])

    def test_bad_input_and_deadlocks_are_errors(self):
        self.fails(wc.InputError, "found neither [broadcast] nor [traffic]", wc.series, mesh())
        self.fails(wc.InputError, "broadcast.count: found 17", wc.series, self.CONFIG, set={"broadcast.count": 17})
        ring = {**self.CONFIG, "topology": {"kind": "torus", "dims": [8, 8]}}
        stopped = self.fails(wc.Deadlock, "deadlock", wc.series, ring, unset="broadcast",
                             set={"traffic.load": 0.9, "traffic.bytes": 400, "network.startup": "0us"})
        self.assertIsNotNone(stopped.result.as_dict()["deadlock_us"])


if __name__ == "__main__":
    unittest.main()
