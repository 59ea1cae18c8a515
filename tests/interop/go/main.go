// Reads and writes Arrow and Parquet files with arrow-go, for tests/interop/go_test.py.
//
//	interop make SEED STEM     writes a random table as STEM.parquet, STEM.arrow and STEM.arrows, and as text to STEM.txt
//	interop read FILE...       writes FILE.txt beside each file: its columns as text
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
	if len(words) == 3 && words[0] == "make" {
		seed, err := strconv.ParseUint(words[1], 10, 64)
		if err != nil {
			return err
		}
		return makeFiles(seed, words[2])
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
	return fmt.Errorf("usage: interop make SEED STEM | interop read FILE...")
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
