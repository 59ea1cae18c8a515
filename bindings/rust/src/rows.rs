use crate::error::{call, Error, ErrorKind, Result};
use crate::ffi;
use crate::names::System;
use crate::options::Options;
use crate::report::{parse, Message, Proof, Report};
use crate::schema::{take_text, Schema};
use arrow_array::ffi::{from_ffi_and_data_type, FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, RecordBatch, RecordBatchOptions, RecordBatchReader, StructArray};
use arrow_schema::{ArrowError, DataType, SchemaRef};
use std::ffi::{c_int, CStr, CString};
use std::path::Path;
use std::ptr::{null, null_mut, NonNull};
use std::sync::Arc;

/// Rows of a file, of a folder of files of one format, or of a dataset, as batches of Arrow.
///
/// An error of `next` is an [`ArrowError::ExternalError`], of which [`Error::of`] returns the
/// [`Error`] with its file, row and column. The rows end after it.
///
/// ```
/// # let folder = std::env::temp_dir().join(format!("xwalk-rows-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder).unwrap();
/// # let path = folder.join("rows.yson");
/// # std::fs::write(&path, "{a=1};{a=x};{a=3};").unwrap();
/// # std::fs::write(folder.join("rows.yson.schema"), "[{name=a;type=int64}]").unwrap();
/// use xwalk::{Error, OnError, Options, Rows};
///
/// let mut rows = Rows::open(&path, &Options::new().on_error(OnError::Skip))?;
/// let count: usize = rows.by_ref().map(|batch| batch.unwrap().num_rows()).sum();
/// assert_eq!((count, rows.rejected()), (2, 1));
///
/// let failed = Rows::open(&path, &Options::new())?.find_map(|batch| batch.err()).unwrap();
/// assert_eq!(Error::of(&failed).and_then(Error::row), Some(1));
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok::<(), xwalk::Error>(())
/// ```
pub struct Rows {
    stream: FFI_ArrowArrayStream,
    schema: SchemaRef,
    watch: Watch,
    ended: bool,
}

impl Rows {
    /// Opens rows. Only the bytes that the schema needs are read here.
    pub fn open(path: impl AsRef<Path>, options: &Options) -> Result<Rows> {
        let (path, options) = (c_path(path.as_ref())?, options.to_c());
        let mut stream = FFI_ArrowArrayStream::empty();
        call(|error| unsafe { ffi::xwalk_rows_open(path.as_ptr(), options.as_ptr(), &mut stream, error) })?;
        // SAFETY: the stream was opened by the library, and was not moved out of.
        let watch = NonNull::new(unsafe { ffi::xwalk_rows_watch(&stream) })
            .ok_or_else(|| Error::new(ErrorKind::Internal, String::from("no memory")))?;
        let watch = Watch(Arc::new(Handle(watch)));
        let mut schema = FFI_ArrowSchema::empty();
        let get_schema = stream.get_schema().expect("an open stream");
        // SAFETY: an open stream is asked for its schema.
        if unsafe { get_schema(&mut stream, &mut schema) } != 0 {
            return Err(watch.failure(&mut stream));
        }
        let schema = arrow_schema::Schema::try_from(&schema)
            .map_err(|error| Error::new(ErrorKind::Unsupported, error.to_string()))?;
        Ok(Rows { stream, schema: Arc::new(schema), watch, ended: false })
    }

    /// Returns how many rows were left out so far, with `on_error(OnError::Skip)`.
    pub fn rejected(&self) -> u64 {
        self.watch.rejected()
    }

    /// Returns messages about the rows so far that are not in their schema, such as files of a
    /// folder that are not read.
    pub fn notes(&self) -> Result<Vec<Message>> {
        self.watch.notes()
    }

    /// Returns a watch, which is valid after the rows were moved, written or dropped.
    pub fn watch(&self) -> Watch {
        self.watch.clone()
    }

    /// Writes all rows that were not read yet to a file or a dataset, in the format of its name or
    /// of the option `to`, with the schema of the file if one is given. The output appears under
    /// its name only when all rows are written.
    pub fn write(mut self, output: impl AsRef<Path>, target: Option<&Schema>, options: &Options) -> Result<Report> {
        write_stream(&mut self.stream, output.as_ref(), target, options)
    }

    fn batch(&self, array: FFI_ArrowArray) -> std::result::Result<RecordBatch, ArrowError> {
        let of_rows = DataType::Struct(self.schema.fields().clone());
        // SAFETY: the library has made it for the schema of the stream.
        let rows = StructArray::from(unsafe { from_ffi_and_data_type(array, of_rows) }?);
        let count = RecordBatchOptions::new().with_row_count(Some(rows.len()));
        let (_, columns, _) = rows.into_parts();
        RecordBatch::try_new_with_options(self.schema.clone(), columns, &count)
    }
}

