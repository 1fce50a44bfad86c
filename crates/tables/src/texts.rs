//! The strings of a column, each distinct one stored once.
#![allow(
    clippy::disallowed_types,
    reason = "texts are looked up by the million, and never iterated over"
)]

use std::collections::HashMap;

use crate::chunk::Dictionary;

/// Number of string addresses remembered: a megabyte, which covers the names of some twenty
/// thousand links.
const REMEMBERED: usize = 1 << 16;

/// Strings in order, by their numbers.
#[derive(Default)]
pub(crate) struct Texts {
    numbers: Vec<u32>,
    distinct: Vec<Box<str>>,
    known: HashMap<Box<str>, u32>,
    /// The number of the string last seen at an address, by the low bits of the address, since rows
    /// share their strings. It is only a guess.
    seen_at: Vec<u32>,
}

impl Texts {
    #[inline]
    pub(crate) fn push(&mut self, text: &str) {
        let place = (text.as_ptr().addr() >> 4) % REMEMBERED;
        let guess = self.seen_at.get(place).copied().unwrap_or(0);
        let number = match self.distinct.get(guess as usize) {
            Some(known) if **known == *text => guess,
            _ => self.find(text, place),
        };
        self.numbers.push(number);
    }

    #[cold]
    fn find(&mut self, text: &str, place: usize) -> u32 {
        let number = match self.known.get(text) {
            Some(number) => *number,
            None => {
                let number = u32::try_from(self.distinct.len()).expect("fewer than 2^32 texts");
                self.known.insert(text.into(), number);
                self.distinct.push(text.into());
                number
            }
        };
        if self.seen_at.is_empty() {
            self.seen_at = vec![0; REMEMBERED];
        }
        self.seen_at[place] = number;
        number
    }

    /// The numbers of the strings in their dictionary.
    pub(crate) fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    pub(crate) fn dictionary(&self) -> Dictionary {
        let mut plain = Vec::new();
        for text in &self.distinct {
            let length = u32::try_from(text.len()).expect("a text is shorter than 4 GB");
            plain.extend(length.to_le_bytes());
            plain.extend(text.as_bytes());
        }
        let values = self.distinct.len();
        Dictionary { plain, values }
    }

    /// Clears the strings.
    pub(crate) fn clear(&mut self) {
        self.numbers.clear();
        self.distinct.clear();
        self.known.clear();
    }
}
