// Package xwalk converts and checks tables of YTsaurus, Skiff, Parquet, Lance, Vortex, Arrow and Iceberg. It calls
// xwalk's C library, which pkg-config finds, and passes rows as batches of arrow-go.
//
//   - [Schema] parses, reads, prints, converts and compares schemas.
//   - [Rows] reads a file, a folder or a dataset. It is an array.RecordReader, and [Rows.All] an iterator.
//   - [Check] reports what a conversion keeps: as text, as JSON, and as a [Finding] for each column.
//   - [Convert], [Write] and [Verify] write outputs that appear only when they are complete, and compare them with
//     their source.
//   - Each function With… sets one option. An option that a function does not use is checked and has no effect.
//
// Errors are of the type [*Error], with file, row and column.
package xwalk

/*
#cgo pkg-config: xwalk
#include <stdlib.h>
#include <xwalk.h>
*/
import "C"

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// Version returns the version of the library that runs, "0.1.0".
func Version() string {
	return C.GoString(C.xwalk_version())
}

// Option is an option of a conversion, which the functions With… make.
type Option struct {
	name  string
	value any
}

// WithOption sets an option by its name, also one that only a newer library has.
func WithOption(name string, value any) Option {
	return Option{name, value}
}

// arguments are the texts of one call of C.
type arguments struct {
	texts []*C.char
	err   error
}

// text returns a text for C. Texts of C end at a zero byte, so a text that has one is refused.
func (a *arguments) text(text string) *C.char {
	if strings.IndexByte(text, 0) >= 0 && a.err == nil {
		a.err = usage("%q: a zero byte in a text", text)
	}
	a.texts = append(a.texts, C.CString(text))
	return a.texts[len(a.texts)-1]
}

// textOrNull returns NULL for no text.
func (a *arguments) textOrNull(text string) *C.char {
	if text == "" {
		return nil
	}
	return a.text(text)
}

// options returns options as JSON. A name that is given twice is written twice, and refused by the library.
func (a *arguments) options(options []Option) *C.char {
	var out bytes.Buffer
	separator := "{"
	for _, option := range options {
		if list, is := option.value.([]string); is && list == nil {
			option.value = []string{}
		}
		if !valid(option.value) && a.err == nil {
			a.err = usage("%s: expected UTF-8, found other bytes", option.name)
		}
		name, _ := json.Marshal(option.name)
		value, err := json.Marshal(option.value)
		if err != nil && a.err == nil {
			a.err = usage("%s: %v", option.name, err)
		}
		fmt.Fprintf(&out, "%s%s: %s", separator, name, value)
		separator = ", "
	}
	if len(options) == 0 {
		return nil
	}
	return a.text(out.String() + "}")
}

// valid returns false for texts that are not UTF-8, in which JSON replaces bytes.
func valid(value any) bool {
	switch value := value.(type) {
	case string:
		return utf8.ValidString(value)
	case []string:
		for _, text := range value {
			if !utf8.ValidString(text) {
				return false
			}
		}
	case map[string]any:
		for name, one := range value {
			if !utf8.ValidString(name) || !valid(one) {
				return false
			}
		}
	}
	return true
}

func (a *arguments) free() {
	for _, text := range a.texts {
		C.free(unsafe.Pointer(text))
	}
}
