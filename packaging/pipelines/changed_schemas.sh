#!/usr/bin/env bash
# A step of action.yml: compares the schema files that a pull request changes with its base. Its inputs are
# XWALK_FILES (pathspecs of git, one a line), XWALK_BASE (a branch, tag or commit; the pull request's base unless
# given), XWALK_MODE, XWALK_ALLOW, XWALK_FROM, XWALK_CONFIG and XWALK_UNTRUSTED (see untrusted.py); GITHUB_BASE_REF and
# GITHUB_STEP_SUMMARY are GitHub's own.
set -euo pipefail
source "${BASH_SOURCE[0]%/*}/path.sh"

base=${XWALK_BASE:-${GITHUB_BASE_REF:-}}
if [ -z "$base" ]; then
  echo "::error::outside of a pull request the input \"base\" must say what to compare with"
  exit 2
fi
# It may be the name of a branch that a stranger has chosen: no option, no refspec that writes.
if [[ $base == [-+]* || $base == *[:[:space:][:cntrl:]]* ]]; then
  echo "::error::the input \"base\" must be a branch, a tag or a commit"
  exit 2
fi
# A checkout has one commit only. A fetch of a name gives its newest one; one that is here already needs no fetch.
if ! commit=$(git rev-parse --verify --quiet --end-of-options "$base^{commit}"); then
  git fetch --quiet --no-tags --depth=1 -- origin "$base"
  commit=$(git rev-parse --verify FETCH_HEAD)
fi
# What others did on the base since is not this pull request's doing, where the history is there to tell.
commit=$(git merge-base "$commit" HEAD 2>/dev/null || echo "$commit")

mapfile -t patterns < <(printf '%s\n' "${XWALK_FILES:-**/*.schema}" | sed '/^[[:space:]]*$/d; s/^/:(glob)/')
mapfile -d '' -t files < <(git diff -z --name-only --no-renames "$commit" -- "${patterns[@]}")
words=(--base="$commit" --mode="${XWALK_MODE:-}" --allow="${XWALK_ALLOW:-}" --from="${XWALK_FROM:-}"
  --config="${XWALK_CONFIG:-}" --output=github --summary="${GITHUB_STEP_SUMMARY:-}")
scripts=$(dirname "${BASH_SOURCE[0]}")
if "$scripts/untrusted.py"; then words+=(--untrusted); fi
exec "$scripts/compat_since.py" "${words[@]}" -- "${files[@]}"
