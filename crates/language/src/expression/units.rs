//! Units of expressions, known before any value is.

use crate::expression::evaluate::{Names, logarithm, power, product, root, same_units};
use crate::expression::parser::{Expression, Function, Node, Term};
use crate::expression::problem::Problem;
use crate::expression::unit::Unit;
use crate::expression::value::Value;

impl Expression {
    /// The unit, which follows from those of its names alone; their numbers do not matter.
    pub fn unit(&self, names: &dyn Names) -> Result<Unit, Problem> {
        unit(&self.root, names)
    }

    /// Every name and every function of a reference, from left to right.
    pub fn names(&self) -> Vec<(&str, Option<&str>)> {
        let mut names = Vec::new();
        collect(&self.root, &mut names);
        names
    }
}

fn unit(node: &Node, names: &dyn Names) -> Result<Unit, Problem> {
    match &node.term {
        Term::Literal(value) => Ok(value.unit),
        Term::Name(name, of) => {
            let found = names.value(name, of.as_deref());
            let problem = |(message, help)| Problem::new(node.at.clone(), message, help);
            found.map(|value| value.unit).map_err(problem)
        }
        Term::Negative(of) => unit(of, names),
        Term::Binary(sign, left, right) => {
            let units = [unit(left, names)?, unit(right, names)?];
            match sign {
                '*' => product(units[0], units[1], &node.at),
                '/' => product(units[0], units[1].inverse(), &node.at),
                sign => same_units(&sign.to_string(), &units.map(one_of), &node.at),
            }
        }
        Term::Call(function, of) => {
            let of = of.iter().map(|node| unit(node, names).map(one_of));
            let of = of.collect::<Result<Vec<Value>, Problem>>()?;
            match function {
                Function::Min | Function::Max => same_units(function.name(), &of, &node.at),
                Function::Sqrt => root(of[0], &node.at).map(|root| root.unit),
                Function::Log => logarithm(of[0], &node.at).map(|value| value.unit),
                Function::Pow => power(of[0], of[1], &node.at).map(|value| value.unit),
            }
        }
    }
}

/// A value of one in this unit, for which every function is defined.
fn one_of(unit: Unit) -> Value {
    Value::new(1.0, unit)
}

fn collect<'e>(node: &'e Node, names: &mut Vec<(&'e str, Option<&'e str>)>) {
    match &node.term {
        Term::Literal(_) => (),
        Term::Name(name, of) => names.push((name, of.as_deref())),
        Term::Negative(of) => collect(of, names),
        Term::Binary(_, left, right) => {
            collect(left, names);
            collect(right, names);
        }
        Term::Call(_, of) => of.iter().for_each(|node| collect(node, names)),
    }
}
