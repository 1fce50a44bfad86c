//! Formulas of known values: a key given by a formula is accepted, refused and understood exactly
//! as with the literal of its value, whatever keys stand beside it.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use pacesim::scenario::{Checked, Problem, Raw};
use serde_json::{Map, Value as Json, json};

use crate::attempt::guarded;
use crate::case::Maker;
use crate::dice::Dice;
use crate::files::Shelf;
use crate::leaves::{at, leaves};
use crate::toml;
use crate::trial::{Failure, Fault};

/// The number of formulas tried beside the keys of one scenario.
pub const FORMULAS: u64 = 10;

/// The outcomes of one scenario's formulas.
#[derive(Clone, Copy, Debug, Default)]
pub struct Equated {
    /// Formulas whose scenario was accepted, like its literal.
    pub accepted: u64,
    /// Formulas whose scenario was refused, like its literal.
    pub refused: u64,
}

/// Tries formulas in the scenario of this number; failures come with both texts.
pub fn try_formulas(
    maker: &Maker,
    number: u64,
    folder: &Path,
) -> io::Result<(Equated, Vec<(Failure, String)>)> {
    fs::create_dir_all(folder)?;
    let (mut tree, mut equated, mut failed) = (Map::new(), Equated::default(), Vec::new());
    let made = guarded(|| Ok(maker.make(number, folder, &mut tree)));
    let Ok(Ok(Some(_))) = made else {
        return Ok((equated, failed));
    };
    let files = Shelf(folder.to_path_buf());
    let dice = &mut Dice::new(number ^ 0xf0a1);
    for _ in 0..FORMULAS {
        let Some(pair) = Pair::draw(&tree, dice) else {
            break;
        };
        match guarded(|| pair.judge(&files)) {
            Ok(true) => equated.accepted += 1,
            Ok(false) => equated.refused += 1,
            Err(failure) => failed.push((failure, pair.told())),
        }
    }
    Ok((equated, failed))
}

/// A scenario with literals, and the same with formulas in their places.
struct Pair {
    literal: String,
    formula: String,
    changes: Vec<String>,
}

impl Pair {
    fn draw(tree: &Map<String, Json>, dice: &mut Dice) -> Option<Pair> {
        let mut literal = tree.clone();
        let mut quantities: Vec<(String, Amount)> = leaves(tree)
            .into_iter()
            .filter_map(|path| {
                let amount = at(&mut literal, &path)?.as_str().and_then(Amount::read)?;
                Some((path, amount))
            })
            .collect();
        if quantities.is_empty() {
            return None;
        }
        // Half of the scenarios have a value that rules between keys may refuse.
        if dice.percent(60) {
            let place = dice.place(quantities.len());
            let (path, amount) = &mut quantities[place];
            amount.change(dice);
            *at(&mut literal, path)? = json!(amount.text());
        }
        let mut formula = literal.clone();
        let mut changes = Vec::new();
        for _ in 0..1 + dice.place(3) {
            let (path, amount) = dice.pick(&quantities).clone();
            let text = amount.formula(dice);
            changes.push(format!("{path}: {} is {text:?}", amount.text()));
            *at(&mut formula, &path)? = json!(text);
        }
        Some(Pair {
            literal: toml::document(&literal),
            formula: toml::document(&formula),
            changes,
        })
    }

    /// True if both are accepted, false if both are refused.
    fn judge(&self, files: &Shelf) -> Result<bool, Failure> {
        let read = |text: &str| -> Result<(Checked, Vec<Problem>), Vec<Problem>> {
            let raw = Raw::parse("pair.toml", text);
            let checked = raw.check(files).map_err(|problems| problems.0)?;
            let warnings = raw.warnings(&checked);
            Ok((checked, warnings))
        };
        match (read(&self.literal), read(&self.formula)) {
            (Ok((literal, warned)), Ok((formula, also))) => {
                if literal != formula {
                    return Err(Fault::Differs.seen("the formula means another scenario"));
                }
                if paths(&warned) == paths(&also) {
                    Ok(true)
                } else {
                    let seen = format!(
                        "warnings {:?}, of the formula {:?}",
                        paths(&warned),
                        paths(&also)
                    );
                    Err(Fault::Differs.seen(seen))
                }
            }
            (Err(literal), Err(formula)) => {
                if paths(&literal) == paths(&formula) {
                    Ok(false)
                } else {
                    let seen = format!(
                        "the literal is refused for {literal:?}, the formula for {formula:?}"
                    );
                    Err(Fault::Differs.seen(seen))
                }
            }
            (Err(_), Ok(_)) => Err(Fault::Law.seen("the formula is accepted, its literal refused")),
            (Ok(_), Err(problems)) => {
                let seen = format!("the formula is refused: {problems:?}");
                Err(Fault::Law.seen(seen))
            }
        }
    }

