//! The keys of resolved scenarios, and those in which two scenarios differ.

use std::collections::BTreeMap;

use pacesim_study::Study;
use toml::{Table, Value};

/// Values of a resolved scenario by key, such as "link.core.buffer".
pub type Keys = BTreeMap<String, String>;

/// The keys of a point that affect its numbers, except for the seed.
pub fn of_point(study: &Study, number: u64) -> Keys {
    let scenario = study.scenario(number);
    let keys = scenario.map(|scenario| of_text(&scenario.scenario().to_toml()));
    keys.unwrap_or_default()
}

/// The keys of a scenario file that affect its numbers, except for the seed.
pub fn of_text(text: &str) -> Keys {
    let mut keys = Keys::new();
    let Ok(mut table) = text.parse::<Table>() else {
        return keys;
    };
    for other in ["title", "output", "thread"] {
        table.remove(other);
    }
    if let Some(Value::Table(run)) = table.get_mut("run") {
        run.remove("seed");
        run.remove("threads");
    }
    flatten(&Value::Table(table), "", &mut keys);
    keys
}

/// Each key in which these differ, with its value on each side.
pub fn other_keys<'a>(
    old: &'a Keys,
    new: &'a Keys,
) -> impl Iterator<Item = (&'a str, Option<&'a str>, Option<&'a str>)> {
    let added = new.keys().filter(|key| !old.contains_key(*key));
    let all = old.keys().chain(added);
    let value = |keys: &'a Keys, key: &String| keys.get(key).map(String::as_str);
    all.map(move |key| (key.as_str(), value(old, key), value(new, key)))
        .filter(|(_, old, new)| old != new)
}

/// Flattens a value: tables by key, lists of tables by name or index.
fn flatten(value: &Value, at: &str, to: &mut Keys) {
    let below = |name: &str| match at {
        "" => name.to_owned(),
        at => format!("{at}.{name}"),
    };
    match value {
        Value::Table(table) => {
            for (name, value) in table {
                flatten(value, &below(name), to);
            }
        }
        Value::Array(list) if list.iter().any(Value::is_table) => {
            for (place, value) in list.iter().enumerate() {
                let name = value.get("name").and_then(Value::as_str);
                let name = name.map_or_else(|| place.to_string(), str::to_owned);
                flatten(value, &below(&name), to);
            }
        }
        value => drop(to.insert(at.to_owned(), value.to_string())),
    }
}
