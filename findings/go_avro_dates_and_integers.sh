#!/usr/bin/env bash
# Expected: the two Avro packages of Go write the same bytes for the same value and schema, or one refuses it.
# Seen: hamba/avro writes noon of 1969-12-31 as the date 1970-01-01, and the date of 00:30 in a zone east of Greenwich as the day before. The int
#   3000000000 wraps to -1294967296, and 1.999 in a decimal of scale 2 becomes 1.99. twmb/avro writes the right date and refuses the numbers.
# Versions: github.com/hamba/avro/v2 v2.31.0, github.com/twmb/avro v1.9.1.
# Why it matters: services in Go send such messages to Kafka. After a change of the package the days in the tables shift.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >main.go <<'GO'
package main

import (
	"fmt"
	"math/big"
	"time"

	hamba "github.com/hamba/avro/v2"
	twmb "github.com/twmb/avro"
)

func text(value any, err error) string {
	if err != nil {
		return "refused"
	}
	switch value := value.(type) {
	case time.Time:
		return value.UTC().Format("2006-01-02 15:04")
	case *big.Rat:
		return value.FloatString(3)
	case big.Rat:
		return value.FloatString(3)
	}
	return fmt.Sprint(value)
}

func ask(name, schema string, value any) {
	parsed := hamba.MustParse(schema)
	var byHamba, byTwmb any
	data, err := hamba.Marshal(parsed, value)
	if err == nil {
		err = hamba.Unmarshal(parsed, data, &byHamba)
	}
	other := twmb.MustParse(schema)
	data, err2 := other.Encode(value)
	if err2 == nil {
		_, err2 = other.Decode(data, &byTwmb)
	}
	fmt.Printf("%s: hamba %s, twmb %s\n", name, text(byHamba, err), text(byTwmb, err2))
}

func main() {
	date := `{"type": "int", "logicalType": "date"}`
	local := `{"type": "long", "logicalType": "local-timestamp-millis"}`
	decimal := `{"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2}`
	east := time.Date(2026, 1, 2, 0, 30, 0, 0, time.FixedZone("east", 2*3600))
	ask("date of noon in 1969", date, time.Date(1969, 12, 31, 12, 0, 0, 0, time.UTC))
	ask("date of 00:30 in the east", date, east)
	ask("local time of 00:30 in the east", local, east)
	ask("int 3000000000", `"int"`, 3000000000)
	ask("decimal 1.999", decimal, big.NewRat(1999, 1000))
	ask("decimal -1.25", decimal, big.NewRat(-125, 100))
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/hamba/avro/v2@v2.31.0 github.com/twmb/avro@v1.9.1 >/dev/null 2>&1
go list -m github.com/hamba/avro/v2 github.com/twmb/avro
go run . | tee seen
cat >expected <<'TEXT'
date of noon in 1969: hamba 1970-01-01 00:00, twmb 1969-12-31 00:00
date of 00:30 in the east: hamba 2026-01-01 00:00, twmb 2026-01-02 00:00
local time of 00:30 in the east: hamba 2026-01-01 22:30, twmb 2026-01-02 00:30
int 3000000000: hamba -1294967296, twmb refused
decimal 1.999: hamba 1.990, twmb refused
decimal -1.25: hamba -1.250, twmb -1.250
TEXT
cmp -s expected seen || { echo "changed: found $(paste -sd ';' seen)"; exit 1; }
