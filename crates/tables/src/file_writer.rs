//! Files of any kind that are written as streams and get their name once complete.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::disk::{Disk, DiskFile};
use crate::partial::PartialFile;

/// A file being written; it is removed unless [`FileWriter::finish`] is called.
pub struct FileWriter {
    content: BufWriter<DiskFile>,
    file: PartialFile,
}

impl FileWriter {
    /// Starts a file that will have this name.
    pub fn create(path: &Path) -> io::Result<FileWriter> {
        let (file, content) = PartialFile::create(&Disk::default(), path)?;
        let content = BufWriter::with_capacity(1 << 18, content);
        Ok(FileWriter { content, file })
    }

    /// Gives the finished file its name.
    pub fn finish(self) -> io::Result<()> {
        let FileWriter { content, file } = self;
        drop(content.into_inner().map_err(|error| error.into_error())?);
        file.finish()
    }
}

impl Write for FileWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.content.write(bytes)
    }

    // The buffer's own is quicker than repeated `write`.
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.content.write_all(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.content.flush()
    }
}
