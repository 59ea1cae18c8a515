package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/apache/arrow-go/v18/arrow/extensions"
)

// readVariants writes FILE.variants.txt: the whole value of each row of the first column, its metadata and its bytes as hexadecimal
// digits, or "null".
func readVariants(path string) error {
	table, err := readTable(path)
	if err != nil {
		return err
	}
	var text strings.Builder
	for _, chunk := range table.Column(0).Data().Chunks() {
		values, ok := chunk.(*extensions.VariantArray)
		if !ok {
			return fmt.Errorf("expected a column of VARIANT, found %s", chunk.DataType())
		}
		for i := range values.Len() {
			// IsNull is also true for the value null.
			if values.Storage().IsNull(i) {
				text.WriteString("null\n")
				continue
			}
			value, err := values.Value(i)
			if err != nil {
				return fmt.Errorf("row %d: %w", i, err)
			}
			fmt.Fprintf(&text, "%x %x\n", value.Metadata().Bytes(), value.Bytes())
		}
	}
	return os.WriteFile(path+".variants.txt", []byte(text.String()), 0o600)
}
