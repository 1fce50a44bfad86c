//! The language of studies for editors and readers.

use pacesim_language::field::Record;
use pacesim_scenario::Template;
use serde_json::{Value, json};

use crate::keys::StudyKeys;
use crate::text::LANGUAGE;

/// The JSON Schema (draft 07) of scenario files that may be studies.
pub fn schema() -> Value {
    let mut schema = pacesim_language::schema("pacesim scenario", LANGUAGE.table);
    let top = schema.as_object_mut().expect("a schema is an object");
    // A required key may come from the base scenario.
    let needed = top
        .remove("required")
        .expect("a scenario has required keys");
    top.insert(
        "anyOf".to_owned(),
        json!([{ "required": needed }, { "required": ["scenario"] }]),
    );
    schema
}

const EXAMPLES: &str = include_str!("examples.md");

/// The examples of the reference: the heading of a section, and TOML that has its table. The
/// scenario and the axes are omitted where they do not concern the table.
pub fn examples() -> Vec<(&'static str, &'static str)> {
    pacesim_language::examples(EXAMPLES)
}

/// The reference of the tables of a study in Markdown, which is `docs/study.md`.
pub fn reference() -> String {
    pacesim_language::reference(include_str!("reference.md"), EXAMPLES, StudyKeys::TABLE)
}

/// Commented template files: a study, and the scenarios.
pub fn templates() -> Vec<Template> {
    let study = Template {
        name: "study",
        about: "fifty TCP flows against the buffer, paced and not: a sweep, a figure, a claim",
        text: include_str!("template.toml"),
    };
    let tune = Template {
        name: "tune",
        about: "the least buffer that keeps a link busy, paced and not: a search, a figure",
        text: include_str!("tune.toml"),
    };
    let mut all = pacesim_scenario::templates().to_vec();
    all.splice(1..1, [study, tune]);
    all
}
