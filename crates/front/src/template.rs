//! Templates by name.

use pacesim_lab::{Template, templates};

/// The template of this name, or a sentence with the existing names.
pub fn template(name: &str) -> Result<Template, String> {
    let mut templates = templates();
    match templates.iter().position(|template| template.name == name) {
        Some(place) => Ok(templates.swap_remove(place)),
        None => Err(unknown(name, &templates)),
    }
}

fn unknown(name: &str, templates: &[Template]) -> String {
    let names: Vec<&str> = templates.iter().map(|template| template.name).collect();
    let likeness = |known: &&str| strsim::jaro_winkler(name, known);
    let nearest = names
        .iter()
        .copied()
        .max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    let list = names.join(", ");
    match nearest.filter(|known| likeness(known) > 0.7) {
        Some(nearest) => {
            format!("no template \"{name}\"; did you mean \"{nearest}\"? There are {list}")
        }
        None => format!("no template \"{name}\"; there are {list}"),
    }
}
