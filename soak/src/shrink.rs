//! Reduction of a failing scenario to a small one that fails in the same way.

use std::vec::IntoIter;

use proptest::bool::weighted;
use proptest::test_runner::{Config, TestCaseError, TestError, TestRunner};
use serde_json::{Map, Value as Json};

use crate::trial::{Failure, Fault};

/// Removes parts as long as the failure is the same.
pub fn shrink(
    tree: &Map<String, Json>,
    fault: Fault,
    fails: impl Fn(&Map<String, Json>) -> Option<Failure>,
) -> Map<String, Json> {
    let whole = Json::Object(tree.clone());
    let rest = |stays: Vec<bool>| match left(&whole, &mut stays.into_iter()) {
        Some(Json::Object(tree)) => tree,
        _ => Map::new(),
    };
    let mut runner = TestRunner::new(Config {
        cases: 1,
        failure_persistence: None,
        max_shrink_iters: u32::MAX - 1,
        ..Config::default()
    });
    // The first case has all parts; each smaller one lacks one more.
    let failed = runner.run(&vec![weighted(1.0); parts(&whole)], |stays| {
        match fails(&rest(stays)) {
            Some(failure) if failure.fault == fault => Err(TestCaseError::fail(failure.seen)),
            _ => Ok(()),
        }
    });
    match failed {
        Err(TestError::Fail(_, stays)) if rest(stays.clone()) != *tree => {
            shrink(&rest(stays), fault, fails)
        }
        _ => tree.clone(),
    }
}

/// The number of values in this one, including itself.
fn parts(value: &Json) -> usize {
    1 + match value {
        Json::Object(table) => table.values().map(parts).sum(),
        Json::Array(list) => list.iter().map(parts).sum(),
        _ => 0,
    }
}

/// The remaining part of a value, given a flag for each value, outer ones first.
fn left(value: &Json, stays: &mut IntoIter<bool>) -> Option<Json> {
    let this = stays.next()?;
    let inner = match value {
        Json::Object(table) => (table.iter())
            .filter_map(|(key, of)| Some((key.clone(), left(of, stays)?)))
            .collect(),
        Json::Array(list) => list.iter().filter_map(|of| left(of, stays)).collect(),
        plain => plain.clone(),
    };
    this.then_some(inner)
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
