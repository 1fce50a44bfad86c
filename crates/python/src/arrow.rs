//! Tables as streams of Arrow's C data interface, the only unsafe code here.
//!
//! The interface (arrow.apache.org/docs/format/CDataInterface.html, CStreamInterface.html) has
//! these rules for producers, which this module keeps by construction:
//!
//! 1. every structure owns the memory that it points to through `private_data`, a box that only
//!    `release` frees;
//! 2. `release` first releases the children that the consumer has not moved away, frees the box,
//!    and sets `release` to null, so that a structure is released once;
//! 3. a structure may be moved bit by bit: no pointer leads to the structure itself;
//! 4. callbacks of a stream receive the original pointer of the stream, never at the same time from
//!    two threads, and never unwind into the caller: a panic becomes an error code.

#![allow(unsafe_code)]

use std::ffi::{CString, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::{null, null_mut};

use pacesim_tables::{BatchColumn, BatchField, BatchType, BatchValues};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// Batches of columns, one after another.
pub(crate) trait Batches: Send {
    /// The columns of all batches.
    fn fields(&self) -> Vec<BatchField>;

    /// The number of rows and the columns of the next batch; `None` after the last.
    fn next(&mut self) -> Result<Option<(usize, Vec<BatchColumn>)>, String>;
}

/// The capsule of a stream, as returned by `__arrow_c_stream__`.
pub(crate) fn stream<'py>(
    py: Python<'py>,
    batches: Box<dyn Batches>,
) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, Stream::new(batches), c"arrow_array_stream")
}

/// The capsule of a schema, as returned by `__arrow_c_schema__`.
pub(crate) fn schema<'py>(
    py: Python<'py>,
    fields: &[BatchField],
) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, Schema::of_table(fields), c"arrow_schema")
}

/// `ArrowSchema`.
#[repr(C)]
struct Schema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut Schema,
    dictionary: *mut Schema,
    release: Option<unsafe extern "C" fn(*mut Schema)>,
    private_data: *mut c_void,
}

/// Memory behind a [`Schema`].
struct SchemaMemory {
    format: CString,
    name: CString,
    metadata: Vec<u8>,
    children: Vec<*mut Schema>,
}

/// `ARROW_FLAG_NULLABLE`.
const NULLABLE: i64 = 2;

impl Schema {
    fn of_table(fields: &[BatchField]) -> Schema {
        let child = |field| Box::into_raw(Box::new(Schema::of_field(field)));
        Schema::new(
            c"+s".into(),
            c"".into(),
            Vec::new(),
            0,
            fields.iter().map(child).collect(),
        )
    }

    fn of_field(field: &BatchField) -> Schema {
        let format = match field.kind {
            BatchType::Bool => c"b",
            BatchType::U8 => c"C",
            BatchType::I64 => c"l",
            BatchType::F64 => c"g",
            BatchType::Text => c"u",
        };
        // Names of columns are pacesim's and have no zero byte.
        let name = CString::new(field.name.as_str()).unwrap_or_default();
        let flags = if field.nullable { NULLABLE } else { 0 };
        Schema::new(format.into(), name, metadata(&field.doc), flags, Vec::new())
    }

    fn new(
        format: CString,
        name: CString,
        metadata: Vec<u8>,
        flags: i64,
        children: Vec<*mut Schema>,
    ) -> Schema {
        let mut memory = Box::new(SchemaMemory {
            format,
            name,
            metadata,
            children,
        });
        let has_metadata = !memory.metadata.is_empty();
        Schema {
            format: memory.format.as_ptr(),
            name: memory.name.as_ptr(),
            metadata: if has_metadata {
                memory.metadata.as_ptr().cast()
            } else {
                null()
            },
            flags,
            n_children: memory.children.len() as i64,
            children: memory.children.as_mut_ptr(),
            dictionary: null_mut(),
            release: Some(release_schema),
            private_data: Box::into_raw(memory).cast(),
        }
    }
}

