//! Recordings that may be larger than memory: records in their order, read piece by piece.
//!
//! A short [`Tape`] is in memory. A long one is in a [`Store`] that the reader of a file provides;
//! a reader then has only a small piece of it in memory.
//!
//! ```
//! use pacesim_tape::{Tape, TapeWriter};
//!
//! let mut writer = TapeWriter::new(None);
//! for n in 0..10u32 {
//!     writer.push(n)?;
//! }
//! let tape: Tape<u32> = writer.finish()?;
//! assert_eq!(tape.from(8).collect::<Vec<_>>(), [8, 9]);
//! # Ok::<(), std::io::Error>(())
//! ```

use std::fmt;
use std::io;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use pacesim_units::Span;

/// Records held in memory before they go to a store.
const MOST_HELD: usize = 1 << 20;

/// Records that a reader takes out of a store at once.
const PIECE: usize = 1 << 10;

/// Storage for bytes outside memory.
pub trait Store: Send + Sync {
    /// Appends bytes.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Reads stored bytes.
    fn read(&self, from: u64, bytes: &mut [u8]) -> io::Result<()>;
}

/// Opens an empty store.
pub type OpenStore = dyn Fn() -> io::Result<Box<dyn Store>>;

/// A type that can be kept in a store.
pub trait Record: Copy + PartialEq + Send + Sync + 'static {
    /// Number of bytes of a record there.
    const BYTES: usize;

    /// Appends the bytes of the record.
    fn write(self, bytes: &mut Vec<u8>);

    /// The record with these bytes.
    fn read(bytes: &[u8]) -> Self;
}

/// Records in their order: in memory, or in a store if they are many.
#[derive(Clone)]
pub struct Tape<T>(Kept<T>);

#[derive(Clone)]
enum Kept<T> {
    Held(Arc<[T]>),
    Stored {
        store: Arc<Shelf>,
        len: usize,
    },
    /// The records of some groups of another tape.
    Dealt(Arc<Dealt<T>>),
    /// The records of another tape, changed as they are read.
    Changed(Arc<Tape<T>>, Arc<Change<T>>),
}

/// A change made to each record when it is read.
type Change<T> = dyn Fn(T) -> T + Send + Sync;

/// A store, and its failure, if any.
struct Shelf {
    store: Box<dyn Store>,
    failure: OnceLock<io::Error>,
}

/// A tape of which only the records of a share of the groups count.
struct Dealt<T> {
    records: Tape<T>,
    /// The group of each record.
    groups: Tape<u32>,
    share: Share,
}

/// The groups whose number is congruent to `member` modulo `members`.
#[derive(Clone, Copy, Debug)]
struct Share {
    member: u32,
    members: u32,
}

impl<T: Record> Tape<T> {
    /// Number of records.
    pub fn len(&self) -> usize {
        match &self.0 {
            Kept::Held(records) => records.len(),
            Kept::Stored { len, .. } => *len,
            Kept::Dealt(..) => self.iter().count(),
            Kept::Changed(all, _) => all.len(),
        }
    }

    /// True if there are no records.
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// All records from the first on. The reader shares the tape, and has at most a small piece of
    /// it in memory.
    pub fn iter(&self) -> TapeReader<T> {
        self.from(0)
    }

    /// All records from this place on.
    pub fn from(&self, place: usize) -> TapeReader<T> {
        TapeReader(match &self.0 {
            Kept::Held(records) => Reading::Held {
                records: records.clone(),
                next: place,
            },
            Kept::Stored { store, len } => Reading::Stored {
                store: store.clone(),
                left: place..*len,
                piece: Vec::new().into_iter(),
            },
            Kept::Dealt(dealt) => {
                // Only the groups tell which records count, so the skipped ones are read, too.
                let mut reader = dealt.reader();
                (0..place).for_each(|_| _ = reader.next());
                Reading::Dealt(Box::new(reader))
            }
            Kept::Changed(all, change) => {
                Reading::Changed(Box::new(all.from(place)), change.clone())
            }
        })
    }

    /// The record at this place.
    pub fn get(&self, place: usize) -> Option<T> {
        self.from(place).next()
    }

    /// The last record.
    pub fn last(&self) -> Option<T> {
        match &self.0 {
            Kept::Held(records) => records.last().copied(),
            Kept::Stored { len, .. } => self.from(len - 1).next(),
            Kept::Dealt(..) => self.iter().last(),
            Kept::Changed(all, change) => all.last().map(|record| change(record)),
        }
    }

