use crate::error::{text_of, Error, ErrorKind, Result};
use crate::ffi;
use crate::names::{Answer, CompatMode, System, TypeKept, Values, Verdict};
use serde::de::DeserializeOwned;
use serde::Deserialize;

/// What a conversion keeps.
///
/// ```
/// # let folder = std::env::temp_dir().join(format!("xwalk-report-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder).unwrap();
/// # let path = folder.join("rows.yson");
/// # std::fs::write(&path, "{d=\"\\x80\\x00\\x00\\x00\\x00\\x00\\x00\\x01\"};").unwrap();
/// # std::fs::write(folder.join("rows.yson.schema"), "[{name=d;type_v3={type_name=decimal;precision=10;scale=2}}]").unwrap();
/// use xwalk::{check, Ask, Options, System, Verdict};
///
/// let report = check(&path, System::Lance, Ask { rows: true, readers: false }, &Options::new())?;
/// assert_eq!(report.verdict(), Verdict::Checked);
/// for check in report.checks()? {
///     for finding in check.paths.iter().filter(|finding| finding.verdict > Verdict::Exact) {
///         assert_eq!(finding.path, "d");
///         assert!(!finding.reasons[0].rule.is_empty());
///     }
/// }
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok::<(), xwalk::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    grade: i32,
    summary: String,
    text: String,
    json: String,
    rows: Option<u64>,
    rejected: Option<u64>,
}

impl Report {
    /// Returns the worst verdict of all columns.
    pub fn verdict(&self) -> Verdict {
        grade_of(self.grade, Verdict::ALL)
    }
    /// Returns one line: `5 columns: 4 exact, 1 checked (date)`.
    pub fn summary(&self) -> &str {
        &self.summary
    }
    /// Returns the whole report as lines, with every column.
    pub fn text(&self) -> &str {
        &self.text
    }
    /// Returns the whole report as JSON, which `report.schema.json` describes.
    pub fn json(&self) -> &str {
        &self.json
    }
    /// Returns the number of rows that were read or written, if any were.
    pub fn rows(&self) -> Option<u64> {
        self.rows
    }
    /// Returns the number of rows that were or would be left out, if rows were read.
    pub fn rejected(&self) -> Option<u64> {
        self.rejected
    }
    /// Returns the report on each table.
    pub fn checks(&self) -> Result<Vec<Check>> {
        tables_of(&self.json)
    }
    /// Returns the inputs without a result: files that cannot be read, or that have another schema.
    pub fn problems(&self) -> Result<Vec<Problem>> {
        let found: Several<serde::de::IgnoredAny> = parse(&self.json)?;
        Ok(found.problems)
    }

    /// Takes over a report of C.
    ///
    /// # Safety
    /// `report` is a report that the library made and nobody has freed.
    pub(crate) unsafe fn take(report: *mut ffi::xwalk_report) -> Report {
        // SAFETY: the caller's promise; the texts of a report are valid until it is freed.
        let out = unsafe {
            let found = &*report;
            Report {
                grade: found.grade,
                summary: text_of(found.summary),
                text: text_of(found.text),
                json: text_of(found.json),
                rows: u64::try_from(found.rows).ok(),
                rejected: u64::try_from(found.rejected).ok(),
            }
        };
        // SAFETY: it is freed once, here.
        unsafe { ffi::xwalk_report_free(report) };
        out
    }
}

impl std::fmt::Display for Report {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str(&self.text)
    }
}

/// Whether data of one schema can be read as another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compatibility(pub(crate) Report);

impl Compatibility {
    /// Returns the worst answer of all columns.
    pub fn answer(&self) -> Answer {
        grade_of(self.0.grade, Answer::ALL)
    }
    /// Returns the whole report as lines.
    pub fn text(&self) -> &str {
        &self.0.text
    }
    /// Returns the whole report as JSON.
    pub fn json(&self) -> &str {
        &self.0.json
    }
    /// Returns why the schemas are not compatible, or values must be validated.
    pub fn reasons(&self) -> Result<Vec<CompatReason>> {
        #[derive(Deserialize)]
        struct Whole {
            reasons: Vec<CompatReason>,
        }
        Ok(parse::<Whole>(&self.0.json)?.reasons)
    }
}

/// Whether an output has the values of its source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof(pub(crate) Report);

