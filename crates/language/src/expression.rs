//! Expressions of quantities, such as `0.5 * bdp(core) / sqrt(flows)`.
//!
//! The language is total: it has no loops and no variables, every expression has a value or a
//! [`Problem`] with its place. Operators are + - * / (or × ÷), functions min, max, sqrt, log (the
//! natural logarithm) and pow; literals are numbers with or without a unit. Other names and functions are
//! those of the caller's [`Names`].
//!
//! ```
//! use pacesim_language::expression::{Expression, NoNames, Target};
//!
//! let half = Expression::parse("10Mbps * 40ms / 2")?;
//! assert_eq!(half.resolve(&NoNames, Target::Bytes)?, "25000B");
//! let wrong = half.resolve(&NoNames, Target::Span).unwrap_err();
//! assert_eq!(wrong.message, "this is an amount of data in bit, but a time in s is expected");
//! # Ok::<(), pacesim_language::expression::Problem>(())
//! ```

mod amount;
mod evaluate;
mod lexer;
mod parser;
mod problem;
mod ratio;
mod shown;
mod sign;
mod target;
mod unit;
mod units;
mod value;

pub use evaluate::{Names, NoNames};
pub use parser::Expression;
pub use problem::Problem;
pub use shown::Shown;
pub use target::Target;
pub use unit::Unit;
pub use value::Value;
