// Reads rows of xwalk's C interface with arrow-go, and shows what it met. streams_test.py describes the ways.
package main

/*
#include <stdlib.h>
#include <xwalk.h>
*/
import "C"

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/cdata"
)

// met has the number of rows, and the errors.
type met struct {
	rows   int64
	errors []string
}

// textOf returns the text of an error, and frees it.
func textOf(failure *C.xwalk_error) string {
	if failure == nil {
		return ""
	}
	defer C.xwalk_error_free(failure)
	return C.GoString(failure.text)
}

// step reads a batch. Returns false at the end.
func step(reader array.RecordReader, found *met) bool {
	if reader.Next() {
		found.rows += reader.RecordBatch().NumRows()
		return true
	}
	if reader.Err() != nil {
		found.errors = append(found.errors, reader.Err().Error())
	}
	return false
}

// read reads all. arrow-go keeps the first error.
func read(reader array.RecordReader, found *met) {
	for step(reader, found) {
	}
}

// inThreads has two threads take turns.
func inThreads(reader array.RecordReader, found *met) {
	var turn sync.Mutex
	var both sync.WaitGroup
	for i := 0; i < 2; i++ {
		both.Add(1)
		go func() {
			defer both.Done()
			for {
				turn.Lock()
				goes := step(reader, found)
				turn.Unlock()
				if !goes {
					return
				}
			}
		}()
	}
	both.Wait()
}

func main() {
	way, name, options := os.Args[1], C.CString(os.Args[2]), C.CString(os.Args[3])
	rows := (*C.struct_ArrowArrayStream)(C.calloc(1, C.sizeof_struct_ArrowArrayStream))
	var failure *C.xwalk_error
	if C.xwalk_rows_open(name, options, rows, &failure) != C.XWALK_OK {
		fmt.Println("refused:", textOf(failure))
		return
	}
	watch := C.xwalk_rows_watch(rows)
	stream := (*cdata.CArrowArrayStream)(unsafe.Pointer(rows))
	// This moves the stream out of `rows`.
	imported, err := cdata.ImportCRecordReader(stream, nil)
	if err != nil {
		panic(err)
	}
	reader := imported.(array.RecordReader)
	found := met{}
	switch way {
	case "all":
		read(reader, &found)
	case "early":
		step(reader, &found)
	case "moved":
		done := make(chan bool)
		go func() { read(reader, &found); done <- true }()
		<-done
	case "threads":
		inThreads(reader, &found)
	case "twice":
	default:
		panic("expected a way to read, found " + way)
	}
	reader.Release()
	if way == "twice" && rows.release != nil {
		panic("expected a moved stream, found one to release again")
	}
	first := ""
	if len(found.errors) > 0 {
		first = found.errors[0]
	}
	fmt.Println("rows:", found.rows)
	fmt.Println("errors:", len(found.errors))
	fmt.Println("error:", strings.ReplaceAll(first, "\n", "|"))
	fmt.Println("rejected:", int64(C.xwalk_watch_rejected(watch)))
	fmt.Println("watched:", strings.ReplaceAll(textOf(C.xwalk_watch_error(watch)), "\n", "|"))
	C.xwalk_watch_free(watch)
	C.free(unsafe.Pointer(rows))
}
