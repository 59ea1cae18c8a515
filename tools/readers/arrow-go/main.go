// Reads the Parquet files that are named on standard input, a line each, and writes the column v of each as an Arrow stream.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
)

type question struct {
	Path string `json:"path"`
}

func read(path string) (found map[string]string) {
	defer func() {
		if failure := recover(); failure != nil {
			found = map[string]string{"refused": fmt.Sprint(failure)}
		}
	}()
	refused := func(err error) map[string]string { return map[string]string{"refused": err.Error()} }
	rows, err := file.OpenParquetFile(path, false)
	if err != nil {
		return refused(err)
	}
	defer rows.Close()
	reader, err := pqarrow.NewFileReader(rows, pqarrow.ArrowReadProperties{}, memory.DefaultAllocator)
	if err != nil {
		return refused(err)
	}
	table, err := reader.ReadTable(context.Background())
	if err != nil {
		return refused(err)
	}
	defer table.Release()
	var sink bytes.Buffer
	writer := ipc.NewWriter(&sink, ipc.WithSchema(table.Schema()))
	records := array.NewTableReader(table, -1)
	defer records.Release()
	for records.Next() {
		if err := writer.Write(records.RecordBatch()); err != nil {
			return refused(err)
		}
	}
	if err := writer.Close(); err != nil {
		return refused(err)
	}
	var kind arrow.DataType = table.Schema().Field(0).Type
	return map[string]string{"type": kind.String(), "value": base64.StdEncoding.EncodeToString(sink.Bytes())}
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var one question
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			panic(err)
		}
		answer, _ := json.Marshal(read(one.Path))
		fmt.Println(string(answer))
	}
}
