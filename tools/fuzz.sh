#!/usr/bin/env bash
# Runs every fuzzer of a build for some seconds each, from its corpus in fuzz/corpus.
#   tools/fuzz.sh build/fuzz 30
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$(realpath "$1")
seconds=$2
shopt -s nullglob
programs=("$build"/fuzz/*_fuzz)
[ ${#programs[@]} -gt 0 ] || { echo "no fuzzer in $build/fuzz" >&2; exit 1; }
for program in "${programs[@]}"; do
  name=$(basename "$program" _fuzz)
  found=$build/corpus/$name
  mkdir -p "$found"
  echo "=== $name"
  seeds=()
  [ ! -d "$root/fuzz/corpus/$name" ] || seeds=("$root/fuzz/corpus/$name")
  (cd "$build" && "$program" -max_total_time="$seconds" -print_final_stats=0 -verbosity=0 \
    -artifact_prefix="$build/crash-$name-" "$found" "${seeds[@]}")
done
