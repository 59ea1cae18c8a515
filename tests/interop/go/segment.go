package main

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"reflect"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// shape is a type that parquet-go knows as a Go type and a tag, with its values.
type shape struct {
	kind reflect.Type
	tag  string
	// text is its name in the form that is compared.
	text  string
	value func(*rand.Rand) reflect.Value
	show  func(reflect.Value) string
	// parts are the fields of a struct.
	parts []shape
}

func leafShape[T any](text, tag string, value func(*rand.Rand) T, show func(T) string) shape {
	return shape{
		kind: reflect.TypeFor[T](), text: text, tag: tag,
		value: func(r *rand.Rand) reflect.Value { return reflect.ValueOf(value(r)) },
		show:  func(value reflect.Value) string { return show(value.Interface().(T)) },
	}
}

func whole[T int32 | int64](bits int) func(*rand.Rand) T {
	return func(r *rand.Rand) T { return T(number(r, bits)) }
}

func hex(value []byte) string { return fmt.Sprintf("%x.", value) }

func decimalText[T int32 | int64 | uint32 | uint64](value T) string { return fmt.Sprint(value) }

func within(limit int64) func(*rand.Rand) int64 {
	return func(r *rand.Rand) int64 { return r.Int64N(2*limit) - limit }
}

var shapes = []shape{
	leafShape("bool", "", func(r *rand.Rand) bool { return r.IntN(2) == 0 }, strconv.FormatBool),
	leafShape("int32", "delta", whole[int32](32), decimalText[int32]),
	leafShape("int64", "delta", whole[int64](64), decimalText[int64]),
	leafShape("int32", "", whole[int32](32), decimalText[int32]),
	leafShape("int64", "", whole[int64](64), decimalText[int64]),
	leafShape("utf8", "", randomText, strconv.QuoteToASCII),
	leafShape("int64", "dict", whole[int64](3), decimalText[int64]),
	leafShape("uint32", "", func(r *rand.Rand) uint32 { return r.Uint32() }, decimalText[uint32]),
	leafShape("uint64", "", func(r *rand.Rand) uint64 { return r.Uint64() }, decimalText[uint64]),
	leafShape("float32", "split", func(r *rand.Rand) float32 { return float32(randomReal(r)) },
		func(value float32) string { return float(float64(value)) }),
	leafShape("float64", "split", randomReal, float),
	leafShape("float64", "", randomReal, float),
	leafShape("utf8", "delta", randomText, strconv.QuoteToASCII),
	leafShape("utf8", "dict", randomText, strconv.QuoteToASCII),
	leafShape("binary", "", func(r *rand.Rand) []byte { return []byte(randomText(r) + "\xff") }, hex),
	leafShape("fixed_size_binary[5]", "", func(r *rand.Rand) [5]byte { return [5]byte{byte(r.IntN(256)), 0, 255, 1} },
		func(value [5]byte) string { return hex(value[:]) }),
	leafShape("date32", "date", func(r *rand.Rand) int32 { return int32(r.IntN(80000) - 40000) }, decimalText[int32]),
	leafShape("timestamp[us, tz=UTC]", "timestamp(microsecond:utc)", within(1<<50), decimalText[int64]),
	leafShape("timestamp[ms]", "timestamp(millisecond:local)", within(1<<40), decimalText[int64]),
	leafShape("decimal(18, 2)", "decimal(2:18)", within(1e17), decimalText[int64]),
}

// named returns the field of a struct with a shape. A pointer is optional; parquet-go takes few tags there.
func named(name string, of shape, optional bool) (reflect.StructField, shape) {
	kind := of.kind
	if optional {
		plain := of
		kind = reflect.PointerTo(kind)
		of.text += "?"
		of.value = func(r *rand.Rand) reflect.Value {
			if r.IntN(4) == 0 {
				return reflect.Zero(kind)
			}
			pointer := reflect.New(plain.kind)
			pointer.Elem().Set(plain.value(r))
			return pointer
		}
		of.show = func(value reflect.Value) string {
			if value.IsNil() {
				return "null"
			}
			return plain.show(value.Elem())
		}
	}
	of.kind = kind
	tag := strings.TrimSuffix(name+","+of.tag, ",")
	return reflect.StructField{Name: strings.ToUpper(name), Type: kind, Tag: reflect.StructTag(fmt.Sprintf(`parquet:"%s"`, tag))}, of
}

