//! Measures of every kind at random places of a scenario.

use pacesim::model::Model;
use serde_json::{Map, Value as Json, json};

use crate::dice::Dice;
use crate::quantity::span_text;

/// The kinds of measures, each with its own keys; those in capitals are drawn.
const KINDS: [&str; 16] = [
    "burstiness PLACE finest=SHORT scales=SMALL",
    "autocovariance PLACE interval=SHORT lags=LAGS",
    "hurst PLACE interval=SHORT method=METHOD",
    "gaps PLACE least=TINY per_decade=SMALL",
    "throughput PLACE interval=SHORT",
    "queue link=LINK unit=UNIT sampled=SAMPLED bin=BIN packet=PACKET",
    "queue link=LINK",
    "queue link=LINK unit=UNIT sampled=SAMPLED",
    "queue_autocovariance link=LINK unit=UNIT interval=SHORT lags=LAGS",
    "delays flows=FLOWS per_decade=SMALL",
    "completions flows=FLOWS classes=CLASSES",
    "fairness groups=GROUPS",
    "losses flows=FLOWS",
    "loads links=LINK",
    "distribution of=OF",
    "series metric=METRIC every=SHORT",
];

const LINK_METRICS: [&str; 4] = [
    "queue_pkts",
    "queue_bytes",
    "throughput_bps",
    "dropped_pkts",
];
const FLOW_METRICS: [&str; 2] = ["goodput_bps", "lost_pkts"];

/// Some measures of a scenario, under the names "m0", "m1"...
pub(super) fn draw(model: &Model, count: usize, dice: &mut Dice) -> Vec<Json> {
    (0..count)
        .map(|i| {
            let mut measure = one(model, dice);
            measure.insert("name".to_owned(), json!(format!("m{i}")));
            Json::Object(measure)
        })
        .collect()
}

fn one(model: &Model, dice: &mut Dice) -> Map<String, Json> {
    let mut words = dice.pick(&KINDS).split(' ');
    let mut keys = Map::new();
    keys.insert("kind".to_owned(), json!(words.next()));
    for word in words {
        match word.split_once('=') {
            None => place(model, &mut keys, dice),
            Some(("of", _)) => distribution(model, &mut keys, dice),
            Some(("metric", _)) => series(model, &mut keys, dice),
            Some((key, drawn)) => {
                keys.insert(key.to_owned(), value(model, drawn, dice));
            }
        }
    }
    keys
}

fn link(model: &Model, dice: &mut Dice) -> String {
    dice.pick(&model.links).name.to_string()
}

fn group(model: &Model, dice: &mut Dice) -> String {
    dice.pick(&model.flows).group.to_string()
}

fn place(model: &Model, keys: &mut Map<String, Json>, dice: &mut Dice) {
    let choice = dice.below(4);
    if choice > 0 {
        keys.insert("link".to_owned(), json!(link(model, dice)));
        let at = *dice.pick(&["offered", "released", "sent"]);
        keys.insert("at".to_owned(), json!(at));
    }
    if choice < 2 {
        keys.insert("flows".to_owned(), json!(group(model, dice)));
    }
    let packets = *dice.pick(&["all", "data"]);
    keys.insert("packets".to_owned(), json!(packets));
}

fn distribution(model: &Model, keys: &mut Map<String, Json>, dice: &mut Dice) {
    let of = *dice.pick(&["delays", "completions", "gaps", "goodputs"]);
    keys.insert("of".to_owned(), json!(of));
    if of == "gaps" && dice.percent(60) {
        keys.insert("link".to_owned(), json!(link(model, dice)))
    } else {
        keys.insert("flows".to_owned(), json!(group(model, dice)))
    };
}

fn series(model: &Model, keys: &mut Map<String, Json>, dice: &mut Dice) {
    let metric = if dice.percent(70) {
        keys.insert("link".to_owned(), json!(link(model, dice)));
        *dice.pick(&LINK_METRICS)
    } else {
        keys.insert("flows".to_owned(), json!(group(model, dice)));
        *dice.pick(&FLOW_METRICS)
    };
    keys.insert("metric".to_owned(), json!(metric));
}

fn value(model: &Model, drawn: &str, dice: &mut Dice) -> Json {
    let span = model.duration.as_ps().max(1);
    match drawn {
        "LINK" => json!(link(model, dice)),
        "FLOWS" => json!(group(model, dice)),
        "GROUPS" => json!([group(model, dice)]),
        "SHORT" => json!(span_text(dice.magnitude(span / 500 + 1, span / 3 + 1))),
        "TINY" => json!(span_text(dice.magnitude(1, 999_999_999_999))),
        "SMALL" => json!(1 + dice.below(6)),
        "LAGS" => json!([0, 1, 1 + dice.below(5)]),
        "METHOD" => json!(*dice.pick(&["whittle", "wavelet", "variance", "rescaled_range"])),
        "UNIT" => json!(*dice.pick(&["pkts", "bytes"])),
        "SAMPLED" => json!(*dice.pick(&["time", "departures"])),
        "BIN" => json!(dice.magnitude(1, 3_000)),
        "PACKET" => json!(format!("{}B", dice.magnitude(1, 9_000))),
        "CLASSES" => json!(["1KB", "20KB"]),
        other => unreachable!("{other} is no word for a value"),
    }
}
