"""Faults of the product that are known. Each has a pattern of the messages by which random trips meet it, and a small case that says
whether it is still there: once it is repaired the test fails until its entry is removed here.
"""
import re


class Fault:
    """A pattern of the messages of broken promises, and a case: a function of the program and a folder, true while the fault is there."""

    def __init__(self, pattern, case):
        self.pattern, self.case = re.compile(pattern, re.S), case


#: By campaign, then by name.
OF = {}
