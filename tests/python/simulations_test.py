"""Runs, their records, and the interpreter's lock."""

import gc
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings

from needed import COSTS, Case, mesh, numpy

import wormcast as wc

CONFIGS = os.environ["WORMCAST_CONFIGS"]
PROGRAM = os.environ["WORMCAST_PROGRAM"]
RING = {"topology": {"kind": "torus", "dims": [6]}, "network": COSTS,
        "algorithm": {"name": "schedule", "file": f"{CONFIGS}/torus_ring_deadlock.json"}}


def exchange(side):
    """Every node to every other one: side**4 messages."""
    return wc.schedule("pairwise_exchange", wc.topology("mesh", dims=[side, side]), bytes=64)


class Runs(Case):
    def test_a_run_gives_what_the_program_gives(self):
        for name in ("mesh_recursion_based", "mesh_self_timed", "torus_virtual_channels", "input_queued_mesh",
                     "message_list", "goal_program"):
            file = f"{CONFIGS}/{name}.toml"
            result = wc.run(file)
            printed = subprocess.run([PROGRAM, "run", file, "--json", "-"], capture_output=True, check=True, text=True)
            self.assertEqual(result.as_dict(), json.loads(printed.stdout), name)
            table = subprocess.run([PROGRAM, "run", file], capture_output=True, check=True, text=True)
            self.assertEqual(str(result), table.stdout, name)

    def test_a_dictionary_is_a_configuration(self):
        result = wc.run(mesh())
        self.assertEqual(result.latency, 6 * (10_000_000 + 1000 * 10_000))  # ps
        self.assertEqual(result.latency_us, 120.0)
        self.assertEqual((result.alpha, result.beta, result.predicted), (6, 6, result.latency))
        self.assertEqual((result.engine, result.engine_reason), ("worm", ""))
        self.assertEqual(result.schedule.bytes, 1000)

    def test_latency_counts_from_0_or_from_the_source(self):
        late = wc.run(mesh(), set={"run.start_jitter": "50us"})
        self.assertGreater(late.latency, late.latency_from_source)
        self.assertEqual(late.latency_from_source_us, late.latency_from_source / 1e6)
        self.assertEqual(late.as_dict()["latency_from_source_us"], late.latency_from_source_us)
        self.assertIn(f"\nlatency from source  {late.latency_from_source_us:.6f}".rstrip("0").rstrip("."), str(late))

    def test_values_are_set_and_unset(self):
        result = wc.run(mesh(per_hop="1us"), set={"message.bytes": "4KiB", "network.ports": 2}, unset="network.per_hop")
        self.assertEqual(result.schedule.bytes, 4096)
        self.assertEqual(result.schedule.ports, 2)
        self.assertEqual(result.as_dict()["config"]["network"]["per_hop"], "0s")

    def test_a_dictionary_as_toml(self):
        text = wc.toml({"topology": {"kind": 'a "b"\n', "dims": (2, 3)}, "case": [{"name": "x", "run": {"seed": 1}}],
                        "sweep": {"message.bytes": {"from": 1, "to": numpy.int64(8), "factor": 2.0}}})
        self.assertEqual(text, '[topology]\nkind = "a \\"b\\"\\n"\ndims = [2, 3]\n[[case]]\nname = "x"\nrun = {seed = 1}\n'
                               '[sweep]\n"message.bytes" = {from = 1, to = 8, factor = 2.0}\n')

    def test_records_are_views_that_keep_the_run(self):
        result = wc.simulate(exchange(4), COSTS, mode="self_timed", occupancy=True)
        totals = result.contention_totals
        waits = result.contention
        self.assertGreater(len(waits), 0)
        for code, kind in enumerate(wc.contention_kinds):
            of_kind = waits[waits["kind"] == code]
            self.assertEqual(len(of_kind), totals[kind]["count"])
            self.assertEqual(int(of_kind["wait"].sum()), totals[kind]["wait"])
        self.assertTrue((waits["to"] - waits["from"] == waits["wait"]).all())
        arrays = (result.deliveries, result.contention, result.occupancy)
        places = [array.ctypes.data for array in arrays]
        self.assertEqual(places, [array.ctypes.data for array in (result.deliveries, result.contention, result.occupancy)])
        before = [array.copy() for array in arrays]
        del result
        gc.collect()
        for array, copy in zip(arrays, before):
            self.assertFalse(array.flags.owndata)
            self.assertFalse(array.flags.writeable)
            numpy.testing.assert_array_equal(array, copy)

    def test_deliveries_are_by_message(self):
        result = wc.run(mesh())
        deliveries = result.deliveries
        self.assertEqual(deliveries["message"].tolist(), list(range(63)))
        self.assertEqual(int(deliveries["time"].max()), result.latency)
        self.assertTrue((deliveries["granted"] >= deliveries["ready"]).all())
        for field in ("step", "source", "destination"):
            numpy.testing.assert_array_equal(deliveries[field], result.schedule.messages[field])

    def test_what_is_not_asked_for_is_not_kept(self):
        result = wc.simulate(exchange(4), COSTS, contention=False)
        self.assertEqual(len(result.contention), 0)
        self.assertIsNone(result.occupancy)
        self.assertEqual(result.explanation, "")

    def test_an_explanation_is_the_programs(self):
        file = f"{CONFIGS}/mesh_self_timed.toml"
        result = wc.run(file, explain=True)
        printed = subprocess.run([PROGRAM, "run", file, "--explain=all"], capture_output=True, check=True, text=True)
        self.assertEqual(str(result) + "\n" + result.explanation, printed.stdout)
        self.assertIn("critical_path", result.as_dict())

    def test_a_deadlock_is_an_error_with_what_was_delivered(self):
        file = f"{CONFIGS}/torus_ring_deadlock.toml"
        error = self.fails(wc.Deadlock, "deadlock: 6 of 6 messages cannot be delivered", wc.run, file)
        ended = subprocess.run([PROGRAM, "run", file], capture_output=True, text=True)
        self.assertIn(str(error), ended.stderr)
        self.assertEqual(error.exit_code, ended.returncode)
        self.assertIsNone(error.result.latency)
        self.assertEqual(error.result.deliveries["time"].tolist(), [-1] * 6)

    def test_a_schedule_that_does_not_broadcast_is_not_simulated(self):
        line = wc.topology("mesh", dims=[4])
        schedule = wc.messages([(0, 0, 1), (1, 1, 2)], line, bytes=100)
        error = self.fails(wc.IncompleteSchedule, "does not broadcast: 1 of 4 nodes lacks it", wc.simulate, schedule, COSTS)
        self.assertEqual(error.exit_code, 3)
        result = wc.simulate(schedule, COSTS, unchecked=True)
        self.assertEqual((result.complete, result.as_dict()["unchecked"]), (False, True))
        self.assertEqual(wc.simulate(wc.messages([(0, 0, 1), (1, 1, 2), (2, 2, 3)], line), COSTS).complete, True)
        with tempfile.TemporaryDirectory() as folder:
            schedule.write(f"{folder}/s.json")
            config = {"network": COSTS, "algorithm": {"name": "schedule", "file": f"{folder}/s.json"}}
            self.fails(wc.IncompleteSchedule, "does not broadcast", wc.run, config)
            self.assertEqual(wc.run(config, unchecked=True).complete, False)
            again = {**config, "broadcast": {"repeat": 3}}
            self.fails(wc.IncompleteSchedule, "does not broadcast", wc.series, again)
            self.assertEqual(wc.series(again, unchecked=True).as_dict()["complete"], False)
            swept = wc.sweep({**config, "sweep": {"network.per_hop": ["0us", "1us"]}}, jobs=1)
            self.assertEqual(swept.column("state"), ["incomplete", "incomplete"])
            self.fails(wc.IncompleteSchedule, "2 of 2 points failed", swept.check)

    def test_predictions_say_what_they_are(self):
        self.assertEqual(wc.run(mesh()).predicted_is, "exact")
        self.assertEqual(wc.run(mesh(), set={"run.mode": "self_timed"}).predicted_is, "estimate")
        hops = wc.run(mesh(), set={"network.per_hop": "1ns"})
        self.assertEqual((hops.predicted_is, hops.predicted < hops.latency), ("lower_bound", True))

    def test_errors_have_the_programs_text_and_exit_code(self):
        with tempfile.TemporaryDirectory() as folder:
            file = f"{folder}/bad.toml"
            for text in ("[topology]\nkind = \"mehs\"\n", "[network]\nstartup = 5\n", "x = [", "[topology]\nkind = 3",
                         "[run]\nmode = \"\x1b\"\n"):
                with open(file, "w") as stream:
                    stream.write(text)
                ended = subprocess.run([PROGRAM, "run", file], capture_output=True, text=True)
                error = self.fails(wc.InputError, "", wc.run, file)
                self.assertEqual(f"wormcast: error: {error}\n", ended.stderr)
                self.assertEqual(error.exit_code, ended.returncode)
            self.fails(wc.FileError, f"cannot read {folder}/none.toml: No such file", wc.run, f"{folder}/none.toml")

    def test_bad_dictionaries_are_refused(self):
        self.fails(wc.InputError, "configuration: network.startup: missing", wc.run, {"topology": {"kind": "mesh"}})
        self.fails(wc.InputError, "expected a truth value, a number", wc.run, {"topology": {"kind": None}})
        self.fails(wc.InputError, "found the key 3, expected a text", wc.run, {"topology": {3: 4}})
        self.fails(wc.InputError, "expected a section [topology]", wc.run, {"topology": 3})
        self.fails(wc.InputError, "takes one value of each key", wc.run, {**mesh(), "sweep": {"run.seed": [1, 2]}})
        self.fails(wc.InputError, "run.model: fluid models are SimGrid's", wc.run, mesh(), set={"run.model": "fluid"})
        schedule = wc.run(mesh()).schedule
        self.fails(wc.InputError, "network.per_byte: missing", wc.simulate, schedule, {"startup": "1us"})
        self.fails(wc.InputError, "run.mod: unknown key", wc.simulate, schedule, COSTS, mod="self_timed")

    def test_the_network_of_a_schedule_can_be_another(self):
        ring = wc.topology("torus", dims=[8])
        schedule = wc.messages([(0, 4, 0)], ring, source=4, bytes=1000)
        costs = {**COSTS, "virtual_channels": 2}
        self.assertEqual(wc.simulate(schedule, costs, unchecked=True).latency, 20_000_000)
        other = wc.simulate(schedule, {**costs, "tie": "positive", "ports": "all", "duplex": "full"}, occupancy=True,
                            unchecked=True)
        self.assertEqual(other.schedule.ports, "all")
        channels = other.occupancy[other.occupancy["channel_kind"] == wc.channel_kinds.index("external")]["channel"]
        self.assertEqual(sorted(channels.tolist()),
                         sorted(wc.topology("torus", dims=[8], tie="positive").route(4, 0)))
        self.assertNotEqual(sorted(channels.tolist()), sorted(ring.route(4, 0)))


