//! Random values for any key of the language, from its JSON schema. The schema is generated from
//! the language's table of keys, so that new keys are drawn too.

use serde_json::{Map, Value as Json, json};

use crate::dice::Dice;
use crate::formats;
use crate::names::{Group, Names};
use crate::quantity::{Amount, Quantity, Scale, span_text};

/// Writes values that follow the schema.
pub(crate) struct Author<'a> {
    /// The source of choices.
    pub(crate) dice: &'a mut Dice,
    /// Orders of magnitude.
    pub(crate) scale: Scale,
    /// Names for references.
    pub(crate) names: &'a Names,
    /// Percentage of optional keys that are written.
    pub(crate) richness: u64,
    /// Elements of the language used so far.
    pub(crate) used: Vec<String>,
    /// The other end of the last link referred to.
    partner: Option<String>,
    /// The group of the last `from`.
    origin: Option<usize>,
    /// The profile of the group's TCP flows.
    profile: Option<&'static Profile>,
}

/// A TCP profile, and the keys that are meaningless in it.
struct Profile {
    name: &'static str,
    refuses: &'static [&'static str],
}

/// Keys that exist only in the Linux profile.
const LINUX_ONLY: &[&str] = &[
    "acks",
    "ecn",
    "ecn_low",
    "gso",
    "hystart",
    "hz",
    "timestamps",
];

const PROFILES: [Profile; 3] = [
    Profile {
        name: "ns2",
        refuses: LINUX_ONLY,
    },
    Profile {
        name: "rfc",
        refuses: LINUX_ONLY,
    },
    Profile {
        name: "linux",
        refuses: &[
            "delayed_ack",
            "delayed_ack_beat",
            "dupack_threshold",
            "limited_transmit",
            "max_cwnd",
            "tick",
        ],
    },
];

/// Sets of a link's keys of jitter.
const JITTER: &[&[&str]] = &[
    &[],
    &[],
    &[],
    &[],
    &["jitter"],
    &["jitter", "jitter_reorders"],
];

/// Sets of keys that exclude each other, for tables at places with this ending.
const CHOICES: &[(&str, &[&[&str]])] = &[
    ("drops", &[&["packet"], &["flow", "seq"], &["flow", "ack"]]),
    // A switch has the memory of a chip, or one that is given.
    ("switch", &[&["memory"], &["memory"], &["chip"]]),
    (
        "event",
        &[
            &["links", "rate"],
            &["links", "delay"],
            &["links", "loss"],
            &["links", "up"],
            &["links", "up", "packets"],
            &["links", "up", "reroute"],
            &["links", "up", "packets", "reroute"],
            &["links", "delay", "reroute"],
            &["start"],
            &["stop"],
        ],
    ),
    (
        "series",
        &[&[], &["links"], &["of"], &["of", "links"], &["of", "flows"]],
    ),
    (
        "tcp",
        &[
            &["others"],
            &["others"],
            &["others", "transfer"],
            &["transfer"],
            &["transfers"],
            &["exchanges"],
            &["job"],
            &[],
        ],
    ),
    ("tcp", &[&[], &["packet_size"], &["payload"]]),
    ("others", &[&[], &["transfer"], &["transfers"]]),
    ("others", &[&[], &["packet_size"], &["payload"]]),
    (
        "transfers",
        &[
            &["size", "pause"],
            &["packets", "pause", "pause_from"],
            &["size", "arrivals"],
            &["packets", "arrivals"],
            // The recorded sizes.
            &["arrivals"],
        ],
    ),
    ("plug_in", &[&[], &["tick"], &["tick", "whole_ticks"]]),
    (
        "fec",
        &[&["block"], &["by_hops"], &["from"], &["from", "load"]],
    ),
    ("link", JITTER),
    ("access", JITTER),
    ("bottleneck", JITTER),
    ("exit", JITTER),
    ("edge", JITTER),
    ("core", JITTER),
    ("back", JITTER),
    ("arrivals.poisson", PACE),
    ("arrivals.periodic", PACE),
    ("arrivals.users", PACE),
    ("arrivals.recorded", &[&[], &["every"], &["load", "of"]]),
    ("traffic.recorded", OPTIONAL_RATE),
    ("traffic.video", OPTIONAL_RATE),
    ("traffic.cbr", RATE),
    ("traffic.poisson", RATE),
    ("traffic.bulks", RATE),
    ("traffic.fractional_noise", RATE),
    ("traffic.sessions", RATE),
    ("traffic.on_off", PEAK),
    ("traffic.pareto_on_off", PEAK),
];

