"""Topologies, schedules and the verifier."""

import fractions
import gc
import pathlib
import tempfile
import unittest

from needed import Case, numpy

import wormcast as wc


class Topologies(Case):
    def test_a_mesh_knows_its_nodes_and_channels(self):
        mesh = wc.topology("mesh", dims=[4, 3])
        self.assertEqual((mesh.kind, mesh.title, mesh.nodes, mesh.channels), ("mesh", "mesh 4 x 3", 12, 34))
        self.assertEqual(mesh.node([3, 2]), 11)
        self.assertEqual(mesh.coordinates(11), [3, 2])
        self.assertEqual(mesh.name([3, 2]), "(3, 2)")
        self.assertEqual(mesh.distance([0, 0], 11), 5)

    def test_a_route_goes_from_node_to_node(self):
        torus = wc.topology("torus", dims=numpy.array([4, 4]))
        place = 1
        for channel in torus.route(1, 14):
            start, end = torus.ends(channel)
            self.assertEqual(start, place)
            place = end
        self.assertEqual(place, 14)
        self.assertEqual(len(torus.route(1, 14)), torus.distance(1, 14))

    def test_bad_input_is_said_as_the_program_says_it(self):
        mesh = wc.topology("mesh", dims=[4, 4])
        self.fails(wc.InputError, 'unknown kind of topology "mehs"; did you mean "mesh"?', wc.topology, "mehs")
        self.fails(wc.InputError, '"dims": found 8, expected a list of whole numbers', wc.topology, "mesh", dims=8)
        self.fails(wc.InputError, "dims: found {}, expected", wc.topology, "mesh", dims={})
        self.fails(wc.InputError, "expected a whole number of 64 bits", wc.topology, "hypercube", dimension=1 << 70)
        self.fails(wc.InputError, "node 16 is outside of the mesh 4 x 4, expected 0 to 15", mesh.route, 0, 16)
        self.fails(wc.InputError, "found channel 48, expected 0 to 47", mesh.ends, 48)
        self.fails(wc.InputError, "found channel -1", mesh.ends, -1)
        self.fails(wc.InputError, "routing", wc.topology, "mesh", dims=[4, 4], routing="adaptive")

    def test_lists_have_names_and_sentences(self):
        self.assertIn("torus", wc.topologies())
        self.assertTrue(wc.algorithms()["recursive_doubling"])


