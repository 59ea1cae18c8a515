package xwalk

/*
#include <xwalk.h>
*/
import "C"

import "fmt"

// Code is the kind of failure that ended a call.
type Code int

const (
	// Usage: the call makes no sense, such as an unknown option, or contradictions.
	Usage Code = C.XWALK_USAGE
	// Input: bytes, text or a value are not what they should be.
	Input Code = C.XWALK_INPUT
	// Unsupported: there is no mapping, or it would alter values without consent.
	Unsupported Code = C.XWALK_UNSUPPORTED
	// IO: the operating system, or an engine, refused to read or write.
	IO Code = C.XWALK_IO
	// Interrupted: the work was stopped.
	Interrupted Code = C.XWALK_INTERRUPTED
	// Internal: a bug in xwalk, or out of memory.
	Internal Code = C.XWALK_INTERNAL
)

// Error is why a call failed, and where. Texts that are not known are empty, numbers -1. errors.As finds it.
type Error struct {
	Code Code
	// Message is what was expected and what was found.
	Message string
	// Hint is what may help.
	Hint string
	// Text is the whole error as readable lines: place, message, caret and hint.
	Text string
	File string
	// Path is the path of the table's column: items[].price.
	Path string
	// Line and Column are places in a text, in bytes, from 1.
	Line, Column int64
	// Byte, Row and Table are places in a file, from 0.
	Byte, Row, Table int64
}

// Error returns the whole error as readable lines.
func (e *Error) Error() string {
	return e.Text
}

func usage(format string, words ...any) *Error {
	return newError(Usage, fmt.Sprintf(format, words...))
}

func newError(code Code, message string) *Error {
	return &Error{Code: code, Message: message, Text: message, Line: -1, Column: -1, Byte: -1, Row: -1, Table: -1}
}

// takeError copies and frees an error of C; it returns nil for NULL.
func takeError(failure *C.xwalk_error) *Error {
	if failure == nil {
		return nil
	}
	defer C.xwalk_error_free(failure)
	return &Error{
		Code:    Code(failure.code),
		Message: C.GoString(failure.message),
		Hint:    C.GoString(failure.hint),
		Text:    C.GoString(failure.text),
		File:    C.GoString(failure.file),
		Path:    C.GoString(failure.path),
		Line:    int64(failure.line),
		Column:  int64(failure.column),
		Byte:    int64(failure.byte),
		Row:     int64(failure.row),
		Table:   int64(failure.table),
	}
}

// call calls a function of C that takes texts, and a place for an error last.
func call(given *arguments, function func(failure **C.xwalk_error) C.xwalk_code) error {
	if given.err != nil {
		return given.err
	}
	var failure *C.xwalk_error
	if function(&failure) == C.XWALK_OK {
		return nil
	}
	return takeError(failure)
}
