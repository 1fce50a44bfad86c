//! A TOML writer independent of pacesim's, which is under test.

use serde_json::{Map, Value as Json};

/// A document: lists of tables as blocks with headers, everything else inline.
pub fn document(tree: &Map<String, Json>) -> String {
    let is_list = |value: &Json| {
        let list = value.as_array().filter(|list| !list.is_empty());
        list.is_some_and(|list| list.iter().all(Json::is_object))
    };
    let (lists, lines): (Vec<_>, Vec<_>) = tree.iter().partition(|(_, value)| is_list(value));
    let mut text: String = lines.into_iter().map(line).collect();
    for (key, list) in lists {
        for entry in list.as_array().into_iter().flatten() {
            text += &format!("\n[[{key}]]\n");
            text.extend(entry.as_object().into_iter().flatten().map(line));
        }
    }
    text
}

fn line((key, value): (&String, &Json)) -> String {
    format!("{} = {}\n", quoted(key), inline(value))
}

/// A key, in quotes if it contains dots or brackets.
fn quoted(key: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !key.is_empty() && key.chars().all(is_bare) {
        key.to_owned()
    } else {
        Json::from(key).to_string()
    }
}

fn inline(value: &Json) -> String {
    match value {
        Json::Object(table) => {
            let entry =
                |(key, value): (&String, &Json)| format!("{} = {}", quoted(key), inline(value));
            format!("{{ {} }}", joined(table.iter().map(entry)))
        }
        Json::Array(list) => format!("[{}]", joined(list.iter().map(inline))),
        plain => plain.to_string(),
    }
}

fn joined(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(", ")
}
