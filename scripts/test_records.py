# SPDX-License-Identifier: BSD-3-Clause
"""Prints a line "passed|failed|skipped NAME" for each test case in a JUnit file written by ctest.

Test cases are read from the output of cmocka, unittest and Boost.Test, because CTest knows only programs.
"""
import re
import sys
import xml.etree.ElementTree

CMOCKA = re.compile(r"^\[ *(OK|FAILED|SKIPPED|ERROR) *\] (\w+)$", re.MULTILINE)
UNITTEST = re.compile(r"^Ran (\d+) tests? in .*\n+(?:OK|FAILED)(?: \((.*)\))?", re.MULTILINE)
UNITTEST_FAILED = re.compile(r"^(?:FAIL|ERROR): (\w+) \(", re.MULTILINE)
UNITTEST_SKIPPED = re.compile(r"^(\w+) \(.*\)(?:\n.*)? \.\.\. skipped ['\"](.*)['\"]$", re.MULTILINE)
BOOST = re.compile(r"^Running (\d+) test cases?\.\.\.", re.MULTILINE)


def cmocka_cases(output):
    """Returns (outcome, name) of each test case. cmocka repeats names in its summary."""
    outcomes = dict((name, state) for state, name in CMOCKA.findall(output))
    words = {"OK": "passed", "SKIPPED": "skipped"}
    return [(words.get(state, "failed"), name) for name, state in outcomes.items()]


def unittest_cases(output):
    cases = []
    for total, details in UNITTEST.findall(output):
        counts = {key: int(value) for key, value in re.findall(r"(\w+)=(\d+)", details)}
        skipped = counts.get("skipped", 0)
        failed = min(int(total), counts.get("failures", 0) + counts.get("errors", 0))
        cases += [("passed", "case")] * max(0, int(total) - failed - skipped)
        cases += named("failed", UNITTEST_FAILED.findall(output), failed)
        cases += named("skipped", [f"{name} ({why})" for name, why in UNITTEST_SKIPPED.findall(output)], skipped)
    return cases


def named(state, names, count):
    """Cases with printed names."""
    return [(state, name) for name in (names + ["case"] * count)[:count]]


def boost_cases(output):
    return [("passed", "case")] * sum(int(count) for count in BOOST.findall(output))


def records(test):
    name, status = test.get("name"), test.get("status")
    output = test.findtext("system-out") or ""
    skipped = test.find("skipped")
    if status == "disabled" or status == "notrun":
        reason = skipped.get("message", "") if skipped is not None else ""
        if status == "notrun" and "Unable to find executable" in reason:
            return [("failed", f"{name}: not built")]
        told = re.findall(r"^skipped: (.*)$", output, re.MULTILINE)
        return [("skipped", f"{name}: {told[0] if told else reason or status}")]
    cases = [(state, f"{name}: {case}") for state, case in
             cmocka_cases(output) or unittest_cases(output) or boost_cases(output)]
    failed = any(state == "failed" for state, _ in cases)
    if status == "run":
        return [case for case in cases if case[0] != "failed"] if failed else cases or [("passed", name)]
    return cases if failed else [("failed", name)]


def main(path):
    tests = xml.etree.ElementTree.parse(path).getroot().iter("testcase")
    for test in tests:
        for state, name in records(test):
            print(state, name)


if __name__ == "__main__":
    main(sys.argv[1])
