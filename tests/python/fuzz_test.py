"""Calls whatever the module has with good, odd and hostile arguments: no call may end the process, nor raise what the page
of the module does not name.   python3 fuzz_test.py [CALLS [SEED]]

A child does the calls; the one after which it died is told by the number that it wrote before.
"""

import os
import random
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import unittest

CALLS, SEED = 3000, 20260501
SLOW = {"sweep", "load", "compare", "series", "choose", "view", "collectives", "contention", "reproduce"}  # they start a process
BAD_WORDS = ("Unable to cast", "std::", "json.exception", "basic_string", "bad_alloc", "terminate")


class TooLong(Exception):
    """A call has been interrupted after some seconds, which is none of its faults."""


class Calls:
    """The calls of a seed: each is a function of its number, so that one alone can be done again."""

    def __init__(self, seed):
        import hostile
        import wormcast as wc

        self.wc, self.seed, self.hostile = wc, seed, hostile
        self.allowed = (wc.Error, TypeError, ValueError, MemoryError, hostile.Spite, TooLong)
        mesh = wc.topology("mesh", dims=[4, 4])
        torus = wc.topology("torus", dims=[4], tie="random")
        schedule = wc.schedule("recursive_doubling", mesh, bytes=64)
        plain = wc.messages([(0, 3, 100), (3, 0, 5, [0])], torus, operation="none")
        costs = {"startup": "1us", "per_byte": "1ns"}
        config = {"topology": {"kind": "mesh", "dims": [4, 4]}, "network": costs,
                  "algorithm": {"name": "binomial_tree", "source": 0}, "message": {"bytes": 64}}
        self.objects = [mesh, torus, schedule, plain, wc.verify(schedule), wc.simulate(schedule, costs, occupancy=True),
                        wc.simulate(plain, {**costs, "virtual_channels": 2}, explain=True)]
        self.classes = [wc.Topology, wc.Schedule, wc.Report, wc.Result]
        sweep = {**config, "sweep": {"message.bytes": [64, 128]}}
        traffic = {"topology": {"kind": "mesh", "dims": [2, 2]}, "network": costs, "load": {"points": [0.1]},
                   "traffic": {"pattern": "uniform", "bytes": 16}}
        self.good = [mesh, torus, schedule, plain, costs, config, sweep, traffic, "mesh", "torus", "hypercube", "ring",
                     "recursive_doubling", "flooding", "none", "broadcast", "total_exchange", "all", "half", "4KiB", "1us",
                     "best", "random", "x.json", "/proc/nonexistent", ".", [4, 4], [2], [0, 0], [3, 3], 0, 3, 16, True, False,
                     [(0, 0, 1), (1, 1, 2)], [(0, 1, 5)], [(0, 0, 1, [[0, 1]])], {"run.seed": 2}, map,
                     {**costs, "router": "input_queued", "routing": "valiant", "virtual_channels": 8}]
        self.odd = list(hostile.VALUES.values())
        self.names = ["dims", "dimension", "file", "source", "bytes", "ports", "duplex", "startup", "per_byte", "segments",
                      "operation", "routing", "tie", "blocks", "destinations", "violations", "contention", "occupancy",
                      "explain", "unchecked", "set", "unset", "mode", "engine", "seed", "start_jitter", "tie_break", "nope",
                      "\ud800", "repeat", "jobs", "resume", "out", "algorithms", "lengths", "fluid", "map", "node"]
        self.functions = [name for name in wc.__all__
                          if callable(getattr(wc, name)) and not isinstance(getattr(wc, name), type)]

    def value(self, draw, hostile=0.5):
        if draw.random() >= hostile:
            return draw.choice(self.good)
        value = draw.choice(self.odd)
        if draw.random() < 0.25:
            return {draw.choice(self.names): value, "network": {draw.choice(self.names): value}}
        return [value, draw.choice(self.odd)] if draw.random() < 0.15 else value

    def arguments(self, draw):
        return [self.value(draw) for _ in range(draw.choice([0, 1, 1, 2, 2, 3]))]

    def function(self, draw):
        name = draw.choice(self.functions)
        while name in SLOW and draw.random() < 0.9:
            name = draw.choice(self.functions)
        starts = {"topology": ["mesh"], "schedule": ["binomial_tree", self.objects[0]], "verify": [self.objects[2]],
                  "simulate": [self.objects[2], self.good[4]], "messages": [[(0, 0, 1)], self.objects[0]],
                  "run": [self.good[5]], "sweep": [self.good[6]], "load": [self.good[7]], "compare": [self.good[5]],
                  "choose": [self.good[5]], "view": [self.good[5]], "collectives": [self.good[5]],
                  "contention": ["no.trace"], "reproduce": ["no_such_claim"]}
        given = [self.value(draw) if draw.random() < 0.3 else value for value in starts.get(name, [])]
        if draw.random() < 0.3:
            given = given[:-1] if draw.random() < 0.5 else given + self.arguments(draw)
        named = {draw.choice(self.names): self.value(draw) for _ in range(draw.choice([0, 1, 1, 2, 3]))}
        if name in SLOW:
            named.pop("algorithms", None)
            if name not in ("contention", "view"):
                named.setdefault("jobs", 1)
        return f"wc.{name}", getattr(self.wc, name), given, named

    def method(self, draw):
        owner = draw.choice(self.objects)
        name = draw.choice([name for name in dir(owner) if not name.startswith("__") or name in
                            ("__repr__", "__str__", "__len__", "__eq__", "__hash__", "__getstate__", "__class__")])
        what = f"{type(owner).__name__}.{name}"
        if draw.random() < 0.1:  # of an object of another class, or of none
            return what, getattr(type(owner), name), [self.value(draw), *self.arguments(draw)], {}
        if draw.random() < 0.1:
            return f"{what} =", lambda value: setattr(owner, name, value), [self.value(draw)], {}
        value = getattr(owner, name)
        return (what, value, self.arguments(draw), {}) if callable(value) else (what, lambda: value, [], {})

    def making(self, draw):
        kind = draw.choice(self.classes)
        make = draw.choice([kind, kind.__new__, object.__new__, lambda *given: kind.__new__(kind, *given).__init__(),
                            lambda *given: type("Derived", (kind,), {})(*given)])
        return f"making {kind.__name__}", make, [kind, *self.arguments(draw)][draw.choice([0, 1]):], {}

    def call(self, number):
        draw = random.Random(self.seed * 1_000_003 + number)
        return draw.choice([self.function] * 6 + [self.method] * 3 + [self.making])(draw)

    def strange(self, number):
        """What is wrong with a call: None, or a sentence."""
        what, function, given, named = self.call(number)
        signal.setitimer(signal.ITIMER_REAL, 3)
        try:
            try:
                function(*given, **named)
            finally:  # within the outer try: an alarm that waited for the end of the call is raised here
                signal.setitimer(signal.ITIMER_REAL, 0)
        except self.allowed as error:
            text = "" if isinstance(error, self.hostile.Spite) else str(error)
            words = [word for word in BAD_WORDS if word in text]
            return f"{what}: {type(error).__name__}: {text[:300]}" if words else None
        except AttributeError as error:  # of Python, not of the module
            return None if "=" in what or "Derived" in what else f"{what}: {error!r}"[:500]
        except RecursionError as error:  # of Python's own str() of an argument
            return None if ".__" in what else f"{what}: {error!r}"[:500]
        except BaseException as error:
            return f"{what}: {type(error).__name__}: {error}"[:500]
        return None


