//! The whole interface, on files of a temporary folder.

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{record_batch, RecordBatch, RecordBatchIterator, RecordBatchReader};
use arrow_schema::ArrowError;
use std::path::{Path, PathBuf};
use xwalk::*;

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("xwalk-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
    fn write(&self, name: &str, rows: &str, schema: &str) -> PathBuf {
        std::fs::write(self.path(name), rows).unwrap();
        std::fs::write(self.path(&format!("{name}.schema")), schema).unwrap();
        self.path(name)
    }
    /// Rows of one column from 0 to 999; each hundredth is text.
    fn bad_rows(&self) -> PathBuf {
        let row = |i: i32| if i % 100 == 50 { String::from("{a=x};\n") } else { format!("{{a={i}}};\n") };
        self.write("rows.yson", &(0..1000).map(row).collect::<String>(), "[{name=a;type=int64}]")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).unwrap();
    }
}

fn sum(rows: impl Iterator<Item = std::result::Result<RecordBatch, ArrowError>>) -> (usize, i64) {
    rows.map(|batch| batch.unwrap()).fold((0, 0), |(count, sum), batch| {
        let column = batch.column(0).as_primitive::<Int64Type>();
        (count + batch.num_rows(), sum + column.iter().flatten().sum::<i64>())
    })
}

/// The sum of the rows that are numbers.
fn good_sum() -> i64 {
    (0..1000).filter(|i| i % 100 != 50).sum()
}

fn skipping() -> Options {
    Options::new().on_error(OnError::Skip).batch_rows(64)
}

fn assert_place(error: &Error, path: &Path) {
    assert_eq!(error.kind(), ErrorKind::Input);
    assert_eq!(error.file(), path.to_str());
    assert_eq!((error.row(), error.line(), error.column()), (Some(50), Some(51), Some(4)));
    assert_eq!(error.path(), Some("a"));
    assert!(error.message().contains("expected int64, found string"), "{error}");
    assert!(error.to_string().contains(":51:4"), "{error}");
}

#[test]
fn threads_share_what_they_may() {
    fn send<T: Send>() {}
    fn both<T: Send + Sync>() {}
    send::<Rows>();
    both::<Schema>();
    both::<Watch>();
    both::<Error>();
    both::<Report>();
}

#[test]
fn rejected_rows_are_counted_after_the_rows_have_moved() {
    let folder = Folder::new("moved");
    let rows = Rows::open(folder.bad_rows(), &skipping()).unwrap();
    assert_eq!(rows.schema().field(0).name(), "a");
    let watch = rows.watch();
    let found = std::thread::spawn(move || sum(rows)).join().unwrap();
    assert_eq!((found, watch.rejected()), ((990, good_sum()), 10));
    assert_eq!(watch.error(), None);
    assert_eq!(watch.notes().unwrap(), []);
}

#[test]
fn an_error_has_its_place_and_the_rows_end() {
    let folder = Folder::new("error");
    let path = folder.bad_rows();
    let mut rows = Rows::open(&path, &Options::new().batch_rows(16)).unwrap();
    let failed = rows.by_ref().find_map(|batch| batch.err()).unwrap();
    assert_place(Error::of(&failed).unwrap(), &path);
    assert!(rows.next().is_none() && rows.next().is_none());
    let watch = rows.watch();
    drop(rows);
    assert_place(&watch.error().unwrap(), &path);
}

#[test]
fn rows_are_dropped_at_any_time() {
    let folder = Folder::new("dropped");
    let path = folder.bad_rows();
    drop(Rows::open(&path, &skipping()).unwrap());
    let mut rows = Rows::open(&path, &skipping()).unwrap();
    let watch = rows.watch();
    assert_eq!(rows.next().unwrap().unwrap().num_rows(), 63);
    drop(rows);
    assert!(watch.rejected() <= 10);
}

#[test]
fn rows_without_columns_are_counted() {
    let folder = Folder::new("columns");
    let path = folder.write("rows.yson", "{};{};{};", "[]");
    let rows = Rows::open(path, &Options::new()).unwrap();
    assert_eq!(rows.map(|batch| batch.unwrap().num_rows()).sum::<usize>(), 3);
}

