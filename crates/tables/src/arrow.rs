//! Durations, for which Parquet has no type. Arrow writes them as bare integers and keeps their
//! unit in its own schema, which the footer has as a FlatBuffer (Arrow's `Schema.fbs` and
//! `Message.fbs`) in base64. Only the parts needed for that are read here.

use std::collections::BTreeMap;

/// Key of the schema in the footer.
pub(crate) const KEY: &str = "ARROW:schema";

/// Picoseconds per unit of each column of durations, by name; `None` if the schema is invalid.
pub(crate) fn durations(encoded: &str) -> Option<BTreeMap<String, u64>> {
    let bytes = base64(encoded)?;
    // The length of the message comes first; since 2019, a marker precedes it.
    let start = match bytes.get(..4)? {
        [0xFF, 0xFF, 0xFF, 0xFF] => 8,
        _ => 4,
    };
    let message = FlatTable::root(bytes.get(start..)?)?;
    let schema = message.table(slot::HEADER)?;
    let fields = schema.tables(slot::FIELDS)?;
    let named = fields.into_iter().map(duration);
    let named: Option<Vec<_>> = named.collect();
    Some(named?.into_iter().flatten().collect())
}

/// Slots of the fields read, each in its table, and the type's number.
mod slot {
    pub(crate) const HEADER: usize = 2;
    pub(crate) const FIELDS: usize = 1;
    pub(crate) const NAME: usize = 0;
    pub(crate) const KIND: usize = 2;
    pub(crate) const TYPE: usize = 3;
    pub(crate) const UNIT: usize = 0;
}

/// The number of `Type::Duration` in Arrow's schema.
const DURATION: u8 = 18;

/// The name of a field and its unit, if it is a duration.
fn duration(field: FlatTable) -> Option<Option<(String, u64)>> {
    let kind = field
        .place(slot::KIND)?
        .map_or(Some(0), |at| field.u8(at))?;
    if kind != DURATION {
        return Some(None);
    }
    let unit = field.table(slot::TYPE)?;
    // `TimeUnit`: seconds to nanoseconds; milliseconds are the default.
    let unit = unit.place(slot::UNIT)?.map_or(Some(1), |at| unit.u16(at))?;
    let unit_ps = [1_000_000_000_000, 1_000_000_000, 1_000_000, 1_000].get(usize::from(unit))?;
    Some(Some((field.text(slot::NAME)?, *unit_ps)))
}

/// A table of a FlatBuffer. An offset beyond the buffer gives `None`.
#[derive(Clone, Copy)]
struct FlatTable<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> FlatTable<'a> {
    fn root(bytes: &'a [u8]) -> Option<FlatTable<'a>> {
        let whole = FlatTable { bytes, at: 0 };
        let at = whole.follow(0)?;
        Some(FlatTable { bytes, at })
    }

    fn bytes<const N: usize>(&self, at: usize) -> Option<[u8; N]> {
        self.bytes.get(at..at.checked_add(N)?)?.try_into().ok()
    }

    fn u8(&self, at: usize) -> Option<u8> {
        self.bytes(at).map(u8::from_le_bytes)
    }

    fn u16(&self, at: usize) -> Option<u16> {
        self.bytes(at).map(u16::from_le_bytes)
    }

    fn usize(&self, at: usize) -> Option<usize> {
        usize::try_from(u32::from_le_bytes(self.bytes(at)?)).ok()
    }

    /// The target of the offset at this place.
    fn follow(&self, at: usize) -> Option<usize> {
        at.checked_add(self.usize(at)?)
    }

    /// The place of this slot's value; the inner `None` if it has its default.
    fn place(&self, slot: usize) -> Option<Option<usize>> {
        let back = i32::from_le_bytes(self.bytes(self.at)?);
        let slots = self.at.checked_add_signed(-isize::try_from(back).ok()?)?;
        let entry = 4 + 2 * slot;
        if entry + 2 > usize::from(self.u16(slots)?) {
            return Some(None);
        }
        let offset = usize::from(self.u16(slots + entry)?);
        Some((offset > 0).then_some(self.at + offset))
    }

    fn table(&self, slot: usize) -> Option<FlatTable<'a>> {
        let at = self.follow(self.place(slot)??)?;
        Some(FlatTable { at, ..*self })
    }

    fn tables(&self, slot: usize) -> Option<Vec<FlatTable<'a>>> {
        let list = self.follow(self.place(slot)??)?;
        let length = self.usize(list)?;
        // With a false length, the first missing table ends the list.
        let at = |i: usize| self.follow(list.checked_add(4 + 4 * i)?);
        (0..length)
            .map(|i| {
                Some(FlatTable {
                    at: at(i)?,
                    ..*self
                })
            })
            .collect()
    }

    fn text(&self, slot: usize) -> Option<String> {
        let start = self.follow(self.place(slot)??)?;
        let bytes = self
            .bytes
            .get(start..)?
            .get(4..)?
            .get(..self.usize(start)?)?;
        String::from_utf8(bytes.to_vec()).ok()
    }
}

