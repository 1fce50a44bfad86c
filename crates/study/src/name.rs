//! Names of numbers: the same in tables and stores, in figures and claims, and in comparisons of
//! results.

use std::fmt;
use std::str::FromStr;

use pacesim_language::problem::Faults;
use serde::Serialize;

/// OF.ENTITY.METRIC: "flows.f.goodput_bps", "link.core.back.loss_ratio".
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct NumberName {
    /// The kind of entity: "flows", "link", "fec", "run" or "measure".
    pub of: String,
    /// Name of the group, link, protection or measure.
    pub entity: String,
    /// Metric, including its unit.
    pub metric: String,
}

impl NumberName {
    /// The name of this metric of this entity.
    pub fn new(of: &str, entity: &str, metric: &str) -> NumberName {
        NumberName {
            of: of.to_owned(),
            entity: entity.to_owned(),
            metric: metric.to_owned(),
        }
    }

    /// The name for this entity, if it is a name for `any`.
    pub(crate) fn of_one(&self, any: &str, entity: &str) -> NumberName {
        let entity = match self.entity == any {
            true => entity,
            false => &self.entity,
        };
        NumberName {
            entity: entity.to_owned(),
            ..self.clone()
        }
    }
}

impl FromStr for NumberName {
    type Err = String;

    fn from_str(text: &str) -> Result<NumberName, String> {
        let parts = text.split_once('.').and_then(|(of, rest)| {
            let (entity, metric) = rest.rsplit_once('.')?;
            (!of.is_empty() && !entity.is_empty() && !metric.is_empty()).then(|| NumberName {
                of: of.to_owned(),
                entity: entity.to_owned(),
                metric: metric.to_owned(),
            })
        });
        parts.ok_or_else(|| format!("\"{text}\" does not name a number"))
    }
}

impl fmt::Display for NumberName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.of, self.entity, self.metric)
    }
}

/// Parses the name of a number.
pub(crate) fn number(text: &str, path: &str, faults: &mut Faults) -> Option<NumberName> {
    let name = text.parse::<NumberName>();
    if let Err(message) = &name {
        let help =
            "give OF.ENTITY.METRIC, like \"flows.f.goodput_bps\" or \"link.core.loss_ratio\"";
        faults.add(path, message.clone()).help(help);
    }
    name.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_three_parts_and_entities_may_have_dots() {
        let name: NumberName = "link.core.back.loss_ratio".parse().expect("a name");
        assert_eq!(
            (name.of.as_str(), name.entity.as_str()),
            ("link", "core.back")
        );
        assert_eq!(name.to_string(), "link.core.back.loss_ratio");
        for wrong in ["loss_ratio", "link.loss_ratio", "link..loss", ""] {
            assert!(wrong.parse::<NumberName>().is_err(), "{wrong}");
        }
    }
}
