"""Makes a wheel of what CMake builds and installs: the component `python` of the tree around this folder.

RATTLEBACK_ROOT names the tree, RATTLEBACK_BUILD its build folder; otherwise they are .. and ../build/release, which is configured
and built when it is not there.
"""

import os
import re
import subprocess
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

ROOT = Path(os.environ.get("RATTLEBACK_ROOT", Path(__file__).resolve().parent.parent))
BUILD = Path(os.environ.get("RATTLEBACK_BUILD", ROOT / "build" / "release"))


class ByCMake(build_py):
    """Leaves the whole package to CMake."""

    def run(self):
        if not (BUILD / "CMakeCache.txt").exists():
            subprocess.run(["cmake", "--preset", "release"], cwd=ROOT, check=True)
        subprocess.run(["cmake", "--build", BUILD, "--target", "rattleback_python"], check=True)
        subprocess.run(["cmake", "--install", BUILD, "--component", "python", "--strip", "--prefix",
                        Path(self.build_lib).resolve()], check=True, stdout=subprocess.DEVNULL)


class Binary(Distribution):
    """The wheel belongs to one kind of machine and one version of Python; setuptools sees no package of its own."""

    def has_ext_modules(self):
        return True

    def has_pure_modules(self):
        return True


version = re.search(r"project\(Rattleback VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1]
setup(version=version, packages=[], py_modules=[], cmdclass={"build_py": ByCMake}, distclass=Binary)
