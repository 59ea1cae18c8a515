#!/usr/bin/env bash
# The first step of action.yml: xwalk where it is not in PATH. What pip can install is named by XWALK_INSTALL, a wheel by its
# path or URL; with nothing named it is built from the clone that this script is of, for some minutes. XWALK_UNTRUSTED: see
# untrusted.py.
set -euo pipefail
source "${BASH_SOURCE[0]%/*}/path.sh"
if command -v xwalk >/dev/null; then exit 0; fi
clone=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
install=${XWALK_INSTALL:-}
if [ -z "$install" ]; then
  # A runner is made for one job: it needs no question before sudo.
  XWALK_SETUP_YES=1 "$clone/tools/setup.sh" build
  install=$clone
fi
# A file is named as seen from the checkout. A URL or a requirement is never one, whatever names the checkout has.
case $install in
  /* | ./* | ../*)
    install=$(realpath -- "$install")
    if [[ $install == "$(realpath .)"/* ]] && "$clone/packaging/pipelines/untrusted.py"; then
      echo "::error::the input \"install\" names a file of the checkout, which comes from a fork: name another one"
      exit 2
    fi
    ;;
esac
# In an environment of its own: pip leaves a system's Python alone.
folder=${RUNNER_TEMP:-$(mktemp -d)}/xwalk-action
# guard(execute): Python runs with -I in the folder of these scripts, so that it takes no module of the checkout.
cd "$clone/packaging/pipelines"
python3 -I -m venv "$folder"
"$folder/bin/python" -I -m pip --disable-pip-version-check install --quiet "$install"
if [ -n "${GITHUB_PATH:-}" ]; then echo "$folder/bin" >>"$GITHUB_PATH"; fi
