//! From a scenario that fails to a small one that fails in the same manner.

use serde_json::{Map, Value as Json};

use crate::trial::{Failure, Fault};

/// Leaves out whatever can be left out, as long as the fault stays.
pub fn shrink(
    tree: &Map<String, Json>,
    fault: Fault,
    fails: impl Fn(&Map<String, Json>) -> Option<Failure>,
) -> Map<String, Json> {
    let mut smallest = Json::Object(tree.clone());
    loop {
        let before = smallest.clone();
        for pointer in pointers(&before, "") {
            let mut smaller = smallest.clone();
            if !remove(&mut smaller, &pointer) {
                continue;
            }
            let same = |failure: Failure| failure.fault == fault;
            if smaller.as_object().and_then(&fails).is_some_and(same) {
                smallest = smaller;
            }
        }
        if smallest == before {
            let Json::Object(tree) = smallest else {
                unreachable!("nothing removes the root")
            };
            return tree;
        }
    }
}

/// All values inside, the outer ones first; later entries of a list before earlier.
fn pointers(value: &Json, at: &str) -> Vec<String> {
    let inner: Vec<(String, &Json)> = match value {
        Json::Object(table) => table.iter().map(|(key, of)| (key.clone(), of)).collect(),
        Json::Array(list) => {
            let numbered = list.iter().enumerate().rev();
            numbered.map(|(i, of)| (i.to_string(), of)).collect()
        }
        _ => Vec::new(),
    };
    let mut all = Vec::new();
    for (key, of) in inner {
        let here = format!("{at}/{key}");
        all.push(here.clone());
        all.extend(pointers(of, &here));
    }
    all
}

fn remove(root: &mut Json, pointer: &str) -> bool {
    let (parent, key) = pointer
        .rsplit_once('/')
        .expect("a pointer begins with a slash");
    match root.pointer_mut(parent) {
        Some(Json::Object(table)) => table.remove(key).is_some(),
        Some(Json::Array(list)) => {
            let place = key.parse().unwrap_or(usize::MAX);
            let there = place < list.len();
            if there {
                list.remove(place);
            }
            there
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_the_fault_does_not_need_is_left_out() {
        let whole = json!({ "a": [1, 2, { "b": 3, "c": 4 }], "d": { "e": 5 } });
        let fails = |tree: &Map<String, Json>| {
            let has = tree
                .get("a")?
                .as_array()?
                .iter()
                .any(|entry| entry["c"] == 4);
            has.then(|| Fault::Panic.seen("it has a c"))
        };
        let smallest = shrink(whole.as_object().expect("a table"), Fault::Panic, fails);
        assert_eq!(Json::Object(smallest), json!({ "a": [{ "c": 4 }] }));
    }
}
