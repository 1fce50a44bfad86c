//! A port with a drop-tail discipline, or with an event that changes nothing, is the plain port.

use pacesim::model::Model;
use pacesim::scenario::load;
use pacesim::units::Rate;
use serde_json::{Map, Value as Json, json};

use crate::dice::Dice;
use crate::files::Shelf;
use crate::leaves::{at, leaves};
use crate::quantity::span_text;
use crate::rows::Rows;
use crate::toml;
use crate::trial::{Failure, Fault};

use super::found::{Found, whole};

/// The scenario with links whose bytes take whole picoseconds: a plain port carries the rest of a
/// picosecond from packet to packet, and a port with stages does not.
pub(super) fn with_whole_times(tree: &Map<String, Json>) -> Map<String, Json> {
    let mut tree = tree.clone();
    for path in leaves(&tree) {
        let is_of_link = ["link", "topology", "event"]
            .iter()
            .any(|list| path.starts_with(list));
        let drawn = path.find(".rate.").map(|at| &path[..at + 5]);
        if !is_of_link || path.contains("pacer") || path.contains("discipline") {
            continue;
        }
        if let Some(drawn) = drawn {
            *at(&mut tree, drawn).expect("its parts are there") = json!("10Mbps");
        } else if path.ends_with(".rate") {
            let rate = at(&mut tree, &path).expect("it is there");
            let read = rate.as_str().and_then(|text| text.parse::<Rate>().ok());
            if let Some(read) = read {
                let step = 10_u64.pow(read.as_bps().ilog10());
                let digit = [8, 5, 4, 2, 1]
                    .into_iter()
                    .find(|digit| digit * step <= read.as_bps());
                *rate = json!(format!(
                    "{}bps",
                    (digit.unwrap_or(1) * step).min(8_000_000_000_000)
                ));
            }
        }
    }
    tree
}

/// Cases of an axis that must give the same numbers as the first, which is the scenario itself.
pub(super) fn cases(
    tree: &Map<String, Json>,
    model: &Model,
    files: &Shelf,
    dice: &mut Dice,
) -> Json {
    let mut cases = Map::new();
    cases.insert("a".to_owned(), json!({}));
    let document = toml::document(tree);
    let accepted = |set: &str| load("laws.toml", &document, &[set], files).is_ok();
    let mut explicit = Map::new();
    for key in plain_links(tree) {
        let discipline = json!({ "kind": "drop_tail" });
        if accepted(&format!("{key}={{ kind = \"drop_tail\" }}")) {
            explicit.insert(key, discipline);
        }
    }
    if !explicit.is_empty() {
        cases.insert("drop_tail".to_owned(), Json::Object(explicit));
    }
    if let Some(event) = idle_event(tree, model, dice) {
        let mut with = tree.clone();
        let mut events = tree
            .get("event")
            .and_then(Json::as_array)
            .cloned()
            .unwrap_or_default();
        events.push(event);
        let events = Json::Array(events);
        with.insert("event".to_owned(), events.clone());
        if load("laws.toml", &toml::document(&with), &[], files).is_ok() {
            cases.insert("event".to_owned(), json!({ "event": events }));
        }
    }
    Json::Object(cases)
}

/// The keys of the disciplines of links that have none.
fn plain_links(tree: &Map<String, Json>) -> Vec<String> {
    let mut keys = Vec::new();
    let mut add = |name: String, link: &Json| {
        let is_plain = link.is_object() && link.get("discipline").is_none();
        if is_plain && link.get("pacer").is_none() {
            keys.push(format!("{name}.discipline"));
        }
    };
    for link in tree
        .get("link")
        .and_then(Json::as_array)
        .into_iter()
        .flatten()
    {
        add(
            format!("link.{}", link["name"].as_str().unwrap_or_default()),
            link,
        );
    }
    for (part, link) in tree
        .get("topology")
        .and_then(Json::as_object)
        .into_iter()
        .flatten()
    {
        add(format!("topology.{part}"), link);
    }
    keys
}

/// An event that leaves a link as it is.
fn idle_event(tree: &Map<String, Json>, model: &Model, dice: &mut Dice) -> Option<Json> {
    let events = tree
        .get("event")
        .and_then(Json::as_array)
        .into_iter()
        .flatten();
    if events.into_iter().any(|event| event.get("links").is_some()) || model.links.is_empty() {
        return None;
    }
    let link = dice.pick(&model.links);
    let at = span_text(dice.below(model.duration.as_ps().saturating_mul(2).max(1)));
    let links = json!([link.name.to_string()]);
    Some(match dice.below(3) {
        0 => json!({ "at": at, "links": links, "up": true }),
        1 => json!({ "at": at, "links": links, "delay": span_text(link.delay.as_ps()) }),
        _ => json!({ "at": at, "links": links, "rate": format!("{}bps", link.rate.as_bps()) }),
    })
}

/// Compares every point with the first.
pub(super) fn judge(found: &Found) -> Result<(), Failure> {
    let Some((first, plain)) = found.points.first_key_value() else {
        return Ok(());
    };
    for (point, numbers) in found.points.iter().skip(1) {
        for (number, value) in numbers {
            // Warnings are about the links that a summary shows, such as those with a discipline.
            let other = plain
                .get(number)
                .filter(|_| !number.0.starts_with("run.run."));
            let Some(other) = other else {
                continue;
            };
            // Only a discipline counts refusals, marks and sojourn times by their reasons.
            if !is_same(*other, *value) && other.is_some() {
                let seen = format!("staging: {number:?} is {other:?}, at point {point} {value:?}");
                return Err(Fault::Law.seen(seen));
            }
        }
        for (table, rows) in &found.tables {
            if of_point(rows, *first) != of_point(rows, *point) {
                return Err(Fault::Law.seen(format!("staging: {table} at point {point}")));
            }
        }
    }
    Ok(())
}

fn is_same(one: Option<f64>, other: Option<f64>) -> bool {
    match (one, other) {
        // Sums of waits and integrals over time are rounded differently.
        (Some(one), Some(other)) => (one - other).abs() <= 1e-9 * one.abs().max(other.abs()),
        _ => one == other,
    }
}

/// The rows of a point without its own columns.
fn of_point(rows: &Rows, point: u64) -> Rows {
    let of = rows.iter().filter(|row| whole(row, "point") == point);
    let without = |row: &Vec<_>| {
        let cells = row
            .iter()
            .filter(|(name, _): &&(String, _)| name != "point" && name != "case");
        cells.cloned().collect()
    };
    of.map(without).collect()
}
