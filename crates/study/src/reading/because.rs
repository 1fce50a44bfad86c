//! Reading of the reason why a claim differs: a variant, a model or a bound, each of which the program
//! evaluates.

use pacesim_language::problem::{Faults, suggest};
use pacesim_language::tree::{Item, Toml, TomlTable};

use super::bound::limit_at;
use crate::expectation::{Because, ModelReason};
use crate::gauge::Gauge;
use crate::keys::{Bound, ExpectKeys};
use crate::name::NumberName;
use crate::selection::Selection;
use crate::study::Study;

/// The word for an unknown reason.
const NOT_EXPLAINED: &str = "not explained";

const HELP: &str = "name the variant that shows it, because = { variant = \"NAME\", shows = \"...\" }, a model or a bound that the program evaluates, { model = \"NAME\", y = \"RESULT\", set = { ... }, shows = \"...\" } or { bound = \"full link\", at_most = \"= ...\", shows = \"...\" }, or say \"not explained\"";

/// The unit of a claim, and its points.
type OfClaim<'a> = (Gauge, &'a [Selection]);

/// The reason of a claim, if it gives one.
pub(super) fn because(
    study: &Study,
    path: &str,
    keys: &ExpectKeys,
    of_claim: OfClaim<'_>,
    faults: &mut Faults,
) -> Option<Because> {
    let item = keys.because.as_ref()?;
    let path = format!("{path}.because");
    let Toml::Table(table) = &item.value else {
        if item.text() == Some(NOT_EXPLAINED) {
            return Some(Because::NotExplained);
        }
        faults.add(path, "this is not a tested reason").help(HELP);
        return None;
    };
    let reason = Reason { path, table };
    let shows = reason.text("shows").filter(|text| !text.trim().is_empty());
    let kinds = ["variant", "model", "bound"];
    let mut given = kinds.into_iter().filter(|kind| table.get(kind).is_some());
    match (given.next(), given.next(), shows) {
        (Some("variant"), None, Some(shows)) => reason.variant(study, shows, faults),
        (Some("model"), None, Some(shows)) => reason.model(of_claim.0, shows, faults),
        (Some("bound"), None, Some(shows)) => reason.bound(study, of_claim, shows, faults),
        (Some(_), None, None) => {
            let help =
                "say it in words, shows = \"...\"; without any, say because = \"not explained\"";
            let path = format!("{}.shows", reason.path);
            faults
                .add(path, "it is not said what this shows")
                .help(help);
            None
        }
        _ => {
            faults
                .add(reason.path, "this is not a tested reason")
                .help(HELP);
            None
        }
    }
}

/// The table of a reason.
struct Reason<'a> {
    path: String,
    table: &'a TomlTable,
}