#[test]
fn rows_are_written_from_where_they_are() {
    let folder = Folder::new("written");
    let mut rows = Rows::open(folder.bad_rows(), &skipping()).unwrap();
    let first = rows.next().unwrap().unwrap().num_rows();
    let (watch, copy) = (rows.watch(), folder.path("copy.skiff"));
    let report = rows.write(&copy, None, &skipping()).unwrap();
    assert_eq!((report.rows(), report.rejected()), (Some(990 - first as u64), Some(10)));
    assert_eq!(watch.rejected(), 10);
    let copied = Rows::open(&copy, &Options::new()).unwrap();
    assert_eq!(sum(copied).0, 990 - first);
}

#[test]
fn rows_of_other_readers_are_written() {
    let folder = Folder::new("readers");
    let batch = record_batch!(("a", Int64, [1, 2]), ("b", Utf8, [Some("x"), None])).unwrap();
    let reader = RecordBatchIterator::new([Ok(batch.clone()), Ok(batch.clone())], batch.schema());
    let path = folder.path("rows.yson");
    let report = write(reader, &path, None, &Options::new()).unwrap();
    assert_eq!((report.rows(), report.rejected(), report.verdict()), (Some(4), Some(0), Verdict::Exact));
    assert_eq!(sum(Rows::open(&path, &Options::new()).unwrap()), (4, 6));

    // The error of a reader ends the conversion, and nothing is written.
    let lost = folder.path("lost.yson");
    let failing = [Ok(batch.clone()), Err(ArrowError::ComputeError(String::from("the reader is tired")))];
    let failing = RecordBatchIterator::new(failing, batch.schema());
    let error = write(failing, &lost, None, &Options::new()).unwrap_err();
    assert!(error.to_string().contains("the reader is tired"), "{error}");
    assert!(!lost.exists());
}

#[test]
fn a_target_schema_is_enforced() {
    let folder = Folder::new("target");
    let path = folder.write("rows.yson", "{a=1};{a=300};", "[{name=a;type=int64}]");
    let target = Schema::parse("[{name=a;type=int8}]", Some(System::Yt)).unwrap();
    let report = check(&path, &target, Ask { rows: true, readers: false }, &Options::new()).unwrap();
    assert_eq!((report.verdict(), report.rows(), report.rejected()), (Verdict::Checked, Some(2), Some(1)));
    let table = &report.checks().unwrap()[0];
    let read = table.rows.as_ref().unwrap();
    assert_eq!((read.read, read.rejected, read.paths[0].first_row), (2, 1, Some(1)));
    let finding = table.paths.iter().find(|finding| finding.path == "a").unwrap();
    assert_eq!((finding.verdict, finding.values), (Verdict::Checked, Values::Checked));

    let copy = folder.path("copy.yson");
    let rows = Rows::open(&path, &Options::new()).unwrap();
    let error = rows.write(&copy, Some(&target), &Options::new()).unwrap_err();
    assert_eq!((error.kind(), error.row(), error.path()), (ErrorKind::Input, Some(1), Some("a")));
    let rows = Rows::open(&path, &skipping()).unwrap();
    assert_eq!(rows.write(&copy, Some(&target), &skipping()).unwrap().rejected(), Some(1));
    let proof = verify_by(&path, &copy, Some(&target), &[], &skipping()).unwrap();
    assert!(proof.verified(), "{}", proof.text());
}

#[test]
fn a_proof_shows_differences() {
    let folder = Folder::new("proof");
    let schema = "[{name=id;type=int64};{name=v;type=utf8}]";
    let path = folder.write("rows.yson", "{id=1;v=a};{id=2;v=b};", schema);
    let other = folder.write("other.yson", "{id=2;v=b};{id=1;v=c};", schema);
    let proof = verify_by(&path, &other, None, &["id"], &Options::new()).unwrap();
    assert!(!proof.verified());
    let table = &proof.tables().unwrap()[0];
    assert_eq!((table.rows_read, table.rows_written, table.in_order), (Some(2), Some(2), Some(false)));
    let differing: Vec<_> = table.columns.iter().map(|column| (column.name.as_str(), column.differing_rows)).collect();
    assert_eq!(differing, [("id", 0), ("v", 1)]);
}

