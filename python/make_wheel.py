"""Makes a wheel of a finished build: the module, and the programs that it runs.   make_wheel.py BUILD OUT

It holds no library of others. Its metadata names Debian's packages with those that the module needs (Requires-External).
Needs Debian's package python3-wheel. Prints the name of the file."""

import pathlib
import re
import subprocess
import sys
import sysconfig
import tempfile

from wheel.wheelfile import WheelFile

SOURCES = pathlib.Path(__file__).resolve().parent.parent


def version_of(build):
    cache = (build / "CMakeCache.txt").read_text()
    return re.search(r"^CMAKE_PROJECT_VERSION:STATIC=(.+)$", cache, re.MULTILINE)[1]


def installed(build, folder):
    """The components of the build as `cmake --install` puts them below `folder`."""
    for component in ("python", "program"):
        subprocess.run(["cmake", "--install", build, "--prefix", folder, "--component", component, "--strip"],
                       check=True, stdout=subprocess.DEVNULL)


def debian_packages(library):
    """Names of the packages that have the libraries which `library` is linked against itself."""
    dynamic = subprocess.run(["readelf", "-d", library], check=True, capture_output=True, text=True).stdout
    needed = set(re.findall(r"\(NEEDED\).*\[(.+)\]", dynamic))
    paths = subprocess.run(["ldd", library], check=True, capture_output=True, text=True).stdout
    packages = set()
    for name, path in re.findall(r"^\s*(\S+) => (/\S+)", paths, re.MULTILINE):
        if name in needed:
            owner = subprocess.run(["dpkg-query", "-S", f"*{pathlib.Path(path).resolve()}"], capture_output=True, text=True)
            packages.add(owner.stdout.split(":")[0])
    return sorted(packages - {"", "libc6", "libgcc-s1", "libstdc++6"})


def metadata(version, packages):
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    lines = ["Metadata-Version: 2.1", "Name: wormcast", f"Version: {version}",
             "Summary: Discrete-event simulator of collective communication on wormhole-switched networks",
             f"Requires-Python: =={python}.*", "Requires-Dist: numpy",
             *(f"Requires-External: {package}" for package in packages), "License-File: LICENSE"]
    return "\n".join(lines) + "\n"


def make_wheel(build, out):
    version = version_of(build)
    tag = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = re.sub(r"[-.]", "_", sysconfig.get_platform())
    name = f"wormcast-{version}-{tag}-{tag}-{platform}.whl"
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, WheelFile(out / name, "w") as wheel:
        stage = pathlib.Path(scratch)
        installed(build, stage)
        package = next(stage.glob("**/dist-packages/wormcast"))
        info, data = f"wormcast-{version}.dist-info", f"wormcast-{version}.data"
        for file in sorted(path for path in stage.rglob("*") if path.is_file()):
            inside = file.relative_to(stage)
            if package in file.parents:
                wheel.write(file, str(pathlib.Path("wormcast") / file.relative_to(package)))
            elif inside.parts[0] == "bin":
                wheel.write(file, f"{data}/scripts/{file.name}")
            else:
                wheel.write(file, f"{data}/data/{inside}")
        core = next(package.glob("_core.*.so"))
        wheel.writestr(f"{info}/METADATA", metadata(version, debian_packages(core)))
        wheel.writestr(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: wormcast\nRoot-Is-Purelib: false\n"
                                        f"Tag: {tag}-{tag}-{platform}\n")
        wheel.write(SOURCES / "LICENSE", f"{info}/LICENSE")
    return out / name


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    print(make_wheel(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])))
