"""Sweeps and loads whose points an executor computes."""

import concurrent.futures
import json
import multiprocessing
import os
import pathlib
import pickle
import shutil
import tempfile
import unittest

from needed import Case, mesh

import wormcast as wc
from wormcast import _points

SWEEP = {
    **mesh(virtual_channels=2),
    "topology": {"kind": "torus", "dims": [4, 4]},
    "run": {"start_jitter": "5us", "mode": "self_timed"},
    "sweep": {"algorithm.name": ["recursive_doubling", "petersen_broadcast", "binomial_tree"], "message.bytes": [64, 4096],
              "network.tie": ["no_wrap", "random"]},
}
LOAD = {
    "topology": {"kind": "mesh", "dims": [4, 4]},
    "network": {"startup": "0us", "per_byte": "1ns", "virtual_channels": 2},
    "traffic": {"pattern": "uniform", "arrival": "bernoulli", "bytes": 16},
    "load": {"points": [0.1, 0.2]},
    "sweep": {"network.virtual_channels": [1, 2]},
}


def files(folder):
    """What a study has written, but the store, which has the times that the computation took."""
    return {path.name: path.read_bytes() for path in sorted(pathlib.Path(folder).iterdir()) if path.suffix != ".sqlite"}


def dying_map(function, tasks):
    """Computes two points, and then its pool breaks."""
    for number, task in enumerate(tasks):
        if number == 2:
            raise concurrent.futures.BrokenExecutor("the pool has gone")
        yield function(task)


