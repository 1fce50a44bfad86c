//! The part of a file that is being written, in memory: short pieces are copied as arrays of a fixed
//! length, which takes a few instructions where a copy of any length takes a call.

use std::io::{self, Write};

/// Bytes not yet written to the file.
pub(super) struct Page {
    bytes: Vec<u8>,
    length: usize,
    /// The most bytes of an event.
    room: usize,
}

/// The bytes of one event. They are added to the page at its end: until then the number of them is a
/// local variable, which the compiler keeps in a register.
pub(super) struct EventBytes<'a> {
    to: &'a mut [u8],
    length: usize,
    page_length: &'a mut usize,
}

/// A name or a word, in half a cache line if it is not long.
#[derive(Clone, Debug)]
pub(super) enum Word {
    Short { length: u8, padded: [u8; SHORT] },
    Long(Box<[u8]>),
}

/// The length of a short word.
const SHORT: usize = 30;

impl Word {
    pub(super) fn new(text: &str) -> Word {
        let text = text.as_bytes();
        if text.len() > SHORT {
            return Word::Long(text.into());
        }
        let mut padded = [0; SHORT];
        padded[..text.len()].copy_from_slice(text);
        let length = text.len() as u8;
        Word::Short { length, padded }
    }

    #[inline(always)]
    pub(super) fn length(&self) -> usize {
        match self {
            Word::Short { length, .. } => usize::from(*length),
            Word::Long(text) => text.len(),
        }
    }
}

impl Page {
    /// The bytes that are written at once.
    const FULL: usize = 1 << 18;

    /// A page for events with up to four of these names.
    pub(super) fn new<'a>(names: impl Iterator<Item = &'a String>) -> Page {
        // A quoted name may have twice as many bytes.
        let room = 2048 + 8 * names.map(String::len).max().unwrap_or(0);
        Page {
            bytes: vec![0; Page::FULL + room],
            length: 0,
            room,
        }
    }

    /// Writes the page if it is full, so that it has room for an event.
    #[inline(always)]
    pub(super) fn write_if_full(&mut self, to: &mut impl Write) -> io::Result<()> {
        if self.length >= Page::FULL {
            self.write(to)
        } else {
            Ok(())
        }
    }

    /// Writes the page.
    pub(super) fn write(&mut self, to: &mut impl Write) -> io::Result<()> {
        let written = to.write_all(&self.bytes[..self.length]);
        self.length = 0;
        self.bytes.truncate(Page::FULL + self.room);
        written
    }

    /// Begins an event.
    #[inline(always)]
    pub(super) fn begin_event(&mut self) -> EventBytes<'_> {
        EventBytes {
            to: &mut self.bytes[self.length..],
            length: 0,
            page_length: &mut self.length,
        }
    }

    /// Appends bytes of any length.
    pub(super) fn text(&mut self, text: &[u8]) {
        let end = self.length + text.len();
        if end + self.room > self.bytes.len() {
            self.bytes.resize(end + self.room, 0);
        }
        self.bytes[self.length..end].copy_from_slice(text);
        self.length = end;
    }
}

impl EventBytes<'_> {
    /// Adds the event to the page.
    #[inline(always)]
    pub(super) fn end(self) {
        *self.page_length += self.length;
    }

    /// Bytes so far.
    #[inline(always)]
    pub(super) fn length(&self) -> usize {
        self.length
    }

    /// Appends the first bytes of an array.
    #[inline(always)]
    pub(super) fn part<const N: usize>(&mut self, piece: [u8; N], length: usize) {
        self.to[self.length..self.length + N].copy_from_slice(&piece);
        self.length += length;
    }

    /// Appends an array.
    #[inline(always)]
    pub(super) fn array<const N: usize>(&mut self, piece: [u8; N]) {
        self.part(piece, N);
    }

    /// Overwrites a place.
    #[inline(always)]
    pub(super) fn put<const N: usize>(&mut self, place: usize, piece: [u8; N]) {
        self.to[place..place + N].copy_from_slice(&piece);
    }

    /// Appends a word.
    #[inline(always)]
    pub(super) fn word(&mut self, word: &Word) {
        match word {
            Word::Short { length, padded } => self.part(*padded, usize::from(*length)),
            Word::Long(text) => self.text(text),
        }
    }

    /// Appends bytes.
    #[inline(always)]
    pub(super) fn text(&mut self, text: &[u8]) {
        self.to[self.length..self.length + text.len()].copy_from_slice(text);
        self.length += text.len();
    }

    /// Appends a number in decimal.
    #[inline(always)]
    pub(super) fn decimal(&mut self, number: u64) {
        if number < EIGHT {
            let (digits, zeros) = without_zeros(digits(number as u32));
            self.part(digits, 8 - zeros);
        } else {
            let (digits, length) = long_decimal(number);
            self.part(digits, length);
        }
    }
}

