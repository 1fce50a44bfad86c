//! Lines of analytic models beside the points of a study.

use pacesim_analytic::catalogue::{self, Model};
use pacesim_language::tree::{Item, Toml};
use pacesim_study::{NumberName, Plot, Study, TheoryKeys};

use super::samples::Samples;

/// The beginnings of names of numbers, which other settings do not have.
const MEASURED: [&str; 3] = ["flows.", "link.", "measure."];

/// The measured numbers that a figure's models take as parameters.
pub(super) fn measured(plot: &Plot) -> impl Iterator<Item = NumberName> + '_ {
    let settings = plot.theory().iter().flat_map(|theory| &theory.set);
    settings.filter_map(|(_, item)| name(item))
}

/// The number that a setting names.
fn name(item: &Item) -> Option<NumberName> {
    let text = item.text()?;
    let is_measured = MEASURED.iter().any(|start| text.starts_with(start));
    text.parse().ok().filter(|_| is_measured)
}

/// What is wrong with a figure's models, each with the path of its key: message and help.
pub(super) fn mistakes(study: &Study, plot: &Plot) -> Vec<(String, String, String)> {
    let mut mistakes = Vec::new();
    for (i, theory) in plot.theory().iter().enumerate() {
        let path = format!("{}.theory[{i}]", plot.path);
        let model = match catalogue::model(&theory.model) {
            Ok(model) => model,
            Err(error) => {
                let help = "`pacesim solve` lists the models".to_owned();
                mistakes.push((format!("{path}.model"), error.to_string(), help));
                continue;
            }
        };
        for (param, _) in &theory.set {
            if !model.params.iter().any(|known| known.name == param) {
                let known: Vec<&str> = model.params.iter().map(|param| param.name).collect();
                let message = format!("{} has no parameter \"{param}\"", model.name);
                let help = format!("it has {}", known.join(", "));
                mistakes.push((format!("{path}.set.{param}"), message, help));
            }
        }
        if let Ok(solution) = catalogue::solve(model.name, &[])
            && solution.value(&theory.y).is_none()
        {
            let known: Vec<&str> = solution.scalars.iter().map(|s| s.name.as_str()).collect();
            let message = format!("{} has no result \"{}\"", model.name, theory.y);
            let help = format!("it has {}", known.join(", "));
            mistakes.push((format!("{path}.y"), message, help));
        }
        if mistakes.is_empty()
            && measured(plot).next().is_none()
            && let Some(first) = study.points().next()
            && let Err(message) = solve(study, &Samples::default(), theory, model, first)
        {
            let help = format!("`pacesim solve {}` shows what it takes", model.name);
            mistakes.push((format!("{path}.set"), message, help));
        }
    }
    mistakes
}

/// The result of a model at a point; `None` if it has none there.
pub(super) fn value(
    study: &Study,
    samples: &Samples,
    theory: &TheoryKeys,
    point: u64,
) -> Option<f64> {
    let model = catalogue::model(&theory.model).ok()?;
    let result = solve(study, samples, theory, model, point).ok()?;
    result.map(|number| number * theory.times)
}

fn solve(
    study: &Study,
    samples: &Samples,
    theory: &TheoryKeys,
    model: &Model,
    point: u64,
) -> Result<Option<f64>, String> {
    let mut given = Vec::new();
    for (param, item) in &theory.set {
        let Some(texts) = texts(study, samples, item, point) else {
            return Ok(None);
        };
        // The first of its texts that the parameter can be: with its unit, or as a number.
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
    Ok(solution.value(&theory.y))
}

/// What a setting may be written as at a point: an axis's value, a measured mean, a constant.
fn texts(study: &Study, samples: &Samples, item: &Item, point: u64) -> Option<Vec<String>> {
    if let Some(name) = name(item) {
        return Some(measured_texts(&name.metric, samples.mean(&name, point)?));
    }
    let axis = item.text();
    let axis = axis.and_then(|name| study.axes.iter().position(|axis| axis.name == name));
    let Some(axis) = axis else {
        return Some(vec![match &item.value {
            Toml::Text(text) => text.clone(),
            value => value.to_string(),
        }]);
    };
    let value = study.point(point)?.values[axis];
    let number = value.number.map(|number| number.to_string());
    Some([value.text.clone()].into_iter().chain(number).collect())
}

/// A measured number as a parameter may take it: plain, or with the unit of its metric.
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
