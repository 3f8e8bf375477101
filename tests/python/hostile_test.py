"""Mistakes and attacks, each in a process of its own: an error with a clear text, never the end of the process."""

import os
import signal
import subprocess
import sys
import tempfile
import unittest

from needed import Case

import wormcast as wc

HERE = os.path.dirname(os.path.abspath(__file__))
HEAD = """
import os, signal, sys, threading, time
import wormcast as w
from hostile import *
MESH = w.topology("mesh", dims=[4, 4])
TREE = w.schedule("binomial_tree", MESH, bytes=64)
COSTS = {"startup": "1us", "per_byte": "1ns"}
CONFIG = {"topology": {"kind": "mesh", "dims": [8, 8]}, "network": COSTS,
          "algorithm": {"name": "recursion_based", "source": [0, 0]}, "message": {"bytes": 1024}}
"""

# What is called, and how the error must begin.
ERRORS = {
    "w.schedule('flooding', None)": "TypeError: topology: found None, expected a wormcast.Topology, as topology() makes it",
    "w.schedule('flooding', TREE)": "TypeError: topology: found <broadcast of 15 messages",
    "w.verify(None)": "TypeError: schedule: found None, expected a wormcast.Schedule, as schedule() makes it",
    "w.simulate(MESH, COSTS)": "TypeError: schedule: found <mesh 4 x 4>, expected a wormcast.Schedule",
    "w.simulate(TREE, None)": "InputError: network: found None, expected a dictionary",
    "w.messages([(0, 0, 1)], None)": "TypeError: topology: found None",
    "w.Topology()": "TypeError: found a call of the class wormcast._core.Topology, expected wormcast.topology(), which",
    "w.Topology.__new__(w.Topology)": "TypeError: pybind11_object.__new__(wormcast._core.Topology) is not safe",
    "w.Schedule.__new__(w.Schedule)": "TypeError: pybind11_object.__new__(wormcast._core.Schedule) is not safe",
    "w.Report.__new__(w.Report)": "TypeError: pybind11_object.__new__(wormcast._core.Report) is not safe",
    "w.Result.__new__(w.Result)": "TypeError: pybind11_object.__new__(wormcast._core.Result) is not safe",
    "object.__new__(w.Result)": "TypeError: object.__new__(wormcast._core.Result) is not safe",
    "type('Mine', (w.Schedule,), {})()": "TypeError: found a call of the class Mine, expected wormcast.schedule(), ",
    "type('Mine', (w.Schedule,), {'__new__': lambda kind: object.__new__(kind)})()": "TypeError: object.__new__(Mine)",
    "setattr(MESH, '__class__', w.Schedule)": "TypeError: __class__ assignment only supported for",
    "setattr(w.Schedule, 'bytes', 3)": "TypeError: cannot set 'bytes' attribute of immutable type",
    "w.Schedule.bytes.fget(MESH)": "TypeError: ",
    "__import__('pickle').dumps(MESH)": "TypeError: cannot pickle 'wormcast._core.Topology' object",
    "__import__('copy').deepcopy(TREE)": "TypeError: cannot pickle 'wormcast._core.Schedule' object",
    "w.topology('mesh', dims=OwnList())": "InputError: dims: found <hostile.OwnList object",
    "w.topology('mesh', dims=Endless())": "InputError: dims: found <hostile.Endless object",
    "w.topology('mesh', dims=Immense())": "InputError: dims: found <hostile.Immense object",
    "w.topology('mesh', dims=range(10**18))": "InputError: dims: found range(0, 1000000000000000000)",
    "w.topology('mesh', dims=nested(100000, lambda value: [value]))": "InputError: dims: found [[[[...]]]], expected a truth",
    "w.topology('mesh', dims=own_list())": "InputError: dims: found [[[[...]]]], expected a truth",
    "w.topology('mesh', dims=[10**5000])": "InputError: dims: found ",
    "w.topology('mesh', dims=[10**400, 0.5])": "InputError: dims: found ",
    "w.topology('mesh', dims=BadRepr())": "InputError: dims: found ",
    "w.topology('mesh', dims=BadIndex())": "InputError: dims: found <hostile.BadIndex object",
    "w.topology('mesh', dims=numpy.longdouble(4))": "InputError: \"dims\": found 4.0, expected a list of whole numbers",
    "w.topology('mesh', **{'\\ud800': 1})": "InputError: found '\\ud800' for a key, which has a character that no text",
    "w.topology('\\ud800')": "InputError: found '\\ud800' for the kind of a topology, which has a character",
    "w.topology(3)": "InputError: found 3 for the kind of a topology, expected a str",
    "w.topology('graph', file='\\ud800')": "InputError: file: found '\\ud800' for a text, which has a character",
    "w.topology('graph', file='a\\0b.dot')": "InputError: \"file\": found a zero byte behind \"a\", expected a file name",
    "w.topology('graph', file=BytesPath())": "InputError: \\xff\\xfe: found the ending",
    "w.topology('graph', file=LyingPath())": "TypeError: expected LyingPath.__fspath__() to return str or bytes, not int",
    "w.read_schedule('a\\0b.json')": "InputError: found 'a\\x00b.json', expected a file name, which has no zero bytes",
    "w.read_schedule('\\ud800')": "InputError: found '\\ud800', expected a file name, which has no such characters",
    "w.read_schedule(3)": "TypeError: expected str, bytes or os.PathLike object, not int",
    "TREE.write('a\\0b')": "InputError: found 'a\\x00b', expected a file name",
    "w.run('a\\0b.toml')": "InputError: found 'a\\x00b.toml', expected a file name",
    "w.run(None)": "TypeError: expected str, bytes or os.PathLike object, not NoneType",
    "w.run({1: {2: 3}})": "InputError: found the key 1, expected a text",
    "w.run({'topology': 3})": "InputError: configuration:1:12: topology: found 3, expected a section",
    "w.run({'topology': {'kind': 'mesh', 'dims': own_list()}})": "InputError: found more than 16 lists and dictionaries",
    "w.run({'topology': own_dict()})": "InputError: found more than 16 lists and dictionaries",
    "w.run({'topology': nested(900, lambda value: {'a': value})})": "InputError: found more than 16 lists",
    "w.run({'topology': {'kind': '\\ud800'}})": "InputError: a text: found '\\ud800', which has characters that no text",
    "w.run({'run': {'seed': Number(3)}}, set={'run.x': 10**5000})": "InputError: found ",
    "w.run(CONFIG, set=3)": "TypeError: set: found 3, expected a dictionary of keys and values",
    "w.run(CONFIG, unset=3)": "InputError: unset: found 3, expected a list",
    "w.run(CONFIG, unset=[3])": "InputError: unset: found 3, expected a text",
    "w.run(CONFIG, contention='no')": "InputError: contention: found 'no', expected True or False",
    "w.toml(None)": "InputError: found None, expected a dictionary of sections",
    "w.verify(TREE, violations=-1)": "InputError: violations: found -1, expected a whole number from 0 to",
    "w.verify(TREE, violations=2**70)": "InputError: violations: found 1180591620717411303424, expected",
    "TREE.blocks_of(-1)": "InputError: found message -1, expected 0 to 14",
    "TREE.blocks_of(2**70)": "InputError: found 1180591620717411303424, expected a whole number of 64 bits",
    "TREE.blocks_of(None)": "InputError: found None, expected a truth value, a number, a text",
    "MESH.ends('x')": "InputError: found 'x' for a channel, expected a whole number",
    "w.messages(None, MESH)": "InputError: messages: found None, expected a list of messages",
    "w.messages([None], MESH)": "InputError: message 0: found None, expected a tuple of numbers",
    "w.messages([(0, 1, own_list())], MESH, operation='none')": "InputError: messages: ValueError('Circular reference",
    "w.messages([(0, 0, 10**5000)], MESH)": "InputError: messages: ValueError(",
    "w.messages([(0, 0, 1)], MESH, operation=None)": "InputError: operation: found None, expected a text",
    "w.messages([(0, 0, 1)], MESH, destinations=3)": "InputError: destinations: found 3, expected a list",
    "w.sweep(CONFIG, jobs=1.5)": "InputError: jobs: found 1.5, expected a whole number",
    "w.sweep(CONFIG, jobs=2**70)": "InputError: jobs: found 1180591620717411303424, expected",
    "w.sweep(CONFIG, repeat='3')": "InputError: repeat: found '3', expected a whole number",
    "w.sweep(CONFIG, resume='yes')": "InputError: resume: found 'yes', expected True or False",
    "w.sweep(CONFIG, out='a\\0b')": "InputError: found 'a\\x00b', expected a file name",
    "w.sweep(CONFIG, map=3)": "InputError: map: found 3, expected a function such as an executor's map",
    "w.compare(CONFIG, algorithms=[3])": "InputError: algorithms: found 3, expected a text",
    "w.compare(CONFIG, lengths=3)": "InputError: lengths: found 3, expected a text",
    "w.series(CONFIG, explain=0)": "InputError: explain: found 0, expected True or False",
}

