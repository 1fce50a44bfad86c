//! The figures in the folder of a study: each sweep draws them again, unless the user changed them.

use std::path::{Path, PathBuf};
use std::{fs, io};

use pacesim_plot::Figure;
use pacesim_runs::manifest::Digest;
use pacesim_runs::workers::BatchMonitor;
use pacesim_store::database::{FileDigests, Store};
use pacesim_tables::partial::{PARTIAL, left_beside, write_complete};

use crate::error::SweepError;
use crate::figures::FOLDER;

/// Draws figures into the folder of their study. A file that differs from the last one drawn there
/// is the user's work: it stays, and the new figure goes beside it. A folder that is a link is the
/// user's choice, and nothing is drawn into it.
pub(crate) fn keep(
    out: &Path,
    figures: &[(String, Figure)],
    store: &mut Store,
    monitor: &dyn BatchMonitor,
) -> Result<(), SweepError> {
    let folder = out.join(FOLDER);
    if figures.is_empty() {
        return Ok(());
    }
    if folder.is_symlink() {
        let folder = folder.display();
        monitor.note(&format!(
            "{folder} is a link, so no figures are drawn into it: remove it, or draw them with `pacesim plot --to DIR`"
        ));
        return Ok(());
    }
    let before = store.drawn()?;
    let mut drawn = FileDigests::new();
    for (name, figure) in figures {
        for note in figure.notes() {
            monitor.note(&format!("figure {name}: {note}"));
        }
        let picture = figure.svg().into_bytes();
        let file = format!("{name}.svg");
        let path = free_path(&folder, &file, &before, &picture, monitor);
        write(&folder, &path, &picture).map_err(|source| SweepError::File {
            path: path.clone(),
            source,
        })?;
        drawn.insert(file, digest(&picture));
    }
    Ok(store.keep_drawn(&drawn)?)
}

/// The path for a figure, which is beside a file that the user changed.
fn free_path(
    folder: &Path,
    file: &str,
    before: &FileDigests,
    picture: &[u8],
    monitor: &dyn BatchMonitor,
) -> PathBuf {
    let path = folder.join(file);
    let found = fs::read(&path).ok();
    let is_ours = |found: &[u8]| found == picture || before.get(file) == Some(&digest(found));
    if found.is_none_or(|found| is_ours(&found)) {
        return path;
    }
    let beside = folder.join(format!("{}.new.svg", file.trim_end_matches(".svg")));
    monitor.note(&format!(
        "{} was changed since it was drawn and stays as it is; the figure of this sweep is {}",
        path.display(),
        beside.display()
    ));
    beside
}

fn write(folder: &Path, path: &Path, picture: &[u8]) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    // Left by a killed sweep; the store is locked, so nothing else is writing it.
    for left in left_beside(path, PARTIAL) {
        fs::remove_file(left)?;
    }
    write_complete(path, picture)
}

fn digest(picture: &[u8]) -> String {
    let mut digest = Digest::default();
    digest.add(picture);
    digest.to_string()
}