class Lock(Case):
    def setUp(self):
        self.interval = sys.getswitchinterval()
        self.schedule = exchange(10)

    def tearDown(self):
        sys.setswitchinterval(self.interval)

    def test_other_threads_go_on_while_a_run_goes_on(self):
        counted = 0
        done = threading.Event()

        def count():
            nonlocal counted
            while not done.is_set():
                counted += 1
                time.sleep(0)  # gives the lock back

        counter = threading.Thread(target=count)
        # From here on nobody has to give the lock back: the counter counts only where this thread does by itself.
        sys.setswitchinterval(1e6)
        counter.start()
        before = counted
        result = wc.simulate(self.schedule, COSTS, mode="self_timed", contention=False)
        after = counted
        done.set()
        counter.join()
        self.assertEqual(len(result.deliveries), 9900)
        self.assertGreater(after, before)

    def test_the_configuration_of_a_result_gives_the_same_result(self):
        torus = wc.schedule("pairwise_exchange", wc.topology("torus", dims=[4, 4]), bytes=96)
        drawn = wc.schedule("pairwise_exchange", wc.topology("torus", dims=[4, 4], tie="random"), bytes=96)
        plain = wc.messages([(0, 3, 100), (3, 0, 5, [0])], wc.topology("mesh", dims=[4]), operation="none")
        cube = wc.schedule("total_exchange", wc.topology("hypercube", dimension=3), bytes=16, ports="all")
        petersen = wc.schedule("petersen_broadcast", wc.topology("petersen"), bytes=64)
        pipelined = {"router": "input_queued", "virtual_channels": 8}
        cases = [(torus, {"virtual_channels": 2}), (torus, {"virtual_channels": 2, "tie": "random"}),
                 (torus, {"virtual_channels": 4, "ports": 2, "hold": "path"}),
                 (drawn, {"virtual_channels": 2}), (drawn, {**pipelined}), (plain, {}), (plain, {**pipelined}), (cube, {}),
                 (cube, {"per_hop": "7ns", "buffer_flits": 3, "switching": "cut_through"}), (petersen, {}),
                 (torus, {**pipelined, "link_delay": 3, "vc_allocator": "islip", "speculative": False})]
        cases += [(torus, {**pipelined, "routing": routing}) for routing in ("dimension_order", "valiant", "romm")]
        for schedule, network in cases:
            for run in ({}, {"mode": "self_timed", "tie_break": "seeded", "seed": 5, "start_jitter": "3us"}):
                with self.subTest(network=network, run=run):
                    result = wc.simulate(schedule, {**COSTS, **network}, **run)
                    again = wc.run(result.as_dict()["config"])
                    self.assertEqual(again.as_dict(), result.as_dict())
                    numpy.testing.assert_array_equal(again.deliveries, result.deliveries)
                    for key in ("ports", "duplex", "routing", "tie", "virtual_channels", "buffer_flits"):
                        self.assertIn(key, result.as_dict()["config"]["network"])
                    if "router" in network:
                        for key in ("router", "link_delay", "vc_allocator", "routing_delay"):
                            self.assertIn(key, result.as_dict()["config"]["network"])

    def test_the_configuration_of_a_run_gives_the_same_result(self):
        for config in (mesh(), {**mesh(), "algorithm": {"name": "ring", "operation": "all_reduce"}}):
            result = wc.run(config)
            self.assertEqual(wc.run(result.as_dict()["config"]).as_dict(), result.as_dict())

    def test_seeds_draw_other_routes(self):
        schedule = wc.schedule("pairwise_exchange", wc.topology("torus", dims=[4, 4]), bytes=512)
        for network in ({"router": "input_queued", "virtual_channels": 8, "routing": "valiant"}, {"tie": "random"},
                        {"router": "input_queued", "virtual_channels": 8, "routing": "romm"}):
            with self.subTest(network=network), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                times = {wc.simulate(schedule, {**COSTS, "virtual_channels": 2, **network}, mode="self_timed", seed=seed)
                         .latency for seed in (1, 2, 3)}
                self.assertEqual(len(times), 3)

    def test_runs_in_threads_do_not_know_each_other(self):
        def simulate():
            return wc.simulate(self.schedule, COSTS, mode="self_timed", tie_break="seeded", seed=3)

        alone = simulate()
        results = [None] * 4

        def run(place):
            results[place] = simulate()

        threads = [threading.Thread(target=run, args=(place,)) for place in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for result in results:
            numpy.testing.assert_array_equal(result.deliveries, alone.deliveries)
            numpy.testing.assert_array_equal(result.contention, alone.contention)

    def test_an_interrupt_ends_a_run(self):
        # Where nobody looks for signals the run takes minutes, and ctest's limit ends it.
        script = """
import wormcast as wc
schedule = wc.schedule("pairwise_exchange", wc.topology("mesh", dims=[10, 10]), bytes=100000)
network = {"startup": "1us", "per_byte": "1ns"}
try:
    print("ready", flush=True)
    wc.simulate(schedule, network, engine="flit")
except KeyboardInterrupt:
    print("interrupted", wc.simulate(schedule, network).engine)
"""
        with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as child:
            self.assertEqual(child.stdout.readline(), "ready\n")
            child.send_signal(signal.SIGINT)
            self.assertEqual(child.communicate()[0], "interrupted worm\n")


if __name__ == "__main__":
    unittest.main()
