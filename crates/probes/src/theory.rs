//! Analytic models at the points of a study: lines in its figures, and numbers of their own.

use pacesim_analytic::catalogue::{self, Solution};
use pacesim_language::tree::{Item, Toml};
use pacesim_study::{Model, NumberName, Study, TheoryKeys};

/// The entity of the results of models.
pub const OF: &str = "model";

/// The prefixes of names of measured numbers, which no other settings have.
const MEASURED: [&str; 4] = ["flows.", "link.", "fec.", "measure."];

/// A model, and the settings of its parameters.
#[derive(Clone, Copy, Debug)]
pub struct Solved<'a> {
    model: &'a str,
    set: &'a [(String, Item)],
    /// The result that a figure draws.
    drawn: Option<&'a str>,
}

/// All models that a study solves, each with its path.
pub fn all(study: &Study) -> Vec<(String, Solved<'_>)> {
    let of_plots = study.plots.iter().flat_map(|plot| {
        let theory = plot.theory().iter().enumerate();
        theory.map(move |(i, keys)| (format!("{}.theory[{i}]", plot.path), Solved::drawn(keys)))
    });
    let own = study.models.iter();
    let own = own.map(|model| (model.path.clone(), Solved::of(model)));
    of_plots.chain(own).collect()
}

/// The number that a setting names.
fn name(item: &Item) -> Option<NumberName> {
    let text = item.text()?;
    let is_measured = MEASURED.iter().any(|start| text.starts_with(start));
    pacesim_study::named(text).ok().filter(|_| is_measured)
}

impl<'a> Solved<'a> {
    /// A model whose results are numbers of a study.
    pub fn of(model: &'a Model) -> Solved<'a> {
        Solved {
            model: &model.keys.model,
            set: &model.keys.set,
            drawn: None,
        }
    }

    /// A line of a figure.
    pub fn drawn(keys: &'a TheoryKeys) -> Solved<'a> {
        Solved {
            model: &keys.model,
            set: &keys.set,
            drawn: Some(&keys.y),
        }
    }

    /// The measured numbers among its parameters.
    pub fn measured(self) -> impl Iterator<Item = NumberName> + 'a {
        self.set.iter().filter_map(|(_, item)| name(item))
    }

    /// Its mistakes, each with the path of its key, message and help.
    pub fn mistakes(self, study: &Study, path: &str) -> Vec<(String, String, String)> {
        let mut mistakes = Vec::new();
        let model = match catalogue::model(self.model) {
            Ok(model) => model,
            Err(error) => {
                let help = "`pacesim solve` lists the models".to_owned();
                return vec![(format!("{path}.model"), error.to_string(), help)];
            }
        };
        for (param, _) in self.set {
            if !model.params.iter().any(|known| known.name == param) {
                let known: Vec<&str> = model.params.iter().map(|param| param.name).collect();
                let message = format!("{} has no parameter \"{param}\"", model.name);
                let help = format!("it has {}", known.join(", "));
                mistakes.push((format!("{path}.set.{param}"), message, help));
            }
        }
        if let Some((message, help)) = self.drawn.and_then(|result| self.lacks(result)) {
            mistakes.push((format!("{path}.y"), message, help));
        }
        if mistakes.is_empty()
            && self.measured().next().is_none()
            && let Some(first) = study.points().next()
            && let Err(message) = self.at(study, first, |_| None)
        {
            let help = format!("`pacesim solve {}` shows its parameters", model.name);
            mistakes.push((format!("{path}.set"), message, help));
        }
        mistakes
    }

    /// Message and help, if the model is known and has no such result.
    pub fn lacks(self, result: &str) -> Option<(String, String)> {
        let solution = catalogue::solve(self.model, &[]).ok()?;
        if solution.value(result).is_some() {
            return None;
        }
        let known: Vec<&str> = solution.scalars.iter().map(|s| s.name.as_str()).collect();
        let message = format!("{} has no result \"{result}\"", self.model);
        Some((message, format!("it has {}", known.join(", "))))
    }

    /// The model solved at a point, with measured numbers given by `number`; `None` if that does
    /// not know one.
    pub fn at(
        self,
        study: &Study,
        point: u64,
        number: impl Fn(&NumberName) -> Option<f64>,
    ) -> Result<Option<Solution>, String> {
        let model = catalogue::model(self.model).map_err(|error| error.to_string())?;
        let mut given = Vec::new();
        for (param, item) in self.set {
            let texts = match name(item) {
                Some(name) => number(&name).map(|number| measured_texts(&name.metric, number)),
                None => texts(study, item, point),
            };
            let Some(texts) = texts else {
                return Ok(None);
            };
            // The first notation that the parameter accepts: with its unit, or as a plain number.
            let fits = |text: &&String| model.values(&[(param.as_str(), text.as_str())]).is_ok();
            let text = texts.iter().find(fits).unwrap_or(&texts[0]);
            given.push((param.as_str(), text.clone()));
        }
        let given: Vec<(&str, &str)> = given
            .iter()
            .map(|(name, text)| (*name, text.as_str()))
            .collect();
        let values = model.values(&given).map_err(|error| error.to_string())?;
        let solution = model.solve(&values).map_err(|error| error.to_string())?;
        Ok(Some(solution))
    }
}

/// The notations of a setting at a point: of an axis, or of a constant.
fn texts(study: &Study, item: &Item, point: u64) -> Option<Vec<String>> {
    let axis = item.text();
    let axis = axis.and_then(|name| study.axes.iter().position(|axis| axis.name == name));
    let Some(axis) = axis else {
        return Some(vec![match &item.value {
            Toml::Text(text) => text.clone(),
            value => value.to_string(),
        }]);
    };
    let value = &study.point(point)?.values[axis];
    let text = value.resolved.as_ref().unwrap_or(&value.text).clone();
    let number = value.number.map(|number| number.to_string());
    Some([text].into_iter().chain(number).collect())
}

/// A measured number in notations that a parameter may accept: plain, or with the unit of its
/// metric.
fn measured_texts(metric: &str, number: f64) -> Vec<String> {
    let unit = metric.rsplit('_').next().unwrap_or_default();
    let with_unit = match unit {
        "s" => Some(format!("{number}s")),
        "bps" => Some(format!("{}bps", number.round())),
        "bytes" => Some(format!("{}B", number.round())),
        _ => None,
    };
    [number.to_string()].into_iter().chain(with_unit).collect()
}
