//! Words that many crates have a use for name one thing within a layer, so that a reader who knows a layer knows them.

use std::collections::BTreeMap;

use super::map::{layers, root};
use super::rooms::{modules, without_tests};

/// These words, if they name a type, name one type in all crates of a layer.
const WORDS: [&str; 8] = [
    "Curve", "Line", "Part", "Pending", "Place", "Plan", "Queue", "Row",
];

/// A word and a layer, and the folder of each type with this name.
type Clash = (String, String, Vec<String>);

/// The name of the type that a line defines, if it does. An indented `type` belongs to a trait.
fn defined(line: &str) -> Option<&str> {
    let trimmed = line.trim_start();
    let bare = match trimmed.strip_prefix("pub(") {
        Some(rest) => rest.split_once(") ")?.1,
        None => trimmed.strip_prefix("pub ").unwrap_or(trimmed),
    };
    let (keyword, rest) = bare.split_once(' ')?;
    let is_definition = match keyword {
        "struct" | "enum" | "trait" => true,
        "type" => trimmed.len() == line.len(),
        _ => false,
    };
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    is_definition.then(|| &rest[..end.unwrap_or(rest.len())])
}

/// The words that name several types of a layer, given the files of each folder.
fn clashes(layers: &[(String, Vec<String>)], files: impl Fn(&str) -> Vec<String>) -> Vec<Clash> {
    let mut owners: BTreeMap<(&str, &str), Vec<String>> = BTreeMap::new();
    for (layer, folders) in layers {
        for folder in folders {
            for text in files(folder) {
                let names = without_tests(&text).lines().filter_map(defined);
                for word in WORDS {
                    let count = names.clone().filter(|name| *name == word).count();
                    let of_word = owners.entry((word, layer)).or_default();
                    of_word.extend(std::iter::repeat_n(folder.clone(), count));
                }
            }
        }
    }
    let several = owners.into_iter().filter(|(_, owners)| owners.len() > 1);
    several
        .map(|((word, layer), owners)| (word.to_owned(), layer.to_owned(), owners))
        .collect()
}

fn clash(word: &str, layer: &str, owners: &[&str]) -> Clash {
    let owners = owners.iter().map(|&owner| owner.to_owned()).collect();
    (word.to_owned(), layer.to_owned(), owners)
}

#[test]
fn a_word_means_one_thing_within_a_layer() {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("a map");
    let layers = layers(&text);
    assert!(layers.len() > 4, "only {} layers were found", layers.len());
    let files = |folder: &str| modules(folder).into_iter().map(|(_, text)| text).collect();
    // One meaning: a packet that waits, as far as a pacer or a discipline may know it.
    let same = [clash("Pending", "Machines", &["pacers", "queues"])];
    assert_eq!(clashes(&layers, files), same);
}

#[test]
fn a_second_meaning_is_found() {
    let map = "## Crates\n\n### Upper\n\n| `crates/a` | a crate | – |\n| `crates/b` | a crate | – |\n\n\
               ### Lower\n\n| `crates/c` | a crate | – |\n\n## Where to look\n\n### Row\n";
    let files = |folder: &str| {
        let texts: &[&str] = match folder {
            "a" => &[
                "pub struct Plan {\n",
                "/// struct Row\npub(super) enum Row<T> {\n",
            ],
            "b" => &[
                "    struct Plan;\n    type Row = u8;\n",
                "mod tests {\n    struct Row;\n",
            ],
            _ => &[
                "trait Plan {}\nstruct Plans;\n",
                "type Row = u8;\ntable! {\n    struct Row \"row\" {",
            ],
        };
        texts.iter().map(|&text| text.to_owned()).collect()
    };
    assert_eq!(
        clashes(&layers(map), files),
        [
            clash("Plan", "Upper", &["a", "b"]),
            clash("Row", "Lower", &["c", "c"])
        ]
    );
}
