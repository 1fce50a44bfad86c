//! Parts of a study, each run independently into a separate store. The runs of a part follow from
//! the study, the replications and the number of parts alone, so any machine may make any part.

use std::fmt;

/// One of several parts of a study, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shard {
    number: u64,
    of: u64,
}

impl Shard {
    /// The most parts that a study can be divided into.
    pub const MOST: u64 = 100_000;

    /// The shard of this number, unless the number of shards is smaller or too large.
    pub fn new(number: u64, of: u64) -> Result<Shard, String> {
        if of == 0 || of > Shard::MOST {
            return Err(format!("a study has 1 to {} shards, not {of}", Shard::MOST));
        }
        match number {
            0 => Err(format!(
                "shards count from 1, from 1/{of} to {of}/{of}; an engine that counts from 0 gives 0+1/{of}"
            )),
            number if number > of => Err(format!("the last of {of} shards is {of}/{of}")),
            number => Ok(Shard { number, of }),
        }
    }

    /// Parses "3/200", or "2+1/200" from an engine that counts from 0.
    ///
    /// ```
    /// use pacesim_store::shard::Shard;
    /// assert_eq!(Shard::parse("2+1/200"), Shard::parse("3/200"));
    /// assert!(Shard::parse("7/5").is_err());
    /// ```
    pub fn parse(text: &str) -> Result<Shard, String> {
        let how = || "give the number of a shard and how many there are, such as 3/200".to_owned();
        let (number, of) = text.split_once('/').ok_or_else(how)?;
        let read = |text: &str| text.trim().parse::<u64>().map_err(|_| how());
        let number = match number.split_once('+') {
            Some((from_zero, more)) => read(from_zero)?.saturating_add(read(more)?),
            None => read(number)?,
        };
        Shard::new(number, read(of)?)
    }

    /// All shards of a study divided into this many.
    pub fn all(of: u64) -> impl Iterator<Item = Shard> {
        (1..=of).map(move |number| Shard { number, of })
    }

    /// Number of the shard, from 1.
    pub fn number(self) -> u64 {
        self.number
    }

    /// Number of all shards.
    pub fn of(self) -> u64 {
        self.of
    }

    /// Name of the shard's folder: "003-of-200".
    pub fn folder(self) -> String {
        let Shard { number, of } = self;
        let width = of.to_string().len();
        format!("{number:0width$}-of-{of}")
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

/// The replications of a point made by a shard: every `step`th from `first` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Part {
    /// First replication of the part.
    pub first: u64,
    /// Distance between consecutive replications of the part.
    pub step: u64,
}

impl Part {
    /// The part that has all replications.
    pub const WHOLE: Part = Part { first: 0, step: 1 };

    /// True if the part includes this replication.
    pub fn has(self, replication: u64) -> bool {
        replication % self.step == self.first
    }

    /// The number of its replications before `end`.
    pub fn count(self, end: u64) -> u64 {
        end.saturating_sub(self.first).div_ceil(self.step)
    }
}
