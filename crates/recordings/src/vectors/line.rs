//! A line of a file of vectors: a word, followed by numbers.

use pacesim_language::problem::shortened;
use pacesim_model::range::MOST_IN_TABLES;
use pacesim_units::Span;

pub(super) struct Line<'t> {
    text: &'t str,
    pub(super) word: &'t str,
    numbers: Vec<&'t str>,
}

impl<'t> Line<'t> {
    pub(super) fn new(text: &'t str) -> Line<'t> {
        let mut words = text.split_whitespace();
        Line {
            text,
            word: words.next().unwrap_or_default(),
            numbers: words.collect(),
        }
    }

    /// Numbers of the line, exactly `N` of them, as in the example.
    pub(super) fn numbers<const N: usize>(&self, example: &str) -> Result<[u64; N], String> {
        if self.numbers.len() == N {
            self.first_numbers(example)
        } else {
            Err(self.expected(example))
        }
    }

    /// The first `N` numbers of the line; later ones do not affect the replay.
    pub(super) fn first_numbers<const N: usize>(&self, example: &str) -> Result<[u64; N], String> {
        self.parsed(example, |number| *number <= MOST_IN_TABLES)
    }

    /// Numbers of the line from 0 to 1, exactly `N` of them.
    pub(super) fn shares<const N: usize>(&self, example: &str) -> Result<[f64; N], String> {
        if self.numbers.len() == N {
            self.parsed(example, |share| (0.0..=1.0).contains(share))
        } else {
            Err(self.expected(example))
        }
    }

    fn parsed<T: std::str::FromStr + Copy + Default, const N: usize>(
        &self,
        example: &str,
        is_legal: impl Fn(&T) -> bool,
    ) -> Result<[T; N], String> {
        let mut all = [T::default(); N];
        for (i, number) in all.iter_mut().enumerate() {
            let parsed = self.numbers.get(i).and_then(|text| text.parse().ok());
            *number = parsed
                .filter(&is_legal)
                .ok_or_else(|| self.expected(example))?;
        }
        Ok(all)
    }

    /// The only number of the line, as a time.
    pub(super) fn time(&self, example: &str) -> Result<Span, String> {
        let [us] = self.numbers(example)?;
        time(us).ok_or_else(|| self.expected(example))
    }

    pub(super) fn expected(&self, example: &str) -> String {
        let text = shortened(self.text);
        format!("\"{text}\" is not understood: expected is {example}")
    }

    pub(super) fn is_no_header(&self) -> String {
        self.expected("the header of a connection, as in \"SEQ 10000 1 1 1\", \"CONC 10000 1 1 1 1\", or S and C in place of these words")
    }
}

/// A number of microseconds, if it is within the length of a run.
pub(super) fn time(us: u64) -> Option<Span> {
    us.checked_mul(1_000_000).map(Span::from_ps)
}
