#!/usr/bin/env bash
# The last step of action.yml: checks the pairs of the project's xwalk.toml, if it has one. XWALK_CONFIG names another file,
# XWALK_ALLOW_HOST the hosts that get credentials although the file names them, one a line. In a pull request from
# a fork (see untrusted.py) the file may name only files of the repository, and no host gets anything.
# GITHUB_STEP_SUMMARY is GitHub's own.
set -euo pipefail
source "${BASH_SOURCE[0]%/*}/path.sh"
config=${XWALK_CONFIG:-}
if [ -z "$config" ]; then
  if [ ! -f xwalk.toml ]; then exit 0; fi
  config=xwalk.toml
fi
if [ -L "$config" ]; then
  echo "::error::the project file is a symbolic link, which is not followed"
  exit 2
fi
words=(check --config="$config")
if "$(dirname "${BASH_SOURCE[0]}")/untrusted.py"; then
  words+=(--untrusted)
else
  mapfile -t hosts < <(printf '%s\n' "${XWALK_ALLOW_HOST:-}" | sed '/^[[:space:]]*$/d')
  for host in "${hosts[@]}"; do words+=(--allow-host="$host"); done
fi
code=0
xwalk "${words[@]}" --output github || code=$?
if [ "$code" != 2 ] && [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
  xwalk "${words[@]}" --output markdown >>"$GITHUB_STEP_SUMMARY" || true
fi
exit "$code"