# What is done, and what it must print.
GOOD = {
    "views outlive their results": ("""
import gc
views = []
for _ in range(100):
    result = w.run(CONFIG, occupancy=True)
    views.append((result.deliveries, result.contention, result.occupancy, result.schedule.messages, result.schedule.sizes))
    del result
gc.collect()
others = [bytes(bytearray(20000)) for _ in range(2000)]
first = views[0][0]["time"].copy()
print(all((view[0]["time"] == first).all() and (view[3]["source"] < 64).all() for view in views))
""", "True"),
    "views cannot be written": ("""
times = w.run(CONFIG).deliveries
try:
    times.flags.writeable = True
    print("writeable")
except ValueError:
    print("read-only")
""", "read-only"),
    "a process forks beside threads": ("""
stop = []
def run():
    while not stop:
        w.run(CONFIG)
threads = [threading.Thread(target=run) for _ in range(2)]
for thread in threads: thread.start()
ends = set()
for _ in range(10):
    child = os.fork()
    if child == 0:
        signal.alarm(30)
        os._exit(0 if w.run(CONFIG).latency else 1)
    ends.add(os.waitpid(child, 0)[1])
stop.append(1)
for thread in threads: thread.join()
print(ends)
""", "{0}"),
    "the program ends beside a daemon's run": ("""
threading.Thread(target=lambda: [w.run(CONFIG) for _ in range(10**6)], daemon=True).start()
threading.Thread(target=lambda: [w.verify(TREE) for _ in range(10**6)], daemon=True).start()
time.sleep(0.3)
print("end")
""", "end"),
    "a subinterpreter has the module, too": ("""
import _xxsubinterpreters as interpreters
other = interpreters.create()
interpreters.run_string(other, f'''
import sys
sys.path[:] = {sys.path!r}
import wormcast as w
result = w.simulate(w.schedule("flooding", w.topology("mesh", dims=[4, 4])), {{"startup": "1us", "per_byte": "1ns"}})
assert result.latency
try:
    w.topology("mesh", dims=0)
except w.InputError:
    print("error", flush=True)
''')
interpreters.destroy(other)
print(w.run(CONFIG).latency > 0)
""", "error\nTrue"),
    "Ctrl-C beside a run in another thread": ("""
costs = {**COSTS, "per_byte": "10ns"}
pairs = w.schedule("pairwise_exchange", w.topology("mesh", dims=[8, 8]), bytes=500)
expected = w.simulate(pairs, costs, engine="flit").latency
found = []
thread = threading.Thread(target=lambda: found.append(w.simulate(pairs, costs, engine="flit").latency))
thread.start()
try:
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(30)
except KeyboardInterrupt:
    thread.join()
print(found == [expected])
""", "True"),
}


