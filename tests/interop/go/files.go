package main

import (
	"context"
	"io"
	"os"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
)

var codecs = []compress.Compression{
	compress.Codecs.Uncompressed, compress.Codecs.Snappy, compress.Codecs.Gzip,
	compress.Codecs.Brotli, compress.Codecs.Zstd, compress.Codecs.Lz4Raw,
}

// makeFiles writes the table of a seed in each format. Successive seeds differ in codec, page version and dictionaries.
func makeFiles(seed uint64, stem string) error {
	table := randomTable(seed)
	version := parquet.DataPageV1
	if seed%2 == 1 {
		version = parquet.DataPageV2
	}
	options := []parquet.WriterProperty{
		parquet.WithCompression(codecs[seed%uint64(len(codecs))]), parquet.WithDataPageVersion(version),
		parquet.WithDictionaryDefault(seed%3 != 0), parquet.WithDataPageSize(512), parquet.WithMaxRowGroupLength(150),
		parquet.WithVersion(parquet.V2_LATEST),
	}
	arrowOptions := []pqarrow.WriterOption{}
	if seed%4 < 2 {
		arrowOptions = append(arrowOptions, pqarrow.WithStoreSchema())
	}
	file, err := os.Create(stem + ".parquet")
	if err != nil {
		return err
	}
	if err := pqarrow.WriteTable(table, file, 150, parquet.NewWriterProperties(options...),
		pqarrow.NewArrowWriterProperties(arrowOptions...)); err != nil {
		return err
	}
	for _, form := range []string{".arrow", ".arrows"} {
		if err := writeArrow(stem+form, table); err != nil {
			return err
		}
	}
	return writeText(stem+".txt", table)
}

func writeArrow(path string, table arrow.Table) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	var writer interface {
		Write(arrow.RecordBatch) error
		Close() error
	}
	if strings.HasSuffix(path, ".arrows") {
		writer = ipc.NewWriter(file, ipc.WithSchema(table.Schema()), ipc.WithZstd())
	} else if writer, err = ipc.NewFileWriter(file, ipc.WithSchema(table.Schema()), ipc.WithLZ4()); err != nil {
		return err
	}
	batches := array.NewTableReader(table, 150)
	for batches.Next() {
		if err := writer.Write(batches.RecordBatch()); err != nil {
			return err
		}
	}
	return writer.Close()
}

func readTable(path string) (arrow.Table, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if strings.HasSuffix(path, ".parquet") {
		return pqarrow.ReadTable(context.Background(), file, parquet.NewReaderProperties(memory.DefaultAllocator),
			pqarrow.ArrowReadProperties{}, memory.DefaultAllocator)
	}
	batches := []arrow.RecordBatch{}
	var schema *arrow.Schema
	if strings.HasSuffix(path, ".arrows") {
		stream, err := ipc.NewReader(file)
		if err != nil {
			return nil, err
		}
		schema = stream.Schema()
		for stream.Next() {
			batch := stream.RecordBatch()
			batch.Retain()
			batches = append(batches, batch)
		}
		if err := stream.Err(); err != nil && err != io.EOF {
			return nil, err
		}
	} else {
		reader, err := ipc.NewFileReader(file)
		if err != nil {
			return nil, err
		}
		schema = reader.Schema()
		for index := range reader.NumRecords() {
			batch, err := reader.RecordBatchAt(index)
			if err != nil {
				return nil, err
			}
			batches = append(batches, batch)
		}
	}
	return array.NewTableFromRecords(schema, batches), nil
}
