package xwalk

/*
#include <stdlib.h>
#include <xwalk.h>
*/
import "C"

import (
	"runtime"
	"strings"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/cdata"
)

// Schema is a table schema of one system. It does not change: goroutines may share it until one closes it.
type Schema struct {
	pointer *C.xwalk_schema
	cleanup runtime.Cleanup
}

func newSchema(pointer *C.xwalk_schema) *Schema {
	schema := &Schema{pointer: pointer}
	schema.cleanup = runtime.AddCleanup(schema, func(old *C.xwalk_schema) { C.xwalk_schema_free(old) }, pointer)
	return schema
}

// Close frees the schema. A schema that is not closed is freed by the garbage collector.
func (s *Schema) Close() {
	s.cleanup.Stop()
	C.xwalk_schema_free(s.pointer)
	s.pointer = nil
}

// ParseSchema parses a schema in any written form, text or binary. An empty system is that whose syntax the text has.
// An error has the line and column, or the byte.
func ParseSchema(text []byte, system System) (*Schema, error) {
	given := &arguments{}
	defer given.free()
	word := given.textOrNull(string(system))
	bytes := C.CBytes(append(text, 0))
	defer C.free(bytes)
	var schema *C.xwalk_schema
	err := call(given, func(failure **C.xwalk_error) C.xwalk_code {
		return C.xwalk_schema_parse((*C.char)(bytes), C.size_t(len(text)), word, &schema, failure)
	})
	if err != nil {
		return nil, err
	}
	return newSchema(schema), nil
}

// ReadSchema reads the schema of a data file, a folder of files, a dataset or a schema file.
func ReadSchema(path string, options ...Option) (*Schema, error) {
	given := &arguments{}
	defer given.free()
	name, settings := given.text(path), given.options(options)
	var schema *C.xwalk_schema
	err := call(given, func(failure **C.xwalk_error) C.xwalk_code {
		return C.xwalk_schema_read(name, nil, settings, &schema, failure)
	})
	if err != nil {
		return nil, err
	}
	return newSchema(schema), nil
}

// SchemaFromArrow makes a schema of the system Arrow.
func SchemaFromArrow(arrow *arrow.Schema) (*Schema, error) {
	exported := (*C.struct_ArrowSchema)(C.calloc(1, C.sizeof_struct_ArrowSchema))
	defer C.free(unsafe.Pointer(exported))
	of := (*cdata.CArrowSchema)(unsafe.Pointer(exported))
	cdata.ExportArrowSchema(arrow, of)
	defer cdata.ReleaseCArrowSchema(of)
	var schema *C.xwalk_schema
	err := call(&arguments{}, func(failure **C.xwalk_error) C.xwalk_code {
		return C.xwalk_schema_from_arrow(exported, &schema, failure)
	})
	if err != nil {
		return nil, err
	}
	return newSchema(schema), nil
}

// Arrow returns the Arrow form of the schema.
func (s *Schema) Arrow() (*arrow.Schema, error) {
	defer runtime.KeepAlive(s)
	exported := (*C.struct_ArrowSchema)(C.calloc(1, C.sizeof_struct_ArrowSchema))
	defer C.free(unsafe.Pointer(exported))
	err := call(&arguments{}, func(failure **C.xwalk_error) C.xwalk_code {
		return C.xwalk_schema_to_arrow(s.pointer, exported, failure)
	})
	if err != nil {
		return nil, err
	}
	// The import releases it.
	return cdata.ImportCArrowSchema((*cdata.CArrowSchema)(unsafe.Pointer(exported)))
}

// System returns the system of the schema.
func (s *Schema) System() System {
	defer runtime.KeepAlive(s)
	return System(C.GoString(C.xwalk_schema_system(s.pointer)))
}

// Dump writes the schema in a form of its system; an empty form is the usual one. `xwalk schema --help` lists the forms.
func (s *Schema) Dump(form string) ([]byte, error) {
	defer runtime.KeepAlive(s)
	given := &arguments{}
	defer given.free()
	word := given.textOrNull(form)
	var bytes *C.char
	var size C.size_t
	err := call(given, func(failure **C.xwalk_error) C.xwalk_code {
		return C.xwalk_schema_dump(s.pointer, word, &bytes, &size, failure)
	})
	if err != nil {
		return nil, err
	}
	defer C.xwalk_bytes_free(bytes)
	return C.GoBytes(unsafe.Pointer(bytes), C.int(size)), nil
}

// String returns the schema in the usual form of its system.
func (s *Schema) String() string {
	text, err := s.Dump("")
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// Lost lists the parts of the schema that a form cannot hold.
func (s *Schema) Lost(form string) ([]string, error) {
	defer runtime.KeepAlive(s)
	given := &arguments{}
	defer given.free()
	word := given.textOrNull(form)
	var text *C.char
	err := call(given, func(failure **C.xwalk_error) C.xwalk_code {
		return C.xwalk_schema_lost(s.pointer, word, &text, failure)
	})
	if err != nil {
		return nil, err
	}
	defer C.xwalk_bytes_free(text)
	lines := strings.Split(C.GoString(text), "\n")
	return lines[:len(lines)-1], nil
}

// Convert converts the schema to another system, and reports what that keeps. A column without a mapping is an error
// with its path; Check reports all such columns.
func (s *Schema) Convert(system System, options ...Option) (*Schema, *Report, error) {
	var schema *C.xwalk_schema
	report, err := s.convert(system, &schema, options)
	if err != nil {
		return nil, nil, err
	}
	return newSchema(schema), report, nil
}

// Check reports what a conversion to another system keeps.
func (s *Schema) Check(system System, options ...Option) (*Report, error) {
	return s.convert(system, nil, options)
}

func (s *Schema) convert(system System, schema **C.xwalk_schema, options []Option) (*Report, error) {
	defer runtime.KeepAlive(s)
	given := &arguments{}
	defer given.free()
	word, settings := given.text(string(system)), given.options(options)
	return reported(given, func(report **C.xwalk_report, failure **C.xwalk_error) C.xwalk_code {
		return C.xwalk_schema_convert(s.pointer, word, settings, schema, report, failure)
	})
}

// Changes of a schema that YTsaurus allows only with a flag.
type Changes uint

const (
	// AllowRename allows columns that were renamed.
	AllowRename Changes = C.XWALK_ALLOW_RENAME
	// AllowRemoval allows columns that were removed.
	AllowRemoval Changes = C.XWALK_ALLOW_REMOVAL
)

// Compat reports whether data of this schema can be read as the newer one.
func (s *Schema) Compat(newer *Schema, mode CompatMode, allowed Changes) (*Compatibility, error) {
	defer runtime.KeepAlive(s)
	defer runtime.KeepAlive(newer)
	given := &arguments{}
	defer given.free()
	word := given.text(string(mode))
	report, err := reported(given, func(report **C.xwalk_report, failure **C.xwalk_error) C.xwalk_code {
		return C.xwalk_schema_compat(s.pointer, newer.pointer, word, C.unsigned(allowed), report, failure)
	})
	if err != nil {
		return nil, err
	}
	return &Compatibility{Answer: Answer(report.Verdict), Text: report.Text, JSON: report.JSON}, nil
}