#[test]
fn several_tables_have_a_report_each() {
    let folder = Folder::new("tables");
    std::fs::create_dir(folder.path("in")).unwrap();
    folder.write("in/a.yson", "{a=1};", "[{name=a;type=int64}]");
    folder.write("in/b.yson", "{b=x};", "[{name=b;type=utf8}]");
    folder.write("in/c.yson", "{", "[{name=c;type=");
    let report = check(folder.path("in"), System::Lance, Ask::default(), &Options::new()).unwrap();
    assert_eq!(report.checks().unwrap().len(), 2);
    let problems = report.problems().unwrap();
    assert!(problems.iter().any(|problem| problem.subject.ends_with("c.yson")), "{problems:?}");
}

#[test]
fn readers_of_a_file_are_checked() {
    let folder = Folder::new("parquet");
    let path = folder.write("rows.yson", "{a=1u};", "[{name=a;type=uint64}]");
    let parquet = folder.path("rows.parquet");
    match convert(&path, &parquet, &Options::new()) {
        Err(error) if error.kind() == ErrorKind::Io => return, // the plugin is not built
        converted => assert_eq!(converted.unwrap().rows(), Some(1)),
    }
    let ask = Ask { rows: true, readers: true };
    let report = check(&parquet, Target::Unchanged, ask, &Options::new()).unwrap();
    let checks = report.checks().unwrap();
    let remark = checks[0].readers.iter().find(|remark| remark.reader == "Spark").unwrap();
    assert_eq!((remark.path.as_str(), remark.remark.as_str()), ("a", "decimal(20,0)"));
    let error = check(&parquet, Target::Unchanged, Ask::default(), &Options::new()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage);
}

#[test]
fn an_addition_is_checked() {
    let folder = Folder::new("addition");
    let path = folder.write("rows.yson", "{a=1};", "[{name=a;type=int64}]");
    let report = check_append(&path, folder.path("absent.skiff"), Ask::default(), &Options::new()).unwrap();
    assert!(report.json().contains("output.new"));
}

#[test]
fn schemas_keep_their_forms() {
    let folder = Folder::new("schemas");
    let path = folder.write("rows.yson", "{a=1};", "[{name=a;type=int64;required=%true}]");
    let schema = Schema::read(&path, &Options::new()).unwrap();
    assert_eq!(schema.system(), System::Yt);
    let binary = schema.dump(Some("yson-binary")).unwrap();
    let again = Schema::parse(binary, Some(System::Yt)).unwrap();
    let same = schema.compat(&again, CompatMode::Full, Allowed::default()).unwrap();
    assert_eq!(same.answer(), Answer::Compatible);
    assert!(same.reasons().unwrap().is_empty());
    let arrow = schema.to_arrow().unwrap();
    assert!(!arrow.field(0).is_nullable());
    assert_eq!(Schema::from_arrow(&arrow).unwrap().to_arrow().unwrap(), arrow);
    assert!(schema.lost(None).unwrap().is_empty());
    assert!(schema.print(Some("no such form")).is_err());
    assert_eq!(Schema::read(folder.path("absent"), &Options::new()).unwrap_err().kind(), ErrorKind::Io);
}

#[test]
fn options_are_refused_by_name() {
    let folder = Folder::new("options");
    let path = folder.write("rows.yson", "{a=1};", "[{name=a;type=int64}]");
    let error = Rows::open(&path, &Options::new().set("limt", 1)).unwrap_err();
    assert_eq!((error.kind(), error.message()), (ErrorKind::Usage, "unknown option \"limt\""));
    assert_eq!(error.hint(), Some("Did you mean limit?"));
    let error = Rows::open("a\0b", &Options::new()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage);
    assert_eq!("skp".parse::<OnError>().unwrap_err().message(), "OnError: expected fail, skip, found \"skp\"");
    for mode in Mode::ALL {
        assert_eq!(mode.as_str().parse::<Mode>().unwrap(), *mode);
    }
}

#[test]
fn each_word_of_each_option_is_known() {
    let schema = Schema::parse("[{name=a;type=int64}]", None).unwrap();
    let mut options = Options::new();
    for any in Any::ALL {
        options = options.any(*any);
        schema.check(System::Parquet, &options).unwrap();
    }
    options = options.for_reader(["duckdb", "pyarrow"]).cast([("a", "int32")]).max_memory("1GiB").sample(0.5);
    let report = schema.check(System::Parquet, &options).unwrap();
    assert_eq!(report.verdict(), Verdict::Checked);
}

#[test]
fn the_version_is_that_of_the_crate() {
    assert_eq!(version(), env!("CARGO_PKG_VERSION"));
}