def work(first, last, seed, places):
    def interrupt(*_):
        raise TooLong

    signal.signal(signal.SIGALRM, interrupt)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    import warnings

    warnings.simplefilter("ignore")
    calls = Calls(seed)
    with open(places, "r+b", buffering=0) as place:
        for number in range(first, last):
            place.seek(0)
            place.write(struct.pack("<q", number))
            strange = calls.strange(number)
            if strange:
                print(f"call {number}: {strange}", flush=True)
        place.seek(0)
        place.write(struct.pack("<q", last))


def fuzz(count, seed):
    """What went wrong in the calls 0 to count - 1 of a seed."""
    found, first = [], 0
    with tempfile.TemporaryDirectory() as folder:
        places = os.path.join(folder, "place")
        while first < count:
            with open(places, "wb") as place:
                place.write(struct.pack("<q", first))
            ended = subprocess.run([sys.executable, "-B", os.path.abspath(__file__), "--work", str(first), str(count), str(seed),
                                    places], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                   errors="replace")
            with open(places, "rb") as place:
                reached = struct.unpack("<q", place.read())[0]
            found += ended.stdout.splitlines()
            if ended.returncode != 0 or reached < count:
                found.append(f"call {reached}: exit code {ended.returncode}: {ended.stderr[-600:]}")
            first = reached + 1
    return found


class Fuzz(unittest.TestCase):
    def test_no_argument_ends_the_process(self):
        found = fuzz(CALLS, SEED)
        self.assertEqual(found, [])


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1] == "--work":
        work(int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]), sys.argv[5])
    elif len(sys.argv) > 1:
        problems = fuzz(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else SEED)
        print("\n".join(problems), f"{len(problems)} strange calls of {sys.argv[1]}", sep="\n")
        sys.exit(1 if problems else 0)
    else:
        unittest.main()
