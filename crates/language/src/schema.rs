//! The language as a JSON Schema, draft 07, for editors.

use pacesim_units::Quantity;
use serde_json::{Map, Value, json};

use crate::form::{Form, KIND, Key, Kinds, Need, Table, Word};
use crate::tree::option_as_toml;

/// The JSON Schema (draft 07) of the files of a language, under this title, generated from the
/// table of keys that the reader follows.
pub fn schema(title: &str, keys: &Table) -> Value {
    let mut schema = table(keys);
    let top = schema
        .as_object_mut()
        .expect("the schema of a table is an object");
    top.insert(
        "$schema".to_owned(),
        json!("http://json-schema.org/draft-07/schema#"),
    );
    top.insert("title".to_owned(), json!(title));
    schema
}

fn table(of: &Table) -> Value {
    object(of.doc.trim(), &of.keys(), None)
}

/// An object with exactly these keys, and perhaps a tag of one value.
fn object(doc: &str, keys: &[&'static Key], tag: Option<(&str, &str)>) -> Value {
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
    let mut schema = form(key.form);
    let about = schema.as_object_mut().expect("every schema is an object");
    about.insert(
        "description".to_owned(),
        json!(format!("{} For example {}.", key.doc, key.example())),
    );
    if let Need::Default(text) = key.need {
        about.insert("default".to_owned(), default(text));
    }
    schema
}

/// Defaults are simple enough to be used as JSON.
fn default(text: &str) -> Value {
    serde_json::from_str(&option_as_toml(text)).expect("a default in TOML that is JSON as well")
}

fn form(form: &Form) -> Value {
    match form {
        Form::Text | Form::File => json!({ "type": "string" }),
        Form::Name => {
            json!({ "type": "string", "pattern": "^[A-Za-z][A-Za-z0-9_-]*$", "maxLength": 64 })
        }
        Form::Reference(_) => json!({
            "type": "string",
            "pattern": "^[A-Za-z][A-Za-z0-9_-]*(\\.back)?(\\[[0-9]+(\\.\\.[0-9]+)?\\])?$",
        }),
        Form::Quantity(q) => quantity(*q),
        Form::Length => json!({ "type": "string", "pattern": "^[0-9.]+ ?k?m$" }),
        Form::PrintLength => json!({ "type": "string", "pattern": "^[0-9.]+ ?(in|cm|mm|pt)$" }),
        Form::Drawn(q, keys) => json!({ "anyOf": [quantity(*q), one_of(keys)] }),
        Form::Count { least, most } => {
            json!({ "type": "integer", "minimum": least, "maximum": most })
        }
        Form::Number { low, high } => number(*low, *high),
        Form::Flag => json!({ "type": "boolean" }),
        Form::FlagOr(q) => json!({ "anyOf": [{ "type": "boolean" }, quantity(*q)] }),
        Form::Choice(words) => choice(words),
        Form::ChoiceOr(words, keys) => json!({ "anyOf": [choice(words), one_of(keys)] }),
        Form::Table(of) => table(of),
        Form::OneOf(keys) => one_of(keys),
        Form::Tagged { tag, cases } => {
            json!({ "oneOf": kinds(tag, *cases) })
        }
        Form::WordOrOwn(words, own) => {
            let own_words = own.all().map(|table| (table.name, table.doc));
            let all: Vec<Word> = words.iter().copied().chain(own_words).collect();
            match kinds(KIND, *own) {
                tables if tables.is_empty() => choice(words),
                mut tables => {
                    tables.insert(0, choice(&all));
                    json!({ "anyOf": tables })
                }
            }
        }
        Form::Any => json!({}),
        Form::Map(of) => json!({ "type": "object", "additionalProperties": self::form(of) }),
        Form::List(of) => json!({ "type": "array", "items": self::form(of) }),
        Form::Pair(of) => {
            json!({ "type": "array", "items": self::form(of), "minItems": 2, "maxItems": 2 })
        }
    }
}

/// Describes a table for each kind.
fn kinds(tag: &str, kinds: Kinds) -> Vec<Value> {
    let of = |table: &Table| object(table.doc.trim(), &table.keys(), Some((tag, table.name)));
    kinds.all().map(of).collect()
}

fn one_of(keys: &'static [Key]) -> Value {
    let mut schema = object("one of these keys", &keys.iter().collect::<Vec<_>>(), None);
    let about = schema
        .as_object_mut()
        .expect("the schema of a table is an object");
    about.insert("minProperties".to_owned(), json!(1));
    about.insert("maxProperties".to_owned(), json!(1));
    schema
}

fn choice(words: &[Word]) -> Value {
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
        Quantity::Packets | Quantity::Window => "(pkts?|packets?)",
        Quantity::Capacity => "([kKMG]?B|[KMG]iB|pkts?|packets?)",
    };
    let or_unlimited = if q == Quantity::Capacity {
        "|unlimited"
    } else {
        ""
    };
    let pattern = format!("^ *([0-9][0-9_]*(\\.[0-9][0-9_]*)? *{units}{or_unlimited}) *$|^ *=.+$");
    json!({ "type": "string", "pattern": pattern, "examples": [q.example()] })
}
