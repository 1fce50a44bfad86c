//! The identity of the number that a claim is about, apart from its judgement.

use std::fmt::Write;

use crate::expectation::{Against, Claimed, Expectation};
use crate::selection::Selection;
use crate::study::Study;

impl Expectation {
    /// True if the claim is about one number, which can be judged again by other bounds; the others,
    /// about a course, an extreme or several values at once, cannot without the runs.
    pub fn is_of_one_number(&self) -> bool {
        let is_course = matches!(
            self.claimed,
            Claimed::Course(..) | Claimed::LeastAt(..) | Claimed::GreatestAt(..)
        );
        !is_course && self.each.is_none()
    }

    /// The number in words: claims with the same text have the same number in the same runs, whatever
    /// they claim of it and in whatever words. The claimed property is a part of it only where a claim
    /// cannot be judged again.
    pub fn number_text(&self, study: &Study) -> String {
        let mut text = self.y.to_string();
        // Writing to a string cannot fail.
        if let Some(per) = &self.per {
            let _ = write!(text, " per {per}");
        }
        for name in &self.jain_with {
            let _ = write!(text, " and {name}");
        }
        let _ = write!(text, " at {}", named(study, &self.at));
        match &self.against {
            Against::Nothing => {}
            Against::Over(other) => {
                let _ = write!(text, " over {}", named(study, other));
            }
            Against::Minus(other) => {
                let _ = write!(text, " minus {}", named(study, other));
            }
        }
        if let Some(axis) = self.along() {
            let axis = &study.axes[axis];
            let stretch = self.stretch(axis);
            let ends = [stretch.start(), stretch.end()].map(|place| &axis.values[*place].text);
            let _ = write!(text, " along {} from {} to {}", axis.name, ends[0], ends[1]);
        }
        if let Some(line) = self.line {
            let _ = write!(text, " {:?} {:?}", line.of, line.scales);
        }
        if let Some(quantile) = self.quantile {
            let _ = write!(text, " quantile {quantile}");
        }
        let _ = write!(text, " times {} {}", self.times, self.unit.symbol());
        if !self.is_of_one_number() {
            let _ = write!(text, " claimed {}", self.claimed_text(study));
        }
        text
    }

    fn claimed_text(&self, study: &Study) -> String {
        let value = |axis: usize, place: usize| &study.axes[axis].values[place].text;
        match &self.claimed {
            Claimed::Course(_, course) => format!("{course:?}"),
            Claimed::LeastAt(axis, place) => format!("least at {}", value(*axis, *place)),
            Claimed::GreatestAt(axis, place) => format!("greatest at {}", value(*axis, *place)),
            Claimed::Measured { reference, within } => {
                format!("{} {within:?}", study.references[*reference].name)
            }
            _ => format!("{:?}", self.bounds(&study.references)),
        }
    }
}

/// A selection by the names of its axes, in their order.
fn named(study: &Study, selection: &Selection) -> String {
    let mut entries: Vec<_> = selection.iter().collect();
    entries.sort();
    let texts = entries.into_iter().map(|(axis, values)| {
        let axis = &study.axes[*axis];
        let values = values.iter().map(|place| axis.values[*place].text.as_str());
        format!(
            "{} = {}",
            axis.name,
            values.collect::<Vec<_>>().join(" or ")
        )
    });
    texts.collect::<Vec<_>>().join(", ")
}
