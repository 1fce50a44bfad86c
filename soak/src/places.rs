//! Every place of the language, to record which were used: keys, the words, kinds and forms of
//! their values, and the formats of files named.

use std::collections::BTreeSet;

use serde_json::Value as Json;

use crate::author::{form, properties};
use crate::formats;

/// All places of the language that the generator can mark as used.
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
        let place = format!("{place}.{}", tag.unwrap_or_default());
        add(&place, case, all);
        all.insert(place);
    }
    for kind in schema["anyOf"].as_array().into_iter().flatten() {
        add(place, kind, all);
        all.insert(form(place, kind));
    }
    for word in schema["enum"].as_array().into_iter().flatten() {
        all.insert(format!("{place}={word}"));
    }
    if schema["type"] == "boolean" {
        all.extend([format!("{place}=true"), format!("{place}=false")]);
    }
    let files = formats::of(schema).into_iter().flatten();
    all.extend(files.map(|name| format!("{place}={name}")));
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

/// The ending of a place: the links of all topologies have the same keys.
pub fn ending(place: &str) -> &str {
    let key = place.split(['=', ':']).next().unwrap_or(place);
    let dots = key.rmatch_indices('.').nth(1);
    dots.map_or(place, |(at, _)| &place[at + 1..])
}
