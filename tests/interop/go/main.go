// Reads and writes Arrow and Parquet files with arrow-go, and Parquet files with parquet-go, for tests/interop/go_test.py.
//
//	interop make SEED STEM           writes a random table as STEM.parquet, STEM.arrow and STEM.arrows, and as text to STEM.txt
//	interop read FILE...             writes FILE.txt next to each file: its columns as text
//	interop read-variant FILE...     writes FILE.variants.txt next to each file: the VARIANTs of its first column, as bytes
//	interop make-segment SEED STEM   writes another as STEM.parquet, with parquet-go, and as text to STEM.txt
//	interop read-segment SEED FILE   writes FILE.segment.txt: the rows that parquet-go reads
//
// The text has a line for the type of each column and one for each of its values. Types and units that a format may exchange for
// each other without a loss (large and small lists, seconds and milliseconds, a dictionary and its values) have one form in it.
package main

import (
	"fmt"
	"os"
	"strconv"
)

func run(words []string) error {
	usage := fmt.Errorf("usage: interop make|make-segment|read-segment SEED PATH, or interop read|read-variant FILE")
	if len(words) == 0 {
		return usage
	}
	bySeed := map[string]func(uint64, string) error{
		"make": makeFiles, "make-segment": makeSegment, "read-segment": readSegment,
	}
	if command := bySeed[words[0]]; command != nil && len(words) == 3 {
		seed, err := strconv.ParseUint(words[1], 10, 64)
		if err != nil {
			return err
		}
		return command(seed, words[2])
	}
	if len(words) > 1 && words[0] == "read-variant" {
		for _, path := range words[1:] {
			if err := readVariants(path); err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
		}
		return nil
	}
	if len(words) > 1 && words[0] == "read" {
		for _, path := range words[1:] {
			table, err := readTable(path)
			if err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			if err := writeText(path+".txt", table); err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
		}
		return nil
	}
	return usage
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