// randomShape returns a shape of a depth. A slice is a LIST, or a repeated field without one.
func randomShape(r *rand.Rand, deep int) shape {
	if deep == 0 || r.IntN(8) < 2 {
		return shapes[r.IntN(len(shapes))]
	}
	if r.IntN(2) == 0 {
		return structShape(r, deep-1, 1+r.IntN(3))
	}
	_, item := named("element", randomShape(r, deep-1), false)
	tag := "list"
	if r.IntN(2) == 0 {
		tag = ""
	}
	// A list within a list has a tag of its own, which only fields can have.
	if item.kind.Kind() == reflect.Slice || strings.ContainsAny(item.tag, "(") || item.tag == "date" {
		item = shapes[1+r.IntN(2)]
	}
	item.tag = ""
	kind := reflect.SliceOf(item.kind)
	return shape{kind: kind, tag: tag, text: "list<" + item.text + ">",
		value: func(r *rand.Rand) reflect.Value {
			out := reflect.MakeSlice(kind, 0, 4)
			for range r.IntN(4) {
				out = reflect.Append(out, item.value(r))
			}
			return out
		},
		show: func(value reflect.Value) string {
			items := []string{}
			for index := range value.Len() {
				items = append(items, item.show(value.Index(index)))
			}
			return "[" + strings.Join(items, ", ") + "]"
		}}
}

func structShape(r *rand.Rand, deep, size int) shape {
	fields, parts, texts := []reflect.StructField{}, []shape{}, []string{}
	for index := range size {
		inner := randomShape(r, deep)
		name := fmt.Sprintf("c%d", index)
		field, part := named(name, inner, r.IntN(3) > 0 && inner.tag == "" && inner.kind.Kind() != reflect.Slice)
		fields, parts = append(fields, field), append(parts, part)
		texts = append(texts, name+": "+part.text)
	}
	kind := reflect.StructOf(fields)
	return shape{kind: kind, text: "struct<" + strings.Join(texts, ", ") + ">", parts: parts,
		value: func(r *rand.Rand) reflect.Value {
			out := reflect.New(kind).Elem()
			for index, part := range parts {
				out.Field(index).Set(part.value(r))
			}
			return out
		},
		show: func(value reflect.Value) string {
			shown := []string{}
			for index, part := range parts {
				shown = append(shown, part.show(value.Field(index)))
			}
			return "(" + strings.Join(shown, ", ") + ")"
		}}
}

// rowShape returns the shape of the rows of a seed.
func rowShape(seed uint64) shape {
	return structShape(rand.New(rand.NewPCG(seed, 16)), depth, columns)
}

// makeSegment writes STEM.parquet with parquet-go, and its rows as text.
func makeSegment(seed uint64, stem string) error {
	of := rowShape(seed)
	r := rand.New(rand.NewPCG(seed, 17))
	file, err := os.Create(stem + ".parquet")
	if err != nil {
		return err
	}
	defer file.Close()
	codec := []parquet.WriterOption{parquet.Compression(&parquet.Uncompressed), parquet.Compression(&parquet.Snappy),
		parquet.Compression(&parquet.Gzip), parquet.Compression(&parquet.Brotli), parquet.Compression(&parquet.Zstd),
		parquet.Compression(&parquet.Lz4Raw)}[seed%6]
	writer := parquet.NewWriter(file, parquet.SchemaOf(reflect.New(of.kind).Interface()), codec,
		parquet.DataPageVersion(1+int(seed%2)), parquet.PageBufferSize(512), parquet.MaxRowsPerRowGroup(150))
	values := []reflect.Value{}
	for range rows {
		values = append(values, of.value(r))
		if err := writer.Write(values[len(values)-1].Addr().Interface()); err != nil {
			return err
		}
	}
	if err := writer.Close(); err != nil {
		return err
	}
	return writeRows(stem+".txt", of, values)
}

// readSegment reads a file of xwalk with the rows of a seed, by parquet-go.
func readSegment(seed uint64, path string) error {
	of := rowShape(seed)
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	reader := parquet.NewReader(file, parquet.SchemaOf(reflect.New(of.kind).Interface()))
	defer reader.Close()
	values := []reflect.Value{}
	for {
		row := reflect.New(of.kind)
		if err := reader.Read(row.Interface()); err == io.EOF {
			break
		} else if err != nil {
			return err
		}
		values = append(values, row.Elem())
	}
	return writeRows(path+".segment.txt", of, values)
}

// writeRows writes rows in the form that is compared, a column after the other.
func writeRows(path string, of shape, values []reflect.Value) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	out := bufio.NewWriter(file)
	for index, part := range of.parts {
		fmt.Fprintf(out, "c%d: %s\n", index, part.text)
		for _, value := range values {
			fmt.Fprintln(out, part.show(value.Field(index)))
		}
	}
	return out.Flush()
}
