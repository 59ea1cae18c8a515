package xwalk

/*
#include <xwalk.h>
*/
import "C"

import (
	"encoding/json"
	"slices"
)

// Report is what a conversion keeps.
type Report struct {
	// Verdict is the worst of all columns.
	Verdict Verdict
	// Summary is one line: "5 columns: 4 exact, 1 checked (date)".
	Summary string
	// Text is the whole report as lines, with every column.
	Text string
	// JSON is the whole report, which report.schema.json describes.
	JSON string
	// Rows are those that were read or written; -1 if none were.
	Rows int64
	// Rejected are rows that were or would be left out; -1 if no rows were read.
	Rejected int64
}

// Checks returns the report on each table.
func (r *Report) Checks() ([]TableReport, error) {
	var kind struct {
		Report string
		Tables []TableReport
	}
	if err := json.Unmarshal([]byte(r.JSON), &kind); err != nil {
		return nil, err
	}
	if kind.Report == "tables" {
		return kind.Tables, nil
	}
	check := make([]TableReport, 1)
	return check, json.Unmarshal([]byte(r.JSON), &check[0])
}

// Problems returns the inputs without a result: files that cannot be read, or that have another schema.
func (r *Report) Problems() ([]Problem, error) {
	var found struct{ Problems []Problem }
	err := json.Unmarshal([]byte(r.JSON), &found)
	return found.Problems, err
}

// Worse returns true if a verdict keeps less than another.
func (v Verdict) Worse(than Verdict) bool {
	return slices.Index(VerdictValues(), v) > slices.Index(VerdictValues(), than)
}

// Compatibility is whether data of one schema can be read as another.
type Compatibility struct {
	// Answer is the worst of all columns.
	Answer Answer
	// Text is the whole report as lines.
	Text string
	// JSON is the whole report.
	JSON string
}

// Reasons returns why the schemas are not compatible, or values must be validated.
func (c *Compatibility) Reasons() ([]CompatReason, error) {
	var found struct{ Reasons []CompatReason }
	err := json.Unmarshal([]byte(c.JSON), &found)
	return found.Reasons, err
}

// Proof is whether an output has the values of its source.
type Proof struct {
	// Verified is true if every value is what the conversion writes.
	Verified bool
	// Summary is one line.
	Summary string
	// Text is the whole report as lines.
	Text string
	// JSON is the proof, with differences and checksums.
	JSON string
	// Rows are the rows of the output.
	Rows int64
}

// Tables returns what was proved of each table.
func (p *Proof) Tables() ([]Proved, error) {
	var found struct{ Tables []Proved }
	err := json.Unmarshal([]byte(p.JSON), &found)
	return found.Tables, err
}

// reported calls a function of C that makes a report, and takes the report over.
func reported(given *arguments, function func(**C.xwalk_report, **C.xwalk_error) C.xwalk_code) (*Report, error) {
	var report *C.xwalk_report
	err := call(given, func(failure **C.xwalk_error) C.xwalk_code { return function(&report, failure) })
	if err != nil {
		return nil, err
	}
	defer C.xwalk_report_free(report)
	return &Report{
		Verdict:  Verdict(C.GoString(report.verdict)),
		Summary:  C.GoString(report.summary),
		Text:     C.GoString(report.text),
		JSON:     C.GoString(report.json),
		Rows:     int64(report.rows),
		Rejected: int64(report.rejected),
	}, nil
}

