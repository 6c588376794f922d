#!/usr/bin/env bash
# Fuzz every target of a build folder for some seconds, starting from the corpus in tests/fuzz/corpus.
#
#     tools/fuzz.sh BUILD SECONDS
#
# What is found stays in BUILD: corpus/ has the inputs that reach new code, findings/ those that break something.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1 seconds=$2

shopt -s nullglob
targets=("$build"/tests/fuzz/fuzz_*)
((${#targets[@]})) || { echo "no fuzz targets in tests/fuzz" >&2; exit 1; }

for target in "${targets[@]}"; do
  name=${target##*/fuzz_}
  mkdir -p "$build/corpus/$name" "$build/findings"
  options=(-max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -artifact_prefix="$build/findings/$name-")
  # The expression graph keeps every node, so one process would grow for ever: -fork gives each round a fresh one.
  options+=(-fork=1)
  [[ -f tests/fuzz/$name.dict ]] && options+=(-dict="tests/fuzz/$name.dict")
  seeds=()
  [[ -d tests/fuzz/corpus/$name ]] && seeds=("tests/fuzz/corpus/$name")
  echo "== $name, $seconds s"
  "$target" "${options[@]}" "$build/corpus/$name" "${seeds[@]}"
done
echo "nothing found; new inputs are in $build/corpus"
