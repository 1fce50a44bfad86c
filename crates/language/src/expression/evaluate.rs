//! Evaluation of expressions.

use std::cmp::Ordering;
use std::ops::Range;

use crate::expression::parser::{Expression, Function, Node, Term};
use crate::expression::problem::Problem;
use crate::expression::ratio::Ratio;
use crate::expression::unit::Unit;
use crate::expression::value::Value;

/// The caller's names and functions of references.
pub trait Names {
    /// The value of a name, or of a function of a reference; otherwise the message and its remedy.
    fn value(&self, name: &str, of: Option<&str>) -> Result<Value, (String, String)>;
}

/// A set of names that has none.
#[derive(Clone, Copy, Debug)]
pub struct NoNames;

impl Names for NoNames {
    fn value(&self, name: &str, _: Option<&str>) -> Result<Value, (String, String)> {
        let message = format!("there is nothing of the name \"{name}\"");
        Err((message, "use numbers".to_owned()))
    }
}

impl Expression {
    /// The value; always a finite number.
    pub fn value(&self, names: &dyn Names) -> Result<Value, Problem> {
        value(&self.root, names)
    }
}

fn value(node: &Node, names: &dyn Names) -> Result<Value, Problem> {
    let found = match &node.term {
        Term::Literal(value) => *value,
        Term::Name(name, of) => names
            .value(name, of.as_deref())
            .map_err(|(message, help)| Problem::new(node.at.clone(), message, help))?,
        Term::Negative(of) => {
            let of = value(of, names)?;
            // Without the sign of a negative zero.
            let number = 0.0 - of.number;
            Value::of(number, of.exact.map(Ratio::negative), of.unit)
        }
        Term::Binary(sign, left, right) => {
            let (left, right) = (value(left, names)?, value(right, names)?);
            binary(*sign, left, right, &node.at)?
        }
        Term::Call(function, of) => {
            let of = of.iter().map(|node| value(node, names));
            let of = of.collect::<Result<Vec<Value>, Problem>>()?;
            call(*function, &of, &node.at)?
        }
    };
    finite(found, &node.at)
}

fn finite(value: Value, at: &Range<usize>) -> Result<Value, Problem> {
    if value.number.is_finite() {
        return Ok(value);
    }
    let help = "choose smaller values";
    Err(Problem::new(at.clone(), "this is beyond all numbers", help))
}

fn binary(sign: char, left: Value, right: Value, at: &Range<usize>) -> Result<Value, Problem> {
    let (a, b) = (left.number, right.number);
    let exact = |of: fn(Ratio, Ratio) -> Option<Ratio>| {
        let both = left.exact.zip(right.exact);
        both.and_then(|(a, b)| of(a, b))
    };
    let (number, exact) = match sign {
        '+' => (a + b, exact(Ratio::plus)),
        '-' => (a - b, exact(|a, b| a.plus(b.negative()))),
        '*' => (a * b, exact(Ratio::times)),
        _ if b == 0.0 => {
            let help = "divide by something other than zero";
            return Err(Problem::new(at.clone(), "this divides by zero", help));
        }
        _ => (a / b, exact(Ratio::over)),
    };
    let unit = match sign {
        '+' | '-' => same_units(&sign.to_string(), &[left, right], at)?,
        '*' => product(left.unit, right.unit, at)?,
        _ => product(left.unit, right.unit.inverse(), at)?,
    };
    Ok(Value::of(number, exact, unit))
}

pub(crate) fn product(left: Unit, right: Unit, at: &Range<usize>) -> Result<Unit, Problem> {
    left.times(right).ok_or_else(|| {
        let help = "multiply fewer quantities";
        Problem::new(at.clone(), "the exponents of its unit are too large", help)
    })
}

/// The unit that both values share.
pub(crate) fn same_units(
    joined: &str,
    values: &[Value],
    at: &Range<usize>,
) -> Result<Unit, Problem> {
    let first = values[0].unit;
    match values.iter().find(|value| value.unit != first) {
        None => Ok(first),
        Some(other) => {
            let (first, other) = (first.describe(), other.unit.describe());
            let message = format!("{joined} joins {first} and {other}");
            let help = "give both the same unit";
            Err(Problem::new(at.clone(), message, help))
        }
    }
}

fn call(function: Function, of: &[Value], at: &Range<usize>) -> Result<Value, Problem> {
    let name = function.name();
    match function {
        Function::Min | Function::Max => {
            same_units(name, of, at)?;
            let wanted = match function {
                Function::Min => Ordering::Less,
                _ => Ordering::Greater,
            };
            let better = |best: Value, other: &Value| {
                if order(*other, best) == wanted {
                    *other
                } else {
                    best
                }
            };
            Ok(of[1..].iter().fold(of[0], better))
        }
        Function::Sqrt => root(of[0], at),
        Function::Log => logarithm(of[0], at),
        Function::Pow => power(of[0], of[1], at),
    }
}

/// The order of two finite numbers.
fn order(one: Value, other: Value) -> Ordering {
    let exact = one.exact.zip(other.exact);
    let exact = exact.and_then(|(one, other)| one.compare(other));
    exact.unwrap_or_else(|| one.number.total_cmp(&other.number))
}

pub(crate) fn root(of: Value, at: &Range<usize>) -> Result<Value, Problem> {
    if of.number < 0.0 {
        let message = "sqrt of a negative number";
        return Err(Problem::new(at.clone(), message, "give it zero or more"));
    }
    let unit = of.unit.root().ok_or_else(|| {
        let message = format!("sqrt of {} has no unit", of.unit.describe());
        Problem::new(at.clone(), message, "take one root only")
    })?;
    Ok(Value::new(libm::sqrt(of.number), unit))
}

/// Rejects a value with a unit.
fn no_unit(name: &str, of: Value, at: &Range<usize>) -> Result<(), Problem> {
    if of.unit == Unit::ONE {
        return Ok(());
    }
    let (given, plain) = (of.unit.describe(), Unit::ONE.describe());
    let message = format!("{name} takes {plain}, and not {given}");
    let help = "divide by a quantity of the same unit";
    Err(Problem::new(at.clone(), message, help))
}

/// A ratio to a power, which has no unit: powers of quantities could have any.
pub(crate) fn power(of: Value, exponent: Value, at: &Range<usize>) -> Result<Value, Problem> {
    no_unit("pow", of, at)?;
    no_unit("pow", exponent, at)?;
    if of.number <= 0.0 {
        let message = "pow of zero or a negative number";
        return Err(Problem::new(at.clone(), message, "give it more than zero"));
    }
    Ok(Value::plain(libm::pow(of.number, exponent.number)))
}

pub(crate) fn logarithm(of: Value, at: &Range<usize>) -> Result<Value, Problem> {
    no_unit("log", of, at)?;
    if of.number <= 0.0 {
        let message = "log of zero or a negative number";
        return Err(Problem::new(at.clone(), message, "give it more than zero"));
    }
    Ok(Value::plain(libm::log(of.number)))
}