    /// The failure of its store, if a reader has met one. The reader ended there, so nothing read
    /// since the tape was made can be trusted.
    pub fn failure(&self) -> Option<&io::Error> {
        match &self.0 {
            Kept::Held(_) => None,
            Kept::Stored { store, .. } => store.failure.get(),
            Kept::Dealt(dealt) => {
                let of_records = dealt.records.failure();
                of_records.or_else(|| dealt.groups.failure())
            }
            Kept::Changed(all, _) => all.failure(),
        }
    }

    /// The records, each changed: at once in memory, and otherwise as they are read.
    pub fn map(&self, change: impl Fn(T) -> T + Send + Sync + 'static) -> Tape<T> {
        match &self.0 {
            Kept::Held(_) => self.iter().map(change).collect(),
            _ => Tape(Kept::Changed(Arc::new(self.clone()), Arc::new(change))),
        }
    }

    /// The records of the groups dealt to one of `members` in turn; `groups` gives the number of
    /// each record's group.
    pub fn dealt(&self, groups: &Tape<u32>, member: usize, members: usize) -> Tape<T> {
        let share = Share {
            member: member as u32,
            members: members as u32,
        };
        if let (Kept::Held(_), Kept::Held(_)) = (&self.0, &groups.0) {
            let own = self.iter().zip(groups.iter());
            let own = own.filter(|(_, group)| share.has(*group));
            return own.map(|(record, _)| record).collect();
        }
        Tape(Kept::Dealt(Arc::new(Dealt {
            records: self.clone(),
            groups: groups.clone(),
            share,
        })))
    }
}

impl Share {
    fn has(self, group: u32) -> bool {
        group % self.members == self.member
    }
}

/// Reads a tape from some place on to its end, or up to a [failure](Tape::failure) of its store.
pub struct TapeReader<T>(Reading<T>);

enum Reading<T> {
    Held {
        records: Arc<[T]>,
        next: usize,
    },
    Stored {
        store: Arc<Shelf>,
        left: Range<usize>,
        piece: std::vec::IntoIter<T>,
    },
    Dealt(Box<DealtReader<T>>),
    Changed(Box<TapeReader<T>>, Arc<Change<T>>),
}

impl<T: Record> Iterator for TapeReader<T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        match &mut self.0 {
            Reading::Held { records, next } => {
                let record = records.get(*next).copied();
                *next += 1;
                record
            }
            Reading::Stored { store, left, piece } => piece.next().or_else(|| {
                *piece = store.read_piece(left).into_iter();
                piece.next()
            }),
            Reading::Dealt(reader) => reader.next(),
            Reading::Changed(reader, change) => reader.next().map(|record| change(record)),
        }
    }
}

/// Reads the records of a share of the groups, and passes over the others.
struct DealtReader<T> {
    records: TapeReader<T>,
    groups: TapeReader<u32>,
    share: Share,
}

impl<T: Record> Dealt<T> {
    fn reader(&self) -> DealtReader<T> {
        DealtReader {
            records: self.records.iter(),
            groups: self.groups.iter(),
            share: self.share,
        }
    }
}

impl<T: Record> Iterator for DealtReader<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        let mut grouped = self.records.by_ref().zip(self.groups.by_ref());
        let (record, _) = grouped.find(|(_, group)| self.share.has(*group))?;
        Some(record)
    }
}

impl Shelf {
    /// The next records; none once the store has failed.
    fn read_piece<T: Record>(&self, left: &mut Range<usize>) -> Vec<T> {
        let count = left.len().min(PIECE);
        let mut bytes = vec![0; count * T::BYTES];
        let from = left.start as u64 * T::BYTES as u64;
        if self.failure.get().is_none()
            && let Err(error) = self.store.read(from, &mut bytes)
        {
            // Another reader may have set it first.
            let _ = self.failure.set(error);
        }
        if self.failure.get().is_some() {
            *left = 0..0;
            return Vec::new();
        }
        left.start += count;
        bytes.chunks_exact(T::BYTES).map(T::read).collect()
    }
}

/// A writer that makes a tape, record by record.
pub struct TapeWriter<'s, T> {
    open: Option<&'s OpenStore>,
    held: Vec<T>,
    store: Option<Box<dyn Store>>,
    /// Number of records in the store.
    stored: usize,
}

