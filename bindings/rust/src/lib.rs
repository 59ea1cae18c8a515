#![doc = include_str!("../README.md")]

mod error;
#[allow(non_camel_case_types)]
mod ffi;
mod names;
mod options;
mod report;
mod rows;
mod schema;

pub use arrow_array;
pub use arrow_schema;

pub use error::{Error, ErrorKind, Result};
pub use names::*;
pub use options::Options;
pub use report::{
    Accepted, Change, Check, ColumnSum, CompatReason, Compatibility, Decision, Finding, Message, Problem, Proof,
    ProofFile, Proved, ProvedColumn, Reason, RejectedPath, Remark, Report, RowsRead, SchemaDifference,
};
pub use rows::{check, check_append, convert, verify, verify_by, write, Ask, Rows, Target, Watch};
pub use schema::{Allowed, Schema};

/// Returns the version of the library that runs, `0.1.0`.
pub fn version() -> String {
    // SAFETY: the text is a constant of the library.
    unsafe { error::text_of(ffi::xwalk_version()) }
}
