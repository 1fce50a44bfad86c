//! A claim about a study's numbers, its axes and numbers resolved.

use pacesim_language::problem::Faults;
use pacesim_language::tree::{Item, Toml};

use crate::axis::text;
use crate::keys::{Course, ExpectKeys, Slope};
use crate::name::NumberName;
use crate::plot::{number, one_value_each};
use crate::selection::{Selection, axis, selection, value};
use crate::study::Study;

/// A claim.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// Where it is declared, for what else is wrong with it.
    pub path: String,
    /// In words.
    pub claim: String,
    /// The number that it is about.
    pub y: NumberName,
    /// The number by which it is divided, run by run.
    pub per: Option<NumberName>,
    /// Where.
    pub at: Selection,
    /// Compared with what.
    pub against: Against,
    /// The axis along which the slope is claimed instead of the number.
    pub slope: Option<(usize, Slope)>,
    /// What the number, the ratio or the difference is multiplied by.
    pub times: f64,
    /// What is claimed of it.
    pub claimed: Claimed,
    /// What the paper says.
    pub paper: Option<Paper>,
    /// What ns-2 gives.
    pub ns2: Option<f64>,
    /// Why it differs, as far as is known.
    pub because: String,
    /// The least share of the full length at which it is judged.
    pub scale: f64,
}

/// What a number is compared with, replication by replication.
#[derive(Clone, Debug, PartialEq)]
pub enum Against {
    /// With nothing: the number itself.
    Nothing,
    /// Its ratio to the number where some axes have other values.
    Over(Selection),
    /// Its difference from that number.
    Minus(Selection),
}

/// What is claimed.
#[derive(Clone, Debug, PartialEq)]
pub enum Claimed {
    /// The number lies between these.
    Between {
        /// The least, if there is one.
        least: Option<f64>,
        /// The greatest, if there is one.
        most: Option<f64>,
    },
    /// The number is this one, but for a share of it.
    About {
        /// The number.
        number: f64,
        /// The share.
        within: f64,
    },
    /// Along this axis the number takes this course.
    Course(usize, Course),
    /// Along this axis the number is least at this value.
    LeastAt(usize, usize),
    /// Along this axis the number is greatest at this value.
    GreatestAt(usize, usize),
}

/// What a paper says.
#[derive(Clone, Debug, PartialEq)]
pub enum Paper {
    /// A number.
    Number(f64),
    /// Words.
    Words(String),
}

impl Expectation {
    /// The claim that is declared at `path`, if it can be judged.
    pub(crate) fn of(
        study: &Study,
        path: String,
        keys: &ExpectKeys,
        faults: &mut Faults,
    ) -> Option<Expectation> {
        let axes = &study.axes;
        let before = faults.list.len();
        let y = number(&keys.y, &format!("{path}.y"), faults);
        let per = keys.per.as_ref();
        let per = per.and_then(|per| number(per, &format!("{path}.per"), faults));
        let mut select = |entries: &[(String, Item)], key: &str| {
            let path = format!("{path}.{key}");
            let selected = selection(axes, entries, &path, faults);
            one_value_each(&selected, axes, &path, faults);
            selected
        };
        let at = select(&keys.at, "at");
        let against = match (select(&keys.over, "over"), select(&keys.minus, "minus")) {
            (over, minus) if over.is_empty() && minus.is_empty() => Against::Nothing,
            (over, minus) if minus.is_empty() => Against::Over(over),
            (over, minus) if over.is_empty() => Against::Minus(minus),
            _ => {
                let help = "keep one of them";
                faults
                    .add(path.clone(), "over and minus exclude each other")
                    .help(help);
                Against::Nothing
            }
        };
        let slope = slope(study, &path, keys, faults);
        let claimed = claimed(study, &path, keys, faults);
        let expectation = Expectation {
            claim: keys.claim.clone(),
            y: y?,
            per,
            at,
            against,
            slope,
            times: keys.times,
            claimed: claimed?,
            paper: keys.paper.as_ref().map(paper),
            ns2: keys.ns2,
            because: keys.because.clone(),
            scale: keys.scale,
            path,
        };
        if faults.list.len() == before {
            expectation.one_point(study, faults);
        }
        (faults.list.len() == before).then_some(expectation)
    }

