"""Prints the slowest tests of a ctest run and the number of passed tests: slowest_tests.py JUNIT_XML."""

import sys
import xml.etree.ElementTree


def main() -> None:
    suite = xml.etree.ElementTree.parse(sys.argv[1]).getroot()
    cases = sorted(suite.iter("testcase"), key=lambda case: -float(case.get("time", 0)))
    total = sum(float(case.get("time", 0)) for case in cases)
    print(f"The ten longest of {len(cases)} tests, which took {total:.0f} s in all:")
    for case in cases[:10]:
        print(f"{float(case.get('time', 0)):8.1f} s  {case.get('name')}")
    skipped = int(suite.get("skipped", 0))
    failed = int(suite.get("failures", 0))
    print(f"{len(cases) - failed - skipped} passed, {failed} failed, {skipped} skipped")


main()
