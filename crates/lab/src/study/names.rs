//! Whether the numbers that figures and claims speak of are there.

use pacesim::scenario::{Checked, Problem};
use pacesim_language::problem::suggest;
use pacesim_study::measure::Measure;
use pacesim_study::{NumberName, Study, Tune};

use super::tune::metric_of;
use super::{measure, theory};
use crate::replicate::metric_names;

/// What is wrong with the figures and claims of a study, as far as its scenarios show.
pub fn mistakes(study: &Study) -> Vec<Problem> {
    let Some(known) = Known::of(study) else {
        // That no point can be run is reported elsewhere.
        return Vec::new();
    };
    let mut mistakes = Vec::new();
    let of_measures = measure::mistakes(study);
    for plot in &study.plots {
        mistakes.extend(known.unknown(&format!("{}.y", plot.path), &plot.y));
        if let Some(per) = &plot.per {
            mistakes.extend(known.unknown(&format!("{}.per", plot.path), per));
        }
        if study.axes[plot.x]
            .values
            .iter()
            .all(|value| value.number.is_none())
        {
            let message = format!(
                "the values of \"{}\" are no numbers of one unit",
                plot.keys.x
            );
            let help = "draw against an axis of numbers, and let this one make the lines";
            mistakes.push((format!("{}.x", plot.path), message, help.to_owned()));
        }
        mistakes.extend(theory::mistakes(study, plot));
        for name in theory::measured(plot) {
            mistakes.extend(known.unknown(&format!("{}.theory", plot.path), &name));
        }
    }
    for (name, path) in study.tune.iter().flat_map(Tune::numbers) {
        mistakes.extend(known.unknown(&path, name));
    }
    for claim in &study.expectations {
        mistakes.extend(known.unknown(&format!("{}.y", claim.path), &claim.y));
        if let Some(per) = &claim.per {
            mistakes.extend(known.unknown(&format!("{}.per", claim.path), per));
        }
    }
    let problem =
        |(path, message, help): (String, String, String)| study.problem(&path, message, help);
    let of_numbers = mistakes.into_iter().map(problem);
    of_measures.into_iter().chain(of_numbers).collect()
}

/// What the values are of that a search has found: "tune.buffer.found_pkts".
pub(super) const FOUND: &str = "tune";

fn searched(study: &Study) -> Vec<(String, &'static str)> {
    let search = study.tune.iter().flat_map(|tune| &tune.search);
    let axes = search.map(|axis| &study.axes[*axis]);
    axes.map(|axis| (axis.name.clone(), metric_of(axis)))
        .collect()
}

/// The groups of flows and the links of a study.
struct Known<'s> {
    measures: &'s [Measure],
    flows: Vec<String>,
    links: Vec<String>,
    /// The axes that are searched, each with what its number is called.
    searched: Vec<(String, &'static str)>,
}

impl<'s> Known<'s> {
    /// Those of its first and last points, which differ where an axis adds some.
    fn of(study: &'s Study) -> Option<Known<'s>> {
        let mut known = Known {
            measures: &study.measures,
            flows: Vec::new(),
            links: Vec::new(),
            searched: searched(study),
        };
        let first = study.points().next()?;
        let last = study.points().last()?;
        for point in [first, last] {
            known.add(&study.scenario(point).ok()?);
        }
        Some(known)
    }

    fn add(&mut self, scenario: &Checked) {
        let flows = scenario
            .scenario()
            .flows
            .iter()
            .map(|flow| flow.name.clone());
        let model = scenario.expand(scenario.scenario().run.seed, 0);
        let links = model.links.into_iter().map(|link| link.name);
        for (list, names) in [
            (&mut self.flows, flows.collect::<Vec<_>>()),
            (&mut self.links, links.collect()),
        ] {
            let new: Vec<String> = names
                .into_iter()
                .filter(|name| !list.contains(name))
                .collect();
            list.extend(new);
        }
    }

    /// The same of a value that is found.
    fn not_found(&self, path: &str, name: &NumberName) -> Option<(String, String, String)> {
        let all = self.searched.iter();
        let all: Vec<String> = all
            .map(|(axis, metric)| format!("{FOUND}.{axis}.{metric}"))
            .collect();
        let text = name.to_string();
        if all.contains(&text) {
            return None;
        }
        let message = format!("no search finds \"{text}\"");
        let help = match all.is_empty() {
            true => "write a table [tune], which docs/study.md explains".to_owned(),
            false => suggest(&text, all.iter().map(String::as_str)),
        };
        Some((path.to_owned(), message, help))
    }

    /// The path, the message and the help, if there is no such number.
    fn unknown(&self, path: &str, name: &NumberName) -> Option<(String, String, String)> {
        let fault = |message: String, help: String| Some((path.to_owned(), message, help));
        if name.of == measure::OF {
            return self.unknown_measure(path, name);
        }
        let (entities, noun) = match name.of.as_str() {
            "flows" => (&self.flows, "group of flows"),
            "link" => (&self.links, "link"),
            FOUND => return self.not_found(path, name),
            other => {
                let help = suggest(other, ["flows", "link", measure::OF]);
                return fault(format!("there are no numbers of \"{other}\""), help);
            }
        };
        if !entities.contains(&name.entity) {
            let help = suggest(&name.entity, entities.iter().map(String::as_str));
            return fault(format!("there is no {noun} \"{}\"", name.entity), help);
        }
        let metrics = metric_names(&name.of);
        if !metrics.contains(&name.metric.as_str()) {
            let help = suggest(&name.metric, metrics.iter().copied());
            return fault(format!("a {noun} has no number \"{}\"", name.metric), help);
        }
        None
    }

    /// The same for a number of a measure.
    fn unknown_measure(&self, path: &str, name: &NumberName) -> Option<(String, String, String)> {
        let fault = |message: String, help: String| Some((path.to_owned(), message, help));
        let names = self.measures.iter().map(|measure| measure.name.as_str());
        let Some(measure) = self.measures.iter().find(|known| known.name == name.entity) else {
            let help = suggest(&name.entity, names);
            return fault(format!("there is no measure \"{}\"", name.entity), help);
        };
        let metrics = measure::asked(&measure.kind).names();
        if metrics.contains(&name.metric) {
            return None;
        }
        let help = suggest(&name.metric, metrics.iter().map(String::as_str));
        let message = format!("\"{}\" has no number \"{}\"", name.entity, name.metric);
        fault(message, help)
    }
}
