#!/bin/sh
# Has the program rewrite every sample and parquet-java read both: compare.sh XWALK. Needs Java 17 and
# Maven. Other rows are right for decimal_binary_padded and map_repeated_keys only: the program writes
# the fewest bytes, and each key once.
set -e
xwalk=$(realpath "$1")
cd "$(dirname "$0")"
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
mvn -q -B dependency:build-classpath -Dmdep.outputFile="$build/classpath"
javac -d "$build" -cp "$(cat "$build/classpath")" Compare.java
files=
for file in ../../samples/parquet-java/*.parquet; do
  copy=$build/$(basename "$file")
  if "$xwalk" convert "$file" "$copy" -q; then files="$files $file $copy"; fi
done
# shellcheck disable=SC2086
java -cp "$build:$(cat "$build/classpath")" Compare $files
