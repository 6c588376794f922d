"""What the tests of the Python package share."""

import os
from pathlib import Path

import pytest

import rattleback as rb

ROOT = Path(os.environ.get("RATTLEBACK_ROOT", Path(__file__).resolve().parents[2]))


@pytest.fixture(scope="session")
def sleigh():
    return rb.zoo("chaplygin-sleigh")


@pytest.fixture(scope="session")
def stone():
    return rb.zoo("rattleback")


@pytest.fixture(scope="session")
def root():
    return ROOT
