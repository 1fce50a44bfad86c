//! Figures for notebooks and files.

use std::path::PathBuf;

use pacesim_lab::plot::{self, Format};
use pacesim_lab::write_complete;
use pyo3::prelude::*;

use crate::fault::{failed, usage};

/// A figure. Notebooks show it; `save` writes it as SVG, PNG or PDF.
#[pyclass(frozen, module = "pacesim")]
pub(crate) struct Figure {
    /// Its name.
    #[pyo3(get)]
    name: String,
    figure: plot::Figure,
}

impl Figure {
    pub(crate) fn new(name: String, figure: plot::Figure) -> Figure {
        Figure { name, figure }
    }
}

#[pymethods]
impl Figure {
    /// Its title.
    #[getter]
    fn title(&self) -> &str {
        &self.figure.title
    }

    fn _repr_svg_(&self) -> String {
        String::from_utf8_lossy(&self.figure.encode(Format::Svg)).into_owned()
    }

    /// Writes it; the suffix determines the format: .svg, .png or .pdf. An existing file is
    /// replaced.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        let format = Format::of(&path).map_err(usage)?;
        let written = write_complete(&path, &self.figure.encode(format));
        written.map_err(|error| failed(format!("{}: {error}", path.display())))
    }

    fn __repr__(&self) -> String {
        format!("<pacesim figure {}: {}>", self.name, self.figure.title)
    }
}