/// The meaning of a column as metadata: a count, then lengths and bytes of key and value.
fn metadata(doc: &str) -> Vec<u8> {
    const KEY: &str = "doc";
    if doc.is_empty() {
        return Vec::new();
    }
    let mut bytes = 1_i32.to_ne_bytes().to_vec();
    for text in [KEY, doc] {
        bytes.extend((text.len() as i32).to_ne_bytes());
        bytes.extend(text.as_bytes());
    }
    bytes
}

/// Releases a schema; called by its consumer, once.
unsafe extern "C" fn release_schema(schema: *mut Schema) {
    // SAFETY: the consumer passes a schema from this module that was not released before, so
    // `private_data` is the box from `Schema::new`, whose children are boxes from
    // `Schema::of_table`.
    unsafe {
        let memory = Box::from_raw((*schema).private_data.cast::<SchemaMemory>());
        for child in &memory.children {
            drop(Box::from_raw(*child));
        }
        (*schema).release = None;
    }
}

impl Drop for Schema {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: a schema with `release` has not been released.
            unsafe { release(self) }
        }
    }
}

// SAFETY: a schema owns everything it points to, and nothing in it is bound to a thread.
unsafe impl Send for Schema {}

/// `ArrowArray`.
#[repr(C)]
struct Array {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut Array,
    dictionary: *mut Array,
    release: Option<unsafe extern "C" fn(*mut Array)>,
    private_data: *mut c_void,
}

/// Memory behind an [`Array`]: `buffers` point into `_column`.
struct ArrayMemory {
    _column: Option<BatchColumn>,
    buffers: Vec<*const c_void>,
    children: Vec<*mut Array>,
}

impl Array {
    fn of_batch(rows: usize, columns: Vec<BatchColumn>) -> Array {
        let child = |column| Box::into_raw(Box::new(Array::of_column(rows, column)));
        let children = columns.into_iter().map(child).collect();
        // A table has a buffer for missing rows, and no row is missing.
        Array::new(rows, 0, vec![null()], children, None)
    }

    fn of_column(rows: usize, column: BatchColumn) -> Array {
        let validity = column.validity.as_ref();
        let mut buffers = vec![validity.map_or(null(), |bits| bits.as_ptr().cast())];
        match &column.values {
            BatchValues::Bits(values) | BatchValues::Bytes(values) => {
                buffers.push(values.as_ptr().cast());
            }
            BatchValues::Integers(values) => buffers.push(values.as_ptr().cast()),
            BatchValues::Reals(values) => buffers.push(values.as_ptr().cast()),
            BatchValues::Texts { offsets, bytes } => {
                buffers.push(offsets.as_ptr().cast());
                buffers.push(bytes.as_ptr().cast());
            }
        }
        let nulls = column.nulls;
        // Moving the column moves no heap memory, so the pointers stay valid.
        Array::new(rows, nulls, buffers, Vec::new(), Some(column))
    }

    fn new(
        rows: usize,
        nulls: usize,
        buffers: Vec<*const c_void>,
        children: Vec<*mut Array>,
        column: Option<BatchColumn>,
    ) -> Array {
        let mut memory = Box::new(ArrayMemory {
            _column: column,
            buffers,
            children,
        });
        Array {
            length: rows as i64,
            null_count: nulls as i64,
            offset: 0,
            n_buffers: memory.buffers.len() as i64,
            n_children: memory.children.len() as i64,
            buffers: memory.buffers.as_mut_ptr(),
            children: memory.children.as_mut_ptr(),
            dictionary: null_mut(),
            release: Some(release_array),
            private_data: Box::into_raw(memory).cast(),
        }
    }

    /// The mark of a stream's end.
    fn end() -> Array {
        Array {
            length: 0,
            null_count: 0,
            offset: 0,
            n_buffers: 0,
            n_children: 0,
            buffers: null_mut(),
            children: null_mut(),
            dictionary: null_mut(),
            release: None,
            private_data: null_mut(),
        }
    }
}

