//! The signs of the values of expressions.

use crate::expression::parser::{Expression, Function, Node, Term};

impl Expression {
    /// True if names without negative values cannot give it a negative one.
    ///
    /// ```
    /// use pacesim_language::expression::Expression;
    ///
    /// let of = |text: &str| Expression::parse(text).map(|read| read.keeps_sign());
    /// assert_eq!(of("2 * a / max(b, c)"), Ok(true));
    /// assert_eq!(of("a - b"), Ok(false));
    /// ```
    pub fn keeps_sign(&self) -> bool {
        keeps_sign(&self.root)
    }
}

fn keeps_sign(node: &Node) -> bool {
    match &node.term {
        Term::Literal(value) => value.number >= 0.0,
        Term::Name(..) => true,
        Term::Negative(_) => false,
        Term::Binary(sign, left, right) => {
            !['-', '−'].contains(sign) && keeps_sign(left) && keeps_sign(right)
        }
        Term::Call(Function::Log, _) => false,
        Term::Call(Function::Sqrt, _) => true,
        Term::Call(Function::Pow, of) => of.first().is_some_and(keeps_sign),
        Term::Call(Function::Min | Function::Max, of) => of.iter().all(keeps_sign),
    }
}
