//! Analytic models at the points of a study: lines in its figures, and numbers of their own.

use pacesim_analytic::SolveError;
use pacesim_analytic::catalogue::{self, Solution};
use pacesim_language::tree::{Item, Toml};
use pacesim_study::{
    Because, Model, ModelReason, NumberName, Plot, Study, TheoryKeys, as_parameter,
};

/// The entity of the results of models.
pub const OF: &str = "model";

/// The prefixes of names of measured numbers, which no other settings have.
const MEASURED: [&str; 4] = ["flows.", "link.", "fec.", "measure."];

/// A model, and the settings of its parameters.
#[derive(Clone, Copy, Debug)]
pub struct Solved<'a> {
    model: &'a str,
    set: &'a [(String, Item)],
    /// The line of a figure that it is.
    drawn: Option<(&'a Plot, &'a TheoryKeys)>,
    /// The result that it is solved for, if no figure draws it.
    wanted: Option<&'a str>,
}

/// A mistake: the path of its key, message and help.
type Mistake = (String, String, String);

/// All models that a study solves, each with its path.
pub fn all(study: &Study) -> Vec<(String, Solved<'_>)> {
    let of_plots = study.plots.iter().flat_map(|plot| {
        let theory = plot.theory().iter().enumerate();
        theory.map(move |(i, keys)| {
            (
                format!("{}.theory[{i}]", plot.path),
                Solved::drawn(plot, keys),
            )
        })
    });
    let own = study.models.iter();
    let own = own.map(|model| (model.path.clone(), Solved::of(model)));
    let reasons = study
        .expectations
        .iter()
        .filter_map(|claim| match &claim.because {
            Some(Because::Model(reason)) => Some((reason.path.clone(), Solved::reason(reason))),
            _ => None,
        });
    of_plots.chain(own).chain(reasons).collect()
}

/// Name of the number that a setting refers to, if any.
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
            wanted: None,
        }
    }

    /// The model that explains why a claim differs.
    pub fn reason(reason: &'a ModelReason) -> Solved<'a> {
        Solved {
            model: &reason.model,
            set: &reason.set,
            drawn: None,
            wanted: Some(&reason.y),
        }
    }

    /// The model that a line of a figure shows.
    pub fn drawn(plot: &'a Plot, keys: &'a TheoryKeys) -> Solved<'a> {
        Solved {
            model: &keys.model,
            set: &keys.set,
            drawn: Some((plot, keys)),
            wanted: None,
        }
    }

    /// The measured numbers among the model's parameters.
    pub fn measured(self) -> impl Iterator<Item = NumberName> + 'a {
        self.set.iter().filter_map(|(_, item)| name(item))
    }

    /// Lists the mistakes of the settings.
    pub fn mistakes(self, study: &Study, path: &str) -> Vec<Mistake> {
        let model = match catalogue::model(self.model) {
            Ok(model) => model,
            Err(error) => {
                let help = "`pacesim solve` lists the models".to_owned();
                return vec![(format!("{path}.model"), error.to_string(), help)];
            }
        };
        let point = study.points().next();
        let mut mistakes: Vec<Mistake> = Vec::new();
        for (param, item) in self.set {
            let wrong = if !model.params.iter().any(|known| known.name == param) {
                let known: Vec<&str> = model.params.iter().map(|param| param.name).collect();
                let message = format!("{} has no parameter \"{param}\"", model.name);
                Some((message, format!("it has {}", known.join(", "))))
            } else {
                point.and_then(|point| misfit(study, model, (param, item), point))
            };
            mistakes.extend(
                wrong.map(|(message, help)| (format!("{path}.set.{param}"), message, help)),
            );
        }
        mistakes.extend(self.line_mistake(study, path, point));
        if mistakes.is_empty()
            && self.measured().next().is_none()
            && let Some(point) = point
            && let Err(message) = self.at(study, point, |_| None)
        {
            let help = format!("`pacesim solve {}` shows its parameters", model.name);
            mistakes.push((format!("{path}.set"), message, help));
        }
        mistakes
    }

    /// The mistake of a line in a figure or of a reason, if it is one: a result that the model lacks, or
    /// of another unit than what is drawn.
    fn line_mistake(self, study: &Study, path: &str, point: Option<u64>) -> Option<Mistake> {
        if let Some(result) = self.wanted {
            let (message, help) = self.lacks(result)?;
            return Some((format!("{path}.y"), message, help));
        }
        let (plot, keys) = self.drawn?;
        if let Some((message, help)) = self.lacks(&keys.y) {
            return Some((format!("{path}.y"), message, help));
        }
        let (message, help) = plot.theory_factor(study, keys, point?).err()?;
        Some((format!("{path}.times"), message, help))
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
            let text = match name(item) {
                Some(name) => number(&name).and_then(|number| as_parameter(&name, number)),
                None => texts(study, item, point).map(|texts| fitting(model, param, texts)),
            };
            let Some(text) = text else {
                return Ok(None);
            };
            given.push((param.as_str(), text));
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

/// The notation that a parameter accepts: with the unit, or plain; otherwise the first, for its error.
fn fitting(model: &catalogue::Model, param: &str, texts: Vec<String>) -> String {
    let fits = |text: &&String| model.values(&[(param, text.as_str())]).is_ok();
    let fitting = texts.iter().find(fits).cloned();
    fitting.unwrap_or_else(|| texts.into_iter().next().unwrap_or_default())
}

/// Message and help for a setting of another kind than its parameter.
fn misfit(
    study: &Study,
    model: &catalogue::Model,
    (param, item): (&str, &Item),
    point: u64,
) -> Option<(String, String)> {
    let help = || format!("`pacesim solve {}` shows its parameters", model.name);
    let Some(name) = name(item) else {
        let text = fitting(model, param, texts(study, item, point)?);
        let error = model.values(&[(param, text.as_str())]).err()?;
        return Some((error.to_string(), help()));
    };
    // Its number is not known yet, but the unit is.
    let Some(text) = as_parameter(&name, 1.0) else {
        return Some((format!("no parameter is in the unit of \"{name}\""), help()));
    };
    match model.values(&[(param, text.as_str())]) {
        Err(SolveError::BadText { expected, .. }) => Some((
            format!("\"{name}\" does not fit: {param} {expected}"),
            help(),
        )),
        _ => None,
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
    // Packets are plain numbers to models; other units are never left out.
    let is_plain = matches!(study.axes[axis].unit, None | Some("pkts"));
    let value = &study.point(point)?.values[axis];
    let text = value.resolved.as_ref().unwrap_or(&value.text).clone();
    let number = value.number.filter(|_| is_plain);
    let number = number.map(|number| number.to_string());
    Some([text].into_iter().chain(number).collect())
}
