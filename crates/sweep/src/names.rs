//! Check that the numbers named by figures and claims exist.

use std::collections::BTreeSet;

use pacesim::model::Link;
use pacesim::scenario::{Checked, Inventory, Problem};
use pacesim_language::problem::suggest;
use pacesim_probes::mistakes::mistakes as measure_mistakes;
use pacesim_probes::theory::{self, Solved};
use pacesim_probes::{kinds, schema};
use pacesim_runs::metrics::{OF_RUN, metric_names, needs_discipline};
use pacesim_study::measure::Measure;
use pacesim_study::{Across, Expectation, Model, NumberName, Plot, Study, Tune};

use crate::found::{FOUND, metric_of};

/// Mistakes in the figures and claims of a study, as far as its scenarios show.
pub(crate) fn mistakes(study: &Study) -> Vec<Problem> {
    let named = named_numbers(study);
    let known = Known::of(study, &named);
    let mut mistakes = Vec::new();
    let of_measures = measure_mistakes(study);
    for plot in &study.plots {
        let numbers = plot.each_number().into_iter().enumerate();
        mistakes.extend(numbers.filter_map(|(i, plot)| known.columns(&plot, &key_of(i))));
    }
    for (path, solved) in theory::all(study) {
        mistakes.extend(solved.mistakes(study, &path));
    }
    let unknown = |(path, name): &Named| known.unknown(path, name);
    mistakes.extend(named.iter().filter_map(unknown));
    mistakes.extend(study.find_warmup.iter().enumerate().filter_map(courseless));
    let problem =
        |(path, message, help): (String, String, String)| study.problem(&path, message, help);
    let of_numbers = mistakes.into_iter().map(problem);
    of_measures.into_iter().chain(of_numbers).collect()
}

/// A number that a study names, and the path of the key that does.
type Named = (String, NumberName);

/// All numbers that a study names, except columns of tables.
fn named_numbers(study: &Study) -> Vec<Named> {
    let plots = study.plots.iter().flat_map(of_plot);
    let models = theory::all(study).into_iter().flat_map(|(path, solved)| {
        let measured = solved.measured();
        measured.map(move |name| (format!("{path}.set"), name))
    });
    let tuned = study.tune.iter().flat_map(Tune::numbers);
    let tuned = tuned.map(|(name, path)| (path, name.clone()));
    let claims = study.expectations.iter().flat_map(of_claim);
    let listed = [
        ("sweep.find_warmup", &study.find_warmup),
        ("sweep.precise", &study.precise),
        ("show", &study.show),
    ];
    let listed = listed.into_iter().flat_map(|(key, names)| {
        let names = names.iter().enumerate();
        names.map(move |(i, name)| (format!("{key}[{i}]"), name.clone()))
    });
    plots
        .chain(models)
        .chain(tuned)
        .chain(claims)
        .chain(listed)
        .chain(study.strays.0.iter().cloned())
        .flat_map(|(path, name)| {
            let parts = name.parts().into_iter();
            parts.map(move |part| (path.clone(), part))
        })
        .collect()
}

fn of_plot(plot: &Plot) -> Vec<Named> {
    let at = |key: &str, name: NumberName| (format!("{}.{key}", plot.path), name);
    let numbers = plot.each_number().into_iter().enumerate();
    let ys = numbers.flat_map(|(i, plot)| {
        let key = key_of(i);
        let ys = match plot.columns() {
            Some(_) => Vec::new(),
            None => plot.ys(),
        };
        ys.into_iter().map(move |y| (key.clone(), y))
    });
    let ys = ys.map(|(key, y)| at(&key, y));
    let pers = plot.pers().into_iter().map(|per| at("per", per));
    ys.chain(pers).collect()
}

/// The key of the number of a figure at this place.
fn key_of(place: usize) -> String {
    let also = place.checked_sub(1);
    also.map_or("y".to_owned(), |i| format!("also[{i}]"))
}

