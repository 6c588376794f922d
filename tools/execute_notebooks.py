#!/usr/bin/env python3
"""Executes notebooks with the package of this interpreter and saves what their cells show.

    build/python/bin/python tools/execute_notebooks.py [docs/notebooks/01-sleigh.ipynb ...]

Without names: all of docs/notebooks. With --check nothing is saved; the outputs must be of the kinds that are saved.
"""

import contextlib
import itertools
import json
import os
import sys
import tempfile
import time
from pathlib import Path

import nbclient
import nbformat

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "notebooks"


@contextlib.contextmanager
def this_interpreter():
    """Makes this interpreter the kernel `python3`; gives a folder to work in."""
    with tempfile.TemporaryDirectory() as folder:
        spec = Path(folder) / "kernels" / "python3"
        spec.mkdir(parents=True)
        command = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        (spec / "kernel.json").write_text(json.dumps({"argv": command, "display_name": "Python 3", "language": "python"}))
        before = {name: os.environ.pop(name, None) for name in ("JUPYTER_PATH", "MPLBACKEND")}
        os.environ["JUPYTER_PATH"] = folder
        os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"  # the debugger of the kernel is of no use here
        try:
            yield folder
        finally:
            del os.environ["JUPYTER_PATH"]
            os.environ.update({name: value for name, value in before.items() if value is not None})


def executed(path, seconds=300):
    """The notebook as read, with fresh outputs."""
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    with this_interpreter() as folder:
        nbclient.NotebookClient(notebook, timeout=seconds, kernel_name="python3",
                                resources={"metadata": {"path": folder}}).execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # when it ran says nothing
    return notebook


def kinds(notebook):
    """What each cell shows, in order: text, formulas, pictures. In how many pieces a text arrives depends on the clock."""
    shown = [[sorted(output.get("data", {"text": ""})) for output in cell.get("outputs", [])] for cell in notebook.cells]
    return [[kind for kind, _ in itertools.groupby(cell)] for cell in shown]


def main(arguments):
    check = "--check" in arguments
    paths = [Path(a) for a in arguments if a != "--check"] or sorted(FOLDER.glob("*.ipynb"))
    failed = 0
    for path in paths:
        begin = time.monotonic()
        notebook = executed(path)
        remark = ""
        if not check:
            nbformat.write(notebook, path)
        elif kinds(notebook) != kinds(nbformat.read(path, as_version=4)):
            failed, remark = 1, ": its outputs are of another kind than those saved"
        print(f"{path.name} {time.monotonic() - begin:.1f} s{remark}", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