/// Releases an array; called by its consumer, once.
unsafe extern "C" fn release_array(array: *mut Array) {
    // SAFETY: the consumer passes an array from this module that was not released before, so
    // `private_data` is the box from `Array::new`, whose children are boxes from `Array::of_batch`.
    // A child that the consumer moved away has `release` unset, and its drop does nothing.
    unsafe {
        let memory = Box::from_raw((*array).private_data.cast::<ArrayMemory>());
        for child in &memory.children {
            drop(Box::from_raw(*child));
        }
        (*array).release = None;
    }
}

impl Drop for Array {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: an array with `release` has not been released.
            unsafe { release(self) }
        }
    }
}

/// `ArrowArrayStream`.
#[repr(C)]
struct Stream {
    get_schema: unsafe extern "C" fn(*mut Stream, *mut Schema) -> c_int,
    get_next: unsafe extern "C" fn(*mut Stream, *mut Array) -> c_int,
    get_last_error: unsafe extern "C" fn(*mut Stream) -> *const c_char,
    release: Option<unsafe extern "C" fn(*mut Stream)>,
    private_data: *mut c_void,
}

/// Memory behind a [`Stream`].
struct StreamMemory {
    batches: Box<dyn Batches>,
    error: CString,
}

/// `EIO`, the same on all systems.
const FAILED: c_int = 5;

impl Stream {
    fn new(batches: Box<dyn Batches>) -> Stream {
        let memory = StreamMemory {
            batches,
            error: CString::default(),
        };
        Stream {
            get_schema,
            get_next,
            get_last_error,
            release: Some(release_stream),
            private_data: Box::into_raw(Box::new(memory)).cast(),
        }
    }
}

unsafe extern "C" fn get_schema(stream: *mut Stream, out: *mut Schema) -> c_int {
    // SAFETY: the consumer passes a stream from this module that was not released, and
    // uninitialised room for a schema.
    unsafe {
        let memory = &mut *(*stream).private_data.cast::<StreamMemory>();
        out.write(Schema::of_table(&memory.batches.fields()));
    }
    0
}

unsafe extern "C" fn get_next(stream: *mut Stream, out: *mut Array) -> c_int {
    // SAFETY: as in `get_schema`, with room for an array.
    let memory = unsafe { &mut *(*stream).private_data.cast::<StreamMemory>() };
    // Damaged files make the Parquet library panic. The batches are dropped after an error.
    let next = catch_unwind(AssertUnwindSafe(|| memory.batches.next()));
    let array = match next.unwrap_or_else(|_| Err("the table's file is damaged".to_owned())) {
        Ok(Some((rows, columns))) => Array::of_batch(rows, columns),
        Ok(None) => Array::end(),
        Err(error) => {
            memory.error = CString::new(error).unwrap_or_default();
            return FAILED;
        }
    };
    // SAFETY: the same.
    unsafe { out.write(array) };
    0
}

unsafe extern "C" fn get_last_error(stream: *mut Stream) -> *const c_char {
    // SAFETY: as in `get_schema`; the text lives until the next call, as the interface requires.
    unsafe {
        let memory = &*(*stream).private_data.cast::<StreamMemory>();
        memory.error.as_ptr()
    }
}

/// Releases a stream; called by its consumer, or by the capsule without one.
unsafe extern "C" fn release_stream(stream: *mut Stream) {
    // SAFETY: the stream was not released before, so `private_data` is the box from `Stream::new`.
    unsafe {
        drop(Box::from_raw((*stream).private_data.cast::<StreamMemory>()));
        (*stream).release = None;
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: a stream with `release` has not been released.
            unsafe { release(self) }
        }
    }
}

// SAFETY: a stream owns its batches, which may move to another thread.
unsafe impl Send for Stream {}
