//! Faults of values that may be drawn: an illegal value, a distribution that does not exist, or one
//! without a legal value.

use pacesim_keys::{Scenario, Unit, Value};
use pacesim_language::problem::Faults;
use pacesim_model::Distribution;
use pacesim_model::range::Range;

use super::{Each, Visitor, share_above, share_below, visit};

/// Reports every impossible value and distribution.
pub(crate) fn check(scenario: &Scenario, faults: &mut Faults) {
    visit(scenario, &mut Check(faults));
}

struct Check<'f>(&'f mut Faults);

impl Visitor for Check<'_> {
    fn visit<T: Unit>(&mut self, path: String, value: &Value<T>, range: Range<T>, each: Each) {
        let wrong = match value {
            Value::Constant(value) => illegal(*value, range),
            Value::Drawn(distribution) => impossible::<T>(distribution)
                .or_else(|| endless_packets::<T>(distribution, each))
                .or_else(|| wholly_outside(distribution, range)),
        };
        if let Some((message, help)) = wrong {
            self.0.add(path, message).help(help);
        }
    }
}

/// The message and the remedy of a mistake, if there is one.
type Wrong = Option<(String, String)>;

fn illegal<T: Unit>(value: T, range: Range<T>) -> Wrong {
    let what = if value < range.least {
        "little"
    } else {
        "much"
    };
    (!range.contains(value)).then(|| (format!("{value} is too {what}"), accepted(range)))
}

fn accepted<T: Unit>(range: Range<T>) -> String {
    format!("give \"{}\" to \"{}\"", range.least, range.most)
}

fn impossible<T: Unit>(distribution: &Distribution) -> Wrong {
    let text = T::text_of;
    match *distribution {
        Distribution::Mixture { ref parts } if parts.is_empty() => {
            let help = "give a weight and a value for each part";
            return Some(("a mixture of nothing".to_owned(), help.to_owned()));
        }
        Distribution::Mixture { ref parts } => {
            let wrong = |part: &(f64, Distribution)| impossible::<T>(&part.1);
            if let Some(wrong) = parts.iter().find_map(wrong) {
                return Some(wrong);
            }
        }
        Distribution::Uniform { low, high } if low > high => {
            let (low, high) = (text(low), text(high));
            let message = format!("the low end {low} is above the high end {high}");
            return Some((message, "give the low end first".to_owned()));
        }
        Distribution::Pareto {
            mean,
            max: Some(max),
            ..
        } if mean >= max => {
            let (mean, max) = (text(mean), text(max));
            let message = format!("the mean {mean} is not below the greatest value {max}");
            return Some((message, "give a larger max or a smaller mean".to_owned()));
        }
        _ => {}
    }
    let error = distribution.sampler().err()?;
    let help = "pareto needs a shape above 1, or a max; means and weights are above zero, deviations not below";
    Some((
        format!("this distribution is impossible: {error}"),
        help.to_owned(),
    ))
}

/// One packet of an unlimited tail occupies a line for seconds.
fn endless_packets<T: Unit>(distribution: &Distribution, each: Each) -> Wrong {
    match *distribution {
        Distribution::Mixture { ref parts } => parts
            .iter()
            .find_map(|part| endless_packets::<T>(&part.1, each)),
        Distribution::Pareto {
            mean,
            shape,
            max: None,
        } if each == Each::Packet => {
            let message = "the tail of this Pareto has no end, but packets have a largest size";
            let mean = T::text_of(mean);
            let help = format!(
                "say it with max, as in {{ pareto = {{ mean = \"{mean}\", shape = {shape:?}, max = \"9000B\" }} }}"
            );
            Some((message.to_owned(), help))
        }
        _ => None,
    }
}

fn wholly_outside<T: Unit>(distribution: &Distribution, range: Range<T>) -> Wrong {
    let sampler = distribution.sampler().ok()?;
    let message = if share_below(&sampler, range.least) >= 1.0 {
        format!("all values of this distribution are below {}", range.least)
    } else if share_above(&sampler, range.most) >= 1.0 {
        format!("all values of this distribution are above {}", range.most)
    } else {
        return None;
    };
    Some((message, format!("{} some chance", accepted(range))))
}
