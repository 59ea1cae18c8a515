package xwalk

/*
#include <stdlib.h>
#include <xwalk.h>

static int xwalk_go_schema(struct ArrowArrayStream* rows, struct ArrowSchema* out) { return rows->get_schema(rows, out); }
static int xwalk_go_next(struct ArrowArrayStream* rows, struct ArrowArray* out) { return rows->get_next(rows, out); }
static void xwalk_go_release(struct ArrowArrayStream* rows) {
  if (rows->release != NULL) rows->release(rows);
}
*/
import "C"

import (
	"encoding/json"
	"iter"
	"runtime"
	"strings"
	"sync/atomic"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/cdata"
)

// Rows are the rows of a file, of a folder of files of one format, or of a dataset, as batches of Arrow. They are an
// array.RecordReader, used by one goroutine at a time.
type Rows struct {
	stream     *C.struct_ArrowArrayStream
	schema     *arrow.Schema
	watch      *Watch
	batch      arrow.RecordBatch
	err        error
	references atomic.Int64
}

var _ array.RecordReader = (*Rows)(nil)

// Open opens rows. Only the bytes that the schema needs are read here. The rows must be closed, or written.
func Open(path string, options ...Option) (*Rows, error) {
	given := &arguments{}
	defer given.free()
	name, settings := given.text(path), given.options(options)
	rows := &Rows{stream: (*C.struct_ArrowArrayStream)(C.calloc(1, C.sizeof_struct_ArrowArrayStream))}
	err := call(given, func(failure **C.xwalk_error) C.xwalk_code {
		return C.xwalk_rows_open(name, settings, rows.stream, failure)
	})
	if err != nil {
		C.free(unsafe.Pointer(rows.stream))
		return nil, err
	}
	rows.references.Store(1)
	rows.watch = newWatch(C.xwalk_rows_watch(rows.stream))
	exported := (*C.struct_ArrowSchema)(C.calloc(1, C.sizeof_struct_ArrowSchema))
	defer C.free(unsafe.Pointer(exported))
	if C.xwalk_go_schema(rows.stream, exported) != 0 {
		err = rows.watch.failure()
	} else {
		rows.schema, err = cdata.ImportCArrowSchema((*cdata.CArrowSchema)(unsafe.Pointer(exported)))
	}
	if err != nil {
		rows.Close()
		return nil, err
	}
	return rows, nil
}

// Schema returns the schema of the batches.
func (r *Rows) Schema() *arrow.Schema { return r.schema }

// Next reads a batch. It returns false at the end, and after an error, which Err returns.
func (r *Rows) Next() bool {
	if r.batch != nil {
		r.batch.Release()
		r.batch = nil
	}
	if r.stream == nil || r.err != nil {
		return false
	}
	out := (*C.struct_ArrowArray)(C.calloc(1, C.sizeof_struct_ArrowArray))
	defer C.free(unsafe.Pointer(out))
	defer cdata.ReleaseCArrowArray((*cdata.CArrowArray)(unsafe.Pointer(out)))
	if C.xwalk_go_next(r.stream, out) != 0 {
		r.err = r.watch.failure()
		return false
	}
	if out.release == nil {
		return false
	}
	r.batch, r.err = cdata.ImportCRecordBatchWithSchema((*cdata.CArrowArray)(unsafe.Pointer(out)), r.schema)
	return r.err == nil
}

// RecordBatch returns the batch of the last Next. It is valid until the next call; Retain keeps it.
func (r *Rows) RecordBatch() arrow.RecordBatch { return r.batch }

// Record returns the same as RecordBatch.
//
// Deprecated: array.RecordReader demands it.
func (r *Rows) Record() arrow.RecordBatch { return r.batch }

// Err returns the error that ended the rows: an *Error with its file, row and column.
func (r *Rows) Err() error { return r.err }

