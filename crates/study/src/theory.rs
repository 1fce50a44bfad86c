//! Units between a study's numbers and the models of theory beside them.

use pacesim_language::expression::Unit;

use crate::gauge::{Gauge, Refusal};
use crate::keys::TheoryKeys;
use crate::name::NumberName;
use crate::plot::Plot;
use crate::reading::times::Times;
use crate::study::Study;

impl Plot {
    /// The factor by which a model's result is drawn at a point, or message and help if the product
    /// is not in the unit of what the figure draws.
    pub fn theory_factor(
        &self,
        study: &Study,
        keys: &TheoryKeys,
        point: u64,
    ) -> Result<f64, Refusal> {
        let drawn = self.gauge();
        let result = Gauge::of(&NumberName::new("model", &keys.model, &keys.y));
        let times = match &keys.times {
            None => None,
            Some(item) => match Times::at(study, point, item)? {
                None => return Ok(1.0),
                times => times,
            },
        };
        let product = match times {
            None => Some((result, 1.0)),
            Some(times) => times.on(result),
        };
        let product = product.filter(|(product, _)| product.unit == drawn.unit);
        let Some((product, factor)) = product else {
            return Err(apart(keys, result, drawn));
        };
        match times {
            Some(times) if times.converts(result) => Err(times.by_hand(result)),
            _ => Ok(factor * (product.size / drawn.size)),
        }
    }
}

fn apart(keys: &TheoryKeys, result: Gauge, drawn: Gauge) -> Refusal {
    let (found, expected) = (result.describe(), drawn.describe());
    let message = match keys.times {
        None => format!("{} is {found}, and the figure draws {expected}", keys.y),
        Some(_) => format!(
            "{} is {found}, and this factor does not make it {expected}",
            keys.y
        ),
    };
    let help = "give the factor between them with its unit, such as times = \"= 1 / rate(LINK)\", \"= 1pkts / 1500B\" or \"10Mbps\"";
    (message, help.to_owned())
}

/// A number as a parameter of a model states it: with the unit that the number's name tells, or
/// plain for packets and shares. `None` for units that no parameter has.
pub fn as_parameter(name: &NumberName, number: f64) -> Option<String> {
    let gauge = Gauge::of(name);
    let whole = |number: f64| number.round();
    match gauge.unit {
        Unit::SECOND => Some(format!("{}s", number * gauge.size)),
        Unit::BIT_PER_SECOND => Some(format!("{}bps", whole(number * gauge.size))),
        Unit::BIT => Some(format!("{}B", whole(number * gauge.size / 8.0))),
        Unit::ONE | Unit::PACKET => Some(number.to_string()),
        _ => None,
    }
}
