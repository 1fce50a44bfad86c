//! The default folder of a study's results.

use std::path::{Path, PathBuf};

/// The default folder for studies.
const RESULTS: &str = "results";

/// The folder of a study of this name, or a sentence on why it cannot have one.
pub fn study_folder(out: Option<&Path>, name: &str) -> Result<PathBuf, String> {
    let is_name = Path::new(name).file_name().is_some_and(|file| file == name);
    match out {
        Some(out) => Ok(out.to_path_buf()),
        None if is_name => Ok(Path::new(RESULTS).join(name)),
        None => Err(format!(
            "\"{name}\" cannot be the name of a folder; choose one with --out"
        )),
    }
}