impl Proof {
    /// Returns true if every value is what the conversion writes.
    pub fn verified(&self) -> bool {
        self.0.grade == 0
    }
    /// Returns one line.
    pub fn summary(&self) -> &str {
        &self.0.summary
    }
    /// Returns the whole report as lines.
    pub fn text(&self) -> &str {
        &self.0.text
    }
    /// Returns the proof as JSON, with differences and checksums.
    pub fn json(&self) -> &str {
        &self.0.json
    }
    /// Returns the number of rows of the output.
    pub fn rows(&self) -> Option<u64> {
        self.0.rows
    }
    /// Returns what was proved of each table.
    pub fn tables(&self) -> Result<Vec<Proved>> {
        Ok(parse::<Several<Proved>>(&self.0.json)?.tables)
    }
}

/// The report on one table, or on one file of several.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct Check {
    /// The name of the input.
    pub input: String,
    /// The system of the input.
    pub source: System,
    /// A system, or a format of rows that is not a system.
    pub target: String,
    /// The worst verdict.
    pub verdict: Verdict,
    /// Whether a conversion would be refused.
    pub fails: bool,
    /// The number of columns.
    pub columns: u64,
    /// The number of columns by verdict.
    pub summary: std::collections::BTreeMap<String, u64>,
    /// The findings: the table first, with an empty path, then every path of the source.
    pub paths: Vec<Finding>,
    /// What must be decided.
    pub decisions: Vec<Decision>,
    /// What reading the rows found, if they were read.
    pub rows: Option<RowsRead>,
    /// Rows that an upsert has added.
    pub inserted: Option<u64>,
    /// Rows that have replaced those with their key.
    pub updated: Option<u64>,
    /// Reports on each of several files whose schemas are unified.
    #[serde(default)]
    pub files: Vec<Check>,
    /// What happens to the columns of one file of several.
    #[serde(default)]
    pub changes: Vec<Change>,
    /// Messages about the rows that the schema does not show.
    #[serde(default)]
    pub notes: Vec<Message>,
    /// Columns that other software misreads, if that was asked.
    #[serde(default)]
    pub readers: Vec<Remark>,
}

/// What happens to a column or of a part of it.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub struct Finding {
    /// The path: `items[].price`.
    pub path: String,
    /// The type in the words of its system.
    pub source: Option<String>,
    /// The type in the words of the target.
    pub target: Option<String>,
    /// The verdict.
    pub verdict: Verdict,
    /// What happens to the values.
    pub values: Values,
    /// What happens to the type.
    #[serde(rename = "type")]
    pub type_kept: TypeKept,
    /// What is not carried besides values and type.
    pub labels: Vec<String>,
    /// Why, worst first.
    pub reasons: Vec<Reason>,
}

/// A rule that applies to a column.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub struct Reason {
    /// The name of the rule, which `xwalk explain` documents.
    pub rule: String,
    /// What happens to the values.
    pub values: Values,
    /// What is not carried.
    #[serde(default)]
    pub labels: Vec<String>,
    /// What is lost.
    pub lost: Option<String>,
    /// A value that would be rejected or altered.
    pub witness: Option<String>,
    /// What may help.
    pub hint: Option<String>,
    /// Why a project accepts it.
    pub accepted: Option<Accepted>,
}

/// A finding that a project's file accepts.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub struct Accepted {
    /// Why.
    pub reason: String,
    /// The last day.
    pub expires: String,
}

/// What must be decided before a conversion.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub struct Decision {
    /// The path of the column.
    pub path: String,
    /// The rule, or `rows`.
    pub rule: String,
    /// The verdict or the answer.
    pub verdict: String,
    /// `settled`, `decided`, `open` or `fails`.
    pub state: String,
    /// Rows rejected at the path.
    pub rejected: Option<u64>,
    /// Rows that were read of the path.
    pub rows: Option<u64>,
    /// What was decided.
    pub decided: Option<String>,
}

/// What reading the rows found.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub struct RowsRead {
    /// Rows that were read.
    pub read: u64,
    /// Rows that would be rejected.
    #[serde(rename = "refused")]
    pub rejected: u64,
    /// The columns.
    pub paths: Vec<RejectedPath>,
}

/// Values of a column that were read.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub struct RejectedPath {
    /// The path of the column.
    pub path: String,
    /// Rows that would be rejected because of it.
    #[serde(rename = "refused")]
    pub rejected: u64,
    /// Why the first was rejected.
    pub first: Option<String>,
    /// The number of the first, from 0.
    pub first_row: Option<u64>,
    /// The smallest value.
    pub smallest: Option<String>,
    /// The largest value.
    pub largest: Option<String>,
}

/// What happens to a column of one file of several.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub struct Change {
    /// The path of the column.
    pub path: String,
    /// The change.
    pub change: String,
}

