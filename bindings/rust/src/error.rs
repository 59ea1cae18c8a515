use crate::ffi;
use arrow_schema::ArrowError;
use std::ffi::{c_char, c_int, CStr};
use std::fmt;

/// The result of a call.
pub type Result<T> = std::result::Result<T, Error>;

/// What kind of failure ended a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The call makes no sense: an unknown option, contradictions.
    Usage,
    /// Bytes, text or a value are not what they should be.
    Input,
    /// There is no mapping, or it would alter values without consent.
    Unsupported,
    /// The operating system, or an engine, refused to read or write.
    Io,
    /// The work was stopped.
    Interrupted,
    /// A bug in xwalk, or out of memory.
    Internal,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Fields {
    kind: ErrorKind,
    message: String,
    hint: Option<String>,
    text: String,
    file: Option<String>,
    path: Option<String>,
    line: Option<u64>,
    column: Option<u64>,
    byte: Option<u64>,
    row: Option<u64>,
    table: Option<u64>,
}

/// Why a call failed, and where. It is shown as several lines: place, message, caret and hint.
///
/// ```
/// use xwalk::{ErrorKind, Schema, System};
///
/// let error = Schema::parse("[{name=id;type=int64}", Some(System::Yt)).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Input);
/// assert_eq!((error.line(), error.column()), (Some(1), Some(22)));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Error(Box<Fields>);

impl Error {
    /// Returns the kind of failure.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }
    /// Returns what was expected and what was found.
    pub fn message(&self) -> &str {
        &self.0.message
    }
    /// Returns what may help.
    pub fn hint(&self) -> Option<&str> {
        self.0.hint.as_deref()
    }
    /// Returns the whole error as readable lines.
    pub fn text(&self) -> &str {
        &self.0.text
    }
    /// Returns the file.
    pub fn file(&self) -> Option<&str> {
        self.0.file.as_deref()
    }
    /// Returns the path of the table's column: `items[].price`.
    pub fn path(&self) -> Option<&str> {
        self.0.path.as_deref()
    }
    /// Returns the line of the text, from 1.
    pub fn line(&self) -> Option<u64> {
        self.0.line
    }
    /// Returns the place in the line in bytes, from 1.
    pub fn column(&self) -> Option<u64> {
        self.0.column
    }
    /// Returns the place in the file in bytes, from 0.
    pub fn byte(&self) -> Option<u64> {
        self.0.byte
    }
    /// Returns the row, from 0.
    pub fn row(&self) -> Option<u64> {
        self.0.row
    }
    /// Returns the table of several in one stream, from 0.
    pub fn table(&self) -> Option<u64> {
        self.0.table
    }

    /// Returns the error that [`Rows`](crate::Rows) has put into an error of Arrow; none for
    /// Arrow's own errors.
    pub fn of(error: &ArrowError) -> Option<&Error> {
        match error {
            ArrowError::ExternalError(inner) => inner.downcast_ref(),
            _ => None,
        }
    }

    pub(crate) fn new(kind: ErrorKind, message: String) -> Error {
        let text = message.clone();
        let (hint, file, path) = (None, None, None);
        let (line, column, byte, row, table) = (None, None, None, None, None);
        Error(Box::new(Fields { kind, message, hint, text, file, path, line, column, byte, row, table }))
    }

    /// Takes over an error of C; none for NULL.
    ///
    /// # Safety
    /// `error` is NULL or an error that the library made and nobody has freed.
    pub(crate) unsafe fn take(error: *mut ffi::xwalk_error) -> Option<Error> {
        // SAFETY: the caller's promise.
        let found = unsafe { error.as_ref() }?;
        // SAFETY: the texts of an error are valid until it is freed.
        let words = |text| Some(unsafe { text_of(text) }).filter(|text| !text.is_empty());
        let number = |value| u64::try_from(value).ok();
        let made = Error(Box::new(Fields {
            kind: kind_of(found.code),
            message: words(found.message).unwrap_or_default(),
            hint: words(found.hint),
            text: words(found.text).unwrap_or_default(),
            file: words(found.file),
            path: words(found.path),
            line: number(found.line),
            column: number(found.column),
            byte: number(found.byte),
            row: number(found.row),
            table: number(found.table),
        }));
        // SAFETY: it is freed once, here.
        unsafe { ffi::xwalk_error_free(error) };
        Some(made)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(self.text())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, to)
    }
}

impl std::error::Error for Error {}

impl From<Error> for ArrowError {
    fn from(error: Error) -> ArrowError {
        ArrowError::ExternalError(Box::new(error))
    }
}

fn kind_of(code: c_int) -> ErrorKind {
    match code {
        ffi::XWALK_USAGE => ErrorKind::Usage,
        ffi::XWALK_INPUT => ErrorKind::Input,
        ffi::XWALK_UNSUPPORTED => ErrorKind::Unsupported,
        ffi::XWALK_IO => ErrorKind::Io,
        ffi::XWALK_INTERRUPTED => ErrorKind::Interrupted,
        ffi::XWALK_INTERNAL => ErrorKind::Internal,
        _ => ErrorKind::Internal,
    }
}

/// Copies a text of C.
///
/// # Safety
/// `text` ends with a zero byte.
pub(crate) unsafe fn text_of(text: *const c_char) -> String {
    // SAFETY: the caller's promise.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

/// Calls a function of C that takes a place for an error last.
pub(crate) fn call(function: impl FnOnce(*mut *mut ffi::xwalk_error) -> c_int) -> Result<()> {
    let mut error = std::ptr::null_mut();
    let code = function(&mut error);
    if code == 0 {
        return Ok(());
    }
    // SAFETY: a failing function puts a new error there.
    Err(unsafe { Error::take(error) }
        .unwrap_or_else(|| Error::new(kind_of(code), String::from("failed without an error"))))
}
