"""Examples in docstrings and in the tutorial, the stubs, the reference page."""

import doctest
import importlib
import pkgutil
import subprocess
import sys

import pytest

import rattleback as rb

FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
MODULES = ["rattleback", *("rattleback." + m.name for m in pkgutil.iter_modules(rb.__path__) if m.name != "_core")]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name):
    failed, _ = doctest.testmod(importlib.import_module(name), optionflags=FLAGS)
    assert failed == 0


def test_the_tutorial(root):
    path = root / "docs" / "tutorial" / "1-sleigh-python.md"
    failed, tried = doctest.testfile(str(path), module_relative=False, optionflags=FLAGS)
    assert failed == 0 and tried > 20


def test_everything_public_has_a_docstring():
    missing = []
    for name in rb.__all__:
        thing = getattr(rb, name)
        if isinstance(thing, dict):
            continue
        if not (thing.__doc__ or "").strip():
            missing.append(name)
        if not isinstance(thing, type):
            continue
        for key, value in vars(thing).items():
            if not key.startswith("_") and (callable(value) or isinstance(value, property)):
                if not (getattr(value, "__doc__", None) or "").strip():
                    missing.append(f"{name}.{key}")
    assert not missing


def test_the_stubs_describe_the_package(tmp_path):
    # Modules that carry their types themselves; classes of pybind11, which has a metaclass of its own.
    allowed = tmp_path / "allowed"
    allowed.write_text("\n".join([r"rattleback\._(?!core).*", r"rattleback\._core\.(Expression|Rhs|System)(\.__init__)?",
                                  r"rattleback\.Rhs", r"rattleback\.zoo"]))
    done = subprocess.run([sys.executable, "-m", "mypy.stubtest", "rattleback", "--ignore-missing-stub",
                           "--ignore-unused-allowlist", "--allowlist", str(allowed), "--mypy-config-file",
                           str(config(tmp_path))], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def config(folder):
    path = folder / "mypy.ini"
    path.write_text("[mypy]\nignore_missing_imports = True\n")
    return path


def test_a_typed_program_passes_the_type_checker(tmp_path):
    program = tmp_path / "program.py"
    program.write_text('''
import numpy as np
import rattleback as rb

m: rb.Model = rb.zoo("chaplygin-sleigh")
run: rb.Run = m.simulate(until=20, initial={"u": 1})
values: np.ndarray = run["theta"]
outcome: str = m.prove(conserved="u").outcome
sweep: rb.Sweep = m.sweep({"a": np.linspace(0, 1, 3)})
''')
    done = subprocess.run([sys.executable, "-m", "mypy", "--config-file", str(config(tmp_path)), str(program)],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_reference_page_is_up_to_date(root):
    script = next(p for p in (root / "tools" / "write_python_page.py", root / "cmake" / "write_python_page.py")
                  if p.exists())
    done = subprocess.run([sys.executable, str(script), "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
