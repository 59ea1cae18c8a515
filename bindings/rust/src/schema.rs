use crate::error::{call, text_of, Result};
use crate::ffi;
use crate::names::{CompatMode, System};
use crate::options::Options;
use crate::report::{Compatibility, Report};
use crate::rows::{c_path, c_text};
use arrow_array::ffi::FFI_ArrowSchema;
use std::ffi::{c_char, CStr};
use std::path::Path;
use std::ptr::{null, null_mut, NonNull};

/// A table schema of one system.
///
/// ```
/// use xwalk::{Options, Schema, System, Verdict};
///
/// let schema = Schema::parse("[{name=id;type=int64};{name=day;type=date}]", None)?;
/// assert_eq!(schema.system(), System::Yt);
/// let (parquet, report) = schema.convert(System::Parquet, &Options::new())?;
/// assert!(parquet.print(None)?.contains("optional int64 id"));
/// assert!(report.verdict() <= Verdict::Annotated);
/// # Ok::<(), xwalk::Error>(())
/// ```
pub struct Schema(NonNull<ffi::xwalk_schema>);

// SAFETY: a schema does not change, and threads may share it until one frees it.
unsafe impl Send for Schema {}
// SAFETY: as above.
unsafe impl Sync for Schema {}

impl Schema {
    /// Parses a schema in any written form, text or binary. Without a system it is that whose
    /// syntax the text has. An error has the line and column, or the byte.
    pub fn parse(bytes: impl AsRef<[u8]>, system: Option<System>) -> Result<Schema> {
        let (bytes, system) = (bytes.as_ref(), system.map(name_of));
        Schema::made(|schema, error| unsafe {
            // A slice without bytes may have any pointer, but not NULL.
            ffi::xwalk_schema_parse(bytes.as_ptr().cast(), bytes.len(), pointer(&system), schema, error)
        })
    }

    /// Reads the schema of a data file, a folder of files, a dataset or a schema file.
    pub fn read(path: impl AsRef<Path>, options: &Options) -> Result<Schema> {
        let (path, options) = (c_path(path.as_ref())?, options.to_c());
        Schema::made(|schema, error| unsafe {
            ffi::xwalk_schema_read(path.as_ptr(), null(), options.as_ptr(), schema, error)
        })
    }

    /// Makes a schema of the system Arrow.
    pub fn from_arrow(schema: &arrow_schema::Schema) -> Result<Schema> {
        let arrow = FFI_ArrowSchema::try_from(schema)
            .map_err(|error| crate::Error::new(crate::ErrorKind::Input, error.to_string()))?;
        Schema::made(|made, error| unsafe { ffi::xwalk_schema_from_arrow(&arrow, made, error) })
    }

    /// Returns the Arrow form of the schema.
    pub fn to_arrow(&self) -> Result<arrow_schema::Schema> {
        let mut arrow = FFI_ArrowSchema::empty();
        call(|error| unsafe { ffi::xwalk_schema_to_arrow(self.pointer(), &mut arrow, error) })?;
        arrow_schema::Schema::try_from(&arrow)
            .map_err(|error| crate::Error::new(crate::ErrorKind::Unsupported, error.to_string()))
    }

    /// Returns the system of the schema.
    ///
    /// # Panics
    /// For a system that only a newer library has.
    pub fn system(&self) -> System {
        // SAFETY: the word is a constant of the library.
        unsafe { text_of(ffi::xwalk_schema_system(self.pointer())) }.parse().expect("a system of this version")
    }

    /// Writes the schema in a form of its system; without one, the usual. `xwalk schema --help`
    /// lists the forms.
    pub fn dump(&self, form: Option<&str>) -> Result<Vec<u8>> {
        let form = form.map(c_text).transpose()?;
        let form = form.as_ref().map_or(null(), |form| form.as_ptr());
        let (mut bytes, mut size) = (null_mut(), 0);
        call(|error| unsafe { ffi::xwalk_schema_dump(self.pointer(), form, &mut bytes, &mut size, error) })?;
        // SAFETY: the library has put `size` bytes there.
        let out = unsafe { std::slice::from_raw_parts(bytes.cast::<u8>(), size) }.to_vec();
        unsafe { ffi::xwalk_bytes_free(bytes) };
        Ok(out)
    }

    /// Writes the schema as text, in a form of its system; without one, the usual. Bytes of binary
    /// forms that are not text are replaced: `dump` returns them.
    pub fn print(&self, form: Option<&str>) -> Result<String> {
        Ok(String::from_utf8_lossy(&self.dump(form)?).into_owned())
    }

