package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/float16"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

const (
	columns = 8
	rows    = 400
	depth   = 3
)

var leaves = []arrow.DataType{
	arrow.FixedWidthTypes.Boolean, arrow.PrimitiveTypes.Int8, arrow.PrimitiveTypes.Int16, arrow.PrimitiveTypes.Int32,
	arrow.PrimitiveTypes.Int64, arrow.PrimitiveTypes.Uint8, arrow.PrimitiveTypes.Uint16, arrow.PrimitiveTypes.Uint32,
	arrow.PrimitiveTypes.Uint64, arrow.FixedWidthTypes.Float16, arrow.PrimitiveTypes.Float32, arrow.PrimitiveTypes.Float64,
	arrow.BinaryTypes.String, arrow.BinaryTypes.LargeString, arrow.BinaryTypes.Binary, arrow.BinaryTypes.LargeBinary,
	&arrow.FixedSizeBinaryType{ByteWidth: 5}, arrow.FixedWidthTypes.Date32, arrow.FixedWidthTypes.Time32ms,
	arrow.FixedWidthTypes.Time64us, arrow.FixedWidthTypes.Time64ns, arrow.FixedWidthTypes.Timestamp_ms,
	arrow.FixedWidthTypes.Timestamp_us, arrow.FixedWidthTypes.Timestamp_ns, &arrow.TimestampType{Unit: arrow.Microsecond},
	&arrow.Decimal128Type{Precision: 9, Scale: 2}, &arrow.Decimal128Type{Precision: 38, Scale: 10},
}

func nullable(r *rand.Rand) bool { return r.IntN(3) > 0 }

func randomType(r *rand.Rand, deep int) arrow.DataType {
	if deep == 0 || r.IntN(8) < 3 {
		return leaves[r.IntN(len(leaves))]
	}
	item := func() arrow.Field {
		return arrow.Field{Name: "element", Type: randomType(r, deep-1), Nullable: nullable(r)}
	}
	switch r.IntN(4) {
	case 0:
		return arrow.ListOfField(item())
	case 1:
		return arrow.LargeListOfField(item())
	case 2:
		value := item()
		key := []arrow.DataType{arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int64, arrow.FixedWidthTypes.Date32}[r.IntN(3)]
		kind := arrow.MapOf(key, value.Type)
		kind.SetItemNullable(value.Nullable)
		return kind
	}
	fields := make([]arrow.Field, 1+r.IntN(3))
	for index := range fields {
		fields[index] = item()
		fields[index].Name = fmt.Sprintf("f%d", index)
	}
	return arrow.StructOf(fields...)
}

// randomTable returns the table of a seed: two columns with a type of the first level, so that each is met, the others nested.
func randomTable(seed uint64) arrow.Table {
	r := rand.New(rand.NewPCG(seed, 36))
	fields := make([]arrow.Field, columns)
	for index := range fields {
		fields[index] = arrow.Field{Name: fmt.Sprintf("c%d", index), Type: randomType(r, depth), Nullable: nullable(r)}
	}
	for index := range 2 {
		fields[index].Type = leaves[(2*int(seed)+index)%len(leaves)]
	}
	fields[2].Type = &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: arrow.BinaryTypes.String}
	builder := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema(fields, nil))
	for range rows {
		for index, field := range fields {
			appendRandom(r, builder.Field(index), field.Nullable)
		}
	}
	batch := builder.NewRecordBatch()
	return array.NewTableFromRecords(batch.Schema(), []arrow.RecordBatch{batch})
}

func randomText(r *rand.Rand) string {
	letters := []rune("ab\"\\ \n\x00éß漢😀")
	out := make([]rune, r.IntN(12))
	for index := range out {
		out[index] = letters[r.IntN(len(letters))]
	}
	return string(out)
}

// number returns an integer of a width: often one of the ends of its range, or a small one.
func number(r *rand.Rand, bits int) int64 {
	shift := 64 - bits
	switch r.IntN(5) {
	case 0:
		return math.MinInt64 >> shift
	case 1:
		return math.MaxInt64 >> shift
	case 2:
		return int64(r.IntN(10))
	}
	return int64(r.Uint64()) >> shift
}

func randomReal(r *rand.Rand) float64 {
	special := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 1.5}
	if r.IntN(3) == 0 {
		return special[r.IntN(len(special))]
	}
	return r.NormFloat64() * 1000
}