/// A number in decimal, followed by zeros, and the number of its digits.
#[inline(never)]
pub(super) fn long_decimal(number: u64) -> ([u8; 24], usize) {
    let mut all = [[0; 8]; 3];
    let mut rest = number;
    for eight in all.iter_mut().rev() {
        *eight = digits((rest % EIGHT) as u32);
        rest /= EIGHT;
    }
    let all = all.as_flattened();
    let zeros = all
        .iter()
        .take_while(|digit| **digit == b'0')
        .count()
        .min(23);
    let mut digits = [0; 24];
    digits[..24 - zeros].copy_from_slice(&all[zeros..]);
    (digits, 24 - zeros)
}

/// The least number with more than eight digits.
const EIGHT: u64 = 100_000_000;

/// The eight digits of a number below 10^8, all of them at once: halves, their halves, and theirs.
#[inline(always)]
fn digits(number: u32) -> [u8; 8] {
    let fours = u64::from(number / 10_000) | u64::from(number % 10_000) << 32;
    // The products are exact quotients for numbers below 10^4 and 10^2.
    let hundreds = ((fours * 5243) >> 19) & 0x7F_0000_007F;
    let pairs = hundreds | (fours - 100 * hundreds) << 16;
    let tens = ((pairs * 103) >> 10) & 0x000F_000F_000F_000F;
    let ones = tens | (pairs - 10 * tens) << 8;
    (ones + 0x3030_3030_3030_3030).to_le_bytes()
}

/// The digits without leading zeros but for the last digit, and the number of these.
#[inline(always)]
fn without_zeros(digits: [u8; 8]) -> ([u8; 8], usize) {
    let digits = u64::from_le_bytes(digits);
    let zeros = ((digits - 0x3030_3030_3030_3030).trailing_zeros() / 8).min(7);
    ((digits >> (8 * zeros)).to_le_bytes(), zeros as usize)
}

/// Times as decimals: the digits above the last eight are kept, since the next time mostly has them
/// too.
#[derive(Default)]
pub(super) struct DecimalTimes {
    above: u64,
    /// The digits of `above`.
    digits: [u8; 16],
    length: usize,
}

impl DecimalTimes {
    /// Appends a time.
    #[inline(always)]
    pub(super) fn decimal(&mut self, to: &mut EventBytes, t_ps: u64) {
        let above = t_ps / EIGHT;
        if above != self.above {
            self.change(above);
        }
        match above {
            0 => to.decimal(t_ps),
            _ => {
                to.part(self.digits, self.length);
                to.array(digits((t_ps % EIGHT) as u32));
            }
        }
    }

    #[inline(never)]
    fn change(&mut self, above: u64) {
        let (digits, length) = long_decimal(above);
        self.digits.copy_from_slice(&digits[..16]);
        (self.above, self.length) = (above, length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> Page {
        Page::new(std::iter::empty())
    }

    fn text(page: &Page) -> &str {
        std::str::from_utf8(&page.bytes[..page.length]).expect("text")
    }

    /// Numbers around those that need another digit.
    fn numbers() -> impl Iterator<Item = u64> {
        let powers = (0..20).map(|n| 10_u64.pow(n));
        powers.flat_map(|n| [n - 1, n, n + 7]).chain([u64::MAX])
    }

    #[test]
    fn numbers_are_written_as_by_the_standard_library() {
        let steps = (0..100_000_000).step_by(9973);
        let (mut times, mut page) = (DecimalTimes::default(), page());
        for number in numbers().chain(0..20_000).chain(steps) {
            let mut line = page.begin_event();
            line.decimal(number);
            line.array(*b"=");
            times.decimal(&mut line, number);
            line.end();
            assert_eq!(text(&page), format!("{number}={number}"));
            page.length = 0;
        }
    }

    #[test]
    fn words_of_any_length_are_kept_whole() {
        let names = [0, 1, 29, 30, 31, 70_000, 3, 200_000, 30].map(|length| "x".repeat(length));
        let (mut page, mut expected) = (Page::new(names.iter()), String::new());
        let mut file = Vec::new();
        for name in &names {
            let word = Word::new(name);
            assert_eq!(word.length(), name.len());
            let mut line = page.begin_event();
            line.word(&word);
            line.array(*b";");
            line.word(&word);
            line.end();
            page.text(name.as_bytes());
            page.write_if_full(&mut file).expect("memory");
            expected += &format!("{name};{name}{name}");
        }
        page.write(&mut file).expect("memory");
        assert!(file == expected.as_bytes(), "{} bytes", file.len());
        assert_eq!(size_of::<Word>(), 32);
    }
}
