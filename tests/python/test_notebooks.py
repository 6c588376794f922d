"""The notebooks of docs/notebooks run from their first cell to their last, and show what their saved outputs show."""

import sys

import nbformat
import pytest
from conftest import ROOT

sys.path.insert(0, str(ROOT / "tools"))
from execute_notebooks import executed, kinds  # noqa: E402

NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


def test_there_are_twelve():
    assert len(NOTEBOOKS) == 12


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_it_runs(path):
    assert kinds(executed(path)) == kinds(nbformat.read(path, as_version=4)), "execute it anew: tools/execute_notebooks.py"
