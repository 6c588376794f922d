"""Run the whole suite in a build folder and end with one line: `N passed, N failed`.

    run_tests.py BUILD [ctest arguments...]

doctest executables count test cases, every other test counts as one.
"""

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

CASES = re.compile(r"test cases:\s*\d+ \|\s*(\d+) passed \|\s*(\d+) failed")


def count(test):
    """(passed, failed) of one test of the report; (0, 0) of one that says that what it needs is absent."""
    skipped = test.find("skipped")
    if skipped is not None and "SKIP_RETURN_CODE" in skipped.get("message", ""):
        return 0, 0
    ok = test.get("status") == "run"
    cases = CASES.search(test.findtext("system-out", ""))
    if not cases:
        return int(ok), int(not ok)
    passed, failed = map(int, cases.groups())
    return passed, failed if ok else max(failed, 1)  # it may also have crashed or run out of time


def main(build, *arguments):
    report = Path(build).resolve() / "tests.xml"
    report.unlink(missing_ok=True)
    subprocess.run(["ctest", "--test-dir", build, "--output-on-failure", "--parallel", str(os.cpu_count()),
                    "--output-junit", report, "--test-output-size-passed", "100000", *arguments], check=False)
    tests = xml.parse(report).getroot().findall("testcase") if report.exists() else []
    counts = [count(test) for test in tests]
    passed, failed = sum(p for p, _ in counts), sum(f for _, f in counts)
    for test, (_, wrong) in zip(tests, counts):
        if wrong:
            print(f"failed: {test.get('name')}")
    print(f"{passed} passed, {failed} failed")
    return int(failed > 0 or passed == 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
