"""What is called ten thousand times takes no more memory than what is called once."""

import gc
import os
import time
import unittest

from needed import COSTS, Case, numpy

import wormcast as wc

MESH = wc.topology("mesh", dims=[3, 3])
TREE = wc.schedule("binomial_tree", MESH)
RESULT = wc.simulate(TREE, COSTS, occupancy=True, explain=True)
CONFIG = {"topology": {"kind": "mesh", "dims": [3, 3]}, "network": COSTS, "algorithm": {"name": "binomial_tree"},
          "message": {"bytes": 100}}
PAGE = os.sysconf("SC_PAGE_SIZE")


def resident():
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * PAGE


def failing(call):
    def again():
        try:
            call()
        except (wc.Error, TypeError):
            return
        raise AssertionError("no error")

    return again


def read_all(thing):
    """All that an object tells."""
    for name in dir(type(thing)):
        if not name.startswith("_") and not callable(getattr(type(thing), name)):
            getattr(thing, name)


CALLS = {
    "topology": lambda: wc.topology("torus", dims=[3, 3]),
    "routes": lambda: (MESH.route(0, 8), MESH.ends(0), MESH.name([1, 1]), MESH.coordinates(3), MESH.distance(0, 8)),
    "schedule": lambda: wc.schedule("binomial_tree", MESH),
    "messages": lambda: wc.messages([(0, 0, 1), (1, 1, 2)], MESH),
    "text": lambda: TREE.text(),
    "verify": lambda: read_all(wc.verify(TREE)),
    "simulate": lambda: wc.simulate(TREE, COSTS, occupancy=True),
    "simulate flits": lambda: wc.simulate(TREE, COSTS, engine="flit", explain=True),
    "run": lambda: wc.run(CONFIG),
    "what results tell": lambda: read_all(RESULT),
    "results as dictionaries": lambda: (RESULT.as_dict(), str(RESULT)),
    "arrays": lambda: (RESULT.deliveries["time"].sum(), RESULT.occupancy, RESULT.schedule.messages, TREE.sizes),
    "deadlock": failing(lambda: wc.run({**CONFIG, "topology": {"kind": "torus", "dims": [6]},
                                        "algorithm": {"name": "ring", "operation": "all_reduce"}, "run": {"engine": "cycle"}})),
    "error of a value": failing(lambda: wc.topology("mesh", dims=[-1])),
    "error of a key": failing(lambda: wc.run({**CONFIG, "x": {}})),
    "error of a file": failing(lambda: wc.read_schedule("/nonexistent")),
    "error of a type": failing(lambda: wc.verify(None)),
    "error of a class": failing(lambda: wc.Result()),
    "error of a message": failing(lambda: wc.messages([(0, 0, 0)], MESH)),
}
SEVERAL = {"messages", "simulate flits", "topology", "error of a message", "error of a value", "error of a file"}
SLOW = {"deadlock", "results as dictionaries", "what results tell", "run", "verify", "error of a key"}


class Memory(Case):
    def test_calls_leave_nothing_behind(self):
        # A leak of 100 bytes a call is a megabyte in the end.
        for name, call in CALLS.items():
            with self.subTest(name):
                count = 500 if name in SLOW else 2000 if name in SEVERAL else 10_000
                for _ in range(count // 5):
                    call()
                before, begin = resident(), time.time()
                for _ in range(count):
                    call()
                grown = resident() - before
                print(name, count, round(time.time() - begin, 1), grown) if "WORMCAST_SHOW_SECONDS" in os.environ else None
                self.assertLess(grown, 50 * count + (256 << 10), f"{grown} bytes in {count} calls")


if __name__ == "__main__":
    unittest.main()
