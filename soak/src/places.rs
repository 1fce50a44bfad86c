//! Every place of the language, to say which of them were used.

use std::collections::BTreeSet;

use serde_json::Value as Json;

use crate::author::properties;

/// All places of the language that the generator of scenarios can note as used.
pub fn places(schema: &Json) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for (key, of) in properties(schema) {
        add(key, of, &mut all);
    }
    all
}

fn add(place: &str, schema: &Json, all: &mut BTreeSet<String>) {
    for case in schema["oneOf"].as_array().into_iter().flatten() {
        let tag = properties(case).find_map(|(_, tag)| tag["const"].as_str());
        add(&format!("{place}.{}", tag.unwrap_or_default()), case, all);
    }
    for kind in schema["anyOf"].as_array().into_iter().flatten() {
        add(place, kind, all);
    }
    for word in schema["enum"].as_array().into_iter().flatten() {
        all.insert(format!("{place}={word}"));
    }
    if schema["type"] == "boolean" {
        all.extend([format!("{place}=true"), format!("{place}=false")]);
    }
    if schema["type"] == "array" {
        add(place, &schema["items"], all);
    }
    for (key, of) in properties(schema) {
        if of.get("const").is_none() {
            let place = format!("{place}.{key}");
            all.insert(place.clone());
            add(&place, of, all);
        }
    }
}

/// The end of a place: what links of one topology can do, those of another can.
pub fn ending(place: &str) -> &str {
    let dots = place.rmatch_indices('.').nth(1);
    dots.map_or(place, |(at, _)| &place[at + 1..])
}