func randomDecimal(r *rand.Rand, precision int32) decimal128.Num {
	digits := r.IntN(int(precision) + 1)
	value := decimal128.FromU64(0)
	for range digits {
		value = value.Mul(decimal128.FromU64(10)).Add(decimal128.FromU64(r.Uint64N(10)))
	}
	if r.IntN(2) == 0 {
		value = value.Negate()
	}
	return value
}

func appendRandom(r *rand.Rand, builder array.Builder, nullable bool) {
	if nullable && r.IntN(4) == 0 {
		builder.AppendNull()
		return
	}
	switch to := builder.(type) {
	case *array.ListBuilder:
		to.Append(true)
		appendItems(r, to.ValueBuilder(), to.Type().(*arrow.ListType).ElemField().Nullable)
	case *array.LargeListBuilder:
		to.Append(true)
		appendItems(r, to.ValueBuilder(), to.Type().(*arrow.LargeListType).ElemField().Nullable)
	case *array.MapBuilder:
		to.Append(true)
		for index := range r.IntN(4) {
			appendKey(r, to.KeyBuilder(), index)
			appendRandom(r, to.ItemBuilder(), to.Type().(*arrow.MapType).ItemField().Nullable)
		}
	case *array.StructBuilder:
		to.Append(true)
		for index, field := range to.Type().(*arrow.StructType).Fields() {
			appendRandom(r, to.FieldBuilder(index), field.Nullable)
		}
	default:
		appendLeaf(r, builder)
	}
}

// appendKey appends the key of a pair of a map, which has each key once; a map has at most four.
func appendKey(r *rand.Rand, builder array.Builder, pair int) {
	switch to := builder.(type) {
	case *array.Int64Builder:
		to.Append(number(r, 64)&^3 | int64(pair))
	case *array.Date32Builder:
		to.Append(arrow.Date32(r.IntN(40000)*4 + pair))
	case *array.StringBuilder:
		to.Append(fmt.Sprintf("%s%d", randomText(r), pair))
	default:
		panic(fmt.Sprintf("no keys of %s", builder.Type()))
	}
}

func appendItems(r *rand.Rand, builder array.Builder, nullable bool) {
	for range r.IntN(4) {
		appendRandom(r, builder, nullable)
	}
}

func appendLeaf(r *rand.Rand, builder array.Builder) {
	switch to := builder.(type) {
	case *array.BooleanBuilder:
		to.Append(r.IntN(2) == 0)
	case *array.Int8Builder:
		to.Append(int8(number(r, 8)))
	case *array.Int16Builder:
		to.Append(int16(number(r, 16)))
	case *array.Int32Builder:
		to.Append(int32(number(r, 32)))
	case *array.Int64Builder:
		to.Append(number(r, 64))
	case *array.Uint8Builder:
		to.Append(uint8(number(r, 8)))
	case *array.Uint16Builder:
		to.Append(uint16(number(r, 16)))
	case *array.Uint32Builder:
		to.Append(uint32(number(r, 32)))
	case *array.Uint64Builder:
		to.Append(uint64(number(r, 64)))
	case *array.Float16Builder:
		to.Append(float16.New(float32(randomReal(r))))
	case *array.Float32Builder:
		to.Append(float32(randomReal(r)))
	case *array.Float64Builder:
		to.Append(randomReal(r))
	case *array.StringBuilder:
		to.Append(randomText(r))
	case *array.LargeStringBuilder:
		to.Append(randomText(r))
	case *array.BinaryBuilder:
		to.Append([]byte(randomText(r) + "\xff"))
	case *array.FixedSizeBinaryBuilder:
		to.Append([]byte{byte(r.IntN(256)), 0, 0xff, byte(r.IntN(256)), 7})
	case *array.BinaryDictionaryBuilder:
		if err := to.AppendString(fmt.Sprintf("word %d", r.IntN(20))); err != nil {
			panic(err)
		}
	case *array.Date32Builder:
		to.Append(arrow.Date32(r.IntN(80000) - 40000))
	case *array.Time32Builder:
		to.Append(arrow.Time32(r.IntN(86_400_000)))
	case *array.Time64Builder:
		day := int64(86_400_000_000)
		if to.Type().(*arrow.Time64Type).Unit == arrow.Nanosecond {
			day *= 1000
		}
		to.Append(arrow.Time64(r.Int64N(day)))
	case *array.TimestampBuilder:
		to.Append(arrow.Timestamp(r.Int64N(1<<50) - 1<<49))
	case *array.Decimal128Builder:
		to.Append(randomDecimal(r, to.Type().(*arrow.Decimal128Type).Precision))
	default:
		panic(fmt.Sprintf("no values of %s", builder.Type()))
	}
}