// All returns the batches that were not read yet. An error is the last, without a batch. A batch is valid until the
// next one; Retain keeps it.
func (r *Rows) All() iter.Seq2[arrow.RecordBatch, error] {
	return func(yield func(arrow.RecordBatch, error) bool) {
		for r.Next() {
			if !yield(r.batch, nil) {
				return
			}
		}
		if r.err != nil {
			yield(nil, r.err)
		}
	}
}

// Retain adds an owner.
func (r *Rows) Retain() { r.references.Add(1) }

// Release removes an owner. The last one closes the rows.
func (r *Rows) Release() {
	if r.references.Add(-1) == 0 {
		r.Close()
	}
}

// Close ends reading. Rows may be closed at any time, and several times. It returns no error.
func (r *Rows) Close() error {
	if r.batch != nil {
		r.batch.Release()
		r.batch = nil
	}
	if r.stream != nil {
		C.xwalk_go_release(r.stream)
		C.free(unsafe.Pointer(r.stream))
		r.stream = nil
	}
	return nil
}

// Rejected returns how many rows were left out so far, with WithOnError(OnErrorSkip); also after Close and Write.
func (r *Rows) Rejected() int64 { return r.watch.Rejected() }

// Notes returns messages about the rows that are not in their schema, such as files of a folder that are not read.
func (r *Rows) Notes() ([]Message, error) { return r.watch.Notes() }

// Watch returns a watch, which goroutines may share.
func (r *Rows) Watch() *Watch { return r.watch }

// Write writes all rows that were not read yet to a file or a dataset, in the format of its name or of the option `to`,
// and closes the rows. A target is the schema of the output, or nil. The output appears under its name only when all
// rows are written.
func (r *Rows) Write(output string, target *Schema, options ...Option) (*Report, error) {
	defer r.Close()
	if r.stream == nil {
		return nil, usage("expected rows, found rows that are closed")
	}
	return write(r.stream, output, target, options)
}

// Watch shows what rows have met so far, or until they were written or closed.
type Watch struct {
	pointer *C.xwalk_watch
}

func newWatch(pointer *C.xwalk_watch) *Watch {
	watch := &Watch{pointer}
	runtime.AddCleanup(watch, func(old *C.xwalk_watch) { C.xwalk_watch_free(old) }, pointer)
	return watch
}

// Rejected returns how many rows were left out.
func (w *Watch) Rejected() int64 {
	defer runtime.KeepAlive(w)
	return int64(C.xwalk_watch_rejected(w.pointer))
}

// Err returns the error that ended the rows, or nil.
func (w *Watch) Err() error {
	defer runtime.KeepAlive(w)
	if failure := takeError(C.xwalk_watch_error(w.pointer)); failure != nil {
		return failure
	}
	return nil
}

// Notes returns the messages about the rows that are not in their schema.
func (w *Watch) Notes() ([]Message, error) {
	defer runtime.KeepAlive(w)
	text := C.xwalk_watch_notes(w.pointer)
	if text == nil {
		return nil, newError(Internal, "no memory")
	}
	defer C.xwalk_bytes_free(text)
	var notes []Message
	err := json.Unmarshal([]byte(C.GoString(text)), &notes)
	return notes, err
}

func (w *Watch) failure() error {
	if err := w.Err(); err != nil {
		return err
	}
	return newError(Internal, "failed without an error")
}

// Write writes all rows of any reader of Arrow to a file or a dataset, as [Rows.Write] does. The reader remains the
// caller's, to release.
func Write(reader array.RecordReader, output string, target *Schema, options ...Option) (*Report, error) {
	stream := (*C.struct_ArrowArrayStream)(C.calloc(1, C.sizeof_struct_ArrowArrayStream))
	defer C.free(unsafe.Pointer(stream))
	cdata.ExportRecordReader(reader, (*cdata.CArrowArrayStream)(unsafe.Pointer(stream)))
	defer C.xwalk_go_release(stream)
	return write(stream, output, target, options)
}