fn base64(text: &str) -> Option<Vec<u8>> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digit = |byte: u8| DIGITS.iter().position(|digit| *digit == byte);
    let digits: Option<Vec<usize>> = text.trim_end_matches('=').bytes().map(digit).collect();
    let group = |digits: &[usize]| {
        let bits =
            digits.iter().fold(0, |bits, digit| bits << 6 | digit) << (6 * (4 - digits.len()));
        let [_, three @ ..] = (bits as u32).to_be_bytes();
        three.into_iter().take(digits.len() - 1)
    };
    digits.map(|digits| {
        digits
            .chunks(4)
            .filter(|d| d.len() > 1)
            .flat_map(group)
            .collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_rfc_4648() {
        for (text, encoded) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(encoded).as_deref(), Some(text.as_bytes()), "{text}");
        }
        assert_eq!(base64("not base64!"), None);
    }

    #[test]
    fn what_is_no_schema_is_refused_without_a_panic() {
        let schema = SCHEMA.as_bytes();
        assert!(durations(SCHEMA).is_some_and(|found| found.len() == 4));
        for cut in 0..schema.len() {
            let _ = durations(&SCHEMA[..cut]);
        }
        for place in 0..schema.len() {
            for other in *b"A/8" {
                let mut changed = schema.to_vec();
                changed[place] = other;
                let _ = durations(std::str::from_utf8(&changed).expect("ASCII"));
            }
        }
    }

    #[test]
    fn durations_are_found_with_their_units() {
        let found = durations(SCHEMA).expect("a schema");
        let expected = [
            ("s", 1_000_000_000_000),
            ("ms", 1_000_000_000),
            ("us", 1_000_000),
            ("ns", 1_000),
        ];
        let expected = expected.map(|(name, ps)| (name.to_owned(), ps));
        assert_eq!(found, BTreeMap::from(expected));
    }

    /// Columns of durations called s, ms, us and ns, and one of integers, as PyArrow writes them.
    const SCHEMA: &str = "/////zABAAAQAAAAAAAKAAwABgAFAAgACgAAAAABBAAMAAAACAAIAAAABAAIAAAABAAAAAUAAADQAAAAlAAAAGgA\
        AAA8AAAABAAAAFT///8AAAECEAAAABwAAAAEAAAAAAAAAAEAAABuAAAACAAMAAgABwAIAAAAAAAAAUAAAACI////\
        AAABEhAAAAAUAAAABAAAAAAAAAACAAAAbnMAAHr///8AAAMAsP///wAAARIQAAAAFAAAAAQAAAAAAAAAAgAAAHVz\
        AACi////AAACANj///8AAAESEAAAABgAAAAEAAAAAAAAAAIAAABtcwAABAAEAAQAAAAQABQACAAGAAcADAAAABAA\
        EAAAAAAAARIQAAAAGAAAAAQAAAAAAAAAAQAAAHMABgAIAAYABgAAAAAAAAAAAAAA";
}
