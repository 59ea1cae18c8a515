#!/usr/bin/env bash
# The last step of action.yml: asks the pairs of the project's xwalk.toml, where there is one. XWALK_CONFIG names another file;
# GITHUB_STEP_SUMMARY is GitHub's own.
set -euo pipefail
config=${XWALK_CONFIG:-}
if [ -z "$config" ] && [ ! -f xwalk.toml ]; then exit 0; fi
words=(check ${config:+--config "$config"})
code=0
xwalk "${words[@]}" --output github || code=$?
if [ "$code" != 2 ] && [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
  xwalk "${words[@]}" --output markdown >>"$GITHUB_STEP_SUMMARY" || true
fi
exit "$code"