func write(stream *C.struct_ArrowArrayStream, output string, target *Schema, options []Option) (*Report, error) {
	defer runtime.KeepAlive(target)
	given := &arguments{}
	defer given.free()
	path, settings := given.text(output), given.options(options)
	return reported(given, func(report **C.xwalk_report, failure **C.xwalk_error) C.xwalk_code {
		return C.xwalk_rows_write(stream, path, pointerOf(target), settings, report, failure)
	})
}

// Convert converts a file, a folder or a dataset to a file or a dataset, in the format of its name or of the option
// `to`. A conversion that alters values needs the option that alters and WithAllow(AllowLossy).
func Convert(path, output string, options ...Option) (*Report, error) {
	rows, err := Open(path, options...)
	if err != nil {
		return nil, err
	}
	return rows.Write(output, nil, options...)
}

// Ask is what a check finds out besides the verdict on each column: flags.
type Ask uint

const (
	// AskRows reads all rows: how many would be rejected, and why.
	AskRows Ask = C.XWALK_ASK_ROWS
	// AskReaders finds which software misreads which column.
	AskReaders Ask = C.XWALK_ASK_READERS
)

// Check reports what writing the rows of a file to a system would keep, narrow or lose. It writes nothing.
func Check(path string, system System, ask Ask, options ...Option) (*Report, error) {
	return check(path, string(system), nil, ask, options)
}

// CheckFormat does the same for a format of rows that is not a system, such as "csv".
func CheckFormat(path, format string, ask Ask, options ...Option) (*Report, error) {
	return check(path, format, nil, ask, options)
}

// CheckSchema does the same for a schema.
func CheckSchema(path string, target *Schema, ask Ask, options ...Option) (*Report, error) {
	return check(path, "", target, ask, options)
}

func check(path, system string, target *Schema, ask Ask, options []Option) (*Report, error) {
	defer runtime.KeepAlive(target)
	given := &arguments{}
	defer given.free()
	name, word, settings := given.text(path), given.textOrNull(system), given.options(options)
	return reported(given, func(report **C.xwalk_report, failure **C.xwalk_error) C.xwalk_code {
		return C.xwalk_rows_check(name, word, pointerOf(target), settings, C.unsigned(ask), report, failure)
	})
}

// CheckAppend reports whether the rows of a file could be added to an existing output, and every reason why not. It
// writes nothing.
func CheckAppend(path, output string, ask Ask, options ...Option) (*Report, error) {
	given := &arguments{}
	defer given.free()
	name, existing, settings := given.text(path), given.text(output), given.options(options)
	return reported(given, func(report **C.xwalk_report, failure **C.xwalk_error) C.xwalk_code {
		return C.xwalk_rows_check_append(name, existing, settings, C.unsigned(ask), report, failure)
	})
}

// Verify reads an output again and compares it with its source, row by row. A difference is not an error.
func Verify(path, output string, options ...Option) (*Proof, error) {
	return VerifyBy(path, output, nil, nil, options...)
}

// VerifyBy does the same with the schema that was given for the output, or nil, and the paths of columns that match
// rows; without them, rows are matched by position.
func VerifyBy(path, output string, target *Schema, key []string, options ...Option) (*Proof, error) {
	defer runtime.KeepAlive(target)
	given := &arguments{}
	defer given.free()
	name, existing, settings := given.text(path), given.text(output), given.options(options)
	columns := given.textOrNull(strings.Join(key, ","))
	report, err := reported(given, func(report **C.xwalk_report, failure **C.xwalk_error) C.xwalk_code {
		return C.xwalk_rows_verify(name, existing, pointerOf(target), columns, settings, report, failure)
	})
	if err != nil {
		return nil, err
	}
	verified := report.Verdict == "verified"
	return &Proof{Verified: verified, Summary: report.Summary, Text: report.Text, JSON: report.JSON, Rows: report.Rows}, nil
}

func pointerOf(schema *Schema) *C.xwalk_schema {
	if schema == nil {
		return nil
	}
	return schema.pointer
}
