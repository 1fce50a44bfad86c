//! Errors of the file system in words: the place, the reason and a remedy.

use std::io::{self, ErrorKind};
use std::path::Path;

use crate::partial::around;

/// True if another place, or other permissions there, would help.
pub fn is_misplaced(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::PermissionDenied
            | ErrorKind::ReadOnlyFilesystem
            | ErrorKind::NotFound
            | ErrorKind::NotADirectory
            | ErrorKind::IsADirectory
            | ErrorKind::AlreadyExists
            | ErrorKind::InvalidFilename
    )
}

/// An error at this path, with the folder or file at fault and a remedy.
pub fn explained(path: &Path, error: &io::Error) -> String {
    let missing = || path.ancestors().skip(1).find(|folder| folder.exists());
    let place = if path.exists() {
        path
    } else {
        missing()
            .filter(|folder| *folder != Path::new(""))
            .unwrap_or(around(path))
    };
    let (folder, is_folder) = (around(path), path.is_dir());
    let (place, path) = (place.display(), path.display());
    match error.kind() {
        ErrorKind::PermissionDenied => {
            format!("{place}: permission denied; choose another place, or change its permissions")
        }
        ErrorKind::ReadOnlyFilesystem => {
            format!("{place} is on a file system that is read-only; choose another place")
        }
        ErrorKind::NotADirectory | ErrorKind::AlreadyExists => {
            format!("{path}: {place} is a file, not a folder; choose another place")
        }
        ErrorKind::NotFound if is_folder => {
            format!("{path}: nothing can be created there; choose another place")
        }
        ErrorKind::NotFound if !folder.exists() => {
            let folder = folder.display();
            format!("{path}: there is no folder {folder}; create it, or choose another place")
        }
        ErrorKind::IsADirectory => format!("{path} is a folder, not a file; choose another name"),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            format!("{path}: the disk is full; make room, or choose another place")
        }
        _ => format!("{path}: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_part_at_fault_and_a_remedy() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("file");
        std::fs::write(&file, "").expect("written");
        let below = file.join("results/run");
        let error = std::fs::create_dir_all(&below).expect_err("it is below a file");
        let text = explained(&below, &error);
        let told = format!("{} is a file, not a folder", file.display());
        assert!(text.contains(&told), "{text}");
        let denied = io::Error::from(ErrorKind::PermissionDenied);
        let text = explained(&folder.path().join("a/b.lock"), &denied);
        let told = format!("{}: permission denied", folder.path().display());
        assert!(text.starts_with(&told), "{text}");
        assert!(is_misplaced(&denied) && is_misplaced(&error));
        let full = io::Error::from(ErrorKind::StorageFull);
        assert!(!is_misplaced(&full));
        assert!(explained(&file, &full).contains("make room"));
    }
}