impl Iterator for Rows {
    type Item = std::result::Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let mut array = FFI_ArrowArray::empty();
        let get_next = self.stream.get_next().expect("an open stream");
        // SAFETY: the stream is used by one thread at a time, and is released when it is dropped.
        if unsafe { get_next(&mut self.stream, &mut array) } != 0 {
            self.ended = true;
            return Some(Err(self.watch.failure(&mut self.stream).into()));
        }
        if array.is_released() {
            self.ended = true;
            return None;
        }
        Some(self.batch(array))
    }
}

impl std::iter::FusedIterator for Rows {}

impl RecordBatchReader for Rows {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}

impl std::fmt::Debug for Rows {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.debug_struct("Rows").field("schema", &self.schema).field("rejected", &self.rejected()).finish()
    }
}

struct Handle(NonNull<ffi::xwalk_watch>);

// SAFETY: a watch is valid for any thread.
unsafe impl Send for Handle {}
// SAFETY: as above.
unsafe impl Sync for Handle {}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: it is freed once.
        unsafe { ffi::xwalk_watch_free(self.0.as_ptr()) }
    }
}

/// What rows have met so far, or until they were written or dropped. Threads may share it.
#[derive(Clone)]
pub struct Watch(Arc<Handle>);

impl Watch {
    /// Returns how many rows were left out.
    pub fn rejected(&self) -> u64 {
        // SAFETY: the watch is valid.
        u64::try_from(unsafe { ffi::xwalk_watch_rejected(self.0 .0.as_ptr()) }).unwrap_or(0)
    }

    /// Returns the error that ended the rows, with its row and place.
    pub fn error(&self) -> Option<Error> {
        // SAFETY: the watch is valid, and its error is new.
        unsafe { Error::take(ffi::xwalk_watch_error(self.0 .0.as_ptr())) }
    }

    /// Returns the messages about the rows that are not in their schema.
    pub fn notes(&self) -> Result<Vec<Message>> {
        // SAFETY: the watch is valid.
        let json = unsafe { ffi::xwalk_watch_notes(self.0 .0.as_ptr()) };
        if json.is_null() {
            return Err(Error::new(ErrorKind::Internal, String::from("no memory")));
        }
        parse(&take_text(json))
    }

    fn failure(&self, stream: &mut FFI_ArrowArrayStream) -> Error {
        self.error().unwrap_or_else(|| {
            let get_text = stream.get_last_error().expect("an open stream");
            // SAFETY: the stream has just failed.
            let text = unsafe { get_text(stream) };
            let text = if text.is_null() {
                String::from("failed without an error")
            } else {
                // SAFETY: the text is valid until the stream is used again.
                unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
            };
            Error::new(ErrorKind::Internal, text)
        })
    }
}

impl std::fmt::Debug for Watch {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (rejected, error) = (self.rejected(), self.error());
        to.debug_struct("Watch").field("rejected", &rejected).field("error", &error).finish()
    }
}

/// Writes all rows of any reader of Arrow to a file or a dataset, as [`Rows::write`] does.
///
/// ```
/// # let folder = std::env::temp_dir().join(format!("xwalk-write-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder).unwrap();
/// # let path = folder.join("rows.skiff");
/// use arrow_array::{record_batch, RecordBatchIterator};
/// use xwalk::{write, Options};
///
/// let batch = record_batch!(("id", Int64, [1, 2, 3])).unwrap();
/// let rows = RecordBatchIterator::new([Ok(batch.clone())], batch.schema());
/// assert_eq!(write(rows, &path, None, &Options::new())?.rows(), Some(3));
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok::<(), xwalk::Error>(())
/// ```
pub fn write(
    rows: impl RecordBatchReader + Send + 'static,
    output: impl AsRef<Path>,
    target: Option<&Schema>,
    options: &Options,
) -> Result<Report> {
    write_stream(&mut FFI_ArrowArrayStream::new(Box::new(rows)), output.as_ref(), target, options)
}

/// Converts a file, a folder or a dataset to a file or a dataset, in the format of its name or of
/// the option `to`. A conversion that alters values needs the option that alters and
/// `allow(Allow::Lossy)`.
///
/// ```
/// # let folder = std::env::temp_dir().join(format!("xwalk-convert-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder).unwrap();
/// # let (source, copy) = (folder.join("rows.yson"), folder.join("copy.skiff"));
/// # std::fs::write(&source, "{a=1};{a=2};").unwrap();
/// use xwalk::{convert, verify, Options};
///
/// let options = Options::new();
/// assert_eq!(convert(&source, &copy, &options)?.rows(), Some(2));
/// assert!(verify(&source, &copy, &options)?.verified());
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok::<(), xwalk::Error>(())
/// ```
pub fn convert(path: impl AsRef<Path>, output: impl AsRef<Path>, options: &Options) -> Result<Report> {
    Rows::open(path, options)?.write(output, None, options)
}