impl<'s, T: Record> TapeWriter<'s, T> {
    /// A writer that holds everything in memory, or opens a store once the records are too many.
    pub fn new(open: Option<&'s OpenStore>) -> TapeWriter<'s, T> {
        TapeWriter {
            open,
            held: Vec::new(),
            store: None,
            stored: 0,
        }
    }

    /// Adds a record.
    pub fn push(&mut self, record: T) -> io::Result<()> {
        self.held.push(record);
        let most = if self.store.is_some() {
            PIECE
        } else {
            MOST_HELD
        };
        match self.open {
            Some(open) if self.held.len() >= most => self.put_away(open),
            _ => Ok(()),
        }
    }

    /// Number of records.
    pub fn len(&self) -> usize {
        self.stored + self.held.len()
    }

    /// True if there are no records.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn put_away(&mut self, open: &OpenStore) -> io::Result<()> {
        let store = match &mut self.store {
            Some(store) => store,
            None => self.store.insert(open()?),
        };
        for piece in self.held.chunks(PIECE) {
            let mut bytes = Vec::with_capacity(piece.len() * T::BYTES);
            piece.iter().for_each(|record| record.write(&mut bytes));
            store.append(&bytes)?;
        }
        self.stored += self.held.len();
        self.held = Vec::new();
        Ok(())
    }

    /// Ends the writing, and returns the tape.
    pub fn finish(mut self) -> io::Result<Tape<T>> {
        if let (Some(_), Some(open)) = (&self.store, self.open) {
            self.put_away(open)?;
        }
        Ok(match self.store {
            None => self.held.into(),
            Some(store) => Tape(Kept::Stored {
                store: Arc::new(Shelf {
                    store,
                    failure: OnceLock::new(),
                }),
                len: self.stored,
            }),
        })
    }
}

impl<T: Record> PartialEq for Tape<T> {
    fn eq(&self, other: &Tape<T>) -> bool {
        match (&self.0, &other.0) {
            (Kept::Held(a), Kept::Held(b)) => a == b,
            (Kept::Stored { store: a, .. }, Kept::Stored { store: b, .. }) if Arc::ptr_eq(a, b) => {
                true
            }
            _ => self.iter().eq(other.iter()),
        }
    }
}

impl<T: Record> Eq for Tape<T> where T: Eq {}

impl<T: Record> fmt::Debug for Tape<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a tape of {} records", self.len())
    }
}

impl<T: Record> fmt::Debug for TapeReader<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a reader of a tape")
    }
}

impl<T> From<Vec<T>> for Tape<T> {
    fn from(records: Vec<T>) -> Tape<T> {
        Tape(Kept::Held(records.into()))
    }
}

impl<T> From<Arc<[T]>> for Tape<T> {
    fn from(records: Arc<[T]>) -> Tape<T> {
        Tape(Kept::Held(records))
    }
}

impl<T> From<Box<[T]>> for Tape<T> {
    fn from(records: Box<[T]>) -> Tape<T> {
        Tape(Kept::Held(records.into()))
    }
}

impl<T, const N: usize> From<[T; N]> for Tape<T> {
    fn from(records: [T; N]) -> Tape<T> {
        Tape(Kept::Held(Arc::new(records)))
    }
}

impl<T> FromIterator<T> for Tape<T> {
    fn from_iter<I: IntoIterator<Item = T>>(records: I) -> Tape<T> {
        Tape(Kept::Held(records.into_iter().collect()))
    }
}

impl Record for u32 {
    const BYTES: usize = 4;

    fn write(self, bytes: &mut Vec<u8>) {
        bytes.extend(self.to_le_bytes());
    }

    fn read(bytes: &[u8]) -> u32 {
        u32::from_le_bytes(bytes.try_into().expect("four bytes"))
    }
}

impl Record for Span {
    const BYTES: usize = 8;

    fn write(self, bytes: &mut Vec<u8>) {
        bytes.extend(self.as_ps().to_le_bytes());
    }

    fn read(bytes: &[u8]) -> Span {
        Span::from_ps(u64::from_le_bytes(bytes.try_into().expect("eight bytes")))
    }
}

impl Record for u64 {
    const BYTES: usize = 8;

    fn write(self, bytes: &mut Vec<u8>) {
        bytes.extend(self.to_le_bytes());
    }

    fn read(bytes: &[u8]) -> u64 {
        u64::from_le_bytes(bytes.try_into().expect("eight bytes"))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    /// A fake store, in memory.
    struct Pretended(Mutex<Vec<u8>>);

    impl Store for Pretended {
        fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
            self.0.lock().expect("no panics").extend(bytes);
            Ok(())
        }

        fn read(&self, from: u64, bytes: &mut [u8]) -> io::Result<()> {
            let all = self.0.lock().expect("no panics");
            let from = from as usize;
            bytes.copy_from_slice(&all[from..from + bytes.len()]);
            Ok(())
        }
    }

    fn open() -> io::Result<Box<dyn Store>> {
        Ok(Box::new(Pretended(Mutex::default())))
    }