    /// The axis along which it goes, if it is not about one point.
    pub fn along(&self) -> Option<usize> {
        match self.claimed {
            Claimed::Course(axis, _) | Claimed::LeastAt(axis, _) | Claimed::GreatestAt(axis, _) => {
                Some(axis)
            }
            _ => self.slope.map(|(axis, _)| axis),
        }
    }

    /// It speaks of one point, or of one for each value along an axis.
    fn one_point(&self, study: &Study, faults: &mut Faults) {
        let along = self.along();
        for (i, axis) in study.axes.iter().enumerate() {
            let fixed = self.at.iter().map(|(axis, _)| *axis);
            let is_fixed = fixed
                .chain(along)
                .any(|fixed| study.vary_together(fixed, i));
            // A claim about a search is about what was found.
            if !is_fixed && axis.values.len() > 1 && !study.searches(i) {
                let name = &axis.name;
                let message = format!("it is not said at which \"{name}\"");
                let help = format!("write at = {{ {name} = \"{}\" }}", axis.values[0].text);
                faults.add(self.path.clone(), message).help(help);
            }
        }
    }
}

/// The slope that is claimed, along an axis of numbers.
fn slope(
    study: &Study,
    path: &str,
    keys: &ExpectKeys,
    faults: &mut Faults,
) -> Option<(usize, Slope)> {
    let slope = keys.slope?;
    let name = keys.along.as_ref()?;
    let place = study.axes.iter().position(|axis| axis.name == *name)?;
    if study.axes[place]
        .values
        .iter()
        .any(|value| value.number.is_none())
    {
        let message = format!("the values of \"{name}\" are not all numbers of one unit");
        let help = "a slope is along an axis of numbers";
        faults.add(format!("{path}.along"), message).help(help);
    }
    Some((place, slope))
}

/// The one thing that is claimed.
fn claimed(study: &Study, path: &str, keys: &ExpectKeys, faults: &mut Faults) -> Option<Claimed> {
    let along = keys
        .along
        .as_ref()
        .and_then(|name| axis(&study.axes, name, &format!("{path}.along"), faults));
    let mut place = |item: &Option<Item>, key: &str| {
        let (item, axis) = (item.as_ref()?, along?);
        let path = format!("{path}.{key}");
        Some((axis, value(&study.axes[axis], item, &path, faults)?))
    };
    let least = place(&keys.least_at, "least_at");
    let greatest = place(&keys.greatest_at, "greatest_at");
    let bounded = keys.at_least.is_some() || keys.at_most.is_some();
    let given = [
        ("at_least or at_most", bounded),
        ("about", keys.about.is_some()),
        ("course", keys.course.is_some()),
        ("least_at", keys.least_at.is_some()),
        ("greatest_at", keys.greatest_at.is_some()),
    ];
    let names: Vec<&str> = given
        .iter()
        .filter(|given| given.1)
        .map(|given| given.0)
        .collect();
    const HELP: &str =
        "give at_least, at_most, about, or along with course, least_at or greatest_at";
    match names[..] {
        [_] => (),
        [] => {
            faults.add(path, "nothing is claimed").help(HELP);
        }
        _ => {
            let message = format!("{} are claims of their own", names.join(" and "));
            faults
                .add(path, message)
                .help("write an [[expect]] for each");
        }
    }
    let takes_course =
        keys.course.is_some() || keys.least_at.is_some() || keys.greatest_at.is_some();
    let has_slope = keys.slope.is_some();
    if (takes_course || has_slope) != keys.along.is_some() {
        let message = "along goes with slope, course, least_at or greatest_at";
        faults.add(path, message).help(HELP);
    } else if takes_course && has_slope {
        let message = "a slope has neither a course nor an extreme";
        let help = "claim at_least, at_most or about of the slope";
        faults.add(path, message).help(help);
    }
    if let Some(number) = keys.about {
        return Some(Claimed::About {
            number,
            within: keys.within,
        });
    }
    if bounded {
        return Some(Claimed::Between {
            least: keys.at_least,
            most: keys.at_most,
        });
    }
    let least = least.map(|(axis, value)| Claimed::LeastAt(axis, value));
    let greatest = greatest.map(|(axis, value)| Claimed::GreatestAt(axis, value));
    let course = keys
        .course
        .and_then(|course| Some(Claimed::Course(along?, course)));
    least.or(greatest).or(course)
}

fn paper(item: &Item) -> Paper {
    match &item.value {
        value @ (Toml::Integer(_) | Toml::Float(_)) => Paper::Number(value.number()),
        value => Paper::Words(text(value)),
    }
}
