//! Files for data too large for memory. They have no name and so vanish however the program ends.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::{env, process};

use pacesim::model::tape::Store;

/// A file in the system's temporary folder.
struct Spill {
    file: Mutex<File>,
    /// Path of the file, on systems where the name of an open file cannot be removed.
    name: Option<PathBuf>,
}

/// Opens an empty temporary file.
pub(crate) fn open() -> io::Result<Box<dyn Store>> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let name = format!("pacesim-{}-{number}.spill", process::id());
    let path = env::temp_dir().join(name);
    let mut options = OpenOptions::new();
    let file = options
        .read(true)
        .write(true)
        .create_new(true)
        .open(&path)?;
    let name = fs::remove_file(&path).err().map(|_| path);
    Ok(Box::new(Spill {
        file: Mutex::new(file),
        name,
    }))
}

impl Store for Spill {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let file = self
            .file
            .get_mut()
            .expect("nobody panics with the file in hand");
        file.write_all(bytes)
    }

    fn read(&self, from: u64, bytes: &mut [u8]) -> io::Result<()> {
        let mut file = self
            .file
            .lock()
            .expect("nobody panics with the file in hand");
        file.seek(SeekFrom::Start(from))?;
        file.read_exact(bytes)
    }
}

impl Drop for Spill {
    fn drop(&mut self) {
        if let Some(name) = &self.name {
            // The file stays if it cannot be removed.
            let _ = fs::remove_file(name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_from_anywhere() {
        let mut spill = open().expect("a file");
        spill.append(b"abc").expect("room");
        spill.append(b"defg").expect("room");
        let mut bytes = [0; 3];
        spill.read(2, &mut bytes).expect("it is there");
        assert_eq!(&bytes, b"cde");
        assert!(spill.read(5, &mut bytes).is_err(), "beyond its end");
    }
}
