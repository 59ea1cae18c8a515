#!/usr/bin/env -S python3 -I
"""Exits 0 if the checkout comes from a fork, whose authors may not push to this repository, else 1.

XWALK_UNTRUSTED, "true" or "false", decides if it is set. Otherwise the event decides, which GitHub describes in the file
GITHUB_EVENT_PATH: a pull request, or a workflow run for one, whose head is in another repository.
"""

from __future__ import annotations

import json
import os
import sys


def is_untrusted() -> bool:
    given = os.environ.get("XWALK_UNTRUSTED", "")
    if given in ("true", "false"):
        return given == "true"
    path = os.environ.get("GITHUB_EVENT_PATH", "")
    if given or not path:
        return bool(given)  # any other value means untrusted
    try:
        with open(path, encoding="utf-8") as file:
            event = json.load(file)
        if pull := event.get("pull_request"):
            return (pull["head"]["repo"] or {}).get("id") != pull["base"]["repo"]["id"]
        if run := event.get("workflow_run"):
            return (run["head_repository"] or {}).get("id") != event["repository"]["id"]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return True
    return False


if __name__ == "__main__":
    sys.exit(0 if is_untrusted() else 1)
