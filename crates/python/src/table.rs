//! Tables of results, read batch by batch by Arrow's readers.

use std::path::PathBuf;
use std::sync::Arc;

use pacesim_tables::{BatchColumn, BatchField, BatchType, BatchValues, TableError, TableReader};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::arrow::{self, Batches};
use crate::fault::failed;

/// The folder of a result; a temporary one is removed with its last user.
pub(crate) struct Folder {
    pub(crate) path: PathBuf,
    pub(crate) _temporary: Option<tempfile::TempDir>,
}

impl Folder {
    /// A folder that stays.
    pub(crate) fn kept(path: PathBuf) -> Arc<Folder> {
        Arc::new(Folder {
            path,
            _temporary: None,
        })
    }
}

/// A table of a result. Polars, pandas, pyarrow and DuckDB read it through `__arrow_c_stream__`,
/// one row group at a time: `pl.DataFrame(result.flows)`.
#[pyclass(frozen, module = "pacesim")]
pub(crate) struct Table {
    /// Its name: "flows".
    #[pyo3(get)]
    name: String,
    files: Vec<TableFile>,
    folder: Arc<Folder>,
}

/// A file of the table, and the replication of its rows, if a column states it.
#[derive(Clone)]
pub(crate) struct TableFile {
    pub(crate) path: PathBuf,
    pub(crate) replication: Option<i64>,
}

impl Table {
    pub(crate) fn new(name: &str, files: Vec<TableFile>, folder: &Arc<Folder>) -> Table {
        Table {
            name: name.to_owned(),
            files,
            folder: Arc::clone(folder),
        }
    }

    fn open(&self) -> PyResult<Opened> {
        let open = |file: &TableFile| {
            Ok(OpenFile {
                reader: TableReader::open(&file.path)?,
                replication: file.replication,
            })
        };
        let read = || -> Result<Opened, TableError> {
            let files: Vec<OpenFile> = self.files.iter().map(open).collect::<Result<_, _>>()?;
            let fields = match files.first() {
                Some(first) => first.reader.fields()?,
                None => Vec::new(),
            };
            Ok(Opened {
                files,
                fields,
                file: 0,
                group: 0,
                _folder: Arc::clone(&self.folder),
            })
        };
        read().map_err(failed)
    }
}

#[pymethods]
impl Table {
    /// A stream of Arrow arrays in a capsule (the Arrow PyCapsule interface). A requested schema
    /// is ignored, as the interface allows.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        arrow::stream(py, Box::new(self.open()?))
    }

    /// The schema in a capsule (the Arrow PyCapsule interface).
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        arrow::schema(py, &self.open()?.fields())
    }

    /// The names of its columns.
    #[getter]
    fn columns(&self) -> PyResult<Vec<String>> {
        let fields = self.open()?.fields();
        Ok(fields.into_iter().map(|field| field.name).collect())
    }

    /// The meaning of a column.
    fn describe(&self, column: &str) -> PyResult<String> {
        let fields = self.open()?.fields();
        let found = fields.iter().find(|field| field.name == column);
        found.map(|field| field.doc.clone()).ok_or_else(|| {
            let names = fields.iter().map(|field| field.name.as_str());
            let nearest = pacesim_language::problem::suggest(column, names);
            crate::fault::absent(format!(
                "no column \"{column}\" in {}; {nearest}",
                self.name
            ))
        })
    }

    fn __len__(&self) -> PyResult<usize> {
        let opened = self.open()?;
        let rows = opened.files.iter().map(|file| file.reader.rows());
        usize::try_from(rows.sum::<u64>()).map_err(failed)
    }

    fn __repr__(&self) -> PyResult<String> {
        let rows = self.__len__()?;
        let columns = self.columns()?.len();
        Ok(format!(
            "<pacesim table {}: {rows} rows, {columns} columns>",
            self.name
        ))
    }
}

/// The files of a table, read one after another.
struct Opened {
    files: Vec<OpenFile>,
    fields: Vec<BatchField>,
    /// The next file and row group.
    file: usize,
    group: usize,
    /// Keeps the files while they are read.
    _folder: Arc<Folder>,
}

struct OpenFile {
    reader: TableReader,
    replication: Option<i64>,
}

/// The column in front of a table of several replications.
const REPLICATION: &str = "replication";

impl Batches for Opened {
    fn fields(&self) -> Vec<BatchField> {
        let counts = self.files.iter().any(|file| file.replication.is_some());
        let replication = counts.then(|| BatchField {
            name: REPLICATION.to_owned(),
            kind: BatchType::I64,
            nullable: false,
            doc: "The replication, from 0.".to_owned(),
        });
        replication
            .into_iter()
            .chain(self.fields.iter().cloned())
            .collect()
    }

    fn next(&mut self) -> Result<Option<(usize, Vec<BatchColumn>)>, String> {
        while let Some(OpenFile {
            reader,
            replication,
        }) = self.files.get(self.file)
        {
            if self.group == reader.groups() {
                (self.file, self.group) = (self.file + 1, 0);
                continue;
            }
            let group = reader.group(self.group, &self.fields);
            let (rows, mut columns) = group.map_err(|error| error.to_string())?;
            self.group += 1;
            if let Some(number) = replication {
                let values = BatchValues::Integers(vec![*number; rows]);
                let column = BatchColumn {
                    values,
                    validity: None,
                    nulls: 0,
                };
                columns.insert(0, column);
            }
            return Ok(Some((rows, columns)));
        }
        Ok(None)
    }
}