/// What a conversion would have to keep.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Target<'a> {
    /// The types of a system.
    System(System),
    /// A schema.
    Schema(&'a Schema),
    /// A format of rows that is not a system, such as `csv`.
    Format(&'a str),
    /// Nothing: only readers of the file as it is are checked, with `Ask { readers: true, .. }`.
    Unchanged,
}

impl From<System> for Target<'_> {
    fn from(system: System) -> Self {
        Target::System(system)
    }
}

impl<'a> From<&'a Schema> for Target<'a> {
    fn from(schema: &'a Schema) -> Self {
        Target::Schema(schema)
    }
}

/// What a check finds out besides the verdict on each column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ask {
    /// Reads all rows: how many would be rejected, and why.
    pub rows: bool,
    /// Which software misreads which column.
    pub readers: bool,
}

impl Ask {
    fn flags(self) -> u32 {
        (if self.rows { ffi::XWALK_ASK_ROWS } else { 0 }) | (if self.readers { ffi::XWALK_ASK_READERS } else { 0 })
    }
}

/// Reports what writing the rows of a file would keep, narrow or lose. Writes nothing.
pub fn check<'a>(path: impl AsRef<Path>, target: impl Into<Target<'a>>, ask: Ask, options: &Options) -> Result<Report> {
    let (word, schema) = match target.into() {
        Target::System(system) => (Some(c_text(system.as_str())?), null()),
        Target::Format(word) => (Some(c_text(word)?), null()),
        Target::Schema(schema) => (None, schema.pointer()),
        Target::Unchanged => (None, null()),
    };
    let (path, options) = (c_path(path.as_ref())?, options.to_c());
    let word = word.as_ref().map_or(null(), |word| word.as_ptr());
    report(|report, error| unsafe {
        ffi::xwalk_rows_check(path.as_ptr(), word, schema, options.as_ptr(), ask.flags(), report, error)
    })
}

/// Reports whether the rows of a file could be added to an existing output, and every reason why
/// not. Writes nothing.
pub fn check_append(path: impl AsRef<Path>, output: impl AsRef<Path>, ask: Ask, options: &Options) -> Result<Report> {
    let (path, output) = (c_path(path.as_ref())?, c_path(output.as_ref())?);
    let options = options.to_c();
    report(|report, error| unsafe {
        let (path, output) = (path.as_ptr(), output.as_ptr());
        ffi::xwalk_rows_check_append(path, output, options.as_ptr(), ask.flags(), report, error)
    })
}

/// Reads an output again and compares it with its source, row by row. A difference is not an error.
pub fn verify(path: impl AsRef<Path>, output: impl AsRef<Path>, options: &Options) -> Result<Proof> {
    verify_by(path, output, None, &[], options)
}

/// As [`verify`], with the schema that was given for the output, and with the paths of columns
/// that match rows; without them, rows are matched by position.
pub fn verify_by(
    path: impl AsRef<Path>,
    output: impl AsRef<Path>,
    target: Option<&Schema>,
    key: &[&str],
    options: &Options,
) -> Result<Proof> {
    let (path, output) = (c_path(path.as_ref())?, c_path(output.as_ref())?);
    let (options, key) = (options.to_c(), c_text(&key.join(","))?);
    let key = if key.is_empty() { null() } else { key.as_ptr() };
    let schema = target.map_or(null(), Schema::pointer);
    let found = report(|report, error| unsafe {
        let (path, output) = (path.as_ptr(), output.as_ptr());
        ffi::xwalk_rows_verify(path, output, schema, key, options.as_ptr(), report, error)
    })?;
    Ok(Proof(found))
}

fn write_stream(
    stream: &mut FFI_ArrowArrayStream,
    output: &Path,
    target: Option<&Schema>,
    options: &Options,
) -> Result<Report> {
    let (output, options) = (c_path(output)?, options.to_c());
    let target = target.map_or(null(), Schema::pointer);
    report(|report, error| unsafe {
        ffi::xwalk_rows_write(stream, output.as_ptr(), target, options.as_ptr(), report, error)
    })
}

fn report(make: impl FnOnce(*mut *mut ffi::xwalk_report, *mut *mut ffi::xwalk_error) -> c_int) -> Result<Report> {
    let mut report = null_mut();
    call(|error| make(&mut report, error))?;
    // SAFETY: a call that succeeded has made a new report.
    Ok(unsafe { Report::take(report) })
}

pub(crate) fn c_text(text: &str) -> Result<CString> {
    CString::new(text).map_err(|_| Error::new(ErrorKind::Usage, format!("{text:?}: a zero byte in a text")))
}

#[cfg(unix)]
pub(crate) fn c_path(path: &Path) -> Result<CString> {
    use std::os::unix::ffi::OsStrExt;
    CString::new(path.as_os_str().as_bytes())
        .map_err(|_| Error::new(ErrorKind::Usage, format!("{path:?}: a zero byte in a path")))
}

#[cfg(not(unix))]
pub(crate) fn c_path(path: &Path) -> Result<CString> {
    let text = path.to_str();
    c_text(text.ok_or_else(|| Error::new(ErrorKind::Usage, format!("{path:?}: expected UTF-8")))?)
}
