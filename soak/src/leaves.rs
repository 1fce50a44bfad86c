//! The values of a tree, by their paths as problems name them: "flow\[2\].traffic.rate".

use serde_json::{Map, Value as Json};

/// The paths of all values that are neither tables nor lists.
pub(crate) fn leaves(tree: &Map<String, Json>) -> Vec<String> {
    let mut found = Vec::new();
    for (key, value) in tree {
        add(key, value, &mut found);
    }
    found
}

fn add(path: &str, value: &Json, found: &mut Vec<String>) {
    match value {
        Json::Object(table) => {
            for (key, value) in table {
                add(&format!("{path}.{key}"), value, found);
            }
        }
        Json::Array(list) => {
            for (i, value) in list.iter().enumerate() {
                add(&format!("{path}[{i}]"), value, found);
            }
        }
        _ => found.push(path.to_owned()),
    }
}

/// The value at a path.
pub(crate) fn at<'t>(tree: &'t mut Map<String, Json>, path: &str) -> Option<&'t mut Json> {
    let mut steps = path
        .split(['.', '['])
        .map(|step| step.trim_end_matches(']'));
    let first = tree.get_mut(steps.next()?)?;
    steps.try_fold(first, |value, step| match value {
        Json::Array(list) => list.get_mut(step.parse::<usize>().ok()?),
        other => other.get_mut(step),
    })
}
