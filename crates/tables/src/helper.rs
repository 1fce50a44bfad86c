//! A thread that writes row groups while the next one fills.

use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::{self, JoinHandle};

use crate::error::TableError;
use crate::groups::{Group, GroupWriter};

/// Full groups waiting for the thread. The caller waits with one more, so that memory is bounded.
const WAITING: usize = 1;

/// Result of the thread: the file, if it succeeded.
type Outcome = Result<GroupWriter, TableError>;

/// The thread and its channels. Dropping it waits for the end of the thread, so that no write is
/// pending.
pub(crate) struct Helper {
    /// Sender of full groups; `None` once no more follow.
    full: Option<SyncSender<Group>>,
    /// Groups that have been written and can be reused.
    empty: Receiver<Group>,
    thread: Option<JoinHandle<Outcome>>,
}

impl Helper {
    pub(crate) fn start(writer: GroupWriter) -> std::io::Result<Helper> {
        let (full, groups) = sync_channel(WAITING);
        let (written, empty) = channel();
        let write = move || write_all(writer, &groups, &written);
        let thread = thread::Builder::new()
            .name("table".to_owned())
            .spawn(write)?;
        Ok(Helper {
            full: Some(full),
            empty,
            thread: Some(thread),
        })
    }

    /// Passes a full group to the thread, and returns one that was written, if any. An error
    /// concerns an earlier group.
    pub(crate) fn write(&mut self, group: Group) -> Result<Option<Group>, TableError> {
        let full = self.full.as_ref().expect("groups come before the end");
        match full.send(group) {
            Ok(()) => Ok(self.empty.try_recv().ok()),
            Err(_) => Err(self
                .end()
                .err()
                .expect("only an error ends the thread early")),
        }
    }

    /// Waits until all groups are written, and returns the file.
    pub(crate) fn end(&mut self) -> Outcome {
        self.full = None;
        let thread = self.thread.take().expect("a thread ends once");
        thread.join().unwrap_or_else(|panic| resume_unwind(panic))
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        self.full = None;
        if let Some(thread) = self.thread.take() {
            // A caller that drops it already has an error, or ignores one.
            let _ = thread.join();
        }
    }
}

fn write_all(
    mut writer: GroupWriter,
    groups: &Receiver<Group>,
    written: &Sender<Group>,
) -> Outcome {
    for mut group in groups {
        writer.write(&mut group)?;
        // It is not reused if it was the last group.
        let _ = written.send(group);
    }
    Ok(writer)
}

#[cfg(test)]
mod tests {
    use pacesim_measure::record::PacketRow;

    use crate::disk::Disk;
    use crate::{TableError, TableWriter};

    const ROWS: u64 = 500_000;

    /// A number that delta encoding does not shorten.
    fn any(n: u64) -> u64 {
        n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 8
    }

    /// Many row groups, on a disk on which this change and all later ones fail.
    fn written_until(fails: u64) -> (Result<u64, TableError>, u64) {
        let folder = tempfile::tempdir().expect("a folder");
        let disk = Disk::failing(fails..u64::MAX);
        let path = folder.path().join("t.parquet");
        let file = disk.create_file(&path);
        let written = file.map_err(crate::error::at(&path)).and_then(|file| {
            let mut table = TableWriter::fill(file, &path, &[])?;
            for t_ps in 0..ROWS {
                table.push(PacketRow {
                    t_ps,
                    seq: any(t_ps),
                    departure_ps: Some(any(!t_ps)),
                    ..PacketRow::default()
                })?;
            }
            table.finish()
        });
        (written, disk.steps())
    }

    #[test]
    fn a_disk_that_is_full_at_any_moment_is_an_error_that_says_so() {
        let (written, steps) = written_until(u64::MAX);
        assert_eq!(written.expect("room enough"), ROWS);
        assert!(steps > 12, "{steps} changes");
        for fails in (0..steps).step_by(3).chain([steps - 1]) {
            let (written, _) = written_until(fails);
            let error = written.expect_err("no room").to_string();
            assert!(error.contains("t.parquet"), "{error}");
            assert!(
                error.contains("full") || error.contains("no storage"),
                "{error}"
            );
        }
    }

    #[test]
    fn nobody_writes_into_a_table_that_was_dropped() {
        let folder = tempfile::tempdir().expect("a folder");
        let disk = Disk::default();
        let path = folder.path().join("t.parquet");
        let file = disk.create_file(&path).expect("made");
        let mut table = TableWriter::fill(file, &path, &[]).expect("begun");
        for t_ps in 0..ROWS {
            table
                .push(PacketRow {
                    t_ps,
                    ..PacketRow::default()
                })
                .expect("pushed");
        }
        drop(table);
        let steps = disk.steps();
        std::thread::yield_now();
        assert_eq!(disk.steps(), steps);
    }
}