fn of_claim(claim: &Expectation) -> Vec<Named> {
    let at = |key: &str, name: &NumberName| (format!("{}.{key}", claim.path), name.clone());
    let per = claim.per.iter().map(|per| at("per", per));
    let others = claim.jain_with.iter().enumerate();
    let others = others.map(|(i, name)| at(&format!("jain_with[{i}]"), name));
    [at("y", &claim.y)]
        .into_iter()
        .chain(per)
        .chain(others)
        .collect()
}

/// Reports numbers without a course over time: pilots have no probes, and models describe a whole
/// run.
fn courseless((i, name): (usize, &NumberName)) -> Option<(String, String, String)> {
    let is_whole = [schema::OF, theory::OF].contains(&name.of.as_str()) || name.is_formula();
    let message = format!("\"{name}\" has no course: a {} is of a whole run", name.of);
    let help = "name numbers of links or groups of flows, such as link.core.queue_mean_pkts";
    let path = format!("sweep.find_warmup[{i}]");
    is_whole.then_some((path, message, help.to_owned()))
}

fn searched(study: &Study) -> Vec<(String, &'static str)> {
    let search = study.tune.iter().flat_map(|tune| &tune.search);
    let axes = search.map(|axis| &study.axes[*axis]);
    axes.map(|axis| (axis.name.clone(), metric_of(axis)))
        .collect()
}

/// Distinct names in order of appearance.
#[derive(Default)]
struct Names {
    order: Vec<String>,
    seen: BTreeSet<String>,
}

impl Names {
    fn of(name: &str) -> Names {
        let mut names = Names::default();
        names.add(vec![name.to_owned()]);
        names
    }

    fn add(&mut self, names: Vec<String>) {
        for name in names {
            if self.seen.insert(name.clone()) {
                self.order.push(name);
            }
        }
    }

    /// True if it has the entity of this number, or one that its pattern fits.
    fn has(&self, number: &NumberName) -> bool {
        if number.is_pattern() {
            self.in_order().any(|name| number.fits(name))
        } else {
            self.seen.contains(&number.entity)
        }
    }

    fn in_order(&self) -> impl Iterator<Item = &str> {
        self.order.iter().map(String::as_str)
    }
}

/// The groups of flows and the links of a study.
struct Known<'s> {
    measures: &'s [Measure],
    models: &'s [Model],
    flows: Names,
    links: Names,
    /// Links with a queue discipline, or a share of a memory, at any point; found only if a number needs one.
    queued: Names,
    /// Names of protected pairs' entries, also by distance.
    fec: Names,
    /// True if no other groups of flows, or no other links, can exist.
    has_all: [bool; 2],
    /// Name of the run itself.
    runs: Names,
    /// The searched axes, each with the metric of its result.
    searched: Vec<(String, &'static str)>,
    /// True if the search could not be understood.
    lost_search: bool,
}

