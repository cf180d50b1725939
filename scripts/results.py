"""Adds up what scripts/test.sh ran: prints what failed and what was skipped and why, then one line of counts.

Usage: results.py <folder with ctest-*.xml, pytest-*.xml, go*.log and a .status file of each suite>
"""

import collections
import json
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

CASES = re.compile(r"^cases: (\d+) passed, (\d+) failed, (\d+) skipped$", re.MULTILINE)
SKIP = re.compile(r"^skipped: .*$", re.MULTILINE)


def read_ctest(folder, suite):
    """Each ctest is a program of many cases, which says how many in its last line; one that dies says nothing."""
    counts = collections.Counter()
    for case in ElementTree.parse(folder / f"{suite}.xml").iter("testcase"):
        output = case.findtext("system-out") or ""
        failed = case.find("failure") is not None or case.get("status") == "notrun"  # its program was not built
        lines = CASES.findall(output)
        passed, failures, skipped = (sum(int(line[i]) for line in lines) for i in range(3))
        if not lines and not failed:
            passed = 1
        failures = max(failures, int(failed))
        counts.update(passed=passed, failed=failures, skipped=skipped)
        if failures:
            print(f"---- failed: {case.get('name')}\n{output}")
        for skip in SKIP.findall(output):
            print(f"{case.get('name')}: {skip}")
    return counts


def read_pytest(folder, suite):
    counts = collections.Counter()
    for case in ElementTree.parse(folder / f"{suite}.xml").iter("testcase"):
        name = f"{case.get('classname')}.{case.get('name')}"
        bad = [child for child in case if child.tag in ("failure", "error")]
        skip = case.find("skipped")
        counts["failed" if bad else "passed" if skip is None else "skipped"] += 1
        for child in bad:
            print(f"---- failed: {name}\n{child.text}")
        if skip is not None and not bad:
            print(f"{suite}: skipped: {name}: {skip.get('message')}")
    return counts


def read_go(folder, suite):
    counts = collections.Counter()
    output = collections.defaultdict(str)
    words = {"pass": "passed", "fail": "failed", "skip": "skipped"}
    for line in (folder / f"{suite}.log").read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            event = json.loads(line)
        except ValueError:
            print(f"{suite}: {line}")  # what the compiler and go vet say
            continue
        test = event.get("Test")
        output[test] += event.get("Output", "")
        if test is None or event["Action"] not in words:
            continue
        counts[words[event["Action"]]] += 1
        if event["Action"] == "fail":
            print(f"---- failed: {test}\n{output[test]}")
        elif event["Action"] == "skip":
            print(f"{suite}: skipped: {test}: {' '.join(output[test].split())}")
    return counts


READERS = {"ctest": read_ctest, "go": read_go, "pytest": read_pytest}  # by what a suite's name begins with


def main():
    folder = pathlib.Path(sys.argv[1])
    total = collections.Counter(passed=0, failed=0, skipped=0)
    for status_file in sorted(folder.glob("*.status")):
        suite = status_file.stem
        try:
            counts = READERS[suite.split("-")[0]](folder, suite)
        except (OSError, ElementTree.ParseError):
            counts = collections.Counter()
        # A suite that ends badly without a failed test died before it could say so.
        if int(status_file.read_text()) != 0 and not counts["failed"]:
            print(f"---- failed: {suite} ended with status {status_file.read_text().strip()}")
            print("\n".join((folder / f"{suite}.log").read_text(errors="replace").splitlines()[-60:]))
            counts["failed"] += 1
        elif not counts["passed"] and not counts["failed"]:
            print(f"---- failed: {suite} ran no test")
            counts["failed"] += 1
        total.update(counts)
    print(f"{total['passed']} passed, {total['failed']} failed, {total['skipped']} skipped")
    return 1 if total["failed"] or not total["passed"] else 0


sys.exit(main())
