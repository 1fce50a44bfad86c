//! JSON documents with a digest of themselves as their last key.

use super::inventory::digest_of_words;

/// The text between the rest of a document and its digest.
const KEY: &str = ",\n  \"digest\": \"";

/// A document, as written by [`to_json`](crate::summary::to_json), with its digest.
pub fn sealed(json: &str) -> String {
    let (rest, end) = json.rsplit_once("\n}").expect("a table with keys");
    format!("{rest}{KEY}{}\"\n}}{end}", digest(json))
}

/// True if a document has its digest, and is as it was written.
pub fn is_sound(json: &str) -> bool {
    let parted = || {
        let (rest, end) = json.rsplit_once(KEY)?;
        let (found, end) = end.split_once("\"\n}")?;
        Some((format!("{rest}\n}}{end}"), found))
    };
    parted().is_some_and(|(written, found)| digest(&written) == found)
}

fn digest(text: &str) -> String {
    let (digest, _) = digest_of_words(text.as_bytes()).expect("reading memory never fails");
    digest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_changed_byte_of_a_document_is_noticed() {
        let document = sealed("{\n  \"a\": 1,\n  \"b\": \"}\"\n}\n");
        assert!(is_sound(&document), "{document}");
        assert!(serde_json::from_str::<serde_json::Value>(&document).is_ok());
        for place in 0..document.len() {
            let mut changed = document.clone().into_bytes();
            changed[place] ^= 1;
            let changed = String::from_utf8(changed).expect("still ASCII");
            assert!(!is_sound(&changed), "{place}: {changed}");
        }
        assert!(!is_sound("{\n  \"a\": 1\n}\n"), "without a digest");
    }
}
