//! A figure of a study, its axes and numbers resolved.

use pacesim_language::problem::Faults;

use crate::axis::Axis;
use crate::keys::{PlotKeys, PrintedKeys, TheoryKeys};
use crate::name::NumberName;
use crate::selection::{Selection, axis, selection};
use crate::study::Study;

/// A figure of a study: a number against one axis, at some of its points.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// Where it is declared, for what else is wrong with it.
    pub path: String,
    /// What its files are called.
    pub name: String,
    /// What stands above it.
    pub title: String,
    /// The axis across.
    pub x: usize,
    /// The number up.
    pub y: NumberName,
    /// The number by which it is divided.
    pub per: Option<NumberName>,
    /// The axis that makes the lines.
    pub lines: Option<usize>,
    /// The axis that makes the panels.
    pub panels: Option<usize>,
    /// Which points are drawn.
    pub only: Selection,
    /// The values of the baseline.
    pub relative_to: Selection,
    /// Labels, scales and what is drawn beside.
    pub keys: PlotKeys,
}

impl Plot {
    /// The lines of models.
    pub fn theory(&self) -> &[TheoryKeys] {
        &self.keys.theory
    }

    /// Points from elsewhere.
    pub fn printed(&self) -> &[PrintedKeys] {
        &self.keys.printed
    }

    /// The figure that is declared at `path`, if it can be drawn.
    pub(crate) fn of(
        study: &Study,
        path: String,
        keys: &PlotKeys,
        faults: &mut Faults,
    ) -> Option<Plot> {
        let axes = &study.axes;
        let before = faults.list.len();
        let x = axis(axes, &keys.x, &format!("{path}.x"), faults);
        let mut other = |name: &Option<String>, key: &str| {
            let name = name.as_ref()?;
            axis(axes, name, &format!("{path}.{key}"), faults)
        };
        let (lines, panels) = (other(&keys.lines, "lines"), other(&keys.panels, "panels"));
        let y = number(&keys.y, &format!("{path}.y"), faults);
        let per = keys.per.as_ref();
        let per = per.and_then(|per| number(per, &format!("{path}.per"), faults));
        let only = selection(axes, &keys.only, &format!("{path}.only"), faults);
        let relative_path = format!("{path}.relative_to");
        let relative_to = selection(axes, &keys.relative_to, &relative_path, faults);
        one_value_each(&relative_to, axes, &relative_path, faults);
        if faults.list.len() > before {
            return None;
        }
        let plot = Plot {
            name: keys.name.clone(),
            title: match keys.title.as_str() {
                "" => keys.name.clone(),
                title => title.to_owned(),
            },
            x: x?,
            y: y?,
            per,
            lines,
            panels,
            only,
            relative_to,
            keys: keys.clone(),
            path,
        };
        plot.every_axis_has_a_role(study, faults);
        (faults.list.len() == before).then_some(plot)
    }

    /// A point that is drawn is one place in the figure.
    fn every_axis_has_a_role(&self, study: &Study, faults: &mut Faults) {
        let fixed = self.only.iter().filter(|(_, values)| values.len() == 1);
        let fixed = fixed.map(|(axis, _)| *axis);
        let roles: Vec<usize> = [Some(self.x), self.lines, self.panels]
            .into_iter()
            .flatten()
            .chain(fixed)
            .collect();
        for (i, axis) in study.axes.iter().enumerate() {
            let has_role = roles.iter().any(|role| study.vary_together(*role, i));
            // What is drawn of a search stands where the best was found.
            if !has_role && axis.values.len() > 1 && !study.searches(i) {
                let name = &axis.name;
                let message =
                    format!("several points that differ in \"{name}\" would be at one place");
                let help = format!(
                    "draw one of its values, only = {{ {name} = \"{}\" }}, or give it lines or panels",
                    axis.values[0].text
                );
                faults.add(self.path.clone(), message).help(help);
            }
        }
    }
}

/// The name of a number.
pub(crate) fn number(text: &str, path: &str, faults: &mut Faults) -> Option<NumberName> {
    let name = text.parse::<NumberName>();
    if let Err(message) = &name {
        let help =
            "give OF.ENTITY.METRIC, like \"flows.f.goodput_bps\" or \"link.core.loss_ratio\"";
        faults.add(path, message.clone()).help(help);
    }
    name.ok()
}

/// A baseline is one point.
pub(crate) fn one_value_each(
    selection: &Selection,
    axes: &[Axis],
    path: &str,
    faults: &mut Faults,
) {
    for (axis, values) in selection {
        let path = format!("{path}.{}", axes[*axis].name);
        if values.len() != 1 && !faults.touch(&path) {
            faults
                .add(path, "more than one value")
                .help("give one of them");
        }
    }
}