// TableReport: the report on one table, or on one file of several.
type TableReport struct {
	// Input: the name of the input.
	Input string `json:"input"`
	// Source: the system of the input.
	Source System `json:"source"`
	// Target: a system, or a format of rows that is not a system.
	Target string `json:"target"`
	// Verdict: the worst verdict.
	Verdict Verdict `json:"verdict"`
	// Fails: whether a conversion would be refused.
	Fails bool `json:"fails"`
	// Columns: the number of columns.
	Columns uint64 `json:"columns"`
	// Summary: the number of columns by verdict.
	Summary map[string]uint64 `json:"summary"`
	// Paths: the findings: the table first, with an empty path, then every path of the source.
	Paths []Finding `json:"paths"`
	// Decisions: what must be decided.
	Decisions []Decision `json:"decisions"`
	// Rows: what reading the rows found, if they were read.
	Rows *RowsRead `json:"rows"`
	// Inserted: rows that an upsert has added.
	Inserted *int64 `json:"inserted"`
	// Updated: rows that have replaced those with their key.
	Updated *int64 `json:"updated"`
	// Files: reports on each of several files whose schemas are unified.
	Files []TableReport `json:"files"`
	// Changes: what happens to the columns of one file of several.
	Changes []Change `json:"changes"`
	// Notes: messages about the rows that the schema does not show.
	Notes []Message `json:"notes"`
	// Readers: columns that other software misreads, if that was asked.
	Readers []Remark `json:"readers"`
}

// Finding: what happens to a column or of a part of it.
type Finding struct {
	// Path: the path: `items[].price`.
	Path string `json:"path"`
	// Source: the type in the words of its system.
	Source *string `json:"source"`
	// Target: the type in the words of the target.
	Target *string `json:"target"`
	// Verdict: the verdict.
	Verdict Verdict `json:"verdict"`
	// Values: what happens to the values.
	Values Values `json:"values"`
	// TypeKept: what happens to the type.
	TypeKept TypeKept `json:"type"`
	// Labels: what is not carried besides values and type.
	Labels []string `json:"labels"`
	// Reasons: why, worst first.
	Reasons []Reason `json:"reasons"`
}

// Reason: a rule that applies to a column.
type Reason struct {
	// Rule: the name of the rule, which `xwalk explain` documents.
	Rule string `json:"rule"`
	// Values: what happens to the values.
	Values Values `json:"values"`
	// Labels: what is not carried.
	Labels []string `json:"labels"`
	// Lost: what is lost.
	Lost *string `json:"lost"`
	// Witness: a value that would be rejected or altered.
	Witness *string `json:"witness"`
	// Hint: what may help.
	Hint *string `json:"hint"`
	// Accepted: why a project accepts it.
	Accepted *Accepted `json:"accepted"`
}

// Accepted: a finding that a project's file accepts.
type Accepted struct {
	// Reason: why.
	Reason string `json:"reason"`
	// Expires: the last day.
	Expires string `json:"expires"`
}

// Decision: what must be decided before a conversion.
type Decision struct {
	// Path: the path of the column.
	Path string `json:"path"`
	// Rule: the rule, or `rows`.
	Rule string `json:"rule"`
	// Verdict: the verdict or the answer.
	Verdict string `json:"verdict"`
	// State: `settled`, `decided`, `open` or `fails`.
	State string `json:"state"`
	// Rejected: rows rejected at the path.
	Rejected *uint64 `json:"rejected"`
	// Rows: rows that were read of the path.
	Rows *uint64 `json:"rows"`
	// Decided: what was decided.
	Decided *string `json:"decided"`
}

// RowsRead: what reading the rows found.
type RowsRead struct {
	// Read: rows that were read.
	Read uint64 `json:"read"`
	// Rejected: rows that would be rejected.
	Rejected uint64 `json:"refused"`
	// Paths: the columns.
	Paths []RejectedPath `json:"paths"`
}

// RejectedPath: values of a column that were read.
type RejectedPath struct {
	// Path: the path of the column.
	Path string `json:"path"`
	// Rejected: rows that would be rejected because of it.
	Rejected uint64 `json:"refused"`
	// First: why the first was rejected.
	First *string `json:"first"`
	// FirstRow: the number of the first, from 0.
	FirstRow *uint64 `json:"first_row"`
	// Smallest: the smallest value.
	Smallest *string `json:"smallest"`
	// Largest: the largest value.
	Largest *string `json:"largest"`
}

// Change: what happens to a column of one file of several.
type Change struct {
	// Path: the path of the column.
	Path string `json:"path"`
	// Change: the change.
	Change string `json:"change"`
}

