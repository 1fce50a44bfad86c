//! Shared code of the program and the Python module: problems as text, templates by name, the clock
//! and the machine.

mod folder;
pub mod host;
pub mod problems;
pub mod template;

pub use folder::study_folder;
