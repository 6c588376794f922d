#!/usr/bin/env bash
# Makes a wheel of the Python package and installs it into a virtual environment that sees the system's packages. No network.
#
#     tools/python-environment.sh build/release build/python
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd)
mkdir -p "$2"
environment=$(cd "$2" && pwd)
python=/usr/bin/python3
[[ -x $python ]] || python=python3

wheels=$build/python/wheel
rm -rf "$wheels" "$build/python/package"
mkdir -p "$wheels"
# setuptools leaves its traces beside pyproject.toml, so it works on a copy.
mkdir -p "$build/python/package"
cp "$root/python/pyproject.toml" "$root/python/setup.py" "$build/python/package"
RATTLEBACK_ROOT=$root RATTLEBACK_BUILD=$build "$python" -m build --wheel --no-isolation --outdir "$wheels" \
  "$build/python/package" > "$build/python/wheel.log" 2>&1 || { cat "$build/python/wheel.log" >&2; exit 1; }

[[ -x $environment/bin/python ]] || "$python" -m venv --system-site-packages "$environment"
"$environment/bin/python" -m pip install --quiet --no-index --no-deps --force-reinstall --disable-pip-version-check \
  "$wheels"/rattleback-*.whl