/// A message about rows that their schema does not show.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub struct Message {
    /// The path of the column; empty for the table.
    pub path: String,
    /// The name of the rule.
    pub rule: String,
    /// What was found.
    pub found: String,
}

/// A column that other software misreads.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub struct Remark {
    /// The path of the column.
    pub path: String,
    /// The software.
    pub reader: String,
    /// What it does.
    pub remark: String,
    /// The values that it is about, if not all.
    pub about: Option<String>,
    /// How many of the values are such.
    pub affected: Option<u64>,
    /// How many values were counted.
    pub values: Option<u64>,
}

/// An input without a result.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub struct Problem {
    /// `error`, `differs` or `unpaired`.
    pub problem: String,
    /// The name of the input.
    pub subject: String,
    /// What prevents a result.
    pub text: String,
}

/// Why schemas are not compatible.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub struct CompatReason {
    /// Which data cannot be read.
    pub direction: CompatMode,
    /// The answer for this column.
    pub answer: Answer,
    /// The path of the column.
    pub path: String,
    /// The reason.
    pub reason: String,
    /// Why a project accepts it.
    pub accepted: Option<Accepted>,
}

/// What was proved of one table.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct Proved {
    /// The files of the source.
    pub inputs: Vec<ProofFile>,
    /// The output.
    pub output: ProofFile,
    /// Whether every value is what the conversion writes.
    pub verified: bool,
    /// Why nothing was compared.
    pub failure: Option<String>,
    /// Whether rows were compared by position.
    pub in_order: Option<bool>,
    /// The verdict of the conversion.
    pub verdict: Option<Verdict>,
    /// Rows of the source.
    pub rows_read: Option<u64>,
    /// Rows of the source that do not fit.
    pub rows_rejected: Option<u64>,
    /// Why the first does not fit.
    pub first_rejected: Option<String>,
    /// Rows of the output.
    pub rows_written: Option<u64>,
    /// Columns whose type or place differs.
    #[serde(default)]
    pub schema_differences: Vec<SchemaDifference>,
    /// The columns with their checksums.
    #[serde(default)]
    pub columns: Vec<ProvedColumn>,
    /// What was decided about the conversion.
    #[serde(default)]
    pub decisions: Vec<Decision>,
}

/// A file of a proof.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub struct ProofFile {
    /// Its name.
    pub name: String,
    /// Its size.
    pub bytes: Option<u64>,
}

/// A column whose type or place differs from the plan of the conversion.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub struct SchemaDifference {
    /// The path of the column.
    pub path: String,
    /// The planned type; empty for none.
    pub expected: String,
    /// The type of the output; empty for none.
    pub found: String,
}

/// A column of a proof.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub struct ProvedColumn {
    /// Its name.
    pub name: String,
    /// The Arrow type in which values were compared.
    #[serde(rename = "type")]
    pub compared_type: String,
    /// The verdict of the conversion.
    pub verdict: Verdict,
    /// The values of the source.
    pub source: ColumnSum,
    /// The values of the output.
    pub output: ColumnSum,
    /// Rows whose values differ.
    pub differing_rows: u64,
}

/// The values of a column.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub struct ColumnSum {
    /// Values that are not null.
    pub values: u64,
    /// Nulls.
    pub nulls: u64,
    /// The checksum of the values, which `checksums.md` defines.
    pub checksum: String,
}

/// A report on one table has no `tables`.
#[derive(Deserialize)]
#[serde(bound = "T: Deserialize<'de>")]
struct Several<T> {
    #[serde(default = "Vec::new")]
    tables: Vec<T>,
    #[serde(default)]
    problems: Vec<Problem>,
}

fn tables_of(json: &str) -> Result<Vec<Check>> {
    #[derive(Deserialize)]
    struct Kind {
        report: String,
    }
    match parse::<Kind>(json)?.report.as_str() {
        "tables" => Ok(parse::<Several<Check>>(json)?.tables),
        _ => Ok(vec![parse(json)?]),
    }
}

pub(crate) fn parse<T: DeserializeOwned>(json: &str) -> Result<T> {
    serde_json::from_str(json)
        .map_err(|error| Error::new(ErrorKind::Internal, format!("a report of another version: {error}")))
}

fn grade_of<T: Copy>(grade: i32, all: &[T]) -> T {
    let index = usize::try_from(grade).unwrap_or(usize::MAX);
    // A grade that only a newer library has is worse than the others.
    all[index.min(all.len() - 1)]
}
