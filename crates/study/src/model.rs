//! The models of a study, and the axes that they take as parameters.

use pacesim_language::problem::Faults;

use crate::keys::{ModelKeys, StudyKeys};

/// An analytic model whose results are numbers of the study.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// Path of the model's declaration, for errors found later.
    pub path: String,
    /// Keys of the model's table.
    pub keys: ModelKeys,
}

/// The models, each with a name of its own.
pub(crate) fn models(all: &[ModelKeys], known: &Faults, faults: &mut Faults) -> Vec<Model> {
    let mut sound: Vec<Model> = Vec::new();
    for (i, keys) in all.iter().enumerate() {
        let path = format!("model[{i}]");
        if known.touch(&path) {
            continue;
        }
        if sound.iter().any(|other| other.keys.name == keys.name) {
            let message = format!("there is another model \"{}\"", keys.name);
            let help = "choose another name; its numbers are called so";
            faults.add(format!("{path}.name"), message).help(help);
        }
        let keys = keys.clone();
        sound.push(Model { path, keys });
    }
    sound
}

/// True if an axis is a parameter of a model, here or in a figure.
pub(crate) fn takes(keys: &StudyKeys, axis: &str) -> bool {
    let in_figures = keys.plots.iter().flat_map(|plot| &plot.theory);
    let in_figures = in_figures.flat_map(|theory| &theory.set);
    let settings = keys.models.iter().flat_map(|model| &model.set);
    settings
        .chain(in_figures)
        .any(|(_, value)| value.text() == Some(axis))
}
