"""Every example of docs/python.md is run, each in a process of its own; what users can see has a documentation."""

import inspect
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from needed import Case

import wormcast as wc

PAGE = pathlib.Path(os.environ["WORMCAST_DOCUMENTATION"]) / "python.md"


class Documentation(Case):
    def test_examples_run(self):
        try:
            import pandas  # noqa: F401
        except ImportError:
            self.skipTest("pandas (Debian: python3-pandas) is missing")
        examples = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
        self.assertGreaterEqual(len(examples), 6)
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(os.environ["WORMCAST_CONFIGS"], f"{folder}/configs")
            reproduces = pathlib.Path(os.environ["WORMCAST_PROGRAM"]).with_name("wormcast-reproduce").exists()
            for example in examples:
                if "wc.reproduce" in example and not reproduces:
                    continue  # it is left out of this build
                with self.subTest(example=example):
                    ended = subprocess.run([sys.executable, "-c", example], cwd=folder, capture_output=True, text=True)
                    self.assertEqual((ended.returncode, ended.stderr), (0, ""))
                    self.assertNotEqual(ended.stdout, "")

    def test_the_page_names_every_field_of_the_arrays(self):
        page = PAGE.read_text()
        result = wc.simulate(wc.schedule("binomial_tree", wc.topology("mesh", dims=[4])),
                             {"startup": "1us", "per_byte": "1ns"}, occupancy=True)
        for array in (result.deliveries, result.contention, result.occupancy, result.schedule.messages):
            for field in array.dtype.names:
                self.assertIn(f"`{field}`", page)

    def test_everything_public_is_documented_and_in_the_stub(self):
        stub = (pathlib.Path(wc.__file__).parent / "_core.pyi").read_text()
        for name in wc.__all__:
            value = getattr(wc, name)
            if inspect.isclass(value) or callable(value):
                self.assertTrue(inspect.getdoc(value), name)
        for kind in (wc.Report, wc.Result, wc.Schedule, wc.Topology):
            for name, value in vars(kind).items():
                if not name.startswith("_"):
                    self.assertTrue(value.__doc__, f"{kind.__name__}.{name}")
                    self.assertRegex(stub, rf"def {name}\(", f"{kind.__name__}.{name}")


if __name__ == "__main__":
    unittest.main()