def run(code, **environment):
    paths = os.pathsep.join([HERE, os.environ["PYTHONPATH"]])
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run([sys.executable, "-B", "-c", HEAD + code], cwd=folder, capture_output=True, text=True,
                              errors="replace", env={**os.environ, "PYTHONPATH": paths, **environment})


class Hostile(Case):
    def test_mistakes_are_errors_with_a_text(self):
        code = f"""
for call in {list(ERRORS)!r}:
    print("@@@", flush=True)
    try:
        eval(call)
        print("no error")
    except Exception as error:
        print(f"{{type(error).__name__}}: {{error}}".encode("ascii", "backslashreplace").decode())
"""
        ended = run(code)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        answers = [answer.strip() for answer in ended.stdout.split("@@@\n")[1:]]
        self.assertEqual(len(answers), len(ERRORS))
        for (call, expected), answer in zip(ERRORS.items(), answers):
            with self.subTest(call=call):
                self.assertTrue(answer.startswith(expected), answer[:300])
                self.assertLess(len(answer), 1500)

    def test_odd_things_that_are_allowed(self):
        for name, (code, expected) in GOOD.items():
            with self.subTest(name):
                ended = run(code)
                self.assertEqual((ended.returncode, ended.stdout.strip()), (0, expected), ended.stderr[-1000:])

    def test_memory_that_is_not_there_is_an_error(self):
        ended = run("""
import resource
resource.setrlimit(resource.RLIMIT_AS, (800 << 20, 800 << 20))
try:
    w.run({**CONFIG, "topology": {"kind": "mesh", "dims": [512, 512]}, "algorithm": {"name": "scatter_collect"}})
except (w.InputError, MemoryError) as error:
    print(type(error).__name__, error)
""")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertRegex(ended.stdout, "^(InputError .* memory|MemoryError out of memory)")

    def test_good_odd_values_are_taken(self):
        import hostile
        import numpy

        self.assertEqual(wc.topology("mesh", dims=numpy.array([4, 4], dtype="u1")).nodes, 16)
        self.assertEqual(wc.topology(hostile.Text("mesh"), dims=(4, 4)).nodes, 16)
        self.assertEqual(wc.topology(numpy.str_("mesh"), dims=range(2, 5)).nodes, 24)
        self.assertEqual(wc.topology("mesh", dims=[hostile.Number(3), numpy.int8(2)]).nodes, 6)
        result = wc.run({"topology": {"kind": "mesh", "dims": [2]}, "network": {"startup": "1us", "per_byte": "1ns"},
                         "algorithm": {"name": "flooding"}, "message": {"bytes": 8}},
                        contention=numpy.bool_(True))
        self.assertIsNotNone(result.latency)


if __name__ == "__main__":
    unittest.main()
