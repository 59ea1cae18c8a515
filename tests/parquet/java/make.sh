#!/bin/sh
# Writes tests/samples/parquet-java. Needs Java 17 and Maven.
set -e
cd "$(dirname "$0")"
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
mvn -q -B dependency:build-classpath -Dmdep.outputFile="$build/classpath"
javac -d "$build" -cp "$(cat "$build/classpath")" Samples.java
java -cp "$build:$(cat "$build/classpath")" Samples ../../samples/parquet-java
rm -f ../../samples/parquet-java/.*.crc