impl<'s> Known<'s> {
    /// The names in its first and last points, and in as many others as needed to find all names
    /// used: links and protected pairs may exist at some points only.
    fn of(study: &'s Study, named: &[Named]) -> Known<'s> {
        let mut known = Known {
            measures: &study.measures,
            models: &study.models,
            flows: Names::default(),
            links: Names::default(),
            queued: Names::default(),
            fec: Names::default(),
            has_all: [true; 2],
            runs: Names::of(OF_RUN),
            searched: searched(study),
            lost_search: study.lost_tune,
        };
        if named.is_empty() {
            return known;
        }
        let ends: Vec<u64> = [study.points().next(), study.points().last()]
            .into_iter()
            .flatten()
            .collect();
        for point in &ends {
            known.look_at(study, *point);
        }
        let mut others = study
            .points_to_check()
            .filter(|point| !ends.contains(point));
        while named.iter().any(|(_, name)| known.lacks(name)) {
            let Some(point) = others.next() else { break };
            known.look_at(study, point);
        }
        known.look_for_queues(study, named);
        known
    }

    /// Finds the links with a queue discipline, at as many points as needed.
    fn look_for_queues(&mut self, study: &Study, named: &[Named]) {
        let names = named.iter().map(|(_, name)| name);
        let needing: Vec<_> = names
            .filter(|name| needs_discipline(&name.of, &name.metric))
            .collect();
        for point in study.points_to_check() {
            if needing.iter().all(|name| self.queued.has(name)) {
                return;
            }
            let Ok(scenario) = study.scenario(point) else {
                continue;
            };
            let model = scenario.expand(scenario.scenario().run.seed, 0);
            let shares = |link: &Link| model.switches.iter().any(|placed| placed.node == link.from);
            let links = model.links.iter();
            let queued = links.filter(|link| link.extras.queue.is_some() || shares(link));
            self.queued
                .add(queued.map(|link| link.name.to_string()).collect());
        }
    }

    /// Adds a point's names. A mistake in its scenario is reported elsewhere, and hides only what
    /// it affects.
    fn look_at(&mut self, study: &Study, point: u64) {
        let Ok(scenario) = study.scenario(point) else {
            return match study.inventory(point) {
                Some(inventory) => self.add_inventory(inventory),
                None => self.has_all = [false; 2],
            };
        };
        self.add(&scenario);
    }

    fn add_inventory(&mut self, inventory: Inventory) {
        self.has_all[0] &= inventory.has_all_flows;
        self.has_all[1] &= inventory.has_all_links;
        let flows = inventory.flows.into_iter().map(|(group, _)| group);
        self.add_names([flows.collect(), inventory.links, inventory.fec]);
    }

    /// The names of the entities of a kind in a scenario, and the noun for one of them.
    fn entities(&self, of: &str) -> Option<(&Names, &'static str)> {
        match of {
            "flows" => Some((&self.flows, "group of flows")),
            "link" => Some((&self.links, "link")),
            "fec" => Some((&self.fec, "fec")),
            OF_RUN => Some((&self.runs, "run")),
            _ => None,
        }
    }

    /// True if no scenario so far has the entity of this number.
    fn lacks(&self, name: &NumberName) -> bool {
        let entities = self.entities(&name.of);
        entities.is_some_and(|(known, _)| !known.has(name))
    }

    fn add(&mut self, scenario: &Checked) {
        let flows = scenario
            .scenario()
            .flows
            .iter()
            .map(|flow| flow.name.clone());
        let model = scenario.expand(scenario.scenario().run.seed, 0);
        let fec = model.protections.iter().flat_map(|pair| {
            let by_hops = format!("{}.hops[{}]", pair.group, pair.hops());
            [pair.group.clone(), by_hops]
        });
        let fec: Vec<String> = fec.collect();
        let links = model.links.into_iter().map(|link| link.name.to_string());
        self.add_names([flows.collect(), links.collect(), fec]);
    }

    fn add_names(&mut self, [flows, links, fec]: [Vec<String>; 3]) {
        for (list, names) in [
            (&mut self.flows, flows),
            (&mut self.links, links),
            (&mut self.fec, fec),
        ] {
            list.add(names);
        }
    }

    /// Path, message and help for a result of a search that does not exist.
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
        let help = if all.is_empty() {
            "write a table [tune], which docs/study.md explains".to_owned()
        } else {
            suggest(&text, all.iter().map(String::as_str))
        };
        Some((path.to_owned(), message, help))
    }

    /// Mistakes in the x and y columns of a table.
    fn columns(&self, plot: &Plot, key: &str) -> Option<(String, String, String)> {
        let Across::Column(x) = &plot.x else {
            return None;
        };
        if !plot.asks.is_empty() {
            return None;
        }
        let path = |key: &str| format!("{}.{key}", plot.path);
        let wrong = self.unknown_column(&path("x"), x);
        wrong.or_else(|| self.unknown_column(&path(key), &plot.y))
    }

    /// Path, message and help for a column that a measure lacks.
    fn unknown_column(&self, path: &str, name: &NumberName) -> Option<(String, String, String)> {
        let columns = |measure: &Measure| -> Vec<String> {
            let columns = kinds::asked(&measure.kind).columns().iter();
            columns.map(|column| column.name.to_owned()).collect()
        };
        self.not_of_measure(path, name, "column", columns)
    }

