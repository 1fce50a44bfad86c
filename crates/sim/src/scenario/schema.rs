//! The language as a JSON Schema, draft 07, for editors.

use pacesim_units::Quantity;
use serde_json::{Map, Value, json};

use super::keys::{Key, Kind, Need, Table};
use super::language;

/// The JSON Schema (draft 07) of scenario files, made from the table of keys that
/// the reader follows.
pub fn schema() -> Value {
    let mut schema = table(&language::SCENARIO);
    let top = schema
        .as_object_mut()
        .expect("the schema of a table is an object");
    top.insert(
        "$schema".to_owned(),
        json!("http://json-schema.org/draft-07/schema#"),
    );
    top.insert("title".to_owned(), json!("pacesim scenario"));
    schema
}

fn table(of: &Table) -> Value {
    object(of.doc, of.keys(), None)
}

/// An object with these keys and no other, and perhaps a tag of one value.
fn object(doc: &str, keys: impl Iterator<Item = &'static Key>, tag: Option<(&str, &str)>) -> Value {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    if let Some((tag, value)) = tag {
        properties.insert(tag.to_owned(), json!({ "const": value }));
        required.push(json!(tag));
    }
    for key in keys {
        properties.insert(key.name.to_owned(), property(key));
        if key.need == Need::Required {
            required.push(json!(key.name));
        }
    }
    json!({
        "type": "object",
        "description": doc,
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

fn property(key: &Key) -> Value {
    let mut schema = kind(&key.kind);
    let about = schema.as_object_mut().expect("every schema is an object");
    about.insert(
        "description".to_owned(),
        json!(format!("{} For example {}.", key.doc, key.example)),
    );
    if let Need::Default(text) = key.need {
        about.insert("default".to_owned(), default(text));
    }
    schema
}

/// Defaults are plain enough to be JSON as they are.
fn default(text: &str) -> Value {
    serde_json::from_str(text).expect("a default in TOML that is JSON as well")
}

fn kind(kind: &Kind) -> Value {
    match kind {
        Kind::Text | Kind::File => json!({ "type": "string" }),
        Kind::Name => {
            json!({ "type": "string", "pattern": "^[A-Za-z][A-Za-z0-9_-]*$", "maxLength": 64 })
        }
        Kind::Reference(_) => json!({
            "type": "string",
            "pattern": "^[A-Za-z][A-Za-z0-9_-]*(\\.back)?(\\[[0-9]+(\\.\\.[0-9]+)?\\])?$",
        }),
        Kind::Quantity(q) => quantity(*q),
        Kind::Length => json!({ "type": "string", "pattern": "^[0-9.]+ ?k?m$" }),
        Kind::Drawn(q, keys) => json!({ "anyOf": [quantity(*q), one_of(keys)] }),
        Kind::Count { least, most } => {
            json!({ "type": "integer", "minimum": least, "maximum": most })
        }
        Kind::Number { low, high } => number(*low, *high),
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::FlagOr(q) => json!({ "anyOf": [{ "type": "boolean" }, quantity(*q)] }),
        Kind::Choice(words) => choice(words),
        Kind::ChoiceOr(words, keys) => json!({ "anyOf": [choice(words), one_of(keys)] }),
        Kind::Table(of) => table(of),
        Kind::OneOf(keys) => one_of(keys),
        Kind::Tagged { tag, cases } => {
            let cases = cases
                .iter()
                .map(|case| object(case.doc, case.keys(), Some((tag, case.name))));
            json!({ "oneOf": cases.collect::<Vec<_>>() })
        }
        Kind::List(of) => json!({ "type": "array", "items": self::kind(of) }),
        Kind::Pair(of) => {
            json!({ "type": "array", "items": self::kind(of), "minItems": 2, "maxItems": 2 })
        }
    }
}

fn one_of(keys: &'static [Key]) -> Value {
    let mut schema = object("one of these keys", keys.iter(), None);
    let about = schema
        .as_object_mut()
        .expect("the schema of a table is an object");
    about.insert("minProperties".to_owned(), json!(1));
    about.insert("maxProperties".to_owned(), json!(1));
    schema
}

fn choice(words: &[(&str, &str)]) -> Value {
    json!({ "type": "string", "enum": words.iter().map(|(word, _)| *word).collect::<Vec<_>>() })
}

fn number(low: f64, high: f64) -> Value {
    let mut schema = json!({ "type": "number" });
    let about = schema
        .as_object_mut()
        .expect("a schema of ours is an object");
    if low.is_finite() {
        about.insert("minimum".to_owned(), json!(low));
    }
    if high.is_finite() {
        about.insert("maximum".to_owned(), json!(high));
    }
    schema
}

/// A number with one of the units.
fn quantity(q: Quantity) -> Value {
    let units = match q {
        Quantity::Span => "(ps|ns|us|µs|μs|ms|s|min|h)",
        Quantity::Rate => "([kKMGT]?bps|[kMGT]?bit/s)",
        Quantity::Bytes => "([kKMG]?B|[KMG]iB)",
        Quantity::Packets => "(pkts?|packets?)",
        Quantity::Capacity => "([kKMG]?B|[KMG]iB|pkts?|packets?)",
    };
    let or_unlimited = if q == Quantity::Capacity {
        "|unlimited"
    } else {
        ""
    };
    let pattern = format!("^ *([0-9][0-9_]*(\\.[0-9][0-9_]*)? *{units}{or_unlimited}) *$");
    json!({ "type": "string", "pattern": pattern, "examples": [q.example()] })
}
