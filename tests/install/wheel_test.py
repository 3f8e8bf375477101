"""The wheel of this build is installed into an environment of its own, and used there.   wheel_test.py SOURCES BUILD"""

import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile

if any(importlib.util.find_spec(name) is None for name in ("wheel", "venv", "ensurepip", "numpy")):
    print("skipped: python3-wheel, python3-venv or python3-numpy is missing")
    sys.exit(77)

USE = """
import importlib.metadata, pathlib, sys, warnings
import wormcast as wc
assert pathlib.Path(wc.__file__).is_relative_to(sys.prefix), wc.__file__
network = {"startup": "1us", "per_byte": "1ns"}
result = wc.run({"topology": {"kind": "mesh", "dims": [4, 4]}, "network": network,
                 "algorithm": {"name": "binomial_tree"}, "message": {"bytes": 64}})
assert result.complete and result.latency > 0 and len(result.deliveries) == 15
sweep = wc.sweep(result.as_dict()["config"] | {"sweep": {"message.bytes": [64, 128]}}).check()
assert len(sweep) == 2
needed = importlib.metadata.metadata("wormcast").get_all("Requires-External")
assert any(name.startswith("libsimgrid") for name in needed), needed
print("latency", result.latency_us, "us; needs", *needed)
"""


def run(*words, **options):
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run([str(word) for word in words], check=True, text=True, env=environment, **options)


sources, build = map(pathlib.Path, sys.argv[1:])
with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch)
    wheel = run(sys.executable, sources / "python/make_wheel.py", build, folder, capture_output=True).stdout.strip()
    run(sys.executable, "-m", "venv", "--system-site-packages", folder / "venv")
    run(folder / "venv/bin/pip", "install", "--no-index", "--quiet", wheel)
    run(folder / "venv/bin/python", "-c", USE, cwd=folder)
    run(folder / "venv/bin/wormcast", "--version", cwd=folder)
    if (folder / "venv/bin/wormcast-reproduce").exists():
        listed = run(folder / "venv/bin/wormcast", "reproduce", "--list", cwd=folder, capture_output=True).stdout
        assert "zhuang" in listed.lower(), listed