// Message: a message about rows that their schema does not show.
type Message struct {
	// Path: the path of the column; empty for the table.
	Path string `json:"path"`
	// Rule: the name of the rule.
	Rule string `json:"rule"`
	// Found: what was found.
	Found string `json:"found"`
}

// Remark: a column that other software misreads.
type Remark struct {
	// Path: the path of the column.
	Path string `json:"path"`
	// Reader: the software.
	Reader string `json:"reader"`
	// Remark: what it does.
	Remark string `json:"remark"`
	// About: the values that it is about, if not all.
	About *string `json:"about"`
	// Affected: how many of the values are such.
	Affected *uint64 `json:"affected"`
	// Values: how many values were counted.
	Values *uint64 `json:"values"`
}

// Problem: an input without a result.
type Problem struct {
	// Problem: `error`, `differs` or `unpaired`.
	Problem string `json:"problem"`
	// Subject: the name of the input.
	Subject string `json:"subject"`
	// Text: what prevents a result.
	Text string `json:"text"`
}

// CompatReason: why schemas are not compatible.
type CompatReason struct {
	// Direction: which data cannot be read.
	Direction CompatMode `json:"direction"`
	// Answer: the answer for this column.
	Answer Answer `json:"answer"`
	// Path: the path of the column.
	Path string `json:"path"`
	// Reason: the reason.
	Reason string `json:"reason"`
	// Accepted: why a project accepts it.
	Accepted *Accepted `json:"accepted"`
}

// Proved: what was proved of one table.
type Proved struct {
	// Inputs: the files of the source.
	Inputs []ProofFile `json:"inputs"`
	// Output: the output.
	Output ProofFile `json:"output"`
	// Verified: whether every value is what the conversion writes.
	Verified bool `json:"verified"`
	// Failure: why nothing was compared.
	Failure *string `json:"failure"`
	// InOrder: whether rows were compared by position.
	InOrder *bool `json:"in_order"`
	// Verdict: the verdict of the conversion.
	Verdict *Verdict `json:"verdict"`
	// RowsRead: rows of the source.
	RowsRead *uint64 `json:"rows_read"`
	// RowsRejected: rows of the source that do not fit.
	RowsRejected *uint64 `json:"rows_rejected"`
	// FirstRejected: why the first does not fit.
	FirstRejected *string `json:"first_rejected"`
	// RowsWritten: rows of the output.
	RowsWritten *uint64 `json:"rows_written"`
	// SchemaDifferences: columns whose type or place differs.
	SchemaDifferences []SchemaDifference `json:"schema_differences"`
	// Columns: the columns with their checksums.
	Columns []ProvedColumn `json:"columns"`
	// Decisions: what was decided about the conversion.
	Decisions []Decision `json:"decisions"`
}

// ProofFile: a file of a proof.
type ProofFile struct {
	// Name: its name.
	Name string `json:"name"`
	// Bytes: its size.
	Bytes *uint64 `json:"bytes"`
}

// SchemaDifference: a column whose type or place differs from the plan of the conversion.
type SchemaDifference struct {
	// Path: the path of the column.
	Path string `json:"path"`
	// Expected: the planned type; empty for none.
	Expected string `json:"expected"`
	// Found: the type of the output; empty for none.
	Found string `json:"found"`
}

// ProvedColumn: a column of a proof.
type ProvedColumn struct {
	// Name: its name.
	Name string `json:"name"`
	// ComparedType: the Arrow type in which values were compared.
	ComparedType string `json:"type"`
	// Verdict: the verdict of the conversion.
	Verdict Verdict `json:"verdict"`
	// Source: the values of the source.
	Source ColumnSum `json:"source"`
	// Output: the values of the output.
	Output ColumnSum `json:"output"`
	// DifferingRows: rows whose values differ.
	DifferingRows uint64 `json:"differing_rows"`
}

// ColumnSum: the values of a column.
type ColumnSum struct {
	// Values: values that are not null.
	Values uint64 `json:"values"`
	// Nulls: nulls.
	Nulls uint64 `json:"nulls"`
	// Checksum: the checksum of the values, which `checksums.md` defines.
	Checksum string `json:"checksum"`
}
