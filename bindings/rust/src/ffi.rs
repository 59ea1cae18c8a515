//! The functions of `xwalk.h`, which documents them.

use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use std::ffi::{c_char, c_int, c_uint};

pub const XWALK_USAGE: c_int = 1;
pub const XWALK_INPUT: c_int = 2;
pub const XWALK_UNSUPPORTED: c_int = 3;
pub const XWALK_IO: c_int = 4;
pub const XWALK_INTERRUPTED: c_int = 5;
pub const XWALK_INTERNAL: c_int = 6;
pub const XWALK_ASK_ROWS: c_uint = 1;
pub const XWALK_ASK_READERS: c_uint = 2;
pub const XWALK_ALLOW_RENAME: c_uint = 1;
pub const XWALK_ALLOW_REMOVAL: c_uint = 2;

#[repr(C)]
pub struct xwalk_error {
    pub code: c_int,
    pub message: *const c_char,
    pub hint: *const c_char,
    pub text: *const c_char,
    pub file: *const c_char,
    pub path: *const c_char,
    pub line: i64,
    pub column: i64,
    pub byte: i64,
    pub row: i64,
    pub table: i64,
}

#[repr(C)]
pub struct xwalk_report {
    pub grade: i32,
    pub verdict: *const c_char,
    pub summary: *const c_char,
    pub json: *const c_char,
    pub rows: i64,
    pub rejected: i64,
    pub text: *const c_char,
}

#[repr(C)]
pub struct xwalk_schema {
    _private: [u8; 0],
}

#[repr(C)]
pub struct xwalk_watch {
    _private: [u8; 0],
}

type Errors = *mut *mut xwalk_error;
type Reports = *mut *mut xwalk_report;
type Schemas = *mut *mut xwalk_schema;
type Text = *const c_char;

#[rustfmt::skip]
extern "C" {
    pub fn xwalk_version() -> Text;
    pub fn xwalk_error_free(error: *mut xwalk_error);
    pub fn xwalk_report_free(report: *mut xwalk_report);
    pub fn xwalk_schema_parse(bytes: Text, size: usize, system: Text, schema: Schemas, error: Errors) -> c_int;
    pub fn xwalk_schema_read(path: Text, system: Text, options: Text, schema: Schemas, error: Errors) -> c_int;
    pub fn xwalk_schema_from_arrow(arrow: *const FFI_ArrowSchema, schema: Schemas, error: Errors) -> c_int;
    pub fn xwalk_schema_to_arrow(schema: *const xwalk_schema, arrow: *mut FFI_ArrowSchema, error: Errors) -> c_int;
    pub fn xwalk_schema_system(schema: *const xwalk_schema) -> Text;
    pub fn xwalk_schema_dump(schema: *const xwalk_schema, form: Text, bytes: *mut *mut c_char, size: *mut usize, error: Errors) -> c_int;
    pub fn xwalk_schema_lost(schema: *const xwalk_schema, form: Text, text: *mut *mut c_char, error: Errors) -> c_int;
    pub fn xwalk_bytes_free(bytes: *mut c_char);
    pub fn xwalk_schema_convert(schema: *const xwalk_schema, system: Text, options: Text, target: Schemas, report: Reports, error: Errors) -> c_int;
    pub fn xwalk_schema_compat(older: *const xwalk_schema, newer: *const xwalk_schema, mode: Text, allow: c_uint, report: Reports, error: Errors) -> c_int;
    pub fn xwalk_schema_free(schema: *mut xwalk_schema);
    pub fn xwalk_rows_open(path: Text, options: Text, rows: *mut FFI_ArrowArrayStream, error: Errors) -> c_int;
    pub fn xwalk_rows_watch(rows: *const FFI_ArrowArrayStream) -> *mut xwalk_watch;
    pub fn xwalk_watch_rejected(watch: *const xwalk_watch) -> i64;
    pub fn xwalk_watch_error(watch: *const xwalk_watch) -> *mut xwalk_error;
    pub fn xwalk_watch_notes(watch: *const xwalk_watch) -> *mut c_char;
    pub fn xwalk_watch_free(watch: *mut xwalk_watch);
    pub fn xwalk_rows_write(rows: *mut FFI_ArrowArrayStream, path: Text, target: *const xwalk_schema, options: Text, report: Reports, error: Errors) -> c_int;
    pub fn xwalk_rows_check(path: Text, system: Text, target: *const xwalk_schema, options: Text, ask: c_uint, report: Reports, error: Errors) -> c_int;
    pub fn xwalk_rows_check_append(path: Text, output: Text, options: Text, ask: c_uint, report: Reports, error: Errors) -> c_int;
    pub fn xwalk_rows_verify(path: Text, output: Text, target: *const xwalk_schema, key: Text, options: Text, report: Reports, error: Errors) -> c_int;
}
