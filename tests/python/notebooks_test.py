"""What notebooks and the interpreter show of objects, and what users find in the module."""

import os
import pathlib
import tempfile
import unittest

from needed import COSTS, Case, mesh

import wormcast as wc


class Shown(Case):
    def setUp(self):
        self.network = wc.topology("mesh", dims=[4, 4])
        self.schedule = wc.schedule("binomial_tree", self.network, bytes=64)

    def shows(self, value, text, html):
        self.assertEqual(repr(value), text)
        self.assertIn(html, value._repr_html_())
        self.assertNotIn(" object at 0x", repr(value) + str(value) + value._repr_html_())

    def test_networks_schedules_and_reports(self):
        self.shows(self.network, "<mesh 4 x 4>", "<pre>&lt;mesh 4 x 4&gt;</pre>")
        self.shows(self.schedule, "<broadcast of 15 messages on a mesh 4 x 4>", "<pre>&lt;broadcast of 15")
        self.shows(wc.verify(self.schedule), "<valid: broadcast of 15 messages on a mesh 4 x 4>", "contention-free")
        wrong = wc.verify(wc.messages([(0, 1, 2)], self.network))
        self.assertEqual(repr(wrong), "<not valid: broadcast of 1 messages on a mesh 4 x 4>")

    def test_results(self):
        result = wc.simulate(self.schedule, {"startup": "1us", "per_byte": "1ns"})
        self.shows(result, "<latency 4256ns: 15 messages on a mesh 4 x 4>", "<pre>topology          mesh 4 x 4\n")
        with self.assertWarns(UserWarning), self.assertRaises(wc.Deadlock) as caught:
            wc.run(f"{os.environ['WORMCAST_CONFIGS']}/torus_ring_deadlock.toml")
        self.assertRegex(repr(caught.exception.result), "^<deadlock: 6 messages on a torus ")

    def test_studies(self):
        sweep = wc.sweep({**mesh(), "sweep": {"run.seed": list(range(70))}})
        self.shows(sweep, "<wormcast.Sweep: 70 points over run.seed>", "<th>latency_us</th>")
        self.assertEqual(sweep._repr_html_().count("<tr>"), 62)  # the heading, 30 rows, dots, 30 rows
        self.shows(wc.compare(mesh(), algorithms=["binomial_tree"], lengths=None),
                   "<wormcast.Comparison: 1 algorithm over algorithm, parameters>", "<td>binomial_tree</td>")
        self.shows(wc.series({**mesh(), "broadcast": {"repeat": 3}}), "<wormcast.Series: 3 broadcasts>", "<pre>")
        load = wc.load({"topology": {"kind": "mesh", "dims": [2, 2]}, "network": COSTS, "load": {"points": [0.1], "saturation": False},
                        "traffic": {"pattern": "uniform", "bytes": 16}})
        self.shows(load, "<wormcast.Load: 1 point>", "<th>offered</th>")

    def test_a_page(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "run.html"
            page = wc.view(mesh(), file)
            self.assertEqual(file.read_text(encoding="utf-8"), page.html)
            self.fails(wc.OutputError, "cannot write", page.write, f"{folder}/none/run.html")
        self.assertTrue(page.html.startswith("<!DOCTYPE html>"))
        self.shows(page, f"<wormcast.View: {page.title}>", "<iframe srcdoc=")
        self.fails(wc.InputError, "--repetition: the configuration runs its operation once", wc.view, mesh(), round=1)
        series = {**mesh(), "broadcast": {"repeat": 3}}
        self.assertIn("mesh 8 x 8", wc.view(series, round=1).title)
        self.fails(wc.InputError, "--repetition: found 7", wc.view, series, round=7)


class Module(Case):
    def test_it_has_nothing_but_what_is_documented(self):
        self.assertEqual([name for name in dir(wc) if not name.startswith("__")], sorted(wc.__all__))

    def test_changes_are_a_dictionary_or_texts(self):
        latency = wc.run(mesh(), set={"message.bytes": 64}).latency
        self.assertEqual(wc.run(mesh(), set="message.bytes=64").latency, latency)
        self.assertEqual(wc.run(mesh(), set=["message.bytes=1", "message.bytes=64"]).latency, latency)
        self.fails(TypeError, "set: found 3, expected a dictionary of keys and values", wc.run, mesh(), set=3)
        self.fails(TypeError, "set: found 3 in a list, expected a dictionary", wc.run, mesh(), set=[3])
        self.fails(wc.InputError, "set: found 'message.bytes', expected KEY=VALUE", wc.run, mesh(), set="message.bytes")

    def test_of_missing_sections_the_first_is_named(self):
        config, names = {}, ["topology.kind", "network.startup", "algorithm.name", "message.bytes"]
        for name in names:
            self.fails(wc.InputError, f"configuration: {name}: missing, expected ", wc.run, config)
            section = name.split(".")[0]
            config[section] = mesh()[section]
        wc.run(config)


class Comparisons(Case):
    def test_a_schedule_is_compared_with_algorithms(self):
        network = wc.topology("mesh", dims=[8, 8])
        chain = wc.messages([(step, step, step + 1) for step in range(63)], network, bytes=1000)
        comparison = wc.compare(mesh(), algorithms=["binomial_tree", chain], lengths=None)
        self.assertEqual(comparison.column("algorithm"), ["schedule", "binomial_tree"])
        self.assertEqual(comparison.rows[0]["latency_us"], wc.simulate(chain, mesh()["network"]).latency_us)
        self.fails(wc.InputError, "algorithms: found 2 schedules, expected one", wc.compare, mesh(),
                   algorithms=[chain, chain])
        self.fails(wc.InputError, "algorithms: found 3, expected a text", wc.compare, mesh(), algorithms=[3])

    def test_a_choice(self):
        choice = wc.choose(mesh(), algorithms=["binomial_tree", "scatter_collect"], lengths="64..1MiB").check()
        self.assertEqual(choice.rows[0]["algorithm"], "binomial_tree")
        self.assertEqual(choice.as_dict()["format"], "wormcast-choice/1")
        self.assertIn("binomial_tree", str(choice))
        self.fails(wc.InputError, "lengths: found \"\", expected lengths", wc.choose, mesh(), lengths="")


if __name__ == "__main__":
    unittest.main()