    fn written(count: usize, open: Option<&OpenStore>) -> Tape<u32> {
        let mut writer = TapeWriter::new(open);
        (0..count).for_each(|n| writer.push(n as u32).expect("a store"));
        assert_eq!(writer.len(), count);
        writer.finish().expect("a store")
    }

    #[test]
    fn a_tape_in_a_store_is_the_one_in_memory() {
        for count in [0, 1, MOST_HELD - 1, MOST_HELD, MOST_HELD + PIECE + 7] {
            let (held, stored) = (written(count, None), written(count, Some(&open)));
            assert_eq!(stored.len(), count);
            assert!(held == stored && stored == stored.clone());
            assert_eq!(stored.last(), count.checked_sub(1).map(|n| n as u32));
            assert_eq!(stored.is_empty(), count == 0);
            for place in [0, count / 2, count] {
                assert!(
                    held.from(place).eq(stored.from(place)),
                    "{count} from {place}"
                );
            }
            assert_eq!(matches!(stored.0, Kept::Stored { .. }), count >= MOST_HELD);
        }
    }

    #[test]
    fn a_share_of_a_tape_is_the_same_from_a_store() {
        let count = MOST_HELD + 5;
        let (held, stored) = (written(count, None), written(count, Some(&open)));
        let groups: Tape<u32> = (0..count).map(|n| (n / 3 % 7) as u32).collect();
        for member in 0..3 {
            let own = held.dealt(&groups, member, 3);
            let streamed = stored.dealt(&groups, member, 3);
            assert_eq!(own.len(), streamed.len());
            assert!(own == streamed && own.last() == streamed.last());
            assert!(own.from(9).eq(streamed.from(9)));
            let of_groups = groups.iter().filter(|group| *group % 3 == member as u32);
            assert_eq!(own.len(), of_groups.count());
        }
    }

    #[test]
    fn a_changed_tape_is_the_same_from_a_store() {
        let count = MOST_HELD + 5;
        let (held, stored) = (written(count, None), written(count, Some(&open)));
        let (held, stored) = (held.map(|n| 3 * n + 1), stored.map(|n| 3 * n + 1));
        assert_eq!((held.len(), stored.len()), (count, count));
        assert_eq!(held.get(7), Some(22));
        assert!(held == stored && held.last() == stored.last());
        assert!(held.from(MOST_HELD).eq(stored.from(MOST_HELD)));
        let groups: Tape<u32> = (0..count).map(|n| (n % 2) as u32).collect();
        assert!(held.dealt(&groups, 1, 2) == stored.dealt(&groups, 1, 2));
        let torn: &OpenStore = &|| Ok(Box::new(Torn(0)));
        let torn = written(MOST_HELD, Some(torn)).map(|n| n);
        assert_eq!(torn.iter().count(), 0);
        assert!(torn.failure().is_some());
    }

    /// A store that returns its first bytes only.
    struct Torn(u64);

    impl Store for Torn {
        fn append(&mut self, _bytes: &[u8]) -> io::Result<()> {
            Ok(())
        }

        fn read(&self, from: u64, bytes: &mut [u8]) -> io::Result<()> {
            if from + bytes.len() as u64 <= self.0 {
                Ok(())
            } else {
                Err(io::Error::other("torn"))
            }
        }
    }

    #[test]
    fn a_reader_ends_where_the_store_fails_and_the_tape_says_so() {
        let torn: &OpenStore = &|| Ok(Box::new(Torn(4 * PIECE as u64)));
        let tape = written(MOST_HELD, Some(torn));
        let groups: Tape<u32> = (0..MOST_HELD).map(|_| 0).collect();
        let share = tape.dealt(&groups, 0, 1);
        assert!(tape.failure().is_none() && share.failure().is_none());
        let mut reader = tape.iter();
        assert_eq!(reader.by_ref().count(), PIECE);
        let failure = |tape: &Tape<u32>| tape.failure().map(ToString::to_string);
        assert_eq!(failure(&tape).as_deref(), Some("torn"));
        assert_eq!(failure(&share).as_deref(), Some("torn"));
        // Records already read cannot be read again: half a recording is useless.
        assert_eq!((reader.next(), tape.get(0)), (None, None));
    }

    #[test]
    fn a_reader_has_no_more_than_a_piece_in_memory() {
        let tape = written(MOST_HELD + 9 * PIECE, Some(&open));
        let mut reader = tape.iter();
        reader.next();
        let Reading::Stored { piece, .. } = &reader.0 else {
            panic!("it is in a store");
        };
        assert_eq!(piece.len(), PIECE - 1);
    }
}
