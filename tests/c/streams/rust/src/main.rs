//! Reads rows of xwalk's C interface with arrow-rs, and shows what it met. `streams_test.py` describes the ways.

use arrow_array::ffi_stream::{ArrowArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{RecordBatch, RecordBatchReader};
use std::ffi::{c_char, c_int, c_void, CStr, CString};
use std::sync::{Arc, Mutex};

#[repr(C)]
struct XwalkError {
    code: c_int,
    message: *const c_char,
    hint: *const c_char,
    text: *const c_char,
}

extern "C" {
    fn xwalk_rows_open(name: *const c_char, options: *const c_char, rows: *mut FFI_ArrowArrayStream, error: *mut *mut XwalkError) -> c_int;
    fn xwalk_rows_watch(rows: *const FFI_ArrowArrayStream) -> *mut c_void;
    fn xwalk_watch_rejected(watch: *const c_void) -> i64;
    fn xwalk_watch_error(watch: *const c_void) -> *mut XwalkError;
    fn xwalk_watch_free(watch: *mut c_void);
    fn xwalk_error_free(error: *mut XwalkError);
}

/// Returns the text of an error, and frees it.
unsafe fn text_of(error: *mut XwalkError) -> String {
    if error.is_null() {
        return String::new();
    }
    let text = CStr::from_ptr((*error).text).to_string_lossy().into_owned();
    xwalk_error_free(error);
    text
}

/// The batches' rows, and the errors, up to the end.
#[derive(Default)]
struct Met {
    rows: usize,
    errors: Vec<String>,
}

impl Met {
    fn take<E: std::fmt::Display>(&mut self, batch: Result<RecordBatch, E>) {
        match batch {
            Ok(batch) => self.rows += batch.num_rows(),
            Err(error) => self.errors.push(error.to_string()),
        }
    }
}

fn read(mut reader: ArrowArrayStreamReader) -> Met {
    let mut met = Met::default();
    for batch in &mut reader {
        met.take(batch);
    }
    met
}

/// Lets two threads take turns.
fn read_in_threads(reader: ArrowArrayStreamReader) -> Met {
    let shared = Arc::new(Mutex::new(reader));
    let met = Arc::new(Mutex::new(Met::default()));
    let threads: Vec<_> = (0..2)
        .map(|_| {
            let (shared, met) = (shared.clone(), met.clone());
            std::thread::spawn(move || loop {
                let next = shared.lock().unwrap().next();
                match next {
                    Some(batch) => met.lock().unwrap().take(batch),
                    None => break,
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    let met = std::mem::take(&mut *met.lock().unwrap());
    met
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let (way, name) = (words[1].as_str(), CString::new(words[2].as_str()).unwrap());
    let options = CString::new(words[3].as_str()).unwrap();
    let (met, watch) = unsafe {
        let mut rows = FFI_ArrowArrayStream::empty();
        let mut error = std::ptr::null_mut();
        if xwalk_rows_open(name.as_ptr(), options.as_ptr(), &mut rows, &mut error) != 0 {
            println!("refused: {}", text_of(error));
            return;
        }
        let watch = xwalk_rows_watch(&rows);
        // This moves the stream out of `rows`.
        let mut reader = ArrowArrayStreamReader::from_raw(&mut rows).unwrap();
        assert!(!reader.schema().fields().is_empty());
        let met = match way {
            "all" => read(reader),
            "early" => {
                let mut met = Met::default();
                reader.next().into_iter().for_each(|batch| met.take(batch));
                drop(reader);
                met
            }
            "moved" => std::thread::spawn(move || read(reader)).join().unwrap(),
            "threads" => read_in_threads(reader),
            "twice" => {
                drop(reader);
                drop(rows); // releases what was moved, whose `release` is null
                Met::default()
            }
            _ => panic!("expected a way to read, found {way}"),
        };
        (met, watch)
    };
    println!("rows: {}", met.rows);
    println!("errors: {}", met.errors.len());
    println!("error: {}", met.errors.first().map_or("", String::as_str).replace('\n', "|"));
    unsafe {
        println!("rejected: {}", xwalk_watch_rejected(watch));
        println!("watched: {}", text_of(xwalk_watch_error(watch)).replace('\n', "|"));
        xwalk_watch_free(watch);
    }
}
