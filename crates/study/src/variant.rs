//! Variants of a study: an axis after all others, with the study as stated first.

use pacesim_language::document::Document;
use pacesim_language::problem::Faults;

use crate::axis::{Axis, AxisValue, changes};
use crate::grid::Grid;
use crate::keys::{StudyKeys, VariantKeys};
use crate::once::Identities;
use crate::selection::{Selection, is_open, selection};
use crate::study::Study;

/// The name of the axis, and of its column in the tables.
pub(crate) const VARIANT: &str = "variant";

/// Name of the study without a variant.
const AS_STATED: &str = "as stated";

/// Adds the axis of the variants after the others, if there are any; its points come last.
pub(crate) fn add(
    document: &Document,
    identities: &Identities<'_>,
    keys: &StudyKeys,
    axes: &mut Vec<Axis>,
    grid: &mut Grid,
    faults: &mut Faults,
) {
    if keys.variants.is_empty() || faults.touch(VARIANT) {
        return;
    }
    reject_mistakes(keys, faults);
    let place = axes.len();
    let selected = keys.variants.iter().enumerate();
    let selected = selected.map(|(i, variant)| points(axes, i, variant, faults));
    let selected: Vec<Selection> = selected.collect();
    identities.of_variants(axes, &selected, keys, faults);
    axes.push(axis(document, &keys.variants));
    grid.push_slowest(axes[place].values.len());
    for (i, selection) in selected.iter().enumerate() {
        // Points that are not selected are left out, axis by axis.
        for (axis, values) in selection.iter().filter(|_| !is_open(axes, selection)) {
            let all = 0..axes[*axis].values.len();
            let others = all.filter(|value| !values.contains(value)).collect();
            grid.except(vec![(place, vec![i + 1]), (*axis, others)]);
        }
    }
}

/// The points of one variant.
fn points(axes: &[Axis], i: usize, variant: &VariantKeys, faults: &mut Faults) -> Selection {
    selection(axes, &variant.at, &format!("variant[{i}].at"), faults)
}

fn axis(document: &Document, variants: &[VariantKeys]) -> Axis {
    let stated = AxisValue::named(AS_STATED, Vec::new());
    let variants = variants.iter().enumerate().map(|(i, variant)| {
        let at = format!("variant[{i}].set");
        AxisValue::named(&variant.name, changes(document, &at, &variant.set))
    });
    Axis::named(VARIANT, [stated].into_iter().chain(variants).collect())
}

/// Rejects repeated names, and variants of a search.
fn reject_mistakes(keys: &StudyKeys, faults: &mut Faults) {
    if keys.tune.is_some() {
        let help = "make the variant an axis that is not searched";
        faults.add(VARIANT, "a search has no variants").help(help);
    }
    if keys.sweep.axes.iter().any(|axis| axis.name == VARIANT) {
        let help = "call the axis something else";
        let message = "variants are an axis \"variant\", and there is one already";
        faults.add(VARIANT, message).help(help);
    }
    for (i, variant) in keys.variants.iter().enumerate() {
        let is_taken = keys.variants[..i]
            .iter()
            .any(|other| other.name == variant.name);
        if is_taken {
            let message = format!("there is another variant \"{}\"", variant.name);
            let help = "choose another name";
            faults.add(format!("variant[{i}].name"), message).help(help);
        }
    }
}

impl Study {
    /// The axis of the variants, if there are any.
    pub fn variant_axis(&self) -> Option<usize> {
        let last = self.axes.len().checked_sub(1)?;
        (self.has_variants && self.axes[last].name == VARIANT).then_some(last)
    }

    /// The variants: their places on their axis, and their names.
    pub fn variants(&self) -> impl Iterator<Item = (usize, &str)> {
        let axis = self.variant_axis().map(|axis| &self.axes[axis]);
        let values = axis
            .into_iter()
            .flat_map(|axis| axis.values.iter().enumerate());
        values
            .skip(1)
            .map(|(place, value)| (place, value.text.as_str()))
    }

    /// The selection for the study as stated, unless it names variants itself.
    pub(crate) fn as_stated(&self, selected: Selection) -> Selection {
        let axis = self.variant_axis();
        let axis = axis.filter(|axis| selected.iter().all(|(known, _)| known != axis));
        let stated = axis.map(|axis| (axis, vec![0]));
        selected.into_iter().chain(stated).collect()
    }
}
