package xwalk_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	xwalk "xwalk/bindings/go"
)

// table writes rows of YSON with their schema into a new folder, and returns the path of the rows and the folder.
func table(rows, schema string) (string, string) {
	folder, err := os.MkdirTemp("", "xwalk")
	if err != nil {
		panic(err)
	}
	path := filepath.Join(folder, "rows.yson")
	for name, text := range map[string]string{path: rows, path + ".schema": schema} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			panic(err)
		}
	}
	return path, folder
}

func ExampleSchema() {
	schema, err := xwalk.ParseSchema([]byte("[{name=id;type=int64};{name=day;type=date}]"), "")
	if err != nil {
		panic(err)
	}
	defer schema.Close()
	parquet, report, err := schema.Convert(xwalk.SystemParquet)
	if err != nil {
		panic(err)
	}
	defer parquet.Close()
	fmt.Print(parquet)
	fmt.Println(report.Summary)
	// Output:
	// message schema {
	//   optional int64 id;
	//   optional int32 day (DATE);
	// }
	// 2 columns: 1 exact, 1 annotated
}

func ExampleOpen() {
	path, folder := table("{a=1};{a=x};{a=3};", "[{name=a;type=int64}]")
	defer os.RemoveAll(folder)
	rows, err := xwalk.Open(path, xwalk.WithOnError(xwalk.OnErrorSkip))
	if err != nil {
		panic(err)
	}
	defer rows.Close()
	for batch, err := range rows.All() {
		if err != nil {
			panic(err)
		}
		fmt.Println(batch.Column(0))
	}
	fmt.Println("rejected:", rows.Rejected())
	// Output:
	// [1 3]
	// rejected: 1
}

func ExampleError() {
	path, folder := table("{a=1};{a=x};{a=3};", "[{name=a;type=int64}]")
	defer os.RemoveAll(folder)
	_, err := xwalk.Convert(path, filepath.Join(folder, "copy.skiff"))
	var failure *xwalk.Error
	if errors.As(err, &failure) {
		fmt.Printf("row %d, column %s: %s\n", failure.Row, failure.Path, failure.Message)
	}
	// Output: row 1, column a: expected int64, found string "x"
}

func ExampleCheck() {
	path, folder := table("{a=1};{a=300};", "[{name=a;type=int64}]")
	defer os.RemoveAll(folder)
	target, err := xwalk.ParseSchema([]byte("[{name=a;type=int8}]"), xwalk.SystemYt)
	if err != nil {
		panic(err)
	}
	report, err := xwalk.CheckSchema(path, target, xwalk.AskRows)
	if err != nil {
		panic(err)
	}
	checks, err := report.Checks()
	if err != nil {
		panic(err)
	}
	for _, finding := range checks[0].Paths {
		if finding.Verdict.Worse(xwalk.VerdictExact) {
			fmt.Println(finding.Path, finding.Verdict, finding.Reasons[0].Rule)
		}
	}
	fmt.Println("rejected:", report.Rejected)
	// Output:
	// a checked range.narrowed
	// rejected: 1
}

func ExampleConvert() {
	path, folder := table("{a=1};{a=2};", "[{name=a;type=int64}]")
	defer os.RemoveAll(folder)
	output := filepath.Join(folder, "copy.skiff")
	report, err := xwalk.Convert(path, output)
	if err != nil {
		panic(err)
	}
	proof, err := xwalk.Verify(path, output)
	if err != nil {
		panic(err)
	}
	fmt.Println(report.Rows, proof.Verified)
	// Output: 2 true
}