impl Reason<'_> {
    fn text(&self, key: &str) -> Option<&str> {
        self.table.get(key).and_then(Item::text)
    }

    /// Refuses keys other than these, the kind of the reason, and `shows`.
    fn has_only(&self, known: &[&str], faults: &mut Faults) -> bool {
        let is_known = |key: &str| key == "shows" || known.contains(&key);
        let mut others = self.table.entries.iter();
        let other = others.find(|entry| !is_known(&entry.key));
        if let Some(other) = other {
            let known = known.iter().copied().chain(["shows"]);
            let path = format!("{}.{}", self.path, other.key);
            let help = suggest(&other.key, known);
            faults.add(path, "unknown key").at_key().help(help);
        }
        other.is_none()
    }

    fn refuse<T>(
        &self,
        key: &str,
        (message, help): (String, String),
        faults: &mut Faults,
    ) -> Option<T> {
        faults
            .add(format!("{}.{key}", self.path), message)
            .help(help);
        None
    }

    /// A variant of the study.
    fn variant(&self, study: &Study, shows: &str, faults: &mut Faults) -> Option<Because> {
        if !self.has_only(&["variant"], faults) {
            return None;
        }
        let name = self.text("variant").unwrap_or_default();
        let variant = variant_named(study, name, &format!("{}.variant", self.path), faults)?;
        Some(Because::Variant {
            variant,
            shows: shows.to_owned(),
        })
    }

    /// A model; that it exists, and has these parameters, is checked where models are known.
    fn model(&self, claim: Gauge, shows: &str, faults: &mut Faults) -> Option<Because> {
        if !self.has_only(&["model", "y", "set", "times", "within"], faults) {
            return None;
        }
        let (Some(model), Some(y)) = (self.text("model"), self.text("y")) else {
            let help =
                "give y = with the result of the model: `pacesim solve` shows them".to_owned();
            return self.refuse(
                "model",
                ("a model and its result are strings".to_owned(), help),
                faults,
            );
        };
        let result = Gauge::of(&NumberName::new("model", model, y));
        if result.unit != claim.unit {
            let message = format!(
                "{y} is {}, and the claim is about {}",
                result.describe(),
                claim.describe()
            );
            let help = "give a result of the claim's unit".to_owned();
            return self.refuse("y", (message, help), faults);
        }
        let share =
            |key: &str, usual: f64, most: f64, faults: &mut Faults| match self.table.get(key) {
                None => Some(usual),
                Some(item) => {
                    let number = item.value.number();
                    let fits = number > 0.0 && number <= most;
                    let refusal = || {
                        (
                            format!("this is no number above 0 and up to {most}"),
                            format!("write {key} = {usual}"),
                        )
                    };
                    if fits {
                        Some(number)
                    } else {
                        self.refuse(key, refusal(), faults)
                    }
                }
            };
        let times = share("times", 1.0, 1e30, faults);
        let within = share("within", 0.1, 0.5, faults);
        let set = match self.table.get("set").map(|item| &item.value) {
            Some(Toml::Table(set)) => set
                .entries
                .iter()
                .map(|entry| (entry.key.clone(), entry.item.clone()))
                .collect(),
            _ => Vec::new(),
        };
        Some(Because::Model(ModelReason {
            path: self.path.clone(),
            model: model.to_owned(),
            y: y.to_owned(),
            set,
            times: times? * (result.size / claim.size),
            within: within?,
            shows: shows.to_owned(),
        }))
    }

    /// A bound: a formula of the scenario's quantities at the points of the claim.
    fn bound(
        &self,
        study: &Study,
        (gauge, points): OfClaim<'_>,
        shows: &str,
        faults: &mut Faults,
    ) -> Option<Because> {
        if !self.has_only(&["bound", "at_least", "at_most"], faults) {
            return None;
        }
        let name = self.text("bound").unwrap_or_default();
        let Some(bound) = Bound::named(name) else {
            let names = Bound::ALL.map(Bound::words);
            let refusal = (
                format!("there is no bound \"{name}\""),
                suggest(name, names),
            );
            return self.refuse("bound", refusal, faults);
        };
        let mut limits = ["at_least", "at_most"].map(|key| {
            let item = self.table.get(key)?;
            match limit_at(study, item, gauge, points) {
                Ok(number) => Some(number),
                Err(refusal) => self.refuse(key, refusal, faults),
            }
        });
        let [least, most] = &mut limits;
        if least.is_none() && most.is_none() {
            if !faults.touch(&self.path) {
                let message = "a bound is a formula of the scenario's quantities".to_owned();
                let help = "give at_most = \"= ...\" with the greatest number that is possible, such as \"= rate(core)\", or at_least".to_owned();
                return self.refuse("bound", (message, help), faults);
            }
            return None;
        }
        Some(Because::Bound {
            bound,
            least: least.take().flatten(),
            most: most.take().flatten(),
            shows: shows.to_owned(),
        })
    }
}

impl Bound {
    /// All bounds.
    pub(crate) const ALL: [Bound; 3] = [Bound::FullLink, Bound::Windows, Bound::Path];

    /// The words.
    pub fn words(self) -> &'static str {
        match self {
            Bound::FullLink => "full link",
            Bound::Windows => "windows",
            Bound::Path => "path",
        }
    }

    fn named(words: &str) -> Option<Bound> {
        Bound::ALL.into_iter().find(|bound| bound.words() == words)
    }
}

/// The place of a variant on its axis.
pub(super) fn variant_named(
    study: &Study,
    name: &str,
    path: &str,
    faults: &mut Faults,
) -> Option<usize> {
    let names = study.variants().map(|(_, name)| name);
    let place = study.variants().find(|(_, known)| *known == name);
    if place.is_none() {
        let message = format!("there is no variant \"{name}\"");
        faults.add(path, message).help(suggest(name, names));
    }
    place.map(|(place, _)| place)
}