    /// Path, message and help for a number that does not exist.
    fn unknown(&self, path: &str, name: &NumberName) -> Option<(String, String, String)> {
        let fault = |message: String, help: String| Some((path.to_owned(), message, help));
        if name.of == schema::OF {
            return self.unknown_measure(path, name);
        }
        let (entities, noun) = match (self.entities(&name.of), name.of.as_str()) {
            (Some(of_scenarios), _) => of_scenarios,
            // The results of a search are unknown if the search is.
            (None, FOUND) if self.lost_search => return None,
            (None, FOUND) => return self.not_found(path, name),
            (None, theory::OF) => return self.unknown_result(path, name),
            (None, other) => {
                let help = suggest(
                    other,
                    ["flows", "link", "fec", OF_RUN, schema::OF, theory::OF],
                );
                return fault(format!("there are no numbers of \"{other}\""), help);
            }
        };
        // Protections by distance are known only for valid scenarios.
        let is_lost = match name.of.as_str() {
            "flows" => !self.has_all[0],
            "link" => !self.has_all[1],
            "fec" => name.entity.contains(".hops["),
            _ => false,
        };
        if !entities.has(name) && !is_lost {
            let help = suggest(&name.entity, entities.in_order());
            return fault(format!("there is no {noun} \"{}\"", name.entity), help);
        }
        let metrics = metric_names(&name.of);
        if !metrics.contains(&name.metric.as_str()) {
            let help = suggest(&name.metric, metrics.iter().copied());
            return fault(format!("a {noun} has no number \"{}\"", name.metric), help);
        }
        if needs_discipline(&name.of, &name.metric) && !is_lost && !self.queued.has(name) {
            let message = format!(
                "\"{}\" has no queue discipline, which counts {}",
                name.entity, name.metric
            );
            let help =
                "give the link discipline = { kind = \"drop_tail\" }, or its node a [[switch]]";
            return fault(message, help.to_owned());
        }
        None
    }

    /// Path, message and help for a number of a measure that does not exist.
    fn unknown_measure(&self, path: &str, name: &NumberName) -> Option<(String, String, String)> {
        let numbers = |measure: &Measure| kinds::asked(&measure.kind).names();
        self.not_of_measure(path, name, "number", numbers)
    }

    /// Path, message and help for a result of a model that does not exist.
    fn unknown_result(&self, path: &str, name: &NumberName) -> Option<(String, String, String)> {
        let fault = |message: String, help: String| Some((path.to_owned(), message, help));
        let mut models = self.models.iter();
        let Some(model) = models.find(|model| model.keys.name == name.entity) else {
            let names = self.models.iter().map(|model| model.keys.name.as_str());
            let help = suggest(&name.entity, names);
            return fault(format!("there is no model \"{}\"", name.entity), help);
        };
        let (message, help) = Solved::of(model).lacks(&name.metric)?;
        fault(message, help)
    }

    /// Path, message and help for a name that is not among those of its measure.
    fn not_of_measure(
        &self,
        path: &str,
        name: &NumberName,
        noun: &str,
        all: fn(&Measure) -> Vec<String>,
    ) -> Option<(String, String, String)> {
        let fault = |message: String, help: String| Some((path.to_owned(), message, help));
        let is_it = |known: &&Measure| known.name == name.entity && name.of == schema::OF;
        let Some(measure) = self.measures.iter().find(is_it) else {
            let names = self.measures.iter().map(|measure| measure.name.as_str());
            let help = suggest(&name.entity, names);
            return fault(format!("there is no measure \"{}\"", name.entity), help);
        };
        let known = all(measure);
        if known.contains(&name.metric) {
            return None;
        }
        let help = suggest(&name.metric, known.iter().map(String::as_str));
        let message = format!("\"{}\" has no {noun} \"{}\"", name.entity, name.metric);
        fault(message, help)
    }
}
