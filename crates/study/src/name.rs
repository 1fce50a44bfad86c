//! Names of numbers: the same in tables and stores, in figures and claims, and in comparisons of
//! results.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

/// The kind of entity of the name of a formula, whose entity is its text.
pub(crate) const FORMULA: &str = "formula";

/// The name of a number, OF.ENTITY.METRIC: "flows.f.goodput_bps", "link.core.back.loss_ratio".
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct NumberName {
    /// The kind of entity: "flows", "link", "fec", "run" or "measure".
    pub of: String,
    /// Name of the group, link, protection or measure.
    pub entity: String,
    /// Name of the metric, including its unit.
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

    /// True if the name is a formula.
    pub fn is_formula(&self) -> bool {
        self.of == FORMULA
    }

    /// True for this number or, if this is a pattern, for a number that fits it. A * within
    /// brackets stands for any name without dots or brackets, elsewhere for any name.
    pub fn stands_for(&self, other: &NumberName) -> bool {
        (&self.of, &self.metric) == (&other.of, &other.metric) && self.fits(&other.entity)
    }

    /// True if the name is a pattern.
    pub fn is_pattern(&self) -> bool {
        self.entity.contains('*') && !self.is_formula()
    }

    /// True if this is the entity, or a pattern that it fits.
    pub fn fits(&self, entity: &str) -> bool {
        let Some((before, after)) = self.entity.split_once('*') else {
            return self.entity == entity;
        };
        let rest = entity.strip_prefix(before);
        let star = rest.and_then(|rest| rest.strip_suffix(after));
        star.is_some_and(|star| before.is_empty() || !star.contains(['[', ']', '.']))
    }

    /// This name with `entity` in place of the entity `any`, if it has that one.
    pub(crate) fn of_one(&self, any: &str, entity: &str) -> NumberName {
        let entity = if self.entity == any {
            entity
        } else {
            &self.entity
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

/// Writes "link.core.loss_ratio", or a formula as it was written.
impl fmt::Display for NumberName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_formula() {
            return f.write_str(&self.entity);
        }
        write!(f, "{}.{}.{}", self.of, self.entity, self.metric)
    }
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