    /// Lists the parts of the schema that a form cannot hold.
    pub fn lost(&self, form: Option<&str>) -> Result<Vec<String>> {
        let form = form.map(c_text).transpose()?;
        let form = form.as_ref().map_or(null(), |form| form.as_ptr());
        let mut text = null_mut();
        call(|error| unsafe { ffi::xwalk_schema_lost(self.pointer(), form, &mut text, error) })?;
        Ok(take_text(text).lines().map(str::to_owned).collect())
    }

    /// Converts the schema to another system, and reports what that keeps. A column without a
    /// mapping is an error with its path; `check` reports all such columns.
    pub fn convert(&self, system: System, options: &Options) -> Result<(Schema, Report)> {
        let (system, options) = (name_of(system), options.to_c());
        let mut report = null_mut();
        let schema = Schema::made(|schema, error| unsafe {
            let to = system.as_ptr();
            ffi::xwalk_schema_convert(self.pointer(), to, options.as_ptr(), schema, &mut report, error)
        })?;
        // SAFETY: it is a new report.
        Ok((schema, unsafe { Report::take(report) }))
    }

    /// Reports what a conversion to another system keeps.
    pub fn check(&self, system: System, options: &Options) -> Result<Report> {
        let (system, options) = (name_of(system), options.to_c());
        let mut report = null_mut();
        call(|error| unsafe {
            let to = system.as_ptr();
            ffi::xwalk_schema_convert(self.pointer(), to, options.as_ptr(), null_mut(), &mut report, error)
        })?;
        // SAFETY: it is a new report.
        Ok(unsafe { Report::take(report) })
    }

    /// Reports whether data of this schema can be read as the newer one.
    ///
    /// ```
    /// use xwalk::{Allowed, Answer, CompatMode, Schema};
    ///
    /// let older = Schema::parse("[{name=id;type=int32}]", None)?;
    /// let newer = Schema::parse("[{name=id;type=int64}]", None)?;
    /// let found = older.compat(&newer, CompatMode::Full, Allowed::default())?;
    /// assert_eq!(found.answer(), Answer::NeedsValidation);
    /// assert_eq!(found.reasons()?[0].direction, CompatMode::Forward);
    /// # Ok::<(), xwalk::Error>(())
    /// ```
    pub fn compat(&self, newer: &Schema, mode: CompatMode, allowed: Allowed) -> Result<Compatibility> {
        let mode = c_text(mode.as_str())?;
        let allow = if allowed.rename { ffi::XWALK_ALLOW_RENAME } else { 0 }
            | if allowed.removal { ffi::XWALK_ALLOW_REMOVAL } else { 0 };
        let mut report = null_mut();
        call(|error| unsafe {
            let (older, newer) = (self.pointer(), newer.pointer());
            ffi::xwalk_schema_compat(older, newer, mode.as_ptr(), allow, &mut report, error)
        })?;
        // SAFETY: it is a new report.
        Ok(Compatibility(unsafe { Report::take(report) }))
    }

    pub(crate) fn pointer(&self) -> *const ffi::xwalk_schema {
        self.0.as_ptr()
    }

    fn made(
        make: impl FnOnce(*mut *mut ffi::xwalk_schema, *mut *mut ffi::xwalk_error) -> std::ffi::c_int,
    ) -> Result<Schema> {
        let mut schema = null_mut();
        call(|error| make(&mut schema, error))?;
        Ok(Schema(NonNull::new(schema).expect("a schema of a call that succeeded")))
    }
}

impl Drop for Schema {
    fn drop(&mut self) {
        // SAFETY: it is freed once.
        unsafe { ffi::xwalk_schema_free(self.0.as_ptr()) }
    }
}

impl std::fmt::Debug for Schema {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = self.print(None).unwrap_or_else(|error| error.to_string());
        to.debug_tuple("Schema").field(&self.system()).field(&text).finish()
    }
}

/// Changes of a schema that YTsaurus allows only with a flag.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Allowed {
    /// Columns that were renamed.
    pub rename: bool,
    /// Columns that were removed.
    pub removal: bool,
}

pub(crate) fn name_of(system: System) -> std::ffi::CString {
    c_text(system.as_str()).expect("a word has no zero byte")
}

fn pointer(text: &Option<std::ffi::CString>) -> *const c_char {
    text.as_deref().map_or(null(), CStr::as_ptr)
}

/// Copies a text that the library has allocated, and frees it.
pub(crate) fn take_text(text: *mut c_char) -> String {
    // SAFETY: the library ends its texts with a zero byte.
    let out = unsafe { text_of(text) };
    // SAFETY: it is freed once.
    unsafe { ffi::xwalk_bytes_free(text) };
    out
}