    fn told(&self) -> String {
        format!("{}\n{}", self.changes.join("\n"), self.formula)
    }
}

fn paths(problems: &[Problem]) -> BTreeSet<&str> {
    problems
        .iter()
        .map(|problem| problem.path.as_str())
        .collect()
}

/// A quantity of a scenario, in its smallest unit.
#[derive(Clone, Debug)]
pub(crate) struct Amount {
    /// The number of units.
    pub(crate) number: u64,
    unit: &'static str,
    /// A larger unit, and its size.
    larger: (&'static str, u64),
}

/// Units with their sizes in the smallest of their kind.
const UNITS: [(&str, u64, &str, (&str, u64)); 13] = [
    ("ps", 1, "ps", ("ms", 1_000_000_000)),
    ("ns", 1_000, "ps", ("us", 1_000_000)),
    ("us", 1_000_000, "ps", ("ms", 1_000_000_000)),
    ("µs", 1_000_000, "ps", ("ms", 1_000_000_000)),
    ("ms", 1_000_000_000, "ps", ("s", 1_000_000_000_000)),
    ("s", 1_000_000_000_000, "ps", ("ms", 1_000_000_000)),
    ("bps", 1, "bps", ("kbps", 1_000)),
    ("kbps", 1_000, "bps", ("Mbps", 1_000_000)),
    ("Mbps", 1_000_000, "bps", ("kbps", 1_000)),
    ("Gbps", 1_000_000_000, "bps", ("Mbps", 1_000_000)),
    ("B", 1, "B", ("KB", 1_000)),
    ("KB", 1_000, "B", ("MB", 1_000_000)),
    ("pkts", 1, "pkts", ("pkts", 1)),
];

impl Amount {
    /// Reads a whole number of smallest units.
    pub(crate) fn read(text: &str) -> Option<Amount> {
        let at = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (digits, unit) = text.split_at(at);
        let (_, size, smallest, larger) = *UNITS.iter().find(|(name, ..)| *name == unit)?;
        let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
        let scale = 10_u128.checked_pow(u32::try_from(part.len()).ok()?)?;
        let parts = format!("{whole}{part}").parse::<u128>().ok()?;
        let number = parts.checked_mul(size.into())?;
        Some(Amount {
            number: u64::try_from(number.is_multiple_of(scale).then_some(number / scale)?).ok()?,
            unit: smallest,
            larger,
        })
    }

    /// Half of it.
    pub(crate) fn half(&self) -> Amount {
        Amount {
            number: self.number / 2,
            ..*self
        }
    }

    /// The amount as written in its smallest unit.
    pub(crate) fn text(&self) -> String {
        format!("{}{}", self.number, self.unit)
    }

    /// Another value: an end of the range, or a much larger or smaller one.
    fn change(&mut self, dice: &mut Dice) {
        let ends = [0, 1, 2, 10_000_000_000_000_000, 1 << 53, (1 << 53) + 1];
        self.number = match dice.below(3) {
            0 => *dice.pick(&ends),
            1 => self.number / dice.magnitude(2, 10_000),
            _ => self
                .number
                .saturating_mul(dice.magnitude(2, 1_000))
                .min(1 << 60),
        };
    }

    /// A formula of exactly this value.
    fn formula(&self, dice: &mut Dice) -> String {
        let (n, unit) = (self.number, self.unit);
        let text = self.text();
        let half = n / 2;
        match dice.below(10) {
            0 => format!("= {text}"),
            1 => format!("= {text} + 0{unit}"),
            2 => format!("= {text} * 1"),
            3 => format!("= max({text}, 0{unit})"),
            4 => format!("= {half}{unit} + {}{unit}", n - half),
            5 => format!("= -(0{unit} - {text})"),
            7 if n == 0 => format!("= -0{unit}"),
            // No number within a formula may be beyond the greatest quantity either.
            6..=8 if n > u64::MAX / 2 => format!("= {text}"),
            6 => format!(
                "= {}{unit} - {half}{unit}",
                u128::from(n) + u128::from(half)
            ),
            7 => format!("= min({text}, {}{unit}) / 1", u128::from(n) * 2),
            8 => format!("= {}{unit} / 2", u128::from(n) * 2),
            _ => {
                let (larger, size) = self.larger;
                let size = if self.unit == larger { 1 } else { size };
                format!("= {}{larger} + {}{unit}", n / size, n % size)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_exactly() {
        let read = |text| Amount::read(text).map(|amount| amount.text());
        assert_eq!(read("1.5ms").as_deref(), Some("1500000000ps"));
        assert_eq!(read("0.25KB").as_deref(), Some("250B"));
        assert_eq!(read("unlimited"), None);
        assert_eq!(read("0.5B"), None);
    }
}
