#!/usr/bin/env bash
# Expected: ReadFile into a Go struct gives the values of the file, or an error if the type of a field does not fit the column.
# Seen: the four bytes of a small decimal are read in the wrong order (1.25 as 2097152000 instead of 125), uint32 4294967295 into an
#   int64 or float64 is -1, int64 2**40+5 into an int32 is 5, and noon of 2020-01-01 as INT96 into a time.Time is noon of 1970-01-01.
# Versions: github.com/parquet-go/parquet-go v0.32.0, pyarrow 26.0.1 writes.
# Why it matters: decimal(9,2) and INT96 are what pyarrow and Spark write. A service in Go reads such a table without any error.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
import datetime, decimal
import pyarrow as pa, pyarrow.parquet as pq

print("pyarrow", pa.__version__)
pq.write_table(pa.table({"x": pa.array([decimal.Decimal("1.25")], pa.decimal128(9, 2))}), "decimal.parquet")
pq.write_table(pa.table({"x": pa.array([2**32 - 1], pa.uint32())}), "uint32.parquet")
pq.write_table(pa.table({"x": pa.array([2**40 + 5], pa.int64())}), "int64.parquet")
noon = pa.array([datetime.datetime(2020, 1, 1, 12)], pa.timestamp("us"))
pq.write_table(pa.table({"x": noon}), "int96.parquet", use_deprecated_int96_timestamps=True)
pq.write_table(pa.table({"x": noon}), "micros.parquet")
PYTHON
cat >main.go <<'GO'
package main

import (
	"fmt"
	"os"
	"reflect"
	"time"

	"github.com/parquet-go/parquet-go"
)

var changed bool

func check[Row any](file, expected string) {
	rows, err := parquet.ReadFile[Row](file + ".parquet")
	found := fmt.Sprint(err)
	if err == nil {
		found = fmt.Sprint(reflect.ValueOf(rows[0]).Field(0))
	}
	fmt.Printf("%s into %v: %s\n", file, reflect.TypeFor[Row]().Field(0).Type, found)
	if found != expected {
		fmt.Printf("expected %s\n", expected)
		changed = true
	}
}

func main() {
	check[struct {
		X int32 `parquet:"x,decimal(2:9)"`
	}]("decimal", "2097152000")
	check[struct {
		X uint32 `parquet:"x"`
	}]("uint32", "4294967295")
	check[struct {
		X int64 `parquet:"x"`
	}]("uint32", "-1")
	check[struct {
		X float64 `parquet:"x"`
	}]("uint32", "-1")
	check[struct {
		X int32 `parquet:"x"`
	}]("int64", "5")
	check[struct {
		X time.Time `parquet:"x"`
	}]("micros", "2020-01-01 12:00:00 +0000 UTC")
	check[struct {
		X time.Time `parquet:"x"`
	}]("int96", "1970-01-01 12:00:00 +0000 UTC")
	if changed {
		fmt.Println("changed: see the lines with \"expected\"")
		os.Exit(1)
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/parquet-go/parquet-go@v0.32.0 >/dev/null 2>&1
go list -m github.com/parquet-go/parquet-go
go build -o finding .
if ! ./finding; then
  echo "changed: the lines above show which values differ"
  exit 1
fi