class Executors(Case):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def out(self, name):
        return os.path.join(self.folder.name, name)

    def alike(self, map):
        alone = wc.sweep(SWEEP, jobs=2, out=self.out("alone"))
        mapped = wc.sweep(SWEEP, map=map, out=self.out("mapped"))
        self.assertEqual(mapped.rows, alone.rows)
        self.assertEqual((mapped.computed, mapped.kept), (12, 0))
        self.assertEqual(files(self.out("mapped")), files(self.out("alone")))
        self.assertEqual(sorted(set(mapped.column("state"))), ["bad_input", "done"])

    def test_processes_that_are_forked_give_the_same_bytes(self):
        context = multiprocessing.get_context("fork")
        with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as executor:
            self.alike(executor.map)

    def test_processes_that_are_spawned_give_the_same_bytes(self):
        context = multiprocessing.get_context("spawn")
        with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as executor:
            self.alike(executor.map)

    def test_threads_and_the_map_of_python_give_the_same_bytes(self):
        with concurrent.futures.ThreadPoolExecutor(2) as executor:
            self.alike(executor.map)
        shutil.rmtree(self.out("alone"))
        shutil.rmtree(self.out("mapped"))
        self.alike(map)

    def test_mpi_processes_give_the_same_bytes(self):
        try:
            import mpi4py.futures
        except ImportError:
            self.skipTest("mpi4py (Debian: python3-mpi4py) is missing")
        with mpi4py.futures.MPIPoolExecutor(1) as executor:
            self.alike(executor.map)

    def test_workers_of_dask_give_the_same_bytes(self):
        try:
            import distributed
        except ImportError:
            self.skipTest("distributed (Debian: python3-distributed) is missing")
        with distributed.Client(n_workers=1, threads_per_worker=2, dashboard_address=None) as client:
            self.alike(client.get_executor().map)

    def test_curves_are_those_without(self):
        alone = wc.load(LOAD, jobs=2)
        with concurrent.futures.ProcessPoolExecutor(2) as executor:
            mapped = wc.load(LOAD, map=executor.map)
        self.assertEqual(mapped.as_dict(), alone.as_dict())
        self.assertEqual(mapped.rows, alone.rows)
        again = wc.load(LOAD, map=map, repeat=2, set={"traffic.precision": 0.2})
        self.assertEqual(again.as_dict(), wc.load(LOAD, repeat=2, set={"traffic.precision": 0.2}).as_dict())

    def test_repetitions_and_series_and_fluid_models(self):
        series = {**SWEEP, "broadcast": {"repeat": 3}, "sweep": {"message.bytes": [64, 128]}}
        for config, named in ((SWEEP, {"repeat": 2}), (series, {}), (SWEEP, {"set": {"run.model": "fluid"}})):
            with self.subTest(named=named):
                self.assertEqual(wc.sweep(config, map=map, **named).rows, wc.sweep(config, **named).rows)

    def test_a_file_and_its_neighbours_are_found(self):
        schedule = wc.schedule("binomial_tree", wc.topology("mesh", dims=[4]), bytes=100)
        os.mkdir(self.out("deep"))
        schedule.write(self.out("deep/tree.json"))
        pathlib.Path(self.out("deep/c.toml")).write_text(wc.toml({
            "network": mesh()["network"], "algorithm": {"name": "schedule", "file": "tree.json"},
            "sweep": {"message.bytes": [100, 200]}}))
        before = os.getcwd()
        os.chdir(self.folder.name)
        try:
            context = multiprocessing.get_context("spawn")
            with concurrent.futures.ProcessPoolExecutor(1, mp_context=context, initializer=os.chdir,
                                                        initargs=("/",)) as executor:
                mapped = wc.sweep("deep/c.toml", map=executor.map).check()
            self.assertEqual(mapped.rows, wc.sweep("deep/c.toml").rows)
        finally:
            os.chdir(before)

    def test_a_broken_pool_leaves_what_is_done(self):
        self.fails(concurrent.futures.BrokenExecutor, "the pool has gone", wc.sweep, SWEEP, map=dying_map,
                   out=self.out("broken"))
        resumed = wc.sweep(SWEEP, map=map, out=self.out("broken"), resume=True)
        self.assertEqual((resumed.computed, resumed.kept), (10, 2))
        wc.sweep(SWEEP, jobs=1, out=self.out("alone"))
        self.assertEqual(files(self.out("broken")), files(self.out("alone")))

    def test_maps_that_are_none_are_errors(self):
        self.fails(wc.Error, "found 0 outcomes of 12 points", wc.sweep, SWEEP, map=lambda function, tasks: [])
        self.fails(TypeError, "'NoneType' object is not iterable", wc.sweep, SWEEP, map=lambda function, tasks: None)
        self.fails(wc.Error, "map: found None, expected what wormcast's function returned", wc.sweep, SWEEP,
                   map=lambda function, tasks: [None for _ in tasks])
        self.fails(wc.InputError, "jobs: found beside map", wc.sweep, SWEEP, map=map, jobs=2)
        self.fails(wc.InputError, "a sweep needs a section [sweep]", wc.sweep, mesh(), map=map)

    def test_reports_of_another_form_are_errors(self):
        for report, text in (("{}", "map: found {}, expected the report of a task"),
                             ("[", "map: the JSON text ends at column 1"),
                             ('{"state": "lost", "error": "", "result": null}', 'found "lost", expected one of "done"')):
            def answering(function, tasks):
                return [(number, report, 0.1) for _, _, _, number, _ in tasks]

            self.fails(wc.InputError, text, wc.sweep, SWEEP, map=answering)

    def test_what_is_mapped_is_plain(self):
        sent = []

        def looking(function, tasks):
            for task in tasks:
                sent.append(task)
                yield function(task)

        wc.sweep(SWEEP, map=looking)
        self.assertIs(pickle.loads(pickle.dumps(_points.compute)), _points.compute)
        for task in sent:
            self.assertEqual(json.loads(json.dumps(task)), list(task))
        self.assertEqual(len(sent), 12)

    def test_another_version_is_an_error(self):
        def lying(function, tasks):
            return (function((given, folder, "other", number, text)) for given, folder, _, number, text in tasks)

        self.fails(wc.Error, "finds another version of wormcast, or other files", wc.sweep, SWEEP, map=lying)


if __name__ == "__main__":
    unittest.main()
