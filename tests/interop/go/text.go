package main

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// writeText writes a table in the form that is compared.
func writeText(path string, table arrow.Table) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	out := bufio.NewWriter(file)
	for index := range int(table.NumCols()) {
		column := table.Column(index)
		fmt.Fprintf(out, "%s: %s\n", column.Name(), fieldText(column.Field()))
		for _, chunk := range column.Data().Chunks() {
			for row := range chunk.Len() {
				fmt.Fprintln(out, valueText(chunk, row))
			}
		}
	}
	return out.Flush()
}

func fieldText(field arrow.Field) string {
	if field.Nullable {
		return typeText(field.Type) + "?"
	}
	return typeText(field.Type)
}

func typeText(kind arrow.DataType) string {
	switch of := kind.(type) {
	case *arrow.MapType:
		return fmt.Sprintf("map<%s, %s>", typeText(of.KeyType()), fieldText(of.ItemField()))
	case arrow.ListLikeType:
		return fmt.Sprintf("list<%s>", fieldText(of.ElemField()))
	case *arrow.StructType:
		fields := []string{}
		for _, field := range of.Fields() {
			fields = append(fields, field.Name+": "+fieldText(field))
		}
		return fmt.Sprintf("struct<%s>", strings.Join(fields, ", "))
	case *arrow.DictionaryType:
		return typeText(of.ValueType)
	case arrow.DecimalType:
		return fmt.Sprintf("decimal(%d, %d)", of.GetPrecision(), of.GetScale())
	}
	return strings.TrimPrefix(kind.String(), "large_")
}

func float(value float64) string {
	if math.IsNaN(value) {
		return "nan"
	}
	return strconv.FormatFloat(value, 'x', -1, 64)
}

func valueText(of arrow.Array, row int) string {
	if of.IsNull(row) {
		return "null"
	}
	switch from := of.(type) {
	case *array.Map:
		begin, end := from.ValueOffsets(row)
		pairs := []string{}
		for index := int(begin); index < int(end); index++ {
			pairs = append(pairs, valueText(from.Keys(), index)+": "+valueText(from.Items(), index))
		}
		return "{" + strings.Join(pairs, ", ") + "}"
	case array.ListLike:
		begin, end := from.ValueOffsets(row)
		items := []string{}
		for index := int(begin); index < int(end); index++ {
			items = append(items, valueText(from.ListValues(), index))
		}
		return "[" + strings.Join(items, ", ") + "]"
	case *array.Struct:
		values := []string{}
		for index := range from.NumField() {
			values = append(values, valueText(from.Field(index), row))
		}
		return "(" + strings.Join(values, ", ") + ")"
	case *array.Dictionary:
		return valueText(from.Dictionary(), from.GetValueIndex(row))
	case *array.String:
		return strconv.QuoteToASCII(from.Value(row))
	case *array.LargeString:
		return strconv.QuoteToASCII(from.Value(row))
	case *array.Binary:
		return fmt.Sprintf("%x.", from.Value(row))
	case *array.LargeBinary:
		return fmt.Sprintf("%x.", from.Value(row))
	case *array.FixedSizeBinary:
		return fmt.Sprintf("%x.", from.Value(row))
	case *array.Float16:
		return float(float64(from.Value(row).Float32()))
	case *array.Float32:
		return float(float64(from.Value(row)))
	case *array.Float64:
		return float(from.Value(row))
	case *array.Date32:
		return strconv.Itoa(int(from.Value(row)))
	case *array.Time32:
		return strconv.Itoa(int(from.Value(row)))
	case *array.Time64:
		return strconv.FormatInt(int64(from.Value(row)), 10)
	case *array.Timestamp:
		return strconv.FormatInt(int64(from.Value(row)), 10)
	case *array.Decimal128:
		return from.Value(row).BigInt().String()
	case *array.Decimal256:
		return from.Value(row).BigInt().String()
	}
	return of.ValueStr(row)
}
