#!/usr/bin/env bash
# Run the mutants of the trusted kernel on the certificates of the tests, and list the survivors.
#
#     tools/run-mutants.sh build/release      after run_mutants is built; JOBS processes (2) at a time, SECONDS_EACH (5) for a survivor
#
# The certificates stay in BUILD/mutants/corpus; those of changed tests are added to it. A run that was stopped is continued: what is
# judged stays in BUILD/mutants/results.tsv until the kernel or the certificates change; then what killed a mutant is tried first.
set -euo pipefail

build=$1
mutants=$build/mutants
"$build/tests/mutants/run_mutants" record "$mutants/corpus" --no-colors
if [[ -f $mutants/results.tsv && ($mutants/points.tsv -nt $mutants/judged.tsv || $mutants/corpus -nt $mutants/judged.tsv) ]]; then
  "${PYTHON:-/usr/bin/python3}" tools/mutate_checker.py . "$mutants" --carry
fi
[[ -f $mutants/results.tsv ]] || cp "$mutants/points.tsv" "$mutants/judged.tsv"
# Half a second kills most mutants; what survives is tried on more certificates.
nice "$build/tests/mutants/run_mutants" judge "$mutants/corpus" "$mutants/points.tsv" "$mutants/kinds.txt" "$mutants/results.tsv" \
  "${JOBS:-2}" 0.5 "${SECONDS_EACH:-5}"
exec "${PYTHON:-/usr/bin/python3}" tools/mutate_checker.py . "$mutants" --report
