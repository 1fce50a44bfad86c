//! Loads of sources: `load = 0.6, of = "core"` in place of a rate.

use pacesim_keys::{RateByLoad, Unit as _};
use pacesim_language::document::Document;
use pacesim_language::expression::Names as _;
use pacesim_language::tree::{Entry, Item, Toml, TomlTable};
use pacesim_units::Rate;

use super::load::Refusal;
use super::names::Members;

/// A load, with its place in the document.
#[derive(Clone, Debug)]
pub(super) struct Share {
    /// Key of the traffic: "flow\[2\].traffic".
    pub(super) traffic: String,
    pub(super) by: RateByLoad,
}

/// The document with a rate in place of each load, still without its value, and these loads.
pub(super) fn taken_out(document: &Document) -> (Document, Vec<Share>) {
    let (mut tree, mut shares) = (document.tree().clone(), Vec::new());
    let flows = tree.entries.iter_mut().find(|entry| entry.key == "flow");
    let flows = flows.map(|entry| &mut entry.item.value);
    if let Some(Toml::List(flows)) = flows {
        for (i, flow) in flows.iter_mut().enumerate() {
            let by = traffic(flow).and_then(replace);
            let traffic = format!("flow[{i}].traffic");
            shares.extend(by.map(|by| Share { traffic, by }));
        }
    }
    (document.with_tree(document.language(), tree), shares)
}

fn traffic(flow: &mut Item) -> Option<&mut TomlTable> {
    let Toml::Table(flow) = &mut flow.value else {
        return None;
    };
    let mut entries = flow.entries.iter_mut();
    let entry = entries.find(|entry| entry.key == "traffic")?;
    match &mut entry.item.value {
        Toml::Table(traffic) => Some(traffic),
        _ => None,
    }
}

/// Puts the rate where the load stands.
fn replace(traffic: &mut TomlTable) -> Option<RateByLoad> {
    let by = RateByLoad::of(traffic)?;
    let load = traffic.entry("load")?;
    let rate = Entry {
        key: by.key.to_owned(),
        key_place: load.key_place,
        item: Item {
            place: load.item.place,
            value: Toml::Text(String::new()),
        },
    };
    let is_load = |entry: &Entry| ["load", "of"].contains(&entry.key.as_str());
    traffic.entries.retain(|entry| !is_load(entry));
    traffic.entries.push(rate);
    Some(by)
}

impl Share {
    /// Path of the key of the rate.
    pub(super) fn rate_path(&self) -> String {
        format!("{}.{}", self.traffic, self.by.key)
    }

    /// The key of the load.
    pub(super) fn load_path(&self) -> String {
        format!("{}.load", self.traffic)
    }

    /// The name of the rate.
    pub(super) fn key(&self) -> &'static str {
        self.by.key
    }

    /// The key of the link.
    pub(super) fn of_path(&self) -> String {
        format!("{}.of", self.traffic)
    }

    /// The given share of the rate that fills the link.
    pub(super) fn rate(&self, members: &Members) -> Result<Rate, Refusal> {
        let filling = members.value("load", Some(&self.by.of))?;
        Ok(Rate::from_number(filling.number * self.by.load))
    }

    /// The rate that follows, and the assumptions, in a sentence for the key.
    pub(super) fn in_words(&self, rate: &str) -> (String, String) {
        let (of, key) = (&self.by.of, self.by.key);
        let sentence = format!(
            "a {key} of {rate} for each flow, if all send over {of} from start to end and lose nothing before it"
        );
        (self.load_path(), sentence)
    }
}