class Schedules(Case):
    def test_an_algorithm_makes_messages(self):
        schedule = wc.schedule("recursive_doubling", wc.topology("mesh", dims=[8, 8]), source=[0, 0], bytes="4KiB")
        self.assertEqual((schedule.operation, schedule.source, schedule.bytes, schedule.ports), ("broadcast", 0, 4096, 1))
        self.assertEqual((len(schedule), schedule.steps, schedule.duplex, schedule.blocks), (63, 6, "full", 1))
        self.assertEqual(sorted(schedule.messages["destination"]), list(range(1, 64)))
        self.assertEqual(set(schedule.sizes), {4096})
        self.assertEqual(schedule.blocks_of(0), [(0, 1)])

    def test_parameters_that_are_best_are_chosen(self):
        mesh = wc.topology("mesh", dims=[16, 16])
        schedule = wc.schedule("two_trees", mesh, bytes=65536, startup="1us", per_byte="10ns")
        self.assertGreater(schedule.chosen["segments"], 1)
        self.assertEqual(schedule.blocks, schedule.chosen["segments"])

    def test_messages_are_views_that_keep_the_schedule(self):
        messages = wc.schedule("recursive_doubling", wc.topology("mesh", dims=[8, 8])).messages
        gc.collect()
        self.assertFalse(messages.flags.owndata)
        self.assertFalse(messages.flags.writeable)
        self.assertEqual(len(set(messages["destination"])), 63)
        schedule = messages.base
        self.assertEqual(schedule.messages.ctypes.data, schedule.messages.ctypes.data)
        with self.assertRaises(ValueError):
            messages["step"][0] = 7

    def test_a_file_brings_back_what_was_written(self):
        schedule = wc.schedule("scatter_collect", wc.topology("torus", dims=[4, 4]), bytes=4096)
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "schedule.json"
            schedule.write(file)
            again = wc.read_schedule(file)
            self.assertEqual(file.read_text(), schedule.text())
        numpy.testing.assert_array_equal(again.messages[["step", "source", "destination"]],
                                         schedule.messages[["step", "source", "destination"]])
        self.assertEqual([again.blocks_of(i) for i in range(len(again))],
                         [schedule.blocks_of(i) for i in range(len(schedule))])

    def test_words_of_mpi_programs_stay_with_their_messages(self):
        text = """{"format": "wormcast-schedule/1", "topology": {"kind": "mesh", "dims": [2, 2]}, "ports": 1,
          "duplex": "full", "operation": "none", "mpi": [{"call": "MPI_Isend", "tag": 7, "communicator": "MPI_COMM_WORLD"}],
          "messages": [{"id": 0, "src": 0, "dst": 1, "bytes": 5, "mpi": 0},
                       {"id": 1, "src": 1, "dst": 2, "bytes": 6, "mpi": [0, 3, 4]}]}"""
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "list.json"
            file.write_text(text)
            schedule = wc.read_schedule(file)
            schedule.write(file)
            again = wc.read_schedule(file)
        self.assertEqual(schedule.words[0], {"sender": 0, "receiver": 1, "call": "MPI_Isend", "tag": 7,
                                             "communicator": "MPI_COMM_WORLD"})
        self.assertEqual((schedule.words[1]["sender"], schedule.words[1]["receiver"]), (3, 4))
        self.assertEqual(again.words, schedule.words)
        result = wc.simulate(schedule, {"startup": "1us", "per_byte": "1ns"})
        self.assertEqual(result.schedule.words, schedule.words)
        self.assertIsNone(wc.schedule("binomial_tree", wc.topology("mesh", dims=[2, 2])).words)

    def test_own_messages_become_a_schedule(self):
        ring = wc.topology("torus", dims=[4])
        rows = [(0, 0, 2), (1, 0, 1), (1, 2, 3)]
        for given in (rows, numpy.array(rows), [{"step": s, "src": a, "dst": b, "blocks": [[0, 1]]} for s, a, b in rows],
                      (row for row in rows)):
            schedule = wc.messages(given, ring, bytes=1000)
            self.assertEqual(schedule.messages[["step", "source", "destination"]].tolist(), rows)
            self.assertTrue(wc.verify(schedule).valid)

    def test_own_messages_carry_blocks(self):
        schedule = wc.messages([(0, 0, 1, [[0, 1], [2, 3]]), (1, 0, 1, [(1, 2)])], wc.topology("mesh", dims=[2]), blocks=3,
                               bytes=9)
        self.assertEqual(schedule.blocks_of(0), [(0, 1), (2, 3)])
        self.assertEqual(schedule.sizes.tolist(), [6, 3])
        self.assertTrue(wc.verify(schedule).valid)

    def test_other_operations_and_plain_lists(self):
        mesh = wc.topology("mesh", dims=[3])
        multicast = wc.messages([(0, 0, 2)], mesh, operation="multicast", destinations=[[2]])
        self.assertTrue(wc.verify(multicast).valid)
        exchange = wc.messages([(0, 0, 1, [[1, 2]]), (0, 1, 0, [[2, 3]])], wc.topology("mesh", dims=[2]),
                               operation="total_exchange", blocks=4)
        self.assertIsNone(exchange.source)
        self.assertTrue(wc.verify(exchange).valid)
        plain = wc.messages([(0, 1, 100), (1, 2, 50, [0])], mesh, operation="none")
        self.assertEqual(plain.sizes.tolist(), [100, 50])

    def test_routing_of_the_topology_is_the_schedules(self):
        torus = wc.topology("torus", dims=[4], tie="positive")
        self.assertIn("positive", wc.messages([(0, 0, 2)], torus).text())

    def test_bad_messages_are_refused(self):
        mesh = wc.topology("mesh", dims=[4, 4])
        for text, rows in (("node 99 is outside", [(0, 0, 99)]), ("expected step, source, destination", [(0, 0)]),
                           ("found 1.5, expected a whole number", [(0, 0, 1.5)]),
                           ("messages: message 0", [(0, 3, 3)]), ("JSON", [(0, 0, object())]),
                           ("messages: message 1", [(0, 0, 1), (0, 0, 1, [[0, 7]])])):
            self.fails(wc.InputError, text, wc.messages, rows, mesh)
        self.fails(wc.InputError, "expected source, destination, bytes", wc.messages, [(0, 1)], mesh, operation="none")
        self.fails(wc.InputError, "operation", wc.messages, [], mesh, operation="broadcats")
        self.fails(wc.FileError, "no/such/file: cannot be read: No such file", wc.read_schedule, "no/such/file")
        self.fails(wc.InputError, 'no algorithm "recursive_dubling", did you mean "recursive_doubling"?', wc.schedule, "recursive_dubling", mesh)
        self.fails(wc.InputError, "source: node 77 is outside", wc.schedule, "binomial_tree", mesh, source=77)
        self.fails(wc.InputError, 'bytes: "4 apples" has the unknown unit "apples"', wc.schedule, "binomial_tree", mesh, bytes="4 apples")
        self.fails(wc.InputError, "ports: found 0", wc.schedule, "binomial_tree", mesh, ports=0)
        self.fails(wc.InputError, 'unknown key "speed"', wc.schedule, "binomial_tree", mesh, speed=3)
        schedule = wc.schedule("binomial_tree", mesh)
        self.fails(wc.OutputError, "cannot write /no/such/folder/x", schedule.write, "/no/such/folder/x")
        self.fails(wc.InputError, "found message 15, expected 0 to 14", schedule.blocks_of, 15)


class Verifier(Case):
    def test_a_right_schedule_is_proved(self):
        report = wc.verify(wc.schedule("recursion_based", wc.topology("mesh", dims=[32, 32]), bytes=4096))
        self.assertTrue(report.valid and report.complete and report.possession and report.ports)
        # Zhuang & Liberatore: 15 startups and 39/16 of the message on 32 x 32.
        self.assertEqual((report.alpha, report.beta), (15, fractions.Fraction(39, 16)))
        self.assertEqual(report.violations, [])
        self.assertIn("valid             yes", str(report))

    def test_a_wrong_one_is_refuted_with_what_is_wrong(self):
        wrong = wc.messages([(0, 1, 2), (1, 0, 1)], wc.topology("mesh", dims=[4]))
        report = wc.verify(wrong)
        self.assertFalse(report.valid)
        self.assertFalse(report.possession)
        self.assertFalse(report.complete)
        self.assertEqual({violation["kind"] for violation in report.violations}, {"possession", "coverage"})
        self.assertEqual(report.as_dict()["valid"], False)
        self.assertEqual(len(wc.verify(wrong, violations=0).violations), 0)
        self.assertEqual(wc.verify(wrong, violations=0).violation_count, report.violation_count)


if __name__ == "__main__":
    unittest.main()