/// Sets of the keys that say how often transfers come.
const PACE: &[&[&str]] = &[&["every"], &["load", "of"]];

/// Sets of the keys of a source's rate. Few links are crossed by all flows of a group.
const RATE: &[&[&str]] = &[&["rate"], &["rate"], &["rate"], &["load", "of"]];
const OPTIONAL_RATE: &[&[&str]] = &[&[], &["rate"], &["load", "of"]];
const PEAK: &[&[&str]] = &[&["peak"], &["peak"], &["peak"], &["load", "of"]];

/// Budgets beyond which a run gives up.
const BUDGETS: [&str; 2] = ["most_events", "most_waiting"];

/// Keys for numbers of members: kept small, since large networks are no better tests.
const MEMBERS: &[&str] = &[
    "count",
    "pairs",
    "hops",
    "leaves",
    "hosts",
    "edges",
    "spines",
    "parallel",
    "k",
    "oversubscription",
    "rounds",
    "threads",
];

impl<'a> Author<'a> {
    /// An author for a part of a scenario.
    pub(crate) fn new(
        dice: &'a mut Dice,
        scale: Scale,
        names: &'a Names,
        richness: u64,
    ) -> Author<'a> {
        Author {
            dice,
            scale,
            names,
            richness,
            used: Vec::new(),
            partner: None,
            origin: None,
            profile: None,
        }
    }

    /// A value of the key at this place, such as "flow.traffic.cbr.rate".
    pub(crate) fn value(&mut self, place: &str, schema: &Json) -> Json {
        if let Some(cases) = schema["oneOf"].as_array() {
            return self.case(place, cases);
        }
        if let Some(kinds) = schema["anyOf"].as_array() {
            let kind = self.dice.pick(kinds);
            self.used.push(form(place, kind));
            return self.value(place, kind);
        }
        if let Some(words) = schema["enum"].as_array() {
            let word = self.dice.pick(words).clone();
            self.used.push(format!("{place}={word}"));
            return word;
        }
        match schema["type"].as_str() {
            Some("object") => self.table(place, schema),
            Some("array") => self.list(place, schema),
            Some("boolean") => {
                let flag = self.dice.percent(50);
                self.used.push(format!("{place}={flag}"));
                json!(flag)
            }
            Some("integer") => self.whole(place, schema),
            Some("number") => self.number(schema),
            _ => self.text(place, schema),
        }
    }

    /// One of the tables distinguished by a tag.
    fn case(&mut self, place: &str, cases: &[Json]) -> Json {
        // Half the time by case, half the time by key, so that cases with more keys are drawn more
        // often.
        let keys = cases
            .iter()
            .flat_map(|case| properties(case).map(move |_| case));
        let case = if self.dice.percent(50) {
            self.dice.pick(cases)
        } else {
            *self.dice.pick(&keys.collect::<Vec<_>>())
        };
        let tag = properties(case).find_map(|(_, tag)| tag["const"].as_str());
        let place = format!("{place}.{}", tag.expect("a tag has one value in each case"));
        self.used.push(place.clone());
        self.table(&place, case)
    }

    fn table(&mut self, place: &str, schema: &Json) -> Json {
        if schema["maxProperties"] == 1 {
            let keys: Vec<_> = properties(schema).collect();
            let (key, of) = *self.dice.pick(&keys);
            return json!({ key: self.entry(place, key, of) });
        }
        let required = schema["required"].as_array();
        let chosen = self.choices(place);
        if place.ends_with(".tcp") {
            // One in twenty combines keys and profiles that do not match.
            self.profile = (!self.dice.one_in(20)).then(|| self.dice.pick(&PROFILES));
        }
        let refused = match self.profile.filter(|_| chosen_by_profile(place)) {
            Some(profile) => profile.refuses,
            None => &[],
        };
        let mut table = Map::new();
        for (key, of) in properties(schema) {
            let unwanted = chosen.iter().any(|(name, wanted)| name == key && !wanted);
            if unwanted || refused.contains(&key.as_str()) {
                continue;
            }
            let needed = required.is_some_and(|keys| keys.contains(&json!(key)))
                || (key == "profile" && self.profile.is_some() && place.ends_with(".tcp"))
                || chosen.iter().any(|(name, _)| name == key)
                || (key == "length" && self.names.with_lengths);
            if let Some(tag) = of.get("const") {
                table.insert(key.clone(), tag.clone());
            } else if needed || self.dice.percent(self.likelihood(key)) {
                table.insert(key.clone(), self.entry(place, key, of));
            }
        }
        // One in twenty keeps what does not match.
        if !self.dice.one_in(20) {
            match place {
                "run" => self.fit_paths(&mut table),
                "flow" => self.fit_job(&mut table),
                _ => {}
            }
        }
        Json::Object(table)
    }

    /// Keeps the keys of one rule for several paths, with that rule.
    fn fit_paths(&mut self, table: &mut Map<String, Json>) {
        const RULES: [(&str, &str); 3] = [
            ("spray", "packet"),
            ("flowlet_gap", "flowlet"),
            ("salts", "flow"),
        ];
        let mut given = RULES.iter().filter(|(key, _)| table.contains_key(*key));
        let Some((kept, rule)) = given.next() else {
            return;
        };
        table.retain(|key, _| key == kept || RULES.iter().all(|(other, _)| key != other));
        table.insert("multipath".to_owned(), json!(rule));
        self.used.push("run.multipath".to_owned());
        self.used.push(format!("run.multipath=\"{rule}\""));
    }

    /// Gives the flows of a job the nodes that it needs.
    fn fit_job(&mut self, table: &mut Map<String, Json>) {
        let Some(kind) = table["traffic"]["job"]["kind"].as_str() else {
            return;
        };
        let groups = self.names.nodes.iter().filter_map(Group::range);
        let groups: Vec<(&str, u64)> = groups.filter(|(_, count)| *count > 1).collect();
        if groups.is_empty() {
            let traffic = table["traffic"].as_object_mut();
            traffic.expect("it has a job").remove("job");
            return;
        }
        let (name, count) = *self.dice.pick(&groups);
        let ends = match kind {
            "incast" => [format!("{name}[1..{}]", count.min(9)), format!("{name}[0]")],
            _ => [(); 2].map(|()| format!("{name}[0..{}]", count.min(6))),
        };
        for (key, end) in ["from", "to"].into_iter().zip(ends) {
            table.insert(key.to_owned(), json!(end));
        }
        let of_pairs = ["count", "pair", "bundle", "distinct"];
        table.retain(|key, _| !of_pairs.contains(&key.as_str()));
        self.used.retain(|used| {
            let mut keys = of_pairs.iter();
            !keys.any(|key| used.starts_with(&format!("flow.{key}")))
        });
    }

    /// The percentage of tables that have this optional key.
    fn likelihood(&self, key: &str) -> u64 {
        match key {
            // They have as many words as TCP and as links, of which each must be met.
            "others" => self.richness.max(40),
            "exit" => self.richness.max(50),
            _ => self.richness,
        }
    }

    /// Keys that the table at this place must or must not have.
    fn choices(&mut self, place: &str) -> Vec<(&'static str, bool)> {
        let mut keys = Vec::new();
        for (end, choices) in CHOICES {
            let is_it = |rest: &str| rest.is_empty() || rest.ends_with('.');
            if place.strip_suffix(end).is_some_and(is_it) {
                let choice = *self.dice.pick(choices);
                let all = choices.iter().copied().flatten();
                keys.extend(all.map(|key| (*key, choice.contains(key))));
            }
        }
        keys
    }

    fn entry(&mut self, place: &str, key: &str, schema: &Json) -> Json {
        let profile = self.profile.filter(|_| key == "profile");
        let place = format!("{place}.{key}");
        self.used.push(place.clone());
        if let Some(Profile { name, .. }) = profile {
            self.used.push(format!("{place}=\"{name}\""));
            return json!(name);
        }
        self.value(&place, schema)
    }

    fn list(&mut self, place: &str, schema: &Json) -> Json {
        let items = &schema["items"];
        if schema["maxItems"] == 2 {
            return self.pair(place, items);
        }
        let length = *self.dice.pick(&[0, 1, 1, 2, 3]);
        (0..length).map(|_| self.value(place, items)).collect()
    }

    /// Two values, usually the smaller one first.
    fn pair(&mut self, place: &str, items: &Json) -> Json {
        let Some(quantity) = quantity(items) else {
            return json!([self.value(place, items), self.value(place, items)]);
        };
        let mut ends: [Amount; 2] = std::array::from_fn(|_| quantity.draw(&self.scale, self.dice));
        if !self.dice.one_in(50) {
            ends.sort_by_key(|end| end.number);
        }
        json!([ends[0].text, ends[1].text])
    }

    fn whole(&mut self, place: &str, schema: &Json) -> Json {
        let least = schema["minimum"].as_u64().unwrap_or(0);
        let most = schema["maximum"].as_u64().unwrap_or(u64::MAX);
        let small = match self.dice.below(20) {
            0 => least + self.dice.below(40),
            1..5 => least + self.dice.below(9),
            _ => least + self.dice.below(4),
        };
        let key = place.rsplit('.').next().unwrap_or(place);
        // A run that gives up has no results to compare.
        if BUDGETS.contains(&key) {
            return json!(self.dice.magnitude(10_000_000, 1 << 40));
        }
        // Most networks have one path between two nodes.
        if place == "flow.path" && !self.dice.one_in(5) {
            return json!(0);
        }
        // The number of hosts grows with its third power.
        if place == "topology.fat_tree.k" {
            return json!(1 + self.dice.below(8));
        }
        // An empty group is a rare choice, and what refers to it is refused.
        let small = match place {
            "flow.count" if !self.dice.one_in(30) => small.max(1),
            _ => small,
        };
        let large = !MEMBERS.contains(&key) && self.dice.one_in(12);
        json!(if large {
            self.dice.magnitude(least, most)
        } else {
            small.min(most)
        })
    }

    fn number(&mut self, schema: &Json) -> Json {
        let low = schema["minimum"].as_f64();
        let high = schema["maximum"].as_f64();
        if self.dice.one_in(25) {
            let ends = [low.unwrap_or(-1.0), high.unwrap_or(1e300), 0.0, 1e-9];
            return json!(*self.dice.pick(&ends));
        }
        // A value likely to fit the rest: the example, which is also the rate of a file of frames.
        if self.dice.one_in(5)
            && let Ok(example) = formats::example(schema).parse::<f64>()
        {
            return json!(example);
        }
        // The shape of a Pareto distribution is above 1.
        let least = if self.dice.percent(80) { 1.01 } else { 0.01 };
        let (low, high) = (low.unwrap_or(least), high.unwrap_or(4.0));
        let share = self.dice.fraction();
        // Realistic values lie near the ends of a range: losses are small.
        let share = if self.dice.percent(40) {
            share * share * share
        } else {
            share
        };
        json!(low + (high - low).min(10.0) * share)
    }

    fn text(&mut self, place: &str, schema: &Json) -> Json {
        let key = place.rsplit('.').next().unwrap_or(place);
        let span = self.scale.span_ps;
        match key {
            "duration" => return json!(span_text(self.dice.magnitude(span * 2, span * 20))),
            "interval" => return json!(span_text(self.dice.magnitude(span / 50 + 1, span * 2))),
            _ => (),
        }
        if let Some(quantity) = quantity(schema) {
            return json!(quantity.draw(&self.scale, self.dice).text);
        }
        if let Some(names) = formats::of(schema) {
            return json!(self.file(place, names));
        }
        let pattern = schema["pattern"].as_str();
        json!(match (key, pattern) {
            (_, Some(reference)) if reference.contains("back") => self.reference(key),
            ("title", _) => self.title(),
            _ => formats::example(schema).to_owned(),
        })
    }

    fn reference(&mut self, key: &str) -> String {
        let (partner, origin) = (self.partner.take(), self.origin.take());
        match (key, partner) {
            // Only flows between these nodes can be protected.
            ("ingress", _) if self.dice.percent(90) && !self.names.ends.is_empty() => {
                let (from, to) = self.dice.pick(&self.names.ends);
                self.partner = Some(to.clone());
                return from.clone();
            }
            ("from" | "ingress", _) if self.dice.percent(50) && !self.names.joined.is_empty() => {
                let (from, to) = self.dice.pick(&self.names.joined);
                self.partner = Some(to.clone());
                return from.clone();
            }
            ("to" | "egress", Some(partner)) => return partner,
            _ => (),
        }
        let groups = match key {
            "from" | "to" | "ingress" | "egress" | "nodes" => &self.names.nodes,
            "flow" | "flows" => &self.names.flows,
            "link" | "links" => &self.names.links,
            _ => *self
                .dice
                .pick(&[&self.names.nodes, &self.names.links, &self.names.flows]),
        };
        if groups.is_empty() {
            return "nowhere".to_owned();
        }
        let mut place = self.dice.place(groups.len());
        if origin == Some(place) {
            // Usually a different one.
            place = (place + 1) % groups.len();
        }
        self.origin = matches!(key, "from" | "ingress").then_some(place);
        groups[place].reference(self.dice)
    }

    /// Usually one of these; sometimes a file of another kind, or a missing one.
    fn file(&mut self, place: &str, names: &[&'static str]) -> &'static str {
        if self.dice.one_in(50) {
            return "missing.csv";
        }
        let others: Vec<_> = formats::all().collect();
        let name = if self.dice.one_in(50) {
            *self.dice.pick(&others)
        } else {
            *self.dice.pick(names)
        };
        self.used.push(format!("{place}={name}"));
        name
    }

    /// A title with characters that a writer must escape.
    fn title(&mut self) -> String {
        const PIECES: &[&str] = &[
            "One link",
            " ",
            "\"",
            "\\",
            "\n",
            "\t",
            "\u{1}",
            "µ",
            "'''",
            "#",
            "\u{1F980}",
            "=",
        ];
        let length = self.dice.below(6);
        (0..length).map(|_| *self.dice.pick(PIECES)).collect()
    }
}

/// True for tables whose keys depend on a TCP profile.
fn chosen_by_profile(place: &str) -> bool {
    [".tcp", ".others"].iter().any(|end| place.ends_with(end))
}

/// A place that takes values of several forms, combined with one of these.
pub(crate) fn form(place: &str, schema: &Json) -> String {
    format!("{place}: {}", schema["type"].as_str().unwrap_or("word"))
}

/// The keys of a table.
pub(crate) fn properties(schema: &Json) -> impl Iterator<Item = (&String, &Json)> {
    schema["properties"].as_object().into_iter().flatten()
}

fn quantity(schema: &Json) -> Option<Quantity> {
    let pattern = schema["pattern"].as_str()?;
    (!pattern.contains("A-Z")).then(|| Quantity::of_pattern(pattern))?
}
