"""Ctrl-C ends whatever takes long within a second."""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import wormcast as wc

HEAD = """
import sys
import wormcast as w
COSTS = {"startup": "1us", "per_byte": "1ns"}
BIG = {"topology": {"kind": "mesh", "dims": [32, 32]}, "network": COSTS, "algorithm": {"name": "scatter_collect"},
       "message": {"bytes": 100000}}
def pairs(size):
    return w.schedule("pairwise_exchange", w.topology("mesh", dims=[size, size]))
def endless(bytes=2**40, **router):
    return [w.messages([(0, 3, bytes)], w.topology("mesh", dims=[4, 4]), operation="none"), {**COSTS, **router}]
"""

# What is made before, and the call; each takes a minute or more where nobody interrupts it.
CALLS = {
    "engine flit": ("given = endless()", "w.simulate(*given, engine='flit')"),
    "engine cycle": ("given = endless(2**29, router='input_queued', virtual_channels=2)", "w.simulate(*given)"),
    "engine worm, without records": (
        "given = w.messages([(i % 16, (i + 1 + i % 15) % 16, 5) for i in range(10**6)], w.topology('mesh', dims=[4, 4]), "
        "operation='none')",
        "[w.simulate(given, COSTS, contention=False) for _ in range(100)]"),
    "schedule": ("mesh = w.topology('mesh', dims=[192, 192])", "[w.schedule('scatter_collect', mesh) for _ in range(1000)]"),
    "schedule of many blocks": ("mesh = w.topology('mesh', dims=[90, 90])", "w.schedule('pairwise_exchange', mesh)"),
    "verify": ("given = pairs(32)", "[w.verify(given) for _ in range(1000)]"),
    "verify of contributions": (
        "given = w.schedule('ring', w.topology('torus', dims=[24, 24]), operation='all_reduce')",
        "[w.verify(given) for _ in range(1000)]"),
    "run": ("", "[w.run({**BIG, 'topology': {'kind': 'mesh', 'dims': [192, 192]}}) for _ in range(100)]"),
    "text": ("given = pairs(20)", "[given.text() for _ in range(10**4)]"),
    "read": ("text = pairs(20).text()", "[w._core.parse_schedule(text, 'x') for _ in range(10**4)]"),
    "topology": ("", "[w.topology('mesh', dims=[2048, 2048]) for _ in range(10**4)]"),
    "sweep": ("", "w.sweep({**BIG, 'sweep': {'run.seed': list(range(10**5))}})"),
    "sweep by map": ("", "w.sweep({**BIG, 'run': {'engine': 'flit'}, 'sweep': {'run.seed': list(range(10**4))}}, map=map)"),
    "planning of points": (
        "given = {**w._configuration.source({**BIG, 'sweep': {'run.seed': list(range(10**5))}}), 'study': 'sweep', "
        "'repeat': None, 'own_process': False}",
        "[w._core.points(given) for _ in range(100)]"),
    "load": ("", "w.load({'topology': {'kind': 'mesh', 'dims': [16, 16]}, 'network': {**COSTS, 'virtual_channels': 2}, "
             "'traffic': {'pattern': 'uniform', 'bytes': 16, 'precision': 0.0001}, 'load': {'points': [0.1, 0.2, 0.3]}})"),
    "compare": ("", "w.compare(BIG, lengths='1..64MiB')"),
    "choose": ("", "w.choose(BIG, lengths='1..64MiB')"),
    "series": ("", "w.series({**BIG, 'broadcast': {'repeat': 1000}})"),
}


def interrupted(made, call, delay):
    """Seconds from Ctrl-C to the end of a call that has run for `delay` seconds; None where it had ended before."""
    script = f"{HEAD}\n{made}\nprint('begins', flush=True)\ntry:\n    {call}\n    print('done')\n" \
             "except KeyboardInterrupt:\n    print('interrupted', flush=True)\n"
    with subprocess.Popen([sys.executable, "-B", "-c", script], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout.readline() == "begins\n"
        time.sleep(delay)
        begin = time.monotonic()
        child.send_signal(signal.SIGINT)
        answer = child.stdout.readline()
        end = time.monotonic()
        child.stdout.read()
        return end - begin if answer == "interrupted\n" else None


def processor_seconds(process):
    """Of user time, which a process has had."""
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return int(fields[11]) / os.sysconf("SC_CLK_TCK")


class Interrupts(unittest.TestCase):
    # The bound is generous: a machine under load is slower. Where nobody looks, it takes minutes.
    BOUND = 5.0

    def test_every_long_call_ends(self):
        for name, (made, call) in CALLS.items():
            with self.subTest(name):
                seconds = interrupted(made, call, 0.7)
                self.assertIsNotNone(seconds, "it had ended before")
                self.assertLess(seconds, self.BOUND)
                if "WORMCAST_SHOW_SECONDS" in os.environ:
                    print(f"{name}: {seconds:.2f} s")

    def test_the_program_ends_while_it_plans_a_sweep(self):
        text = wc.toml({"topology": {"kind": "mesh", "dims": [32, 32]}, "network": {"startup": "1us", "per_byte": "1ns"},
                        "algorithm": {"name": "scatter_collect"}, "message": {"bytes": 100},
                        "sweep": {"run.seed": {"from": 1, "to": 200_000, "step": 1}}})
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "large.toml").write_text(text)
            with subprocess.Popen([os.environ["WORMCAST_PROGRAM"], "sweep", "large.toml"], cwd=folder,
                                  stderr=subprocess.PIPE, text=True) as program:
                while processor_seconds(program.pid) < 0.5:  # starting takes a tenth
                    time.sleep(0.01)
                begin = time.monotonic()
                program.send_signal(signal.SIGINT)
                message = program.stderr.read()
                program.wait()
                self.assertLess(time.monotonic() - begin, 1)
            self.assertEqual((program.returncode, message), (1, "wormcast: error: interrupted (Interrupt)\n"))
            self.assertEqual(os.listdir(folder), ["large.toml"])  # it had no point yet

    def test_the_next_call_goes_on_as_if_nothing_had_been(self):
        ended = subprocess.run([sys.executable, "-B", "-c", f"""
{HEAD}
import os, signal, threading
threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    w.simulate(*endless(), engine='flit')
except KeyboardInterrupt:
    schedule = pairs(4)
    print(w.simulate(schedule, COSTS, engine='flit').latency == w.simulate(schedule, COSTS).latency)
"""], capture_output=True, text=True)
        self.assertEqual((ended.returncode, ended.stdout), (0, "True\n"), ended.stderr)

    def test_an_exception_of_a_handler_comes_out(self):
        def handle(number, frame):
            raise LookupError("mine")

        before = signal.signal(signal.SIGALRM, handle)
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.3)
            with self.assertRaisesRegex(LookupError, "mine"):
                message = wc.messages([(0, 3, 2**40)], wc.topology("mesh", dims=[4]), operation="none")
                wc.simulate(message, {"startup": "1us", "per_byte": "1ns"}, engine="flit")
        finally:
            signal.signal(signal.SIGALRM, before)


if __name__ == "__main__":
    unittest.main()
