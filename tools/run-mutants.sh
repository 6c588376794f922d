#!/usr/bin/env bash
# Run the mutants of the trusted kernel on the certificates of the tests, and list the survivors.
#
#     tools/run-mutants.sh build/release      after run_mutants is built; JOBS processes (2) at a time
#
# The certificates stay in BUILD/mutants/corpus; those of changed tests are added to it.
set -euo pipefail

build=$1
mutants=$build/mutants
"$build/tests/run_mutants" record "$mutants/corpus" --no-colors
nice "$build/tests/run_mutants" judge "$mutants/corpus" "$mutants/points.tsv" "$mutants/results.tsv" "${JOBS:-2}"
exec "${PYTHON:-/usr/bin/python3}" tools/mutate_checker.py . "$mutants" --report
