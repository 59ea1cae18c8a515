package xwalk_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	xwalk "xwalk/bindings/go"
)

func must[T any](t *testing.T) func(value T, err error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func expect[T comparable](t *testing.T, what string, found, expected T) {
	t.Helper()
	if found != expected {
		t.Fatalf("%s: expected %v, found %v", what, expected, found)
	}
}

// failure returns the fields of an error.
func failure(t *testing.T, err error) *xwalk.Error {
	t.Helper()
	var found *xwalk.Error
	if !errors.As(err, &found) {
		t.Fatalf("expected an error of xwalk, found %v", err)
	}
	return found
}

// written writes a file of rows and its schema.
func written(t *testing.T, path, rows, schema string) string {
	t.Helper()
	for name, text := range map[string]string{path: rows, path + ".schema": schema} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// badRows writes rows of one column from 0 to 999; each hundredth is text.
func badRows(t *testing.T) string {
	var text strings.Builder
	for i := range 1000 {
		if i%100 == 50 {
			text.WriteString("{a=x};\n")
		} else {
			fmt.Fprintf(&text, "{a=%d};\n", i)
		}
	}
	return written(t, filepath.Join(t.TempDir(), "rows.yson"), text.String(), "[{name=a;type=int64}]")
}

func skipping() []xwalk.Option {
	return []xwalk.Option{xwalk.WithOnError(xwalk.OnErrorSkip), xwalk.WithBatchRows(64)}
}

func expectPlace(t *testing.T, err error, path string) {
	t.Helper()
	found := failure(t, err)
	expect(t, "code", found.Code, xwalk.Input)
	expect(t, "file", found.File, path)
	expect(t, "column of the table", found.Path, "a")
	expect(t, "place", [3]int64{found.Row, found.Line, found.Column}, [3]int64{50, 51, 4})
	if !strings.Contains(err.Error(), ":51:4") {
		t.Fatal(err)
	}
}

func count(t *testing.T, rows *xwalk.Rows) int64 {
	t.Helper()
	var found int64
	for batch, err := range rows.All() {
		if err != nil {
			t.Fatal(err)
		}
		found += batch.NumRows()
	}
	return found
}

func TestRejectedRowsAreCountedAfterTheEnd(t *testing.T) {
	rows := must[*xwalk.Rows](t)(xwalk.Open(badRows(t), skipping()...))
	watch := rows.Watch()
	found := make(chan int64)
	go func() { found <- count(t, rows) }()
	expect(t, "rows", <-found, 990)
	rows.Close()
	rows.Close()
	expect(t, "rejected", rows.Rejected(), 10)
	expect(t, "rejected of the watch", watch.Rejected(), 10)
	expect(t, "messages", len(must[[]xwalk.Message](t)(rows.Notes())), 0)
	expect(t, "error", watch.Err(), nil)
	expect(t, "another batch", rows.Next(), false)
}

func TestAnErrorHasItsPlaceAndTheRowsEnd(t *testing.T) {
	path := badRows(t)
	rows := must[*xwalk.Rows](t)(xwalk.Open(path, xwalk.WithBatchRows(16)))
	defer rows.Release()
	for rows.Next() {
	}
	expectPlace(t, rows.Err(), path)
	expect(t, "another batch", rows.Next(), false)
	expectPlace(t, rows.Watch().Err(), path)
	for _, err := range rows.All() {
		expectPlace(t, err, path)
	}
}

func TestRowsAreAReaderOfArrow(t *testing.T) {
	rows := must[*xwalk.Rows](t)(xwalk.Open(badRows(t), skipping()...))
	var found int64
	for batch, err := range array.IterFromReader(rows) {
		if err != nil {
			t.Fatal(err)
		}
		found += batch.NumRows()
	}
	expect(t, "rows", found, 990)
	expect(t, "column", rows.Schema().Field(0).Name, "a")
	rows.Release()
}

func TestBatchesAreValidAfterTheRowsAreClosed(t *testing.T) {
	rows := must[*xwalk.Rows](t)(xwalk.Open(badRows(t), skipping()...))
	expect(t, "a batch", rows.Next(), true)
	batch := rows.RecordBatch()
	batch.Retain()
	rows.Close()
	runtime.GC()
	expect(t, "value", batch.Column(0).(*array.Int64).Value(62), 63)
	batch.Release()
}

func TestRowsAreWrittenFromWhereTheyAre(t *testing.T) {
	path := badRows(t)
	rows := must[*xwalk.Rows](t)(xwalk.Open(path, skipping()...))
	expect(t, "a batch", rows.Next(), true)
	first := rows.RecordBatch().NumRows()
	output := path + ".skiff"
	report := must[*xwalk.Report](t)(rows.Write(output, nil, skipping()...))
	expect(t, "rows and rejected", [2]int64{report.Rows, report.Rejected}, [2]int64{990 - first, 10})
	expect(t, "rejected", rows.Rejected(), 10)
	_, err := rows.Write(output, nil)
	expect(t, "code", failure(t, err).Code, xwalk.Usage)
	copied := must[*xwalk.Rows](t)(xwalk.Open(output))
	defer copied.Close()
	expect(t, "rows", count(t, copied), 990-first)
}

// tired is a reader that fails after its batches.
type tired struct{ array.RecordReader }

func (r tired) Err() error { return errors.New("the reader is tired") }

func TestRowsOfOtherReadersAreWritten(t *testing.T) {
	memory := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer memory.AssertSize(t, 0)
	schema := arrow.NewSchema([]arrow.Field{{Name: "a", Type: arrow.PrimitiveTypes.Int64, Nullable: true}}, nil)
	builder := array.NewRecordBuilder(memory, schema)
	defer builder.Release()
	builder.Field(0).(*array.Int64Builder).AppendValues([]int64{1, 2, 3}, nil)
	batch := builder.NewRecordBatch()
	defer batch.Release()
	open := func() array.RecordReader {
		return must[array.RecordReader](t)(array.NewRecordReader(schema, []arrow.RecordBatch{batch, batch}))
	}

	reader := open()
	output := filepath.Join(t.TempDir(), "rows.yson")
	report := must[*xwalk.Report](t)(xwalk.Write(reader, output, nil))
	reader.Release()
	expect(t, "rows", report.Rows, 6)
	expect(t, "verdict", report.Verdict, xwalk.VerdictExact)

	lost := filepath.Join(t.TempDir(), "lost.yson")
	failing := open()
	_, err := xwalk.Write(tired{failing}, lost, nil)
	failing.Release()
	if !strings.Contains(failure(t, err).Text, "the reader is tired") {
		t.Fatal(err)
	}
	if _, err := os.Stat(lost); err == nil {
		t.Fatal("expected no output, found one")
	}
	unread := open()
	_, err = xwalk.Write(unread, "a\x00b", nil)
	unread.Release()
	expect(t, "code", failure(t, err).Code, xwalk.Usage)
}

func TestATargetIsEnforced(t *testing.T) {
	path := written(t, filepath.Join(t.TempDir(), "rows.yson"), "{a=1};{a=300};", "[{name=a;type=int64}]")
	target := must[*xwalk.Schema](t)(xwalk.ParseSchema([]byte("[{name=a;type=int8}]"), xwalk.SystemYt))
	defer target.Close()
	report := must[*xwalk.Report](t)(xwalk.CheckSchema(path, target, xwalk.AskRows))
	table := must[[]xwalk.TableReport](t)(report.Checks())[0]
	expect(t, "rejected", table.Rows.Rejected, 1)
	expect(t, "first row", *table.Rows.Paths[0].FirstRow, 1)

	output := path + ".copy.yson"
	rows := must[*xwalk.Rows](t)(xwalk.Open(path))
	_, err := rows.Write(output, target)
	expect(t, "row", failure(t, err).Row, 1)
	rows = must[*xwalk.Rows](t)(xwalk.Open(path, skipping()...))
	expect(t, "rejected", must[*xwalk.Report](t)(rows.Write(output, target, skipping()...)).Rejected, 1)
	proof := must[*xwalk.Proof](t)(xwalk.VerifyBy(path, output, target, nil, skipping()...))
	expect(t, proof.Text, proof.Verified, true)
}

func TestAProofShowsDifferences(t *testing.T) {
	folder, schema := t.TempDir(), "[{name=id;type=int64};{name=v;type=utf8}]"
	path := written(t, filepath.Join(folder, "rows.yson"), "{id=1;v=a};{id=2;v=b};", schema)
	other := written(t, filepath.Join(folder, "other.yson"), "{id=2;v=b};{id=1;v=c};", schema)
	proof := must[*xwalk.Proof](t)(xwalk.VerifyBy(path, other, nil, []string{"id"}))
	expect(t, "verified", proof.Verified, false)
	table := must[[]xwalk.Proved](t)(proof.Tables())[0]
	expect(t, "differing rows", [2]uint64{table.Columns[0].DifferingRows, table.Columns[1].DifferingRows}, [2]uint64{0, 1})
}

func TestSeveralTablesHaveAReportEach(t *testing.T) {
	folder := t.TempDir()
	written(t, filepath.Join(folder, "a.yson"), "{a=1};", "[{name=a;type=int64}]")
	written(t, filepath.Join(folder, "b.yson"), "{b=x};", "[{name=b;type=utf8}]")
	written(t, filepath.Join(folder, "c.yson"), "{", "[{name=c;type=")
	report := must[*xwalk.Report](t)(xwalk.Check(folder, xwalk.SystemLance, 0))
	expect(t, "tables", len(must[[]xwalk.TableReport](t)(report.Checks())), 2)
	problems := must[[]xwalk.Problem](t)(report.Problems())
	if len(problems) == 0 || !strings.HasSuffix(problems[0].Subject, "c.yson") {
		t.Fatal(problems)
	}
	added := must[*xwalk.Report](t)(xwalk.CheckAppend(filepath.Join(folder, "a.yson"), filepath.Join(folder, "absent.skiff"), 0))
	if !strings.Contains(added.JSON, "output.new") {
		t.Fatal(added.JSON)
	}
	if !strings.Contains(must[*xwalk.Report](t)(xwalk.CheckFormat(filepath.Join(folder, "a.yson"), "csv", 0)).JSON, "csv") {
		t.Fatal("expected the format csv")
	}
}

func TestSchemasKeepTheirForms(t *testing.T) {
	path := written(t, filepath.Join(t.TempDir(), "rows.yson"), "{a=1};", "[{name=a;type=int64;required=%true}]")
	schema := must[*xwalk.Schema](t)(xwalk.ReadSchema(path))
	expect(t, "system", schema.System(), xwalk.SystemYt)
	binary := must[[]byte](t)(schema.Dump("yson-binary"))
	again := must[*xwalk.Schema](t)(xwalk.ParseSchema(binary, xwalk.SystemYt))
	same := must[*xwalk.Compatibility](t)(schema.Compat(again, xwalk.CompatModeFull, 0))
	expect(t, "answer", same.Answer, xwalk.AnswerCompatible)
	narrower := must[*xwalk.Schema](t)(xwalk.ParseSchema([]byte("[{name=a;type=int32;required=%true}]"), ""))
	reasons := must[[]xwalk.CompatReason](t)(must[*xwalk.Compatibility](t)(schema.Compat(narrower, xwalk.CompatModeBackward, 0)).Reasons())
	expect(t, "path", reasons[0].Path, "a")
	arrow := must[*arrow.Schema](t)(schema.Arrow())
	expect(t, "nullable", arrow.Field(0).Nullable, false)
	expect(t, "system", must[*xwalk.Schema](t)(xwalk.SchemaFromArrow(arrow)).System(), xwalk.SystemArrow)
	expect(t, "lost", len(must[[]string](t)(schema.Lost(""))), 0)
	_, err := xwalk.ReadSchema(path + ".absent")
	expect(t, "code", failure(t, err).Code, xwalk.IO)
	_, err = xwalk.ParseSchema([]byte("[{name=id;type=int64}"), xwalk.SystemYt)
	expect(t, "code", failure(t, err).Code, xwalk.Input)
}

func TestOptionsAreRefusedByName(t *testing.T) {
	path := written(t, filepath.Join(t.TempDir(), "rows.yson"), "{a=1};", "[{name=a;type=int64}]")
	for message, options := range map[string][]xwalk.Option{
		`unknown option "limt"`:                     {xwalk.WithOption("limt", 1)},
		`"limit" is given twice`:                    {xwalk.WithLimit(1), xwalk.WithSeed(1), xwalk.WithLimit(2)},
		`schema: expected UTF-8, found other bytes`: {xwalk.WithSchema("\xff")},
		`select: expected UTF-8, found other bytes`: {xwalk.WithSelect("a", "\xff")},
		`limit: json: unsupported type: chan int`:   {xwalk.WithOption("limit", make(chan int))},
	} {
		_, err := xwalk.Open(path, options...)
		found := failure(t, err)
		expect(t, "code", found.Code, xwalk.Usage)
		expect(t, "message", found.Message, message)
	}
	_, err := xwalk.Open("a\x00b")
	expect(t, "code", failure(t, err).Code, xwalk.Usage)
	expect(t, "version", xwalk.Version() != "", true)
}
